// The configuration that we ship: it composes as in Hydra, it passes our own checks,
// and its keys, the table of keys and the reference in docs/ are the same.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/command_support.h"
#include "app/registry.h"
#include "config/compose/composer.h"
#include "config/tree/to_value.h"
#include "config/value/python_text.h"
#include "config/value/yaml_dump.h"
#include "config/value/yaml_load.h"
#include "pipeline/legacy_keys.h"
#include "stages/shared/python_run.h"

namespace ridgeline {
namespace {

using config::Node;
using config::Value;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;

const std::string kRoot = RIDGELINE_SOURCE_DIR;
const std::string kGolden = kRoot + "/tests/golden/conf/";

std::string ReadWhole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return {std::istreambuf_iterator<char>(file), {}};
}

// Without the comment at its beginning.
std::string ReadGolden(const std::string& name) {
  std::string text = ReadWhole(kGolden + name);
  while (text.starts_with('#')) text.erase(0, text.find('\n') + 1);
  return text;
}

// The golden files were recorded with conf/ in the working directory.
std::string WithRecordedPlace(std::string text) {
  const std::string here = kRoot + "/conf";
  for (size_t at = text.find(here); at != text.npos; at = text.find(here, at)) {
    text.replace(at, here.size(), "/srv/app/conf");
  }
  return text;
}

// One composition of conf/ in the setting that the golden files were recorded in.
class Composed {
 public:
  explicit Composed(std::vector<std::string> overrides)
      : result_(config::Compose(workspace_, Request(std::move(overrides)))) {
    if (ok()) config::UseHydraNode(workspace_, *result_.value().root);
  }

  bool ok() const { return result_.ok(); }
  const config::Error& error() const { return result_.error(); }
  Node& Job() { return config::JobConfig(workspace_, *result_.value().root); }
  config::Workspace& workspace() { return workspace_; }

  std::vector<std::string> Mistakes() {
    std::vector<std::string> texts;
    for (const config::Error& error : app::CheckConfig(workspace_, Job())) {
      texts.push_back(config::Describe(error));
    }
    return texts;
  }

 private:
  config::ComposeRequest Request(std::vector<std::string> overrides) const {
    return {.files = &files_,
            .config_path = kRoot + "/conf",
            .config_name = "config",
            .overrides = std::move(overrides),
            .working_directory = "/srv/app"};
  }

  config::DiskFiles files_;
  config::Workspace workspace_{config::World{.now = {.year = 2024,
                                                     .month = 3,
                                                     .day = 5,
                                                     .hour = 14,
                                                     .minute = 7,
                                                     .second = 9,
                                                     .microsecond = 123456}}};
  config::Result<config::Composition> result_;
};

// "pipeline.nsys.trace: 'cuda,nvtx,osrt'", a line per value.
void AddLines(const Value& value, const std::string& path,
              std::vector<std::string>& lines) {
  if (value.is_dict() && !value.dict().empty()) {
    for (const auto& [key, child] : value.dict()) {
      const std::string name = config::Str(Value(key));
      AddLines(child, path.empty() ? name : path + "." + name, lines);
    }
  } else if (value.is_list() && !value.list().empty()) {
    for (size_t i = 0; i < value.list().size(); ++i) {
      AddLines(value.list()[i], path + "[" + std::to_string(i) + "]", lines);
    }
  } else {
    lines.push_back(path + ": " + config::Repr(value));
  }
}

std::vector<std::string> LinesOf(const Value& value) {
  std::vector<std::string> lines;
  AddLines(value, "", lines);
  return lines;
}

std::vector<std::string> Changes(const Value& before, const Value& after) {
  const std::vector<std::string> old_lines = LinesOf(before);
  const std::vector<std::string> new_lines = LinesOf(after);
  const std::set<std::string> old_set(old_lines.begin(), old_lines.end());
  const std::set<std::string> new_set(new_lines.begin(), new_lines.end());
  std::vector<std::string> changes;
  for (const std::string& line : old_lines) {
    if (!new_set.contains(line)) changes.push_back("- " + line);
  }
  for (const std::string& line : new_lines) {
    if (!old_set.contains(line)) changes.push_back("+ " + line);
  }
  return changes;
}

std::vector<std::string> Texts(const Value& list) {
  std::vector<std::string> texts;
  for (const Value& item : list.list()) texts.push_back(item.string());
  return texts;
}

// As Hydra prints it, without the search path.
std::string HydraText(const config::Error& error) {
  std::string text = error.message;
  if (error.cause != nullptr) text += "\n" + error.cause->message;
  text = text.substr(0, text.find("\nConfig search path:"));
  return text.substr(0, text.find_last_not_of('\n') + 1);
}

TEST(Conf, ComposesToTheTextThatHydraGives) {
  struct Case {
    const char* file;
    std::vector<std::string> overrides;
    bool resolve;
  };
  const Case cases[] = {{"default.yaml", {}, false},
                        {"default_resolved.yaml", {}, true},
                        {"demo.yaml", {"+preset=demo"}, false},
                        {"demo_resolved.yaml", {"+preset=demo"}, true}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.file);
    Composed composed(c.overrides);
    ASSERT_TRUE(composed.ok()) << config::Describe(composed.error());
    Node& job = composed.Job();
    if (c.resolve) {
      ASSERT_TRUE(config::ResolveInPlace(composed.workspace(), job).ok());
    }
    EXPECT_EQ(WithRecordedPlace(config::DumpYaml(config::ToValue(job))),
              ReadGolden(c.file));
  }
}

