// Many pages: broken ones, kills at any moment, interrupts, memory. `make scale` runs
// these tests on 1000 pages with 20 kills.
#include <gmock/gmock.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "base/plural.h"
#include "model_io/images/encode.h"
#include "model_io/images/image.h"
#include "os/testing/eventually.h"
#include "run/playground.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;
using artifacts::State;
using Json = nlohmann::json;
using testing::HasSubstr;
using testing::Not;

int FromEnvironment(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::stoi(text);
}

class Pages : public Playground {
 protected:
  static constexpr int kBroken = 7;

  void SetUp() override {
    const fs::path program =
        fs::path(RIDGELINE_PROGRAM).parent_path() / "ridgeline-model";
    if (!fs::exists(program)) GTEST_SKIP() << "built without libtorch";
  }

  static int PageCount() { return FromEnvironment("RIDGELINE_SCALE_PAGES", 24); }
  static int KillCount() { return FromEnvironment("RIDGELINE_SCALE_KILLS", 3); }

  // `count` different pages, seven of them broken: empty, cut, or no image.
  void MakePages(const std::string& where, int count) const {
    fs::create_directories(directory() / where);
    for (int i = 0; i < count; ++i) {
      const images::Colour colour = {static_cast<uint8_t>(i % 256),
                                     static_cast<uint8_t>(i / 256), 7};
      std::string bytes =
          images::EncodeJpeg(images::Filled(200, 260, colour), 90).value();
      const int broken = i * kBroken / count;
      if (i == (broken * 2 + 1) * count / (kBroken * 2)) {
        bytes.resize(broken % 2 == 0 ? 0 : bytes.size() / 2);
        if (broken == 3) bytes = "not an image";
      }
      char name[32];
      std::snprintf(name, sizeof(name), "page_%05d.jpg", i);
      WriteFile(directory() / where / name, bytes);
    }
  }

  // pages/b.jpg, pages/c.jpg
  void MakeGoodPages() const {
    fs::create_directories(directory() / "pages");
    for (const char* name : {"pages/b.jpg", "pages/c.jpg"}) {
      WriteFile(directory() / name,
                images::EncodeJpeg(images::Filled(200, 260, {1, 2, 3}), 90).value());
    }
  }

  std::vector<std::string> Arguments(const std::string& pages, const std::string& run,
                                     const std::vector<std::string>& more = {}) const {
    std::vector<std::string> arguments = {
        "run",
        "+experiment=demo",
        "dataset.root=" + (directory() / pages).string(),
        "dataset.sampling.num_samples_per_epoch=null",
        "model.path=" + (directory() / "model").string(),
        "run.repeats=1",
        "pipeline.static_analysis.enable=false",
        "pipeline.torch_profiler.enable=false",
        "pipeline.direct_inference.timeout_s=3600",
        "infer.max_new_tokens=2",
        "hydra.run.dir=" + run};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }

  std::vector<Json> LinesOf(const fs::path& path) const {
    std::vector<Json> lines;
    std::istringstream text(ReadFile(path));
    for (std::string line; std::getline(text, line);) lines.push_back(Json::parse(line));
    return lines;
  }
  Json MetricsOf(const std::string& run, const std::string& stage = "direct_inference") {
    return Json::parse(ReadFile(directory() / run / stage / "metrics.json"));
  }
  // Page and tokens of each prediction, in their order.
  std::vector<std::string> Predictions(const std::string& run) {
    std::vector<std::string> all;
    for (const Json& line :
         LinesOf(directory() / run / "direct_inference/pred/predictions.jsonl")) {
      all.push_back(line.at("image").get<std::string>() + " " + line.at("ids").dump());
    }
    return all;
  }
  // Folders of pages and other directories in the gallery.
  std::set<std::string> Folders(const std::string& run) {
    std::set<std::string> names;
    for (const auto& entry :
         fs::directory_iterator(directory() / run / "direct_inference/viz")) {
      names.insert(entry.path().filename());
    }
    return names;
  }
  pid_t ModelProcess() const {
    for (const pid_t pid : Descendants()) {
      const std::string name = ReadFile("/proc/" + std::to_string(pid) + "/comm");
      if (name == "ridgeline-model\n") return pid;
    }
    return 0;
  }
  void WaitForPages(const fs::path& journal, size_t lines) const {
    EXPECT_TRUE(os::Eventually([&] {
      const std::string text = ReadFile(journal);
      return static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) >= lines;
    }));
  }
};

