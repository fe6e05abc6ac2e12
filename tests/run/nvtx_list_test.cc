// `ridgeline nvtx-list` with programs that use NVTX in all the ways there are.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "run/playground.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class NvtxList : public Playground {
 protected:
  void SetUp() override {
    if (std::string_view(kProbe).empty()) GTEST_SKIP() << "built without NVTX's headers";
  }

  // Of `nvtx-list --json`, which must end with `exit_code`.
  Json List(const std::vector<std::string>& command, int exit_code = 0,
            const std::vector<std::string>& flags = {}) {
    std::vector<std::string> arguments = {"nvtx-list", "--json"};
    arguments.insert(arguments.end(), flags.begin(), flags.end());
    arguments.emplace_back("--");
    arguments.insert(arguments.end(), command.begin(), command.end());
    const ProgramEnd end = Ridgeline(arguments);
    EXPECT_EQ(end.exit_code, exit_code) << end.err;
    err_ = end.err;
    return Json::parse(end.out);
  }
  Json Probe(const std::string& mode) { return List({kProbe, mode}); }

  // "outer/inner push_pop 3/3 threads 1": each range in a line.
  static std::vector<std::string> Lines(const Json& listing) {
    std::vector<std::string> lines;
    for (const Json& range : listing.at("ranges")) {
      std::string line;
      for (const Json& label : range.at("path")) line += label.get<std::string>() + "/";
      line += range.at("label").get<std::string>();
      if (range.at("domain") != "") line += "@" + range.at("domain").get<std::string>();
      line += " " + range.at("kind").get<std::string>();
      line += range.at("registered") == true ? " registered " : " ";
      line += range.at("opened").dump() + "/" + range.at("closed").dump() + " threads " +
              range.at("threads").dump();
      lines.push_back(line);
      const bool has_times = !range.at("time_total_ns").is_null();
      EXPECT_EQ(has_times, range.at("closed") > 0) << line;
      if (has_times) {
        EXPECT_LE(range.at("time_min_ns"), range.at("time_mean_ns")) << line;
        EXPECT_LE(range.at("time_mean_ns"), range.at("time_max_ns")) << line;
      }
    }
    return lines;
  }

  std::string err_;
};

TEST_F(NvtxList, SeesTheExampleAsItIs) {
  const Json listing = List({RIDGELINE_NVTX_WORKLOAD, "2", "4", "2"});
  EXPECT_THAT(Lines(listing),
              ElementsAre("prefill push_pop registered 2/2 threads 1",
                          "prefill/sam push_pop registered 2/2 threads 1",
                          "prefill/clip push_pop registered 2/2 threads 1",
                          "prefill/projector push_pop registered 2/2 threads 1",
                          "decode push_pop registered 8/8 threads 1"));
  // It works for 2 ms in each range.
  EXPECT_GE(listing["ranges"][1]["time_min_ns"], 2'000'000);
  EXPECT_GE(listing["ranges"][0]["time_min_ns"], 6'000'000);
  EXPECT_THAT(err_, HasSubstr("page 2 of 2: 4 tokens"));
  EXPECT_EQ(listing["processes"].size(), 1u);
  EXPECT_EQ(listing["processes"][0]["complete"], true);
}

TEST_F(NvtxList, KnowsWhereARangeIs) {
  EXPECT_THAT(
      Lines(Probe("nested")),
      ElementsAre("outer push_pop 1/1 threads 1", "outer/inner push_pop 3/3 threads 1",
                  "outer/inner/tick mark 3/0 threads 1", "inner push_pop 1/1 threads 1"));
}

TEST_F(NvtxList, FollowsRangesAcrossThreads) {
  const Json listing = Probe("threads");
  EXPECT_THAT(Lines(listing), ElementsAre("request start_end 4/4 threads 4",
                                          "work push_pop 4/4 threads 4"));
  EXPECT_EQ(listing["dropped"]["ends_without_start"], 1);
}

TEST_F(NvtxList, KeepsDomainsApart) {
  EXPECT_THAT(Lines(Probe("domains")),
              ElementsAre("outer push_pop 1/1 threads 1",
                          "decode@engine push_pop registered 1/1 threads 1",
                          "decode/token@engine mark 1/0 threads 1",
                          "decode@engine start_end registered 1/1 threads 1"));
}

TEST_F(NvtxList, ReadsWideAndBrokenText) {
  EXPECT_THAT(Lines(Probe("wide")),
              ElementsAre("\u89e3\u7801@dom\u00e4ne push_pop 1/1 threads 1",
                          "\U0001F600@dom\u00e4ne push_pop registered 1/1 threads 1",
                          "wide push_pop 1/1 threads 1", "wide/mark mark 1/0 threads 1",
                          "span start_end 1/1 threads 1",
                          "bad \uFFFD \"byte\"\n push_pop 1/1 threads 1"));
}

