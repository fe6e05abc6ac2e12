// Commands and trees of the project that this one supersedes: every command plans on
// every tree of RIDGELINE_SHARED/upstream, and on a small one written here.
#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

#include "run/playground.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;

using testing::HasSubstr;
using testing::Not;

using Words = std::vector<std::string>;

Words operator+(Words left, const Words& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

const Words kStage1 = {"dataset.subset_filelist=datasets/omnidocbench/subsets/dev-20.txt",
                       "device=cuda:0",
                       "infer.max_new_tokens=64",
                       "pipeline.torch_profiler.activities=[cpu,cuda]",
                       "pipeline.nsys.enable=false",
                       "pipeline.ncu.enable=false",
                       "dataset.sampling.num_epochs=1",
                       "dataset.sampling.num_samples_per_epoch=3",
                       "dataset.sampling.randomize=false"};
const Words kStage2 = {"pipeline.nsys.enable=true", "pipeline.ncu.enable=false",
                       "pipeline.static_analysis.enable=false"};
const Words kDirect = {"device=cuda:0",
                       "pipeline.direct_inference.enable=true",
                       "pipeline.static_analysis.enable=false",
                       "pipeline.torch_profiler.enable=false",
                       "pipeline.nsys.enable=false",
                       "pipeline.ncu.enable=false",
                       "dataset.sampling.num_samples_per_epoch=null",
                       "infer.max_new_tokens=8192",
                       "pipeline.direct_inference.output.prediction.enable=true",
                       "pipeline.direct_inference.output.visualization.enable=true"};

std::vector<Words> Commands() {
  std::vector<Words> commands = {
      kStage1 + Words{"hydra.run.dir=tmp/profile-output/${now:%Y%m%d-%H%M%S}"},
      kStage1 + Words{"pipeline.static_analysis.enable=false"},
      kStage2,
      kStage1 + Words{"pipeline.torch_profiler.output.prediction.enable=true",
                      "dataset/sampling@dataset.sampling=default"},
      kDirect,
      kStage2 + Words{"pipeline.nsys.gating_nvtx=false", "infer.max_new_tokens=64",
                      "dataset.sampling.num_samples_per_epoch=20"},
      {"pipeline.nsys.enable=true", "pipeline.ncu.enable=true"},
      {"runners=stage1.no-static"},
      {"stage1_runner.device=cuda:1"},
      {"+run.mode=light"},
      {"torch_profiler.activities=[cpu]"},
      {"outputs.save_predictions=true"},
      {"outputs={save_predictions: true}"},
      {"repeats=3"},
      {"+dataset/sampling@dataset.sampling=default"},
  };
  for (const char* range : {"prefill", "decode", "sam", "clip", "projector"}) {
    commands.push_back(kStage2 +
                       Words{"pipeline.nsys.capture_range=nvtx",
                             std::string("pipeline.nsys.nvtx_capture=") + range});
  }
  return commands;
}

class EarlierTrees : public Playground {
 protected:
  // A tree without any key of ours, and with some that only earlier programs read.
  fs::path OldTree() {
    const fs::path tree = directory() / "conf";
    fs::create_directories(tree);
    WriteFile(tree / "config.yaml", R"(
repeats: 2
use_flash_attn: true
run: {device: cpu, stage1_repeats: 1}
dataset: {root: datasets/pages, fallback_patterns: ["*.png"]}
model: {name: deepseek_ocr, path: models/ocr, preprocess: {normalize: false}}
infer: {max_new_tokens: 4, batch_size: 4, description: fast}
outputs: {save_predictions: true, visualization: {enable: false}}
pipeline:
  torch_profiler: {enabled: true, activities: [cpu]}
  nsys: {trace: "cuda,nvtx", report_format: sqlite}
  ncu: {nvtx_include: decode/, set: full, metrics: "a,b", ncu_cli: {nvtx: {domain: x}}}
)");
    return tree;
  }
};

TEST_F(EarlierTrees, EveryCommandPlansOnEveryTree) {
  const char* shared = std::getenv("RIDGELINE_SHARED");
  const fs::path upstream = fs::path(shared == nullptr ? "" : shared) / "upstream";
  Words trees = {OldTree()};
  if (shared != nullptr && fs::is_directory(upstream)) {
    for (const auto& entry : fs::directory_iterator(upstream)) {
      if (entry.is_directory()) trees.push_back((entry.path() / "conf").string());
    }
  }
  for (const std::string& tree : trees) {
    for (const Words& command : Commands()) {
      SCOPED_TRACE(tree + " " + testing::PrintToString(command));
      const ProgramEnd end = Ridgeline(Words{"run", "-cp", tree, "--dry-run"} + command);
      EXPECT_EQ(end.exit_code, 0) << end.err;
    }
  }
}

TEST_F(EarlierTrees, EveryEarlierKeyIsReportedOnce) {
  const ProgramEnd end =
      Ridgeline({"run", "-cp", OldTree(), "--cfg", "job", "--resolve"});
  EXPECT_EQ(end.exit_code, 0);
  for (const char* note :
       {"note: repeats is now run.repeats (", "note: run.device is now device (",
        "note: outputs.save_predictions is now "
        "pipeline.torch_profiler.output.prediction.enable (",
        "note: pipeline.ncu.set is now pipeline.ncu.ncu_cli.set ("}) {
    const size_t first = end.err.find(note);
    EXPECT_NE(first, std::string::npos) << note << end.err;
    EXPECT_EQ(end.err.find(note, first + 1), std::string::npos) << note;
  }
  EXPECT_THAT(end.out, HasSubstr("\ndevice: cpu\n"));
  EXPECT_THAT(end.out, HasSubstr("repeats: 2\n"));
  EXPECT_THAT(end.out, HasSubstr("set: full\n"));
}

TEST_F(EarlierTrees, KeysWithoutMeaningAreWarningsInFilesAndErrorsOnTheCommandLine) {
  const ProgramEnd files = Ridgeline({"run", "-cp", OldTree(), "--dry-run"});
  EXPECT_EQ(files.exit_code, 0);
  EXPECT_THAT(files.err,
              HasSubstr("infer.batch_size is not used: pages are read one at a time"));
  EXPECT_THAT(files.err, HasSubstr("model.preprocess.normalize is not used: "));
  EXPECT_THAT(files.err, Not(HasSubstr("description")));
  const ProgramEnd typed =
      Ridgeline({"run", "-cp", OldTree(), "--dry-run", "infer.max_new_token=4"});
  EXPECT_EQ(typed.exit_code, 2);
  const ProgramEnd added =
      Ridgeline({"run", "-cp", OldTree(), "--dry-run", "+infer.max_new_token=4"});
  EXPECT_EQ(added.exit_code, 2);
}

// The first trees had one limit for all models, and files for captures alone.
TEST_F(EarlierTrees, TheFirstTreesPlanToo) {
  const fs::path tree = directory() / "conf";
  fs::create_directories(tree / "runner");
  const std::string config = R"(
device: cpu
dataset: {root: datasets/pages, fallback_patterns: ["*.png"]}
model: {name: deepseek_ocr, path: models/ocr}
)";
  WriteFile(tree / "config.yaml", config + "max_new_tokens: 64\n");
  WriteFile(tree / "without.yaml", config);
  WriteFile(tree / "runner/stage2.yaml", "nsys: {gating_nvtx: true}\n");
  struct Case {
    Words arguments;
    int exit_code;
    const char* want;
  };
  const Case cases[] = {
      {{"--cfg", "job"}, 0, "max_new_tokens is now infer.max_new_tokens"},
      {{"--cfg", "job", "-p", "infer.max_new_tokens"}, 0, "64\n"},
      {{"-cn", "without", "--cfg", "job", "-p", "infer.max_new_tokens"}, 0, "8192\n"},
      {{"-cn", "without", "--dry-run"}, 0, "built-in model deepseek_ocr"},
      {{"-cn", "runner/stage2", "--dry-run"}, 2, "use, without -cn, "},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(testing::PrintToString(c.arguments));
    const ProgramEnd end = Ridgeline(Words{"run", "-cp", tree} + c.arguments);
    EXPECT_EQ(end.exit_code, c.exit_code) << end.err;
    EXPECT_THAT(end.out + end.err, HasSubstr(c.want));
  }
}