TEST(Conf, TakesDocumentedOverridesAsHydraDoes) {
  const auto table =
      config::LoadYaml(ReadWhole(kGolden + "overrides.yaml"), "overrides.yaml");
  ASSERT_TRUE(table.ok()) << config::Describe(table.error());
  Composed plain({});
  ASSERT_TRUE(plain.ok());
  const Value before = config::ToValue(plain.Job());
  for (const Value& entry : table.value().list()) {
    const std::vector<std::string> overrides = Texts(*entry.dict().Find("overrides"));
    SCOPED_TRACE(testing::PrintToString(overrides));
    Composed composed(overrides);
    if (const Value* error = entry.dict().Find("error")) {
      ASSERT_FALSE(composed.ok());
      EXPECT_EQ(HydraText(composed.error()), error->string());
      continue;
    }
    ASSERT_TRUE(composed.ok()) << config::Describe(composed.error());
    EXPECT_EQ(Changes(before, config::ToValue(composed.Job())),
              Texts(*entry.dict().Find("changes")));
  }
}

TEST(Conf, EveryPresetPassesTheChecks) {
  const std::vector<std::vector<std::string>> cases = {
      {},
      {"+preset=demo"},
      {"dataset/sampling=random"},
      {"model/deepseek_ocr/infer@infer=deepseek_ocr.fast"},
      {"profiling/torch@pipeline.torch_profiler=torch-profiler.min"},
      {"profiling/torch@pipeline.torch_profiler=torch-profiler.max"},
      {"profiling/ncu@pipeline.ncu=ncu.high"},
      {"profiling/ncu@pipeline.ncu=ncu.rtx3090"},
      {"profiling/ncu@pipeline.ncu=ncu.rtx3090.compute"},
      {"profiling/ncu@pipeline.ncu=ncu.rtx3090.memory"},
      {"pipeline.ncu.ncu_cli.target_processes=null"},
  };
  for (const std::vector<std::string>& overrides : cases) {
    SCOPED_TRACE(testing::PrintToString(overrides));
    Composed composed(overrides);
    ASSERT_TRUE(composed.ok()) << config::Describe(composed.error());
    EXPECT_THAT(composed.Mistakes(), IsEmpty());
  }
}

TEST(Conf, AMirroredKeyMayNotDifferFromTheOneThatCounts) {
  Composed composed({"artifacts.runs_dir=/abs/x", "hydra.run.dir=/abs/y"});
  ASSERT_TRUE(composed.ok());
  EXPECT_THAT(
      composed.Mistakes(),
      testing::ElementsAre(HasSubstr("is '/abs/x', but hydra.run.dir is '/abs/y'")));
}

