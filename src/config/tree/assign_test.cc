#include "config/tree/assign.h"

#include "config/tree/test_tree.h"

namespace ridgeline::config {
namespace {

class AssignTest : public TreeTest {
 protected:
  Status Set(Node& container, const Scalar& key, const Value& value) {
    return SetItem(workspace_, container, key, &value);
  }
};

TEST_F(AssignTest, SetsAndReplacesKeys) {
  Node& root = Tree("a: 1\nb: {c: 2}\n");
  EXPECT_TRUE(Set(root, "a", Value("x")).ok());
  EXPECT_TRUE(Set(root, "b", Data("[1]")).ok());
  EXPECT_TRUE(Set(root, "new", Data("{k: v}")).ok());
  EXPECT_EQ(Yaml(root), "a: x\nb:\n- 1\nnew:\n  k: v\n");
  EXPECT_EQ(At(root, "new.k").parent, &At(root, "new"));
}

TEST_F(AssignTest, StructModeRefusesNewKeysButNotNewValues) {
  Node& root = Tree("a: {b: 1}\n");
  root.struct_flag = true;
  EXPECT_TRUE(Set(At(root, "a"), "b", Value(2)).ok());
  EXPECT_EQ(ErrorText(Set(At(root, "a"), "n", Value(2))),
            "ConfigKeyError: Key 'n' is not in struct\n    full_key: a.n\n"
            "    object_type=dict");
  const Value two(2);
  EXPECT_EQ(ErrorText(SetItem(workspace_, At(root, "a"), "n", &two, Access::kAttribute)),
            "ConfigAttributeError: Key 'n' is not in struct\n    full_key: a.n\n"
            "    object_type=dict");
  EXPECT_EQ(Yaml(root), "a:\n  b: 2\n");
}

TEST_F(AssignTest, AGuardOpensAStructForAWhile) {
  Node& root = Tree("a: 1\n");
  root.struct_flag = true;
  {
    StructFlagGuard open(root, false);
    EXPECT_TRUE(Set(root, "n", Value(2)).ok());
  }
  EXPECT_FALSE(Set(root, "m", Value(2)).ok());
}

TEST_F(AssignTest, GetNodeTellsAbsenceFromRefusal) {
  Node& root = Tree("a: {b: 1}\nl: [x]\n");
  EXPECT_EQ(GetNode(root, "nope").value(), nullptr);
  EXPECT_EQ(ErrorText(GetNode(At(root, "l"), Integer(1))),
            "ConfigIndexError: list index out of range\n    full_key: l[1]\n"
            "    object_type=list");
  root.struct_flag = true;
  EXPECT_EQ(ErrorText(GetNode(root, "nope")),
            "ConfigAttributeError: Key 'nope' is not in struct\n    full_key: nope\n"
            "    object_type=dict");
  EXPECT_EQ(FindNode(root, "nope"), nullptr);
  EXPECT_EQ(FindNode(At(root, "l"), Integer(-1)), nullptr);
}

TEST_F(AssignTest, ListsTakeNumbersOnly) {
  Node& list = At(Tree("l: [a, b]\n"), "l");
  EXPECT_TRUE(Set(list, Integer(1), Value("c")).ok());
  EXPECT_EQ(ErrorText(Set(list, "x", Value("c"))),
            "KeyValidationError: ListConfig indices must be integers or slices, not str\n"
            "    full_key: l[x]\n    object_type=list");
  EXPECT_EQ(ErrorText(Set(list, Integer(2), Value("c"))),
            "ConfigIndexError: list index out of range\n    full_key: l[2]\n"
            "    object_type=list");
  const Value more = Data("{k: v}");
  EXPECT_TRUE(AppendItem(workspace_, list, &more).ok());
  EXPECT_EQ(Yaml(list), "- a\n- c\n- k: v\n");
}

TEST_F(AssignTest, ANodeThatIsPutElsewhereIsACopy) {
  Node& root = Tree("a: {b: [1]}\n");
  EXPECT_TRUE(SetItem(workspace_, root, "c", &At(root, "a")).ok());
  EXPECT_TRUE(Set(At(root, "c"), "b", Value("changed")).ok());
  EXPECT_EQ(Yaml(root), "a:\n  b:\n  - 1\nc:\n  b: changed\n");
  EXPECT_EQ(At(root, "c").parent, &root);
}

TEST_F(AssignTest, SharingMovesANodeFromAnotherTree) {
  Node& from = Tree("a: {b: 1}\n");
  Node& to = Tree("{}\n");
  Node& moved = At(from, "a");
  workspace_.share_nodes = true;
  EXPECT_TRUE(SetItem(workspace_, to, "a", &moved).ok());
  workspace_.share_nodes = false;
  EXPECT_EQ(&At(to, "a"), &moved);
  EXPECT_EQ(moved.parent, &to);
}

TEST_F(AssignTest, DeletesKeysUnlessInStructMode) {
  Node& root = Tree("a: 1\nb: {c: 1}\n");
  EXPECT_TRUE(DeleteItem(root, "a").ok());
  EXPECT_EQ(ErrorText(DeleteItem(root, "a")),
            "ConfigKeyError: Key not found: 'a'\n    full_key: a\n    object_type=dict");
  root.struct_flag = true;
  EXPECT_EQ(ErrorText(DeleteItem(At(root, "b"), "c")),
            "ConfigTypeError: DictConfig in struct mode does not support deletion\n"
            "    full_key: b.c\n    object_type=dict");
  EXPECT_EQ(Yaml(root), "b:\n  c: 1\n");
}

TEST_F(AssignTest, ApplyHintChecksWhatIsAlreadyThere) {
  Node& root = Tree("good: [a, '???']\nbad: [a, 1]\ndict: {1: x}\n");
  EXPECT_TRUE(ApplyHint(workspace_, At(root, "good"), kListOfStrings).ok());
  EXPECT_EQ(At(root, "good[1]").hint, &kString);
  EXPECT_EQ(ErrorText(ApplyHint(workspace_, At(root, "bad"), kListOfStrings)),
            "ValidationError: Value 1 (int) is incompatible with type hint 'str'");
  EXPECT_EQ(ErrorText(ApplyHint(workspace_, At(root, "dict"), kDictOfStrings)),
            "KeyValidationError: Key 1 (int) is incompatible with key type hint 'str'");
  EXPECT_EQ(
      ErrorText(ApplyHint(workspace_, At(root, "good"), kDictOfAny)),
      "ValidationError: 'ListConfig' is incompatible with type hint 'Dict[str, Any]'");
}

}  // namespace
}  // namespace ridgeline::config