// As on its command line: the pages were read, without the profiler.
TEST_F(EarlierTrees, TheFirstRunnerTakesTheSwitchOfTheFileForTheProfilersOwn) {
  const std::string tree = OldTree();
  const auto read = [&](const Words& more) {
    return Ridgeline(Words{"llm_profile_runner", "-cp", tree} + more);
  };
  const Words ask = {"--cfg", "job", "-p", "pipeline.torch_profiler.enabled"};
  EXPECT_EQ(read(ask).out, "True\n");
  fs::create_directories(fs::path(tree) / "more");
  WriteFile(fs::path(tree) / "more/off.yaml",
            "# @package _global_\npipeline: {torch_profiler: {enable: false}}\n");
  const ProgramEnd off = read(Words{"+more=off"} + ask);
  EXPECT_EQ(off.out, "False\n") << off.err;
  EXPECT_THAT(
      off.err,
      HasSubstr("without the profiler: pipeline.torch_profiler.enable is false ("));
  EXPECT_EQ(read(Words{"+more=off", "pipeline.torch_profiler.enabled=true"} + ask).out,
            "True\n");
  EXPECT_EQ(read(Words{"+more=off", "pipeline.torch_profiler.enable=true"} + ask).out,
            "True\n");
}

// Trees of October 2025 have the presets of nsys and ncu in that file alone.
TEST_F(EarlierTrees, PresetsOfStage2AreUsedWhereTheTreeHasThemOnlyThere) {
  const fs::path tree = directory() / "conf";
  for (const char* folder : {"runner", "profiling/nsys", "profiling/ncu"}) {
    fs::create_directories(tree / folder);
  }
  WriteFile(tree / "config.yaml", R"(
device: cpu
dataset: {root: datasets/pages, fallback_patterns: ["*.png"]}
model: {name: deepseek_ocr, path: models/ocr}
)");
  WriteFile(tree / "runner/stage2.yaml", R"(
defaults:
  - /profiling/nsys@nsys: nsys.default
  - /profiling/ncu@ncu: ncu.default
  - _self_
run: {mode: deep}
)");
  WriteFile(tree / "profiling/nsys/nsys.default.yaml",
            "trace: cuda\ncapture: nvtx\nnvtx_capture: prefill\n");
  WriteFile(tree / "profiling/nsys/mine.yaml", "trace: nvtx\n");
  WriteFile(tree / "profiling/ncu/ncu.default.yaml", "set: full\n");
  const auto plan = [&](const Words& overrides) {
    return Ridgeline(Words{"run", "-cp", tree, "--cfg", "job"} + overrides);
  };
  const ProgramEnd both = plan({"pipeline.nsys.enable=true", "pipeline.ncu.enable=true"});
  ASSERT_EQ(both.exit_code, 0) << both.err;
  EXPECT_THAT(both.err, HasSubstr("note: +profiling/nsys@nsys=nsys.default is added, "
                                  "from runner/stage2.yaml of this tree\n"));
  EXPECT_THAT(both.out, HasSubstr("trace: cuda\n"));
  EXPECT_THAT(both.out, HasSubstr("capture_range: nvtx\n"));
  EXPECT_THAT(both.out, HasSubstr("nvtx_capture: prefill\n"));
  EXPECT_THAT(both.out, HasSubstr("set: full\n"));
  const ProgramEnd chosen =
      plan({"pipeline.nsys.enable=true", "+profiling/nsys@nsys=mine"});
  ASSERT_EQ(chosen.exit_code, 0) << chosen.err;
  EXPECT_THAT(chosen.out, HasSubstr("trace: nvtx\n"));
  EXPECT_THAT(plan({}).err, Not(HasSubstr("stage2")));
  EXPECT_EQ(plan({"-q", "pipeline.nsys.enable=true"}).err, "");
}

