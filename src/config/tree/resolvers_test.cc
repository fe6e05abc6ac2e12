#include "config/tree/resolvers.h"

#include "config/tree/test_tree.h"

namespace ridgeline::config {
namespace {

Resolved Bold(const Resolved& argument) { return Value("<" + StrOf(argument) + ">"); }

class ResolversTest : public TreeTest {
 protected:
  // The value of a key `r` with this text, in a tree with some other keys.
  std::string Result(const std::string& text) {
    Dict dict = Data(
                    "a: 1\nnone:\nmissing: ???\nd: {x: 1, 'y': two}\nl: [p, q]\n"
                    "r: text\n")
                    .dict();
    dict.Set(std::string("r"), Value(text));
    return Read(*CreateRoot(workspace_, Value(dict)).value(), "r");
  }
};

TEST_F(ResolversTest, GiveWhatOmegaConfGives) {
  const struct {
    const char* what;
    const char* text;
    const char* want;
  } cases[] = {
      {"environment", "${oc.env:USER}", "ada"},
      {"the environment is text", "${oc.decode:${oc.env:PORT}}", "80"},
      {"environment with a default", "${oc.env:NOPE,plan b}", "plan b"},
      {"a default becomes text", "${oc.env:NOPE,1.0}", "1.0"},
      {"null as default stays null", "${oc.env:NOPE,null}", "None"},
      {"decode a number", "${oc.decode:'1e3'}", "1000.0"},
      {"decode a list", "${oc.decode:'[1, {a: b}]'}", "[1, {'a': 'b'}]"},
      {"decode null", "${oc.decode:null}", "None"},
      {"create from YAML", "${oc.create:'a: [1, x]'}", "{'a': [1, 'x']}"},
      {"create from a literal", "${oc.create:{a:1}}", "{'a': 1}"},
      {"select", "${oc.select:d.x}", "1"},
      {"select nothing", "${oc.select:nope}", "None"},
      {"select with a default", "${oc.select:nope,7}", "7"},
      {"select something missing", "${oc.select:missing,7}", "7"},
      {"keys", "${oc.dict.keys:d}", "['x', 'y']"},
      {"time", "${now:%Y-%m-%d_%H:%M}", "2024-03-05_14:07"},
      {"version", "${python_version:}", "3.11"},
      {"minor version", "${python_version:minor}", "3.11"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(Result(c.text), c.want);
  }
}

TEST_F(ResolversTest, ValuesAreReferencesToTheDict) {
  Node& root = Tree("d: {x: 1, z: two}\nr: ${oc.dict.values:d}\n");
  Node& list = *ReadItem(workspace_, root, "r").value();
  EXPECT_EQ(Yaml(list), "- ${d.x}\n- ${d.z}\n");
  EXPECT_EQ(DumpYaml(ToResolvedValue(workspace_, list).value()), "- 1\n- two\n");
}

TEST_F(ResolversTest, SayWhatTheyCannotDo) {
  const struct {
    const char* what;
    const char* text;
    const char* want;
  } cases[] = {
      {"environment", "${oc.env:NOPE}",
       "InterpolationResolutionError: KeyError raised while resolving interpolation: "
       "\"Environment variable 'NOPE' not found\""},
      {"environment with a number", "${oc.env:1}",
       "InterpolationResolutionError: TypeError raised while resolving interpolation: "
       "str expected, not int"},
      {"keys of a list", "${oc.dict.keys:l}",
       "InterpolationResolutionError: TypeError raised while resolving interpolation: "
       "`oc.dict.keys` cannot be applied to objects of type: ListConfig"},
      {"keys of nothing", "${oc.dict.keys:nope}",
       "InterpolationResolutionError: ConfigKeyError raised while resolving "
       "interpolation: "
       "Key not found: 'nope'"},
      {"decode a number", "${oc.decode:${a}}",
       "InterpolationResolutionError: TypeError raised while resolving interpolation: "
       "`oc.decode` can only take strings or None as input, but `1` is of type int"},
      {"hydra before it is composed", "${hydra:job.name}",
       "InterpolationResolutionError: ValueError raised while resolving interpolation: "
       "HydraConfig was not set"},
      {"too few arguments", "${oc.env:}",
       "InterpolationResolutionError: TypeError raised while resolving interpolation: "
       "oc.env() takes 1 to 2 arguments but 0 were given"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(Result(c.text),
              std::string(c.want) + "\n    full_key: r\n    object_type=dict");
  }
}

TEST_F(ResolversTest, HydraReadsTheHydraNode) {
  Node& hydra = Tree("job: {name: app, dir: 'x/${.name}'}\n");
  workspace_.hydra = &hydra;
  EXPECT_EQ(Result("${hydra:job.name}"), "app");
  EXPECT_EQ(Result("${hydra:job.dir}"), "x/app");
  EXPECT_EQ(Result("${hydra:nope}"), "None");
}

TEST_F(ResolversTest, DeprecatedWarnsAndPointsToTheNewKey) {
  Node& root = Tree(
      "new: 5\nold: ${oc.deprecated:new}\n"
      "older: ${oc.deprecated:new,'$OLD_KEY is now $NEW_KEY'}\nwrong: "
      "${oc.deprecated:nope}\n");
  EXPECT_EQ(Read(root, "old"), "5");
  EXPECT_EQ(Read(root, "older"), "5");
  EXPECT_EQ(workspace_.TakeWarnings(),
            (std::vector<std::string>{
                "'old' is deprecated. Change your code and config to use 'new'",
                "older is now new"}));
  EXPECT_EQ(Read(root, "wrong"),
            "InterpolationResolutionError: ConfigKeyError raised while resolving "
            "interpolation: In oc.deprecated resolver at 'wrong': Key not found: 'nope'\n"
            "    full_key: wrong\n    object_type=dict");
}

TEST_F(ResolversTest, AMissingArgumentIsWarnedOf) {
  EXPECT_EQ(Result("${oc.select:nope,}"), "");
  const std::vector<std::string> warnings = workspace_.TakeWarnings();
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(warnings[0].starts_with(
      "In the sequence `nope,` some elements are missing: please replace them with empty "
      "quoted strings."))
      << warnings[0];
}

TEST_F(ResolversTest, AnOwnResolverIsOneLine) {
  workspace_.AddResolver("b", [](const auto& in) { return Bold(in.arguments.at(0)); });
  EXPECT_EQ(Result("${b:ab}"), "<ab>");
  EXPECT_EQ(Result("x ${b:${b:${a}}}"), "x <<1>>");
}

TEST_F(ResolversTest, AnOwnResolverMayFailAndMayReplaceABuiltinOne) {
  workspace_.AddResolver("oc.env", [](const ResolverInput&) -> config::Result<Resolved> {
    return Error(ErrorKind::kValue, "no environment here");
  });
  EXPECT_EQ(
      Result("${oc.env:USER}"),
      "InterpolationResolutionError: ValueError raised while resolving interpolation: "
      "no environment here\n    full_key: r\n    object_type=dict");
}

}  // namespace
}  // namespace ridgeline::config