TEST(Conf, ACaptureGatedByARangeNeedsItsName) {
  const std::vector<std::string> gated = {"pipeline.nsys.enable=true",
                                          "pipeline.nsys.capture_range=nvtx"};
  const struct {
    const char* override_text;
    bool is_refused;
  } kCases[] = {
      {"pipeline.nsys.nvtx_capture=''", true},
      {"pipeline.nsys.nvtx_capture=[]", true},
      {"pipeline.nsys.nvtx_capture=null", true},
      {"pipeline.nsys.nvtx_capture=['']", true},
      {"pipeline.nsys.nvtx_capture=[decode,' ']", true},
      {"pipeline.nsys.nvtx_capture=decode", false},
      {"pipeline.nsys.nvtx_capture=[decode,prefill]", false},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.override_text);
    std::vector<std::string> overrides = gated;
    overrides.emplace_back(c.override_text);
    Composed composed(overrides);
    ASSERT_TRUE(composed.ok()) << config::Describe(composed.error());
    if (c.is_refused) {
      EXPECT_THAT(composed.Mistakes(),
                  testing::ElementsAre(HasSubstr("nvtx_capture: is empty")));
    } else {
      EXPECT_THAT(composed.Mistakes(), IsEmpty());
    }
  }
}

TEST(Conf, EarlierKeysStillWork) {
  const std::vector<std::string> old_overrides = {
      "outputs.save_predictions=true",
      "+outputs.visualization.max_images=8",
      "outputs.predictions.strip_special_tokens=true",
      "output.visualization.enable=false",
      "analysis.static.enabled=false",
      "torch_profiler.enabled=false",
      "run.stage1_repeats=3",
      "repeats=2",
      "run.device=cpu",
      "pipeline.ncu.nvtx_include=decode/",
      "pipeline.ncu.set=full",
      "pipeline.ncu.metrics='a,b'",
      "pipeline.ncu.sections=[SpeedOfLight]",
      "ncu.csv=false",
      "nsys.sample=cpu",
      "runner@stage1_runner=stage1.no-static",
      "artifacts.stage2_dir=/abs/runs/x",
      "artifacts.runs_dir=/abs/runs/x",
  };
  for (const std::string& text : old_overrides) {
    SCOPED_TRACE(text);
    Composed composed(pipeline::RewriteLegacyOverrides({text}).overrides);
    ASSERT_TRUE(composed.ok()) << config::Describe(composed.error());
    EXPECT_THAT(composed.Mistakes(), IsEmpty());
  }
}

TEST(Conf, AFailingExampleOfTheGuideIsAnsweredWithTheFormThatWorks) {
  for (const char* text : {"+dataset/sampling@dataset.sampling=default",
                           "dataset/sampling@dataset.sampling=default"}) {
    SCOPED_TRACE(text);
    const Composed composed({text});
    ASSERT_FALSE(composed.ok());
    EXPECT_THAT(app::HintForOverride(composed.error(), {text}),
                HasSubstr("use dataset/sampling=default"));
  }
}

std::vector<pipeline::ConfigKey> AllKeys() {
  std::vector<pipeline::ConfigKey> all;
  for (const pipeline::KeyGroup& group : app::KeyGroups()) {
    all.insert(all.end(), group.keys.begin(), group.keys.end());
  }
  return all;
}

// "pipeline.a|b.c" -> pipeline.a.c, pipeline.b.c
std::vector<std::string> PathsOf(const pipeline::ConfigKey& key) {
  std::vector<std::string> paths = {""};
  for (const std::string& part : config::SplitKey(key.path)) {
    std::vector<std::string> longer;
    for (const std::string& path : paths) {
      for (const std::string& word : pipeline::SplitChoices(part)) {
        longer.push_back(path.empty() ? word : path + "." + word);
      }
    }
    paths = std::move(longer);
  }
  return paths;
}

TEST(Conf, HasEveryKeyThatTheProgramKnows) {
  Composed composed({});
  ASSERT_TRUE(composed.ok());
  const std::vector<std::string> lines = LinesOf(config::ToValue(composed.Job()));
  for (const pipeline::ConfigKey& key : AllKeys()) {
    if (key.path.ends_with("*")) continue;
    for (const std::string& path : PathsOf(key)) {
      const bool found = std::any_of(lines.begin(), lines.end(), [&](const auto& line) {
        return line.starts_with(path + ":") || line.starts_with(path + "[");
      });
      EXPECT_TRUE(found) << path;
    }
  }
}