// As users of these trees have it: images/ beside the link that the tree names.
TEST_F(EarlierTrees, PagesBesideAMissingLinkAreFound) {
  const fs::path pages = directory() / "datasets/omnidocbench";
  fs::create_directories(pages / "images");
  const std::string tree = OldTree();
  const Words ask = {"run",
                     "-cp",
                     tree,
                     "--cfg",
                     "job",
                     "--resolve",
                     "-p",
                     "dataset.root",
                     "dataset.root=${hydra:runtime.cwd}/datasets/"
                     "omnidocbench/source-data"};
  const ProgramEnd missing = Ridgeline(ask);
  EXPECT_EQ(missing.out, pages.string() + "\n") << missing.err;
  EXPECT_THAT(missing.err, HasSubstr("note: dataset.root is "));
  fs::create_directories(pages / "source-data");
  EXPECT_EQ(Ridgeline(ask).out, (pages / "source-data").string() + "\n");
}

TEST_F(EarlierTrees, OptionsOfTheShippedTreeAreAvailableToAll) {
  const std::string tree = OldTree();
  const auto compose = [&](const Words& overrides) {
    return Ridgeline(Words{"run", "-cp", tree, "--cfg", "all"} + overrides);
  };
  const ProgramEnd launcher = compose({"hydra/launcher=slurm"});
  EXPECT_EQ(launcher.exit_code, 0) << launcher.err;
  EXPECT_THAT(launcher.out, HasSubstr("partition:"));
  EXPECT_THAT(launcher.err, HasSubstr("note: hydra/launcher=slurm is taken from "));
  const ProgramEnd two = compose({"dataset/sampling@dataset.sampling=random",
                                  "output/direct@pipeline.direct_inference.output="
                                  "default"});
  EXPECT_EQ(two.exit_code, 0) << two.err;
  EXPECT_THAT(two.out, HasSubstr("seed: 7"));
  EXPECT_EQ(compose({"hydra/launcher=none"}).exit_code, 2);
}