TEST_F(NvtxList, SeesChildrenOnce) {
  const Json listing = Probe("fork");
  EXPECT_THAT(Lines(listing),
              UnorderedElementsAre("parent push_pop 1/1 threads 1",
                                   "parent/child push_pop 2/2 threads 2"));
  ASSERT_EQ(listing["processes"].size(), 3u);
  std::map<bool, int> complete;
  for (const Json& process : listing["processes"]) ++complete[process["complete"]];
  EXPECT_EQ(complete[true], 2);
  EXPECT_EQ(complete[false], 1);  // The one that left by _exit().
}

TEST_F(NvtxList, SeesWhatAShellStarts) {
  const std::string work = RIDGELINE_NVTX_WORKLOAD;
  const Json listing = List(
      {"sh", "-c", work + " 1 1 1 & " + work + " 1 2 1; wait; exec " + work + " 1 4 1"});
  EXPECT_THAT(Lines(listing),
              testing::Contains("decode push_pop registered 7/7 threads 3"));
  EXPECT_EQ(listing["ranges"][0]["processes"], 3);
}

TEST_F(NvtxList, LeavesNoLockBehindInAChild) {
  const Json listing = Probe("fork-storm");
  EXPECT_EQ(listing["processes"].size(), 51u);
  std::map<std::string, int> opened;
  for (const Json& range : listing["ranges"]) {
    opened[range["label"]] += range["opened"].get<int>();
  }
  EXPECT_EQ(opened["child"], 50);
  EXPECT_EQ(opened["label 7"], 1600);
  EXPECT_EQ(opened["span"], 80050);
}

TEST_F(NvtxList, SurvivesAKill) {
  const Json listing = List({kProbe, "killed"}, 1);
  EXPECT_THAT(Lines(listing), ElementsAre("closed push_pop 1/1 threads 1",
                                          "open push_pop 1/0 threads 1"));
  EXPECT_THAT(err_, HasSubstr("the program failed: killed by signal 9 (Killed)"));
}

TEST_F(NvtxList, DoesNotDisturbTheProgram) {
  const Json listing = Probe("unbalanced");  // Fails if its errno changes.
  EXPECT_EQ(listing["dropped"]["pops_without_push"], 1);
  EXPECT_EQ(listing["dropped"]["labels_shortened"], 1);
  EXPECT_THAT(Lines(listing), testing::Contains("/at exit mark 1/0 threads 1"));
}

