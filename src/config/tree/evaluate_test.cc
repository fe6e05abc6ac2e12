#include "config/tree/evaluate.h"

#include "config/tree/test_tree.h"

namespace ridgeline::config {
namespace {

using EvaluateTest = TreeTest;

TEST_F(EvaluateTest, ReadsWhatAnInterpolationStandsFor) {
  Node& root = Tree(
      "i: 7\nf: 1e3\nb: true\nn:\ns: text\nl: [x, y]\nd: {k: v}\n"
      "whole: ${i}\nchain: ${whole}\nin_text: i=${i} f=${f} b=${b} n=${n}\n"
      "container: ${d}\ncontainer_in_text: '${d} ${l}'\nitem: ${l.1}\nbracket: ${l[0]}\n"
      "nested: ${d.${letter}}\nletter: k\nescaped: \\${i}\nescaped_twice: \\\\${i}\n"
      "call: ${oc.env:USER}\nquoted: '${oc.decode:''[1, 2.5, a]''}'\n");
  const std::pair<const char*, const char*> cases[] = {
      {"whole", "7"},
      {"chain", "7"},
      {"in_text", "i=7 f=1000.0 b=True n=None"},
      {"container", "{'k': 'v'}"},
      {"container_in_text", "{'k': 'v'} ['x', 'y']"},
      {"item", "y"},
      {"bracket", "x"},
      {"nested", "v"},
      {"escaped", "${i}"},
      {"escaped_twice", "\\7"},
      {"call", "ada"},
      {"quoted", "[1, 2.5, 'a']"},
  };
  for (const auto& [key, want] : cases) {
    SCOPED_TRACE(key);
    EXPECT_EQ(Read(root, key), want);
  }
}

TEST_F(EvaluateTest, AWholeInterpolationKeepsTheTypeOfItsTarget) {
  Node& root = Tree("i: 7\nd: {k: v}\nri: ${i}\nrd: ${d}\nrt: x${i}\n");
  EXPECT_EQ(ReadItem(workspace_, root, "rd").value(), &At(root, "d"));
  EXPECT_TRUE(ReadItem(workspace_, root, "ri").value()->value.is_int());
  EXPECT_TRUE(ReadItem(workspace_, root, "rt").value()->value.is_string());
}

TEST_F(EvaluateTest, RelativeKeysCountFromTheContainer) {
  Node& root = Tree(
      "top: t\na:\n  x: 1\n  here: ${.x}\n  up: ${..top}\n  b:\n    up: ${..x}\n"
      "    list: ['${..up}', '${...x}']\n");
  EXPECT_EQ(Read(At(root, "a"), "here"), "1");
  EXPECT_EQ(Read(At(root, "a"), "up"), "t");
  EXPECT_EQ(Read(At(root, "a.b"), "up"), "1");
  Node& list = At(root, "a.b.list");
  EXPECT_EQ(StrOf(Unwrapped(ReadItem(workspace_, list, Integer(0)).value())), "1");
  EXPECT_EQ(StrOf(Unwrapped(ReadItem(workspace_, list, Integer(1)).value())), "1");
}

TEST_F(EvaluateTest, SaysWhyAnInterpolationHasNoValue) {
  Node& root = Tree(
      "d: {k: v}\ni: 1\nmissing: ???\n"
      "no_key: ${nope}\nno_resolver: ${nope:1}\nto_missing: ${missing}\n"
      "no_container: ${i.x}\nint_key: ${d.${i}}\ntoo_many_dots: ${....x}\n"
      "bad_name: '${${i}:x}'\nloop: ${loop}\nself:\n  up: ${self}\n");
  const struct {
    const char* key;
    const char* want;
  } cases[] = {
      {"no_key", "InterpolationKeyError: Interpolation key 'nope' not found"},
      {"no_resolver",
       "UnsupportedInterpolationType: Unsupported interpolation type nope"},
      {"to_missing",
       "InterpolationToMissingValueError: MissingMandatoryValue while resolving "
       "interpolation: Missing mandatory value: missing"},
      {"no_container",
       "InterpolationResolutionError: ConfigTypeError raised while resolving "
       "interpolation: "
       "Error trying to access i.x: node `i` is not a container and thus cannot contain "
       "`x`"},
      {"int_key",
       "InterpolationResolutionError: The following interpolation is used to denote a "
       "config "
       "key and thus should return a string, but instead returned `1` of type "
       "`<class 'int'>`: ${i}"},
      {"too_many_dots",
       "InterpolationKeyError: ConfigKeyError while resolving interpolation: "
       "Error resolving key '....x'"},
      {"bad_name",
       "InterpolationResolutionError: The name of a resolver must be a string, but the "
       "interpolation ${i} resolved to `1` which is of type <class 'int'>"},
      {"loop", "InterpolationResolutionError: Recursive interpolation detected"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.key);
    EXPECT_EQ(Read(root, c.key), std::string(c.want) + "\n    full_key: " + c.key +
                                     "\n    object_type=dict");
  }
  EXPECT_EQ(Read(At(root, "self"), "up"),
            "InterpolationResolutionError: Interpolation to parent node detected\n"
            "    full_key: self.up\n    object_type=dict");
}

TEST_F(EvaluateTest, AnErrorKnowsTheLineOfTheInterpolation) {
  Node& root = Tree("a: 1\nb: x ${nope}\n");
  const Result<Node*> read = ReadItem(workspace_, root, "b");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().origin.ToString(), "test.yaml:2:4");
}

TEST_F(EvaluateTest, TryDereferenceForgivesMissingTargetsOnly) {
  Node& root = Tree("a: ${nope}\nb: ${c}\nc: 1\n");
  EXPECT_EQ(TryDereference(workspace_, At(root, "a")).value(), nullptr);
  EXPECT_EQ(TryDereference(workspace_, At(root, "b")).value(), &At(root, "c"));
}

// Inputs with cycles or exponential growth: must end in a clear error, at the latest when
// they reach the bounds.
class EvaluateBoundsTest : public EvaluateTest {
 protected:
  // Far more than these inputs would need if they terminated.
  static constexpr WorkspaceBounds kBounds = {.nodes = 50'000, .steps = 30'000};

