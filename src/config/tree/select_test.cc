#include "config/tree/select.h"

#include "config/tree/test_tree.h"

namespace ridgeline::config {
namespace {

class SelectTest : public TreeTest {
 protected:
  std::string Selected(Node& root, std::string_view key) {
    const Result<Node*> node = Select(workspace_, root, key);
    if (!node.ok()) return Text(node.error());
    return node.value() == nullptr ? "nothing" : Str(ToValue(*node.value()));
  }
  std::string Updated(const char* yaml, const char* key, const char* value,
                      AddKeys add_keys = AddKeys::kNo) {
    Node& root = Tree(yaml);
    root.struct_flag = true;
    const Status updated = Update(workspace_, root, key, Data(value), add_keys);
    return updated.ok() ? Yaml(root) : Text(updated.error());
  }
};

TEST_F(SelectTest, FindsByPath) {
  Node& root = Tree("a: {b: [x, {c: 1}], none: , missing: '???'}\nref: ${a.b}\n");
  const struct {
    const char* what;
    const char* key;
    const char* want;
  } cases[] = {
      {"dots", "a.b.1.c", "1"},
      {"brackets", "a[b][1][c]", "1"},
      {"through an interpolation", "ref.1.c", "1"},
      {"an interpolation itself", "ref", "['x', {'c': 1}]"},
      {"the root", "",
       "{'a': {'b': ['x', {'c': 1}], 'none': None, 'missing': '???'}, "
       "'ref': '${a.b}'}"},
      {"null", "a.none", "None"},
      {"no such key", "a.z", "nothing"},
      {"no such container", "z.z.z", "nothing"},
      {"below null", "a.none.z", "nothing"},
      {"below a scalar", "a.b.0.z", "nothing"},
      {"behind the end of a list", "a.b.7", "nothing"},
      {"missing", "a.missing", "nothing"},
      {"a word as index", "a.b.x",
       "ConfigTypeError: Index 'x' (str) is not an int\n    full_key: a.b.x\n"
       "    object_type=dict"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(Selected(root, c.key), c.want);
  }
}

TEST_F(SelectTest, MissingValuesCanBeMadeErrors) {
  Node& root = Tree("a: {b: '???'}\n");
  EXPECT_EQ(ErrorText(SelectFrom(workspace_, root, "a.b", {.fail_on_missing = true})),
            "MissingMandatoryValue: Missing mandatory value: a.b");
}

TEST_F(SelectTest, LeadingDotsLeaveTheContainer) {
  Node& root = Tree("x: 1\na: {b: {c: 2}}\n");
  Node& b = At(root, "a.b");
  const struct {
    const char* key;
    Node* want_root;
    const char* want_key;
  } cases[] = {
      {"x", &root, "x"},    {".c", &b, "c"}, {"..b", &At(root, "a"), "b"},
      {"...x", &root, "x"}, {".", &b, ""},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.key);
    const Result<KeyBase> base = ResolveBase(b, c.key);
    ASSERT_TRUE(base.ok());
    EXPECT_EQ(base.value().root, c.want_root);
    EXPECT_EQ(base.value().key, c.want_key);
  }
  EXPECT_EQ(ErrorText(ResolveBase(b, "....x")),
            "ConfigKeyError: Error resolving key '....x'");
}

TEST_F(SelectTest, ReadingSaysWhatIsWrong) {
  Node& root = Tree("a: ???\nb: 1\n");
  EXPECT_EQ(Read(root, "b"), "1");
  EXPECT_EQ(Read(root, "a"),
            "MissingMandatoryValue: Missing mandatory value: a\n    full_key: a\n"
            "    object_type=dict");
  EXPECT_EQ(Read(root, "z"),
            "ConfigKeyError: Missing key z\n    full_key: z\n    object_type=dict");
  EXPECT_EQ(ErrorText(ReadItem(workspace_, root, "z", Access::kAttribute)),
            "ConfigAttributeError: Missing key z\n    full_key: z\n    object_type=dict");
}

TEST_F(SelectTest, UpdatesByPath) {
  const struct {
    const char* what;
    const char* yaml;
    const char* key;
    const char* value;
    const char* want;
  } cases[] = {
      {"a value", "a: {b: 1}", "a.b", "2", "a:\n  b: 2\n"},
      {"dicts merge", "a: {b: {x: 1, z: 2}}", "a.b", "{x: 3}",
       "a:\n  b:\n    x: 3\n    z: 2\n"},
      {"lists replace", "a: [1, 2]", "a", "[3]", "a:\n- 3\n"},
      {"an item", "a: [1, 2]", "a.1", "3", "a:\n- 1\n- 3\n"},
      {"null over a dict", "a: {b: 1}", "a", "null", "a: null\n"},
      {"a new key", "a: {b: 1}", "a.z", "2",
       "ConfigAttributeError: Key 'z' is not in struct\n    full_key: a.z\n"
       "    object_type=dict"},
      {"below a scalar", "a: 1", "a.z", "2",
       "ConfigAttributeError: Key 'z' is not in struct\n    full_key: a.z\n"
       "    object_type=dict"},
      {"an item that is not there", "a: [1]", "a.1", "3",
       "ConfigIndexError: list index out of range\n    full_key: a[1]\n"
       "    object_type=list"},
      {"a word as index", "a: [1]", "a.x", "3",
       "ValueError: invalid literal for int() with base 10: 'x'"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(Updated(c.yaml, c.key, c.value), c.want);
  }
}

TEST_F(SelectTest, ForcingAddsTheWholeWay) {
  EXPECT_EQ(Updated("a: 1", "x.y.z", "2", AddKeys::kForce),
            "a: 1\nx:\n  'y':\n    z: 2\n");
  EXPECT_EQ(Updated("a: 1", "a.b", "2", AddKeys::kForce), "a:\n  b: 2\n");
}

TEST_F(SelectTest, APathWithoutEndIsRefused) {
  std::string key = "a";
  for (int i = 0; i < 50'000; ++i) key += ".a";
  Node& root = Tree("a: {}");
  const std::string error =
      ErrorText(Update(workspace_, root, key, Value(1), AddKeys::kForce));
  EXPECT_TRUE(error.starts_with("LimitError: ")) << error.substr(0, 200);
  EXPECT_EQ(Yaml(root), "a: {}\n");
}

}  // namespace
}  // namespace ridgeline::config