// Keys that a tree has to have, or whose absence has a meaning of its own.
const std::map<std::string, std::string> kWithoutDefault = {
    {"experiment", "a name"},
    {"device", "required"},
    {"run.device", "another name of device"},
    {"artifacts.runs_dir", "another name of hydra.run.dir"},
    {"user", "the user's own"},
    {"dataset.name", "a name"},
    {"dataset.root", "required"},
    {"dataset.fallback_patterns", "belongs to the dataset; needed without a list"},
    {"model.name", "required"},
    {"model.path", "required"},
    {"model.preprocess.enable", "belongs to the model"},
    {"model.preprocess.base_size", "belongs to the model"},
    {"model.preprocess.image_size", "belongs to the model"},
    {"model.preprocess.crop_mode", "belongs to the model"},
    {"model.preprocess.patch_size", "belongs to the model"},
    {"model.preprocess.downsample_ratio", "belongs to the model"},
    {"pipeline.nsys.capture_range_end", "omitted: the flag is not passed"},
    {"pipeline.nsys.nvtx_capture", "omitted: an error when the capture is gated"},
    {"pipeline.ncu.description", "text for people"},
    {"pipeline.ncu.ncu_cli.sections", "omitted: none besides those of the set"},
    {"pipeline.ncu.ncu_cli.metrics", "omitted: none besides those of the set"},
};

TEST(Conf, IsEqualToTheDefaultsOfTreesThatLeaveKeysOut) {
  Composed composed({});
  ASSERT_TRUE(composed.ok());
  const std::vector<std::string> lines = LinesOf(config::ToValue(composed.Job()));
  for (const pipeline::ConfigKey& key : AllKeys()) {
    if (key.path.ends_with("*")) continue;
    for (const std::string& path : PathsOf(key)) {
      SCOPED_TRACE(path);
      EXPECT_EQ(key.otherwise.empty(), kWithoutDefault.contains(path));
      if (key.otherwise.empty()) continue;
      const auto value = config::LoadYaml(std::string(key.otherwise), path);
      ASSERT_TRUE(value.ok());
      std::vector<std::string> expected;
      AddLines(value.value(), path, expected);
      EXPECT_THAT(lines, IsSupersetOf(expected));
    }
  }
}

// Whether the text has the key, or its end below the mapping of a table.
bool IsNamed(std::string_view path, const std::string& text) {
  while (text.find(fmt::format("`{}`", path)) == std::string::npos) {
    const size_t dot = path.find('.');
    if (dot == std::string_view::npos) return false;
    path.remove_prefix(dot + 1);
  }
  return true;
}

TEST(Conf, TheReferenceExplainsEveryKey) {
  const std::string reference = ReadWhole(kRoot + "/docs/configuration.md");
  for (const pipeline::ConfigKey& key : AllKeys()) {
    const std::string path(key.path);
    EXPECT_TRUE(IsNamed(path, reference) || path.ends_with(".*")) << path;
  }
}

std::string OutcomeTable(std::span<const pipeline::OutcomeSpec> outcomes) {
  std::string table = "\n| Outcome | Stage | When |\n| --- | --- | --- |\n";
  for (const pipeline::OutcomeSpec& outcome : outcomes) {
    table += "| `" + std::string(outcome.name) + "` | " + std::string(outcome.effect) +
             " | " + std::string(outcome.when) + " |\n";
  }
  return table + "\n";
}

// docs/<stage>.md has a row for each outcome, word for word, and no other row.
TEST(Registry, TheDocumentsExplainEveryOutcome) {
  int stages = 0;
  for (const pipeline::StageEntry& stage : app::Stages()) {
    if (stage.outcomes == nullptr) continue;
    ++stages;
    const std::string path = kRoot + "/docs/" + std::string(stage.name) + ".md";
    EXPECT_THAT(ReadWhole(path), HasSubstr(OutcomeTable(stage.outcomes()))) << path;
  }
  EXPECT_EQ(stages, 2);
  EXPECT_THAT(ReadWhole(kRoot + "/docs/python.md"),
              HasSubstr(OutcomeTable(stages::PythonOutcomes())));
}

}  // namespace
}  // namespace ridgeline
