#include "config/tree/build.h"

#include "config/tree/test_tree.h"

namespace ridgeline::config {
namespace {

class BuildTest : public TreeTest {
 protected:
  std::string CreateError(std::string_view yaml) {
    return ErrorText(CreateRoot(workspace_, Data(yaml)));
  }
};

TEST_F(BuildTest, ATreeHoldsWhatTheDataHeld) {
  for (const char* yaml :
       {"{}\n", "[]\n", "a: 1\nb:\n  c: x\n  d: null\n", "- 1\n- - 2\n  - a: 3\n",
        "1: a\nfalse: b\n2.5: c\n", "a: ???\nb: ${a}\n"}) {
    SCOPED_TRACE(yaml);
    EXPECT_EQ(Yaml(Tree(yaml)), yaml);
  }
}

TEST_F(BuildTest, EveryNodeKnowsItsParentItsKeyAndItsLine) {
  Node& root = Tree("a: 1\nb:\n  c: x\n  d: [7, 8]\n");
  EXPECT_EQ(root.parent, nullptr);
  Node& leaf = At(root, "b.d[1]");
  EXPECT_EQ(leaf.parent, &At(root, "b.d"));
  EXPECT_EQ(Str(Value(leaf.key)), "1");
  EXPECT_EQ(leaf.origin.ToString(), "test.yaml:4:10");
  EXPECT_EQ(At(root, "b.c").origin.ToString(), "test.yaml:3:6");
  EXPECT_EQ(&leaf.Root(), &root);
}

TEST_F(BuildTest, AScalarIsNoTree) {
  EXPECT_EQ(CreateError("just text"),
            "ValidationError: Object of unsupported type: 'str'\n    full_key: \n"
            "    object_type=None");
  EXPECT_EQ(CreateError("5"),
            "ValidationError: Object of unsupported type: 'int'\n    full_key: \n"
            "    object_type=None");
}

TEST_F(BuildTest, NullIsATreeThatIsNone) {
  const Result<Node*> root = CreateRoot(workspace_, Value());
  ASSERT_TRUE(root.ok());
  EXPECT_TRUE(root.value()->IsNone());
}

TEST_F(BuildTest, RefusesWhatNoConfigurationCanHoldAndSaysWhere) {
  const struct {
    const char* what;
    const char* yaml;
    const char* want;
  } cases[] = {
      {"a null key", "a: {null: 1}",
       "KeyValidationError: Incompatible key type 'NoneType'\n    full_key: a\n"
       "    object_type=dict"},
      {"a set", "a: !!set {x}",
       "UnsupportedValueType: Value 'set' is not a supported primitive type\n"
       "    full_key: a\n    object_type=dict"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(CreateError(c.yaml), c.want);
  }
}

TEST_F(BuildTest, TextThatIsNoInterpolationIsRefusedWhenItIsStored) {
  const std::string error = CreateError("a: {b: '${x'}");
  EXPECT_TRUE(error.starts_with("GrammarParseError: ")) << error;
  EXPECT_TRUE(error.ends_with("\n    full_key: a.b\n    object_type=dict")) << error;
}

TEST_F(BuildTest, ARecordStartsWithItsInitialValues) {
  static const StructType inner = {"Inner",
                                   {{"level", &kOptionalInteger, Field::Default::kNull}}};
  static const TypeHint inner_hint = {.kind = TypeHint::Kind::kStruct,
                                      .structure = &inner};
  static const StructType outer = {"Outer",
                                   {{"name", &kString},
                                    {"title", &kString, Field::Default::kText, "x"},
                                    {"words", &kListOfStrings, Field::Default::kEmpty},
                                    {"extra", &kDictOfAny, Field::Default::kEmpty},
                                    {"on", &kOptionalBool, Field::Default::kFalse},
                                    {"inner", &inner_hint, Field::Default::kNested}}};
  const Node& node = MakeStruct(workspace_, outer);
  EXPECT_EQ(
      Yaml(node),
      "name: ???\ntitle: x\nwords: []\nextra: {}\n'on': false\ninner:\n  level: null\n");
  EXPECT_EQ(ObjectTypeName(node), "Outer");
}

TEST_F(BuildTest, StoringIntoATypedNodeConvertsOrLeavesItAsItWas) {
  Node& root = Tree("a: 1\n");
  const Place place = {&root, std::string("n"), &kInteger};
  Node& node = *MakeNode(workspace_, Value("12"), place).value();
  EXPECT_TRUE(node.value.is_int());
  EXPECT_EQ(Str(node.value), "12");
  const Status refused = StoreScalar(workspace_, node, Value("x"));
  EXPECT_EQ(
      ErrorText(refused),
      "ValidationError: Value '$VALUE' of type '$VALUE_TYPE' could not be converted to "
      "Integer");
  EXPECT_EQ(Str(node.value), "12");
}

TEST_F(BuildTest, AContainerThatRefusesItsContentKeepsTheOldOne) {
  const Place place = {nullptr, Null(), &kListOfStrings};
  Node& node = *MakeNode(workspace_, Data("[a, b]"), place).value();
  EXPECT_FALSE(StoreContainer(workspace_, node, Data("[c, null]")).ok());
  EXPECT_EQ(Yaml(node), "- a\n- b\n");
  EXPECT_FALSE(StoreContainer(workspace_, node, Value()).ok());
  EXPECT_FALSE(StoreContainer(workspace_, node, Data("{a: 1}")).ok());
  EXPECT_EQ(Yaml(node), "- a\n- b\n");
  EXPECT_TRUE(StoreContainer(workspace_, node, Data("[1, true]")).ok());
  EXPECT_EQ(Yaml(node), "- '1'\n- 'True'\n");
}

}  // namespace
}  // namespace ridgeline::config