TEST_F(EarlierTrees, ATreeThatIsNotUsedIsNamed) {
  OldTree();
  const char* const kNote = "conf/config.yaml in this directory is not used";
  const auto plan = [this](const Words& words) {
    return Ridgeline(Words{"run", "--dry-run"} + words).err;
  };
  EXPECT_THAT(plan({"+preset=demo"}), HasSubstr(kNote));
  EXPECT_THAT(plan({"-cp", "conf", "device=cpu"}), Not(HasSubstr(kNote)));
  EXPECT_THAT(plan({"--", "/bin/true"}), Not(HasSubstr(kNote)));
  EXPECT_THAT(plan({"-q", "+preset=demo"}), Not(HasSubstr(kNote)));
}

TEST_F(EarlierTrees, KeysThatOthersReferToAreUsed) {
  const fs::path tree = OldTree();
  std::ofstream(tree / "config.yaml", std::ios::app)
      << "my_root: /data\nunused_root: /data\nexperiment: ${my_root}\n";
  const ProgramEnd end = Ridgeline({"run", "-cp", tree, "--dry-run"});
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_THAT(end.err, HasSubstr("unused_root is not used"));
  EXPECT_THAT(end.err, Not(HasSubstr("my_root")));
}

TEST_F(EarlierTrees, KeysOfTheTreeAndTheCommandLineAreReportedOnceTogether) {
  for (const Words& given : {Words{"repeats=3"}, Words{"run.device=cpu", "device=cpu"}}) {
    SCOPED_TRACE(testing::PrintToString(given));
    const ProgramEnd end =
        Ridgeline(Words{"run", "-cp", OldTree(), "--cfg", "job"} + given);
    EXPECT_EQ(end.exit_code, 0) << end.err;
    const std::string note = "note: " + given[0].substr(0, given[0].find('=')) + " is ";
    const size_t first = end.err.find(note);
    EXPECT_NE(first, std::string::npos) << end.err;
    EXPECT_EQ(end.err.find(note, first + 1), std::string::npos) << end.err;
  }
}

