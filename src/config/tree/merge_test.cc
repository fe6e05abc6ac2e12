#include "config/tree/merge.h"

#include <random>

#include "config/tree/test_tree.h"

namespace ridgeline::config {
namespace {

class MergeTest : public TreeTest {
 protected:
  std::string Merged(const char* target, const char* source) {
    Node& root = Tree(target);
    const Status merged = MergeNode(workspace_, root, Tree(source));
    return merged.ok() ? Yaml(root) : Text(merged.error());
  }
};

TEST_F(MergeTest, MergesDictsAndReplacesEverythingElse) {
  const struct {
    const char* what;
    const char* target;
    const char* source;
    const char* want;
  } cases[] = {
      {"dicts key by key", "a: {x: 1, y: 2}", "a: {y: 3, z: 4}",
       "a:\n  x: 1\n  'y': 3\n  z: 4\n"},
      {"lists are replaced", "a: [1, 2, 3]", "a: [4]", "a:\n- 4\n"},
      {"a scalar replaces a dict", "a: {x: 1}", "a: 5", "a: 5\n"},
      {"a dict replaces a scalar", "a: 5", "a: {x: 1}", "a:\n  x: 1\n"},
      {"null replaces", "a: {x: 1}", "a:", "a: null\n"},
      {"a dict replaces null", "a:", "a: {x: 1}", "a:\n  x: 1\n"},
      {"??? keeps what is there", "a: 5\nb: {x: 1}\nc: [1]", "a: ???\nb: ???\nc: ???",
       "a: 5\nb:\n  x: 1\nc:\n- 1\n"},
      {"??? is kept where nothing is", "a: 5", "b: ???", "a: 5\nb: ???\n"},
      {"the order of the target stays", "b: 1\na: 2", "a: 3\nc: 4\nb: 5",
       "b: 5\na: 3\nc: 4\n"},
      {"an empty dict changes nothing", "a: {x: 1}", "a: {}", "a:\n  x: 1\n"},
      {"keys equal as in Python", "1: a", "true: b", "1: b\n"},
      {"an interpolation replaces a dict", "a: {x: 1}\nb: 2", "a: ${b}",
       "a: ${b}\nb: 2\n"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(Merged(c.target, c.source), c.want);
  }
}

TEST_F(MergeTest, ADictOntoAnInterpolationStartsFromACopyOfItsTarget) {
  EXPECT_EQ(Merged("x: ${y}\ny: {a: 1}", "x: {b: 2}"),
            "x:\n  a: 1\n  b: 2\n'y':\n  a: 1\n");
  EXPECT_EQ(Merged("x: ${nope}", "x: {b: 2}"), "x:\n  b: 2\n");
}

TEST_F(MergeTest, ADictAndAListDoNotMix) {
  const std::string want =
      "ConfigTypeError: Cannot merge DictConfig with ListConfig\n    full_key: \n"
      "    object_type=dict";
  EXPECT_EQ(Merged("{}", "[]"), want);
  EXPECT_EQ(Merged("a: {}", "a: []"), want);
}

TEST_F(MergeTest, StructModeRefusesNewKeys) {
  Node& root = Tree("a: {b: 1}");
  root.struct_flag = true;
  EXPECT_EQ(ErrorText(MergeValue(workspace_, root, Data("a: {c: 1}"))),
            "ConfigKeyError: Key 'c' is not in struct\n    full_key: a.c\n"
            "    object_type=dict");
  EXPECT_TRUE(MergeValue(workspace_, root, Data("a: {b: 2}")).ok());
  EXPECT_EQ(Yaml(root), "a:\n  b: 2\n");
}

TEST_F(MergeTest, ValuesKeepTheirOrigin) {
  Node& root = Tree("a: 1\nb: 2\nl: [1]");
  Node& other = *CreateRoot(workspace_, Data("\nb: 3\nl:\n- 4"),
                            std::make_shared<const std::string>("other.yaml"))
                     .value();
  ASSERT_TRUE(MergeNode(workspace_, root, other).ok());
  EXPECT_EQ(At(root, "a").origin.ToString(), "test.yaml:1:4");
  EXPECT_EQ(At(root, "b").origin.ToString(), "other.yaml:2:4");
  EXPECT_EQ(At(root, "l[0]").origin.ToString(), "other.yaml:4:3");
}

// A random tree of small values.
Value RandomData(std::mt19937& random, int depth) {
  const auto pick = [&](int n) {
    return static_cast<int>(random() % static_cast<unsigned>(n));
  };
  if (depth > 0 && pick(3) != 0) {
    Dict dict;
    for (int i = pick(4); i > 0; --i) {
      dict.Set(std::string(1, static_cast<char>('a' + pick(5))),
               RandomData(random, depth - 1));
    }
    return dict;
  }
  switch (pick(6)) {
    case 0:
      return Value(pick(100));
    case 1:
      return Value("text " + std::to_string(pick(10)));
    case 2:
      return Value(pick(2) == 0);
    case 3:
      return Value();
    case 4:
      return List{Value(pick(9)), Value("x")};
    default:
      return Value(pick(100) / 8.0);
  }
}

Value RandomDict(std::mt19937& random) {
  Value value = RandomData(random, 3);
  return value.is_dict() ? value : Value(Dict());
}

// A dict meeting a list is an error, which must be the same both times.
TEST_F(MergeTest, MergingTheSameTwiceChangesNothing) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const Value target = RandomDict(random);
    const Value source = RandomDict(random);
    SCOPED_TRACE(Str(target) + " <- " + Str(source));
    Node& root = *CreateRoot(workspace_, target).value();
    const Status first = MergeValue(workspace_, root, source);
    const std::string once = Yaml(root);
    const Status second = MergeValue(workspace_, root, source);
    EXPECT_EQ(first.ok(), second.ok());
    if (!first.ok()) continue;
    EXPECT_EQ(Yaml(root), once);
    EXPECT_TRUE(PythonEqual(Data(once), ToValue(root)));
  }
}

TEST_F(MergeTest, MergingIntoNothingIsTheSourceItself) {
  std::mt19937 random(2);
  for (int round = 0; round < 300; ++round) {
    const Value source = RandomDict(random);
    SCOPED_TRACE(Str(source));
    Node& root = *CreateRoot(workspace_, Value(Dict())).value();
    ASSERT_TRUE(MergeValue(workspace_, root, source).ok());
    EXPECT_EQ(Yaml(root), DumpYaml(source));
  }
}

}  // namespace
}  // namespace ridgeline::config