  // The error from resolving a whole tree, both copied and in place.
  void ExpectErrors(const std::string& yaml, std::string_view want) {
    SCOPED_TRACE(yaml.substr(0, 60));
    {
      Workspace workspace(World{}, kBounds);
      AddBuiltinResolvers(workspace);
      Node& root = *CreateRoot(workspace, Data(yaml)).value();
      ExpectError(ToResolvedValue(workspace, root), want);
    }
    {
      Workspace workspace(World{}, kBounds);
      AddBuiltinResolvers(workspace);
      Node& root = *CreateRoot(workspace, Data(yaml)).value();
      ExpectError(ResolveInPlace(workspace, root), want);
    }
  }

  template <typename T>
  static void ExpectError(const Result<T>& result, std::string_view want) {
    ASSERT_FALSE(result.ok());
    EXPECT_NE(Text(result.error()).find(want), std::string::npos) << Text(result.error());
  }

  // x0: <first>, x1: <next with "$" for "${x0}">, x2: ...
  static std::string Chain(int length, const std::string& first,
                           const std::string& next) {
    std::string yaml = "x0: " + first + "\n";
    for (int i = 1; i <= length; ++i) {
      yaml += "x" + std::to_string(i) + ": ";
      for (const char c : next) {
        yaml += c == '$' ? "${x" + std::to_string(i - 1) + "}" : std::string(1, c);
      }
      yaml += "\n";
    }
    return yaml;
  }

  // The same in reverse order, so that each reference points forward: nothing is resolved
  // yet when it is needed.
  static std::string Backwards(const std::string& yaml) {
    std::string turned;
    for (size_t start = 0; start < yaml.size();) {
      const size_t end = yaml.find('\n', start) + 1;
      turned = yaml.substr(start, end - start) + turned;
      start = end;
    }
    return turned;
  }
};

constexpr const char* kWithoutEnd =
    "LimitError: the interpolations of this configuration";
constexpr const char* kRecursion = "InterpolationResolutionError: ";

TEST_F(EvaluateBoundsTest, CyclesEnd) {
  ExpectErrors("a: ${b}\nb: ${c}\nc: ${a}\n", kRecursion);
  ExpectErrors("a: x${a}\n", kRecursion);
  ExpectErrors("a: ${oc.select:b}\nb: ${oc.select:a}\n", kRecursion);
}

TEST_F(EvaluateBoundsTest, CyclesThroughContainersEnd) {
  ExpectErrors("a: {x: '${b}'}\nb: {y: '${a}'}\n", kWithoutEnd);
  ExpectErrors("a: ['${b}']\nb: ['${a}']\n", kWithoutEnd);
}

TEST_F(EvaluateBoundsTest, CyclesThroughResolversEnd) {
  ExpectErrors("a: ${oc.dict.values:b}\nb: {c: '${a}'}\n", "LimitError");
  ExpectErrors("a: ${oc.create:${b}}\nb: {c: '${a}'}\n", "LimitError");
  ExpectErrors("a: ${oc.decode:${b}}\nb: \\${oc.decode:\\${b}}\n", "RecursionError");
}

TEST_F(EvaluateBoundsTest, LongChainsAreRefusedWherePythonRefusesThemToo) {
  Node& root = Tree(Chain(100, "1", "$"));
  EXPECT_EQ(Read(root, "x100"), "1");
  Node& longer = Tree(Chain(1000, "1", "$"));
  const std::string error = Read(longer, "x1000");
  EXPECT_NE(error.find("maximum recursion depth exceeded"), std::string::npos) << error;
}

TEST_F(EvaluateBoundsTest, DoublingTextEndsAtTheBounds) {
  ExpectErrors(Backwards(Chain(100, "a", "$$")), kWithoutEnd);
  ExpectErrors(Chain(100, "a", "$$"), kWithoutEnd);
}

TEST_F(EvaluateBoundsTest, DoublingNothingEndsAtTheBounds) {
  ExpectErrors(Backwards(Chain(100, "''", "$$")), kWithoutEnd);
}

TEST_F(EvaluateBoundsTest, DoublingContainersEndsAtTheBounds) {
  ExpectErrors(Chain(60, "[1, 1]", "['$', '$']"), kWithoutEnd);
  ExpectErrors(Backwards(Chain(60, "{a: 1}", "{a: '$', b: '$'}")), kWithoutEnd);
}

}  // namespace
}  // namespace ridgeline::config