// In this tree hydra.run.dir is derived from artifacts.runs_dir.
TEST_F(EarlierTrees, EitherNameOfTheRunDirectoryIsSetOnTheCommandLine) {
  const fs::path tree = directory() / "conf";
  fs::create_directories(tree);
  WriteFile(tree / "config.yaml", R"(
run: {device: cpu}
dataset: {root: datasets/pages, fallback_patterns: ["*.png"]}
model: {name: deepseek_ocr, path: models/ocr}
artifacts: {runs_dir: "${hydra:runtime.cwd}/tmp/runs/x"}
hydra: {run: {dir: "${artifacts.runs_dir}"}}
)");
  struct Case {
    Words given;
    int exit_code;
    std::string want;
  };
  const Case cases[] = {
      {{}, 0, "run       " + directory().string() + "/tmp/runs/x\n"},
      {{"hydra.run.dir=/tmp/a"}, 0, "run       /tmp/a\n"},
      {{"artifacts.runs_dir=/tmp/a"}, 0, "run       /tmp/a\n"},
      {{"artifacts.runs_dir=/tmp/a", "hydra.run.dir=/tmp/a"}, 0, "run       /tmp/a\n"},
      {{"artifacts.runs_dir=/tmp/a", "hydra.run.dir=/tmp/b"},
       2,
       "artifacts.runs_dir: is '/tmp/a', but hydra.run.dir is '/tmp/b'"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(testing::PrintToString(c.given));
    const ProgramEnd end = Ridgeline(Words{"run", "-cp", tree, "--dry-run"} + c.given);
    EXPECT_EQ(end.exit_code, c.exit_code) << end.err;
    EXPECT_THAT(end.out + end.err, HasSubstr(c.want));
  }
}

// Paths to read count from where the user is, wherever the workload runs.
TEST_F(EarlierTrees, RelativePathsBeginWhereTheUserIs) {
  const std::string here = directory().string();
  for (const Words& where : {Words{}, Words{"pipeline.workload.cwd=/tmp"},
                             Words{"pipeline.workload.cwd=null"}}) {
    SCOPED_TRACE(testing::PrintToString(where));
    const ProgramEnd no_model = Ridgeline(Words{"run", "-cp", OldTree()} + where);
    EXPECT_THAT(no_model.err,
                HasSubstr("model.path: no such directory: " + here + "/models/ocr"));
    const ProgramEnd no_pages =
        Ridgeline(Words{"run", "-cp", OldTree(), "model.create.preset=tiny"} + where);
    EXPECT_THAT(no_pages.err, HasSubstr(here + "/datasets/pages: No such file"));
  }
}

// A tool that succeeds, so that a stage is done without nsys.
class JoinedRuns : public Playground {
 protected:
  ProgramEnd Add(const std::string& stage, const Words& more = {}) {
    Words words = {"run",
                   "hydra.run.dir=out",
                   "pipeline.workload.command=[/bin/true]",
                   "pipeline.static_analysis.enable=false",
                   "pipeline.torch_profiler.enable=false",
                   "run.repeats=1"};
    words.push_back("pipeline." + stage + ".enable=true");
    return Ridgeline(words + more);
  }
};

TEST_F(JoinedRuns, ASecondCommandAddsItsStages) {
  ASSERT_EQ(Add("direct_inference").exit_code, 0);
  const std::string before = ReadFile(directory() / "out/config.yaml");
  const std::string metrics = ReadFile(directory() / "out/direct_inference/metrics.json");
  SetPath("/nowhere");  // nsys is skipped, which is a stage of the run, too.
  const ProgramEnd second = Add("nsys");
  EXPECT_THAT(second.err, HasSubstr("adding to the run in "));
  const artifacts::Manifest manifest = ManifestOf(directory() / "out");
  EXPECT_EQ(StateOf(manifest, "direct_inference"), artifacts::State::kDone);
  EXPECT_EQ(StateOf(manifest, "nsys"), artifacts::State::kSkipped);
  ASSERT_EQ(manifest.earlier_commands.size(), 1U);
  EXPECT_THAT(manifest.earlier_commands[0].arguments,
              testing::Contains("pipeline.direct_inference.enable=true"));
  EXPECT_THAT(manifest.arguments, testing::Contains("pipeline.nsys.enable=true"));
  EXPECT_EQ(ReadFile(directory() / "out/config.yaml"), before);
  EXPECT_EQ(ReadFile(directory() / "out/direct_inference/metrics.json"), metrics);
  EXPECT_TRUE(fs::exists(directory() / "out/config-2.yaml"));
}

TEST_F(JoinedRuns, OnlyPartsOfOneExperimentAreJoined) {
  ASSERT_EQ(Add("direct_inference").exit_code, 0);
  SetPath("/nowhere");
  const ProgramEnd same = Add("direct_inference");
  EXPECT_THAT(same.err, HasSubstr("it has direct_inference already"));
  EXPECT_TRUE(fs::exists(directory() / "out-2"));
  const ProgramEnd other = Add("nsys", {"device=cpu"});
  EXPECT_THAT(other.err, HasSubstr("device differs; run.join=true adds to it"));
  EXPECT_TRUE(fs::exists(directory() / "out-3"));
  const ProgramEnd asked = Add("nsys", {"device=cpu", "run.join=true"});
  EXPECT_THAT(asked.err, HasSubstr("adding to the run in "));
  const ProgramEnd refused = Add("nsys", {"device=cpu", "run.join=true"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("it has nsys already"));
}

TEST_F(JoinedRuns, ARunWithoutResultsSaysSoAndEndsWith3) {
  const ProgramEnd nothing = Add("ncu", {"pipeline.ncu.enable=false"});
  EXPECT_EQ(nothing.exit_code, 3);
  EXPECT_THAT(nothing.err, HasSubstr("no stage is enabled"));
  SetPath("/nowhere");
  const ProgramEnd skipped = Add("nsys");
  EXPECT_EQ(skipped.exit_code, 3);
  EXPECT_THAT(skipped.err, HasSubstr("nothing was measured; skipped: nsys"));
  const Words both = {"pipeline.direct_inference.enable=true"};
  EXPECT_EQ(Add("nsys", both).exit_code, 0);
  EXPECT_EQ(Add("nsys", both + Words{"run.on_skip=fail"}).exit_code, 3);
}

}  // namespace
}  // namespace ridgeline::run
