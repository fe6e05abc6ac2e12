#include "config/tree/to_value.h"

#include "config/tree/test_tree.h"

namespace ridgeline::config {
namespace {

class ToValueTest : public TreeTest {
 protected:
  std::string Resolved(const char* yaml) {
    const Result<Value> value = ToResolvedValue(workspace_, Tree(yaml));
    return value.ok() ? DumpYaml(value.value()) : Text(value.error());
  }
  std::string ResolvedInPlace(const char* yaml) {
    Node& root = Tree(yaml);
    const Status resolved = ResolveInPlace(workspace_, root);
    return resolved.ok() ? Yaml(root) : Text(resolved.error());
  }
};

TEST_F(ToValueTest, InterpolationsStayAsTheyAreWritten) {
  const char* yaml = "a: ${b}\nb:\n- 1\n- ${a}\nc: ???\n";
  EXPECT_EQ(Yaml(Tree(yaml)), yaml);
}

TEST_F(ToValueTest, ResolvesBothWaysToTheSame) {
  const struct {
    const char* what;
    const char* yaml;
    const char* want;
  } cases[] = {
      {"scalars", "a: ${b}\nb: 1\n", "a: 1\nb: 1\n"},
      {"text", "a: x${b}\nb: 1\n", "a: x1\nb: 1\n"},
      {"containers", "a: ${b}\nb: {c: [1]}\n", "a:\n  c:\n  - 1\nb:\n  c:\n  - 1\n"},
      {"containers with interpolations", "a: ${b}\nb: {c: '${d}'}\nd: 2\n",
       "a:\n  c: 2\nb:\n  c: 2\nd: 2\n"},
      {"in lists", "a: ['${b}', 'x${b}']\nb: 1\n", "a:\n- 1\n- x1\nb: 1\n"},
      {"missing values stay", "a: ???\nb: {c: '???'}\n", "a: ???\nb:\n  c: ???\n"},
      {"null", "a: ${b}\nb:\n", "a: null\nb: null\n"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(Resolved(c.yaml), c.want);
    EXPECT_EQ(ResolvedInPlace(c.yaml), c.want);
  }
}

TEST_F(ToValueTest, InPlaceALaterOneSeesWhatBecameOfAnEarlierOne) {
  // The second read of b finds "${c}", which is now an interpolation.
  EXPECT_EQ(ResolvedInPlace("b: \\${c}\na: ${b}\nc: 1\n"), "b: ${c}\na: 1\nc: 1\n");
  EXPECT_EQ(Resolved("b: \\${c}\na: ${b}\nc: 1\n"), "b: ${c}\na: ${c}\nc: 1\n");
}

TEST_F(ToValueTest, InPlaceAReferenceToAMissingValueBecomesMissing) {
  EXPECT_EQ(ResolvedInPlace("a: ${b}\nb: ???\n"), "a: ???\nb: ???\n");
  EXPECT_EQ(Resolved("a: ${b}\nb: ???\n"),
            "InterpolationToMissingValueError: MissingMandatoryValue while resolving "
            "interpolation: Missing mandatory value: b\n    full_key: a\n"
            "    object_type=dict");
}

TEST_F(ToValueTest, OneBadInterpolationFailsTheWhole) {
  EXPECT_EQ(
      Resolved("a: 1\nb: {c: '${nope}'}\n"),
      "InterpolationKeyError: Interpolation key 'nope' not found\n    full_key: b.c\n"
      "    object_type=dict");
}

TEST_F(ToValueTest, ResolvingKeepsTheLineOfTheInterpolation) {
  Node& root = Tree("b: 1\na: ${b}\n");
  ASSERT_TRUE(ResolveInPlace(workspace_, root).ok());
  EXPECT_EQ(At(root, "a").origin.ToString(), "test.yaml:2:4");
}

}  // namespace
}  // namespace ridgeline::config