TEST_F(Pages, ThatCannotBeReadAreNamedAndSkipped) {
  MakePages("pages", PageCount());
  const ProgramEnd end = Ridgeline(Arguments("pages", "run", {"run.repeats=2"}));
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(Predictions("run").size(), static_cast<size_t>(PageCount() - kBroken));
  const Json metrics = MetricsOf("run");
  EXPECT_EQ(metrics.at("samples").size(), 2U * (PageCount() - kBroken));
  EXPECT_EQ(metrics.at("samples_planned"), 2 * PageCount());
  EXPECT_EQ(metrics.at("sessions"), 1);
  ASSERT_EQ(metrics.at("failures").size(), static_cast<size_t>(kBroken));
  const std::string count = PartOf(7, PageCount(), "page") + " could not be";
  EXPECT_THAT(end.err, HasSubstr(count));
  EXPECT_THAT(ReadFile(directory() / "run/report.md"), HasSubstr(count));
  const std::string gallery =
      ReadFile(directory() / "run/direct_inference/viz/predictions.md");
  for (const Json& failure : metrics.at("failures")) {
    const fs::path image = failure.at("image").get<std::string>();
    EXPECT_THAT(end.err, HasSubstr(image.string()));
    EXPECT_THAT(gallery, HasSubstr(image.stem().extension().string()));
  }
  EXPECT_THAT(gallery, HasSubstr("Pages that could not be read: 7"));
}

TEST_F(Pages, ThatAreBrokenLinksAreNamedAndSkipped) {
  MakeGoodPages();
  fs::create_symlink("nowhere.jpg", directory() / "pages/a.jpg");
  const ProgramEnd end = Ridgeline(Arguments("pages", "run"));
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_THAT(end.err, HasSubstr("1 of 3 pages could not be"));
  EXPECT_THAT(end.err, HasSubstr("a.jpg (No such file or directory)"));
  const ProgramEnd strict =
      Ridgeline(Arguments("pages", "strict", {"dataset.on_error=fail"}));
  EXPECT_EQ(strict.exit_code, 1);
  EXPECT_THAT(strict.err, HasSubstr("a.jpg: No such file or directory"));
}

TEST_F(Pages, HaveAWarningIfTheirLogitsAreNaN) {
  MakeGoodPages();
  ASSERT_EQ(
      Ridgeline({"model", "create", (directory() / "model").string(), "--preset", "tiny"})
          .exit_code,
      0);
  for (const auto& file : fs::directory_iterator(directory() / "model")) {
    if (file.path().extension() != ".safetensors") continue;
    std::string bytes = ReadFile(file.path());
    std::fill(bytes.begin() + static_cast<ptrdiff_t>(bytes.size() / 2), bytes.end(),
              '\xff');
    WriteFile(file.path(), bytes);
  }
  const ProgramEnd end = Ridgeline(Arguments("pages", "run", {"run.repeats=2"}));
  EXPECT_THAT(end.err, HasSubstr("logits are NaN in 4 of 4 pages"));
  EXPECT_THAT(end.err, HasSubstr("(first in prefill of "));
}

TEST_F(Pages, FailTheStageIfAskedToOrIfNoneCanBeRead) {
  MakePages("pages", 14);
  const ProgramEnd first =
      Ridgeline(Arguments("pages", "run", {"dataset.on_error=fail"}));
  EXPECT_EQ(first.exit_code, 1) << first.err;
  EXPECT_THAT(first.err, HasSubstr("page_00001.jpg: the file is empty; "
                                   "dataset.on_error=skip continues"));
  EXPECT_THAT(first.err, HasSubstr("1 of 14 pages done"));
  EXPECT_EQ(Predictions("run").size(), 1U);

  for (const char* name : {"a.png", "b.png"}) {
    fs::create_directories(directory() / "none");
    WriteFile(directory() / "none" / name, "");
  }
  const ProgramEnd none = Ridgeline(Arguments("none", "none_read"));
  EXPECT_EQ(none.exit_code, 1) << none.err;
  EXPECT_THAT(none.err, HasSubstr("none of 2 pages could be read; the first: "));
  EXPECT_EQ(StateOf(ManifestOf(directory() / "none_read"), "direct_inference"),
            State::kFailed);
}

