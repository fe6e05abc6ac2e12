#include "config/tree/node.h"

#include "config/tree/test_tree.h"

namespace ridgeline::config {
namespace {

using Parts = std::vector<std::string>;

using NodeTest = TreeTest;

TEST_F(NodeTest, SplitsKeysAtDotsAndBrackets) {
  const struct {
    const char* what;
    const char* key;
    Parts want;
  } cases[] = {
      {"one part", "a", {"a"}},
      {"dots", "a.b.c", {"a", "b", "c"}},
      {"a bracket", "a[b]", {"a", "b"}},
      {"a bracket first", "[a].b", {"a", "b"}},
      {"brackets in a row", "a[0][1]", {"a", "0", "1"}},
      {"a dot behind a bracket", "a[0].b", {"a", "0", "b"}},
      {"a dot inside a bracket", "a[b.c]", {"a", "b.c"}},
      {"leading dots are empty parts", "..a", {"", "", "a"}},
      {"a trailing dot", "a.", {"a", ""}},
      {"nothing", "", {""}},
      {"a bracket that does not end", "a[b", {"a"}},
      {"an empty bracket", "a[]", {"a", ""}},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(SplitKey(c.key), c.want);
  }
}

TEST_F(NodeTest, TellsTheFullKeyOfANode) {
  Node& root = Tree("a: {b: [x, {c: 1}, [y]]}\n1: {z: 2}\ntrue: q\n");
  const struct {
    const char* what;
    const Node* node;
    const char* want;
  } cases[] = {
      {"the root", &root, ""},
      {"a dict", &At(root, "a"), "a"},
      {"a list", &At(root, "a.b"), "a.b"},
      {"an item", &At(root, "a.b[0]"), "a.b[0]"},
      {"a key below an item", &At(root, "a.b[1].c"), "a.b[1].c"},
      {"an item of an item", &At(root, "a.b[2][0]"), "a.b[2][0]"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(FullKey(*c.node, std::nullopt), c.want);
  }
}

TEST_F(NodeTest, TellsTheFullKeyOfAPlaceThatMayNotExist) {
  Node& root = Tree("a: {b: [x, {c: 1}]}\n");
  const struct {
    const char* what;
    const Node* node;
    Scalar key;
    const char* want;
  } cases[] = {
      {"below the root", &root, "n", "n"},
      {"below a dict", &At(root, "a"), "n", "a.n"},
      {"below a list", &At(root, "a.b"), Integer(7), "a.b[7]"},
      {"an item that exists", &At(root, "a.b"), Integer(1), "a.b[1]"},
      {"below an item", &At(root, "a.b[1]"), "n", "a.b[1].n"},
      {"a number as key", &At(root, "a"), Integer(3), "a.3"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(FullKey(*c.node, c.key), c.want);
  }
}

TEST_F(NodeTest, KnowsWhatIsSpecialAboutAValue) {
  Node& root =
      Tree("none:\nmissing: ???\nref: ${none}\nhalf: a ${none}\ntext: a\nd: {}\n");
  const struct {
    const char* key;
    bool none, missing, interpolation;
  } cases[] = {
      {"none", true, false, false},  {"missing", false, true, false},
      {"ref", false, false, true},   {"half", false, false, true},
      {"text", false, false, false}, {"d", false, false, false},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.key);
    const Node& node = At(root, c.key);
    EXPECT_EQ(node.IsNone(), c.none);
    EXPECT_EQ(node.IsMissing(), c.missing);
    EXPECT_EQ(node.IsInterpolation(), c.interpolation);
    EXPECT_EQ(node.IsSpecial(), c.none || c.missing || c.interpolation);
  }
}

TEST_F(NodeTest, TheNearestStructFlagCounts) {
  Node& root = Tree("a: {b: {c: 1}}\n");
  Node& leaf = At(root, "a.b.c");
  EXPECT_FALSE(leaf.IsStruct());
  root.struct_flag = true;
  EXPECT_TRUE(leaf.IsStruct());
  At(root, "a").struct_flag = false;
  EXPECT_FALSE(leaf.IsStruct());
  EXPECT_TRUE(root.IsStruct());
}

TEST_F(NodeTest, NamesTheTypeOfWhatIsStoredAsPythonDoes) {
  Node& root = Tree("d: {}\nl: []\ni: 1\nf: 1.5\ns: x\nb: true\nn:\n");
  const std::pair<const char*, const char*> cases[] = {
      {"d", "dict"}, {"l", "list"}, {"i", "int"},     {"f", "float"},
      {"s", "str"},  {"b", "bool"}, {"n", "NoneType"}};
  for (const auto& [key, want] : cases) {
    SCOPED_TRACE(key);
    EXPECT_EQ(ObjectTypeName(At(root, key)), want);
  }
}

}  // namespace
}  // namespace ridgeline::config