// 64 levels of "step"; what is deeper is on the last one.
TEST_F(NvtxList, BoundsTheDepthOfRangesThatAreNeverPopped) {
  const Json listing = Probe("leak");
  const std::vector<std::string> lines = Lines(listing);
  EXPECT_EQ(lines.size(), 64U + 62 + 3);
  std::string outer;
  for (int i = 0; i < 63; ++i) outer += "step/";
  EXPECT_THAT(lines, testing::Contains(outer + "step push_pop 99937/0 threads 1"));
  EXPECT_THAT(lines, testing::Contains(outer + "work 0 push_pop 33313/33313 threads 1"));
  EXPECT_EQ(listing["dropped"]["ranges_too_deep"], 2 * (100'000 - 64) + 1);
}

TEST_F(NvtxList, StandsSignalHandlersThatUseNvtx) {
  const Json listing = Probe("signals");
  EXPECT_THAT(Lines(listing), testing::Contains("loop push_pop 200000/200000 threads 1"));
}

TEST_F(NvtxList, ResolvesAnExpression) {
  struct Case {
    const char* expression;
    const char* mode;
    const char* verdict;
    int exit_code;
  };
  const Case cases[] = {
      {"decode@engine", "domains", "opened", 0},
      {"decode@*", "domains", "opened", 0},
      {"outer", "domains", "unregistered", 0},
      {"decode", "domains", "other_domain", 3},
      {"span", "wide", "wide", 0},
      {"tick", "nested", "only_marks", 3},
      {"iner", "nested", "never_opened", 3},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.expression);
    const Json listing =
        List({kProbe, c.mode}, c.exit_code, {"--expression", c.expression});
    EXPECT_EQ(listing["expression"]["verdict"], c.verdict);
    EXPECT_EQ(listing["expression"]["matches"], c.exit_code == 0);
  }
  const ProgramEnd end =
      Ridgeline({"nvtx-list", "--expression=iner", "--", kProbe, "nested"});
  EXPECT_THAT(end.out, HasSubstr("\n"
                                 "no NVTX range 'iner' (ranges: outer, inner)\n"
                                 "hint: did you mean 'inner'?\n"));
}

TEST_F(NvtxList, OfAProgramThatFailedPrintsTheFailureAlone) {
  const ProgramEnd end = Ridgeline({"nvtx-list", "--expression=decode", "--", "sh", "-c",
                                    "echo no module >&2; exit 3"});
  EXPECT_EQ(end.exit_code, 1);
  EXPECT_EQ(end.out, "");
  EXPECT_EQ(end.err, "no module\nridgeline: the program failed: exit code 3\n");
}

TEST_F(NvtxList, SaysSoWhereThereIsNoNvtx) {
  const Json listing = List({"true"}, 3, {"--expression", "decode"});
  EXPECT_THAT(listing["ranges"], IsEmpty());
  EXPECT_EQ(listing["expression"]["verdict"], "no_ranges");
  const ProgramEnd end = Ridgeline({"nvtx-list", "--", "true"});
  EXPECT_EQ(end.exit_code, 0);
  EXPECT_THAT(end.out, HasSubstr("no NVTX ranges found"));
}

TEST_F(NvtxList, EndsAsItsProgramDid) {
  struct Case {
    std::vector<std::string> command;
    int exit_code;
    const char* message;
  };
  WriteFile(directory() / "text", "no program");
  const Case cases[] = {
      {{"sh", "-c", "exit 7"}, 1, "the program failed: exit code 7"},
      {{"./nowhere"}, 127, "nowhere: No such file or directory"},
      {{"no-such-program-anywhere"}, 127, "no-such-program-anywhere"},
      {{"./text"}, 126, "not executable"},
      {{}, 2, "nvtx-list needs a program after --"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.message);
    std::vector<std::string> arguments = {"nvtx-list", "--"};
    arguments.insert(arguments.end(), c.command.begin(), c.command.end());
    const ProgramEnd end = Ridgeline(arguments);
    EXPECT_EQ(end.exit_code, c.exit_code);
    EXPECT_THAT(end.err, HasSubstr(c.message));
  }
}

TEST_F(NvtxList, LooksAtAProgramThatNeverEnds) {
  const Json listing =
      List({"sh", "-c", std::string(RIDGELINE_NVTX_WORKLOAD) + " 1 1 1; sleep 600"}, 0,
           {"--timeout", "1.5", "--expression", "decode"});
  EXPECT_EQ(listing["program"]["timed_out"], true);
  EXPECT_THAT(err_, HasSubstr("later ranges are not listed"));
}

TEST_F(NvtxList, SeesTheBuiltInModel) {
  const fs::path program = fs::path(RIDGELINE_PROGRAM).parent_path() / "ridgeline-model";
  if (!fs::exists(program)) GTEST_SKIP() << "built without libtorch";
  const Json listing =
      List({RIDGELINE_PROGRAM, "workload", "+preset=demo", "--output-dir", "out",
            std::string("dataset.root=") + RIDGELINE_SOURCE_DIR + "/datasets/samples",
            "model.path=" + (directory() / "model").string(), "infer.max_new_tokens=4"},
           0, {"--expression", "decode"});
  EXPECT_EQ(listing["expression"]["verdict"], "opened");
}

class NvtxListUnderNsys : public NvtxList {};

TEST_F(NvtxListUnderNsys, KeepsACaptureFromBeingEmpty) {
  if (!IsInstalled("nsys")) GTEST_SKIP() << "nsys is not installed";
  const auto capture = [this](const std::string& expression,
                              std::vector<std::string> more) {
    std::vector<std::string> arguments = {
        "run", "pipeline.nsys.enable=true", "pipeline.nsys.trace=nvtx",
        "pipeline.nsys.capture_range=nvtx", "pipeline.nsys.nvtx_capture=" + expression};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Ridgeline(arguments);
  };
  const std::string command = "pipeline.workload.command=";
  const std::string example = command + ListOverride({RIDGELINE_NVTX_WORKLOAD, "1"});

  const ProgramEnd wrong = capture("decod", {"hydra.run.dir=wrong", example});
  EXPECT_EQ(wrong.exit_code, 1);
  EXPECT_THAT(wrong.err,
              HasSubstr("NoRangeHit: no NVTX range 'decod' (ranges: prefill, sam, clip, "
                        "projector, decode); did you mean 'decode'?"));
  EXPECT_FALSE(fs::exists(directory() / "wrong/nsys/nsys.log"));  // It never started.

  const ProgramEnd right = capture("decode", {"hydra.run.dir=right", example});
  EXPECT_EQ(right.exit_code, 0) << right.err;
  EXPECT_TRUE(fs::exists(directory() / "right/nsys/run.nsys-rep"));
  EXPECT_THAT(ReadFile(directory() / "right/nsys/nvtx_ranges.txt"),
              HasSubstr("\nprojector  (default)  push/pop      1 "));

  const ProgramEnd plain = capture(
      "outer", {"hydra.run.dir=plain", command + ListOverride({kProbe, "nested"})});
  EXPECT_EQ(plain.exit_code, 0) << plain.err;
  EXPECT_THAT(ReadFile(directory() / "plain/manifest.json"),
              HasSubstr("'outer' matches: 1 instance, but with a plain string"));

  const ProgramEnd off = capture(
      "decod", {"hydra.run.dir=off", "pipeline.nsys.nvtx_dry_run=false", example});
  EXPECT_EQ(off.exit_code, 1);
  EXPECT_THAT(off.err, HasSubstr("nsys wrote no report"));
}

}  // namespace
}  // namespace ridgeline::run