// Whether ridgeline or its model is killed, and wherever.
TEST_F(Pages, KilledAtAnyMomentAreTheSameAfterResume) {
  MakePages("pages", PageCount());
  const ProgramEnd whole = Ridgeline(Arguments("pages", "whole"));
  ASSERT_EQ(whole.exit_code, 0) << whole.err;
  const double whole_s =
      ManifestOf(directory() / "whole").stages.at(2).wall_s.value_or(1);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> moment(0.2, 2 * whole_s / KillCount() + 0.4);
  std::vector<std::string> arguments = Arguments("pages", "killed");
  for (int kill = 0; kill < KillCount(); ++kill) {
    const pid_t program = Start(arguments);
    ::usleep(static_cast<useconds_t>(moment(random) * 1e6));
    const pid_t model = kill % 2 == 0 ? 0 : ModelProcess();
    ::kill(model == 0 ? program : model, SIGKILL);
    Wait(program);
    // Killed before it had a directory: it begins again.
    if (!fs::exists(directory() / "killed/manifest.json")) continue;
    if (ManifestOf(directory() / "killed").state == State::kDone) break;
    arguments = {"run", "--resume", "killed"};
  }
  if (ManifestOf(directory() / "killed").state != State::kDone) {
    const ProgramEnd end = Ridgeline(arguments);
    ASSERT_EQ(end.exit_code, 0) << end.err;
  }
  EXPECT_EQ(Predictions("killed"), Predictions("whole"));
  EXPECT_EQ(Predictions("killed").size(), static_cast<size_t>(PageCount() - kBroken));
  EXPECT_EQ(Folders("killed"), Folders("whole"));
  const Json metrics = MetricsOf("killed");
  EXPECT_EQ(metrics.at("failures"), MetricsOf("whole").at("failures"));
  EXPECT_EQ(metrics.at("samples").size(), static_cast<size_t>(PageCount() - kBroken));
  EXPECT_EQ(metrics.at("statistics").at("end_to_end_s").at("count"),
            PageCount() - kBroken);
  WaitForNoDescendants();
}

TEST_F(Pages, ThatAreDoneWhenAnInterruptComesAreKept) {
  constexpr int kPages = 40;
  MakePages("pages", kPages);
  const pid_t program = Start(Arguments("pages", "run", {"infer.max_new_tokens=64"}));
  const fs::path stage = directory() / "run/tmp/direct_inference";
  WaitForPages(stage / "pages.jsonl", 4);
  ::kill(program, SIGINT);
  const ProgramEnd end = Wait(program);
  EXPECT_EQ(end.exit_code, 128 + SIGINT);
  EXPECT_THAT(end.err, HasSubstr(" of 40 pages done; continue with ridgeline run "
                                 "--resume"));
  const Json partial = MetricsOf("run");
  EXPECT_LT(partial.at("samples").size(), static_cast<size_t>(kPages - kBroken));
  EXPECT_EQ(partial.at("samples").size(), Predictions("run").size());
  EXPECT_EQ(partial.at("samples_planned"), kPages);

  const ProgramEnd resumed = Ridgeline({"run", "--resume", "run"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_THAT(resumed.err, HasSubstr("measured in 2 sessions"));
  EXPECT_EQ(MetricsOf("run").at("sessions"), 2);
  EXPECT_EQ(Predictions("run").size(), static_cast<size_t>(kPages - kBroken));
  // The log has both sessions.
  const std::string log = ReadFile(directory() / "run/direct_inference/workload.log");
  EXPECT_THAT(log, HasSubstr("resumed after "));
  EXPECT_THAT(log, HasSubstr("skipped: "));
}

// One that was profiled is not profiled again.
TEST_F(Pages, OfTheTorchProfilerAreResumedToo) {
  constexpr int kPages = 24;
  MakePages("pages", kPages);
  const pid_t program = Start(
      Arguments("pages", "run",
                {"pipeline.direct_inference.enable=false",
                 "pipeline.torch_profiler.enable=true", "infer.max_new_tokens=16"}));
  const fs::path stage = directory() / "run/tmp/torch_profiler";
  WaitForPages(stage / "pages.jsonl", 3);
  const std::string profile = ReadFile(stage / "operator_profile.json");
  EXPECT_THAT(profile, Not(""));
  ::kill(program, SIGKILL);
  Wait(program);
  const ProgramEnd resumed = Ridgeline({"run", "--resume", "run"});
  ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
  EXPECT_EQ(ReadFile(directory() / "run/torch_profiler/operator_profile.json"), profile);
  const Json metrics = MetricsOf("run", "torch_profiler");
  EXPECT_EQ(metrics.at("sessions"), 2);
  EXPECT_EQ(metrics.at("samples").size(), static_cast<size_t>(kPages - kBroken));
  EXPECT_TRUE(metrics.contains("profiled"));
}

TEST_F(Pages, NeedNoMoreMemoryThanAFew) {
  const int few = std::max(PageCount() / 20, 10);
  MakePages("few", few);
  MakePages("many", PageCount());
  ASSERT_EQ(Ridgeline(Arguments("few", "first")).exit_code, 0);  // Makes the model.
  std::vector<double> peaks;
  for (const char* pages : {"few", "many"}) {
    const ProgramEnd end = Ridgeline(Arguments(pages, std::string("run_") + pages));
    ASSERT_EQ(end.exit_code, 0) << end.err;
    peaks.push_back(static_cast<double>(end.peak_rss_bytes));
  }
  std::cerr << "peak RSS: " << few << " pages " << peaks[0] / 1e6 << " MB, "
            << PageCount() << " pages " << peaks[1] / 1e6 << " MB\n";
  EXPECT_LT(peaks[1], peaks[0] * 1.05);
}

}  // namespace
}  // namespace ridgeline::run
