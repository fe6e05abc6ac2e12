#include "report/report.h"

#include <gmock/gmock.h>

#include "os/testing/golden.h"
#include "report/printers/printers.h"

namespace ridgeline::report {
namespace {

using artifacts::State;
using results::PhaseSample;
using testing::HasSubstr;

artifacts::Manifest Manifest() {
  artifacts::Manifest manifest;
  manifest.run_id = "20260101-000000";
  manifest.state = State::kFailed;
  manifest.reason = "1 of 2 stages failed";
  manifest.workload = "the built-in model <b>tiny</b>";
  manifest.host = "box";
  manifest.started = "2026-01-01T00:00:00+00:00";
  manifest.stages.resize(3);
  manifest.stages[0] = {.name = "direct_inference", .state = State::kDone};
  manifest.stages[0].wall_s = 2.5;
  manifest.stages[1] = {.name = "nsys", .state = State::kFailed};
  manifest.stages[1].reason = "NoRangeHit: no | range";
  manifest.stages[1].outcome = "NoRangeHit";
  manifest.stages[1].notes = {"something *to* know"};
  manifest.stages[2] = {.name = "ncu", .state = State::kDisabled};
  return manifest;
}

results::ResultStore Store() {
  results::ResultStore store;
  store.sources.push_back(
      {.file = "direct_inference/metrics.json", .format = "model_metrics"});
  store.sources.push_back({.file = "nsys/run.sqlite", .format = "nsys_sqlite"});
  for (const int64_t ms : {100, 110, 90}) {
    store.phase_samples.push_back({.phase = "end_to_end", .duration_ns = ms * 1'000'000});
    store.phase_samples.push_back(
        {.phase = "decode", .duration_ns = ms * 500'000, .tokens = 5});
  }
  store.phase_samples.push_back({.source = 1,
                                 .pass = PhaseSample::Pass::kProfiled,
                                 .phase = "end_to_end",
                                 .duration_ns = 200'000'000});
  store.devices.push_back({.source = 1, .label = "0", .model = "A GPU"});
  const auto name = [&store](const char* text) { return store.names.Intern(text); };
  store.kernel_totals.push_back(
      {.name = name("copy"), .count = 4, .time_total_ns = 1'000'000});
  store.kernel_totals.push_back(
      {.name = name("gemm<float, 2>"), .count = 2, .time_total_ns = 3'000'000});
  store.operator_totals.push_back(
      {.name = name("aten::mm"), .calls = 7, .time_total_ns = 9, .time_self_ns = 8});
  store.regions.push_back({.source = 1,
                           .path = "prefill/sam",
                           .kind = "push_pop",
                           .instances = 3,
                           .cpu_total_ns = 30'000'000,
                           .cpu_instance = results::InstanceQuantiles{
                               8'000'000, 9'000'000, 13'000'000, 13'000'000}});
  store.region_rooflines.push_back({.source = 1,
                                    .path = "prefill/sam",
                                    .clock = "cpu",
                                    .time_ns = 30'000'000,
                                    .flops_per_s = 2e9,
                                    .bytes_per_s = 5e8,
                                    .roofline_slowdown = 4.5});
  store.import_counters.push_back(
      {.source = 1, .counter = results::DropReason::kNvtxNoRange, .count = 2});
  return store;
}

RunFacts Facts() {
  RunFacts facts;
  facts.manifest = Manifest();
  facts.store = Store();
  return facts;
}

RunFacts Facts(artifacts::Manifest manifest) {
  RunFacts facts;
  facts.manifest = std::move(manifest);
  return facts;
}

TEST(ReportTest, IsTheSameJsonForTheSameResults) {
  const std::string json = ToJson(MakeReport(Facts()));
  EXPECT_EQ(json, ToJson(MakeReport(Facts())));
  os::ExpectGolden("reports/run_report.json", json);
}

TEST(ReportTest, KeepsProfiledTimesApart) {
  const Document report = MakeReport(Facts());
  ASSERT_EQ(report.phases.size(), 3u);
  EXPECT_EQ(report.phases[0].samples, 3);
  EXPECT_FALSE(report.phases[0].mean_ci95_s);  // Too few samples.
  EXPECT_TRUE(report.phases[2].profiled);
  EXPECT_EQ(report.phases[2].samples, 1);
}

TEST(ReportTest, SaysWhetherToTrustTheRun) {
  artifacts::Manifest manifest = Manifest();
  EXPECT_EQ(MakeReport(Facts(manifest)).verdict.complete, false);
  EXPECT_THAT(ToMarkdown(MakeReport(Facts(manifest))),
              HasSubstr("**failed**: 1 of 2 stages failed, 1 note under Stages.\n"));
  manifest.state = State::kDone;
  manifest.reason.clear();
  manifest.stages[0].state = manifest.stages[1].state = State::kSkipped;
  EXPECT_THAT(ToMarkdown(MakeReport(Facts(manifest))),
              HasSubstr("**done**, 1 note under Stages; 2 of 2 stages skipped: "
                        "direct_inference, nsys.\n"));
  manifest.stages[0].state = State::kDone;
  manifest.stages.resize(1);
  manifest.parity = artifacts::Parity::kFailed;
  EXPECT_EQ(MakeReport(Facts(manifest)).verdict.complete, true);
  EXPECT_THAT(ToMarkdown(MakeReport(Facts(manifest))),
              HasSubstr("**output parity failed**"));
}

TEST(ReportTest, ReadsWellAsMarkdown) {
  const Document report = MakeReport(Facts());
  os::ExpectGolden("reports/run_report.md", ToMarkdown(report));
  os::ExpectGolden("reports/run_kernels.md", KernelsMarkdown(report));
  EXPECT_EQ(KernelsMarkdown(MakeReport(Facts(Manifest()))), "");
}

TEST(ReportTest, ListsDroppedRecordsIfDataWasLost) {
  RunFacts facts = Facts();
  EXPECT_EQ(ToMarkdown(MakeReport(facts)).find("## Dropped"), std::string::npos);
  facts.store.import_counters.push_back(
      {.source = 1, .counter = results::DropReason::kRowTimeMissing, .count = 3});
  const std::string text = ToMarkdown(MakeReport(facts));
  EXPECT_THAT(text, HasSubstr("| nsys/run.sqlite | 2 | no | NVTX rows other than"));
  EXPECT_THAT(text, HasSubstr("| nsys/run.sqlite | 3 | yes | rows without start or end"));
}

TEST(ReportTest, KernelTablesNameTheGpuIfThereAreSeveral) {
  Document report;
  report.kernels = {{.source = "a.sqlite", .device = "0", .name = "gemm"},
                    {.source = "a.sqlite", .device = "1", .name = "gemm"}};
  EXPECT_NE(KernelsMarkdown(report).find("| GPU |"), std::string::npos);
  EXPECT_NE(ToMarkdown(report).find("| GPU |"), std::string::npos);
  report.kernels.pop_back();
  EXPECT_EQ(KernelsMarkdown(report).find("| GPU |"), std::string::npos);
}

TEST(ReportTest, SaysWhyRegionsOfATraceHaveNoMfu) {
  const struct {
    const char* what;
    results::RegionWork work;
    const char* want;  // Empty: no output.
  } cases[] = {
      {"without shapes",
       {.operators = 1},
       "\nt.json: FLOPs and MFU of regions not measured: set `pipeline"},
      {"without a GPU",
       {.operators = 1, .flops = 2},
       "\nt.json: MFU of regions not measured: it needs GPU"},
      {"with both", {.operators = 1, .flops = 2, .mfu = 0.5}, ""},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    RunFacts facts = Facts();
    facts.store.sources.push_back({.file = "t.json", .format = "torch_trace"});
    facts.store.regions.push_back(
        {.source = 2, .path = "forward", .kind = "annotation", .work = c.work});
    const std::string text = ToMarkdown(MakeReport(facts));
    EXPECT_THAT(text, HasSubstr(c.want));
    EXPECT_EQ(text.find("MFU of regions not") == text.npos, *c.want == '\0');
  }
}

// A Python program: calls, the runs that made them, and the FLOPs of one call.
RunFacts PythonFacts() {
  RunFacts facts = Facts(Manifest());
  facts.store = {};
  facts.store.sources.push_back(
      {.file = "direct_inference/metrics.json", .format = "call_metrics"});
  for (const auto& [phase, duration_ns] :
       {std::pair("end_to_end", 6'000'000), std::pair("wall", 1'900'000'000)}) {
    results::PhaseSample& sample = facts.store.phase_samples.emplace_back();
    sample.phase = phase;
    sample.duration_ns = duration_ns;
  }
  facts.counted_call = CountedCall{.source = "static_analysis/model_summary.json",
                                   .call = "GPT.forward",
                                   .flops = 267'000'000};
  facts.profiled_pass = ProfiledPass{.source = "torch_profiler/operator_profile.json",
                                     .profiled_s = 0.0276,
                                     .unprofiled_s = 0.01};
  return facts;
}

TEST(ReportTest, OfAPythonProgramHasItsCallsItsRunsAndItsFlops) {
  RunFacts facts = PythonFacts();
  std::string text = ToMarkdown(MakeReport(facts));
  EXPECT_THAT(text, HasSubstr("| end_to_end (per call) |"));
  EXPECT_THAT(text, HasSubstr("| wall (per run) |"));
  EXPECT_THAT(text, HasSubstr(": 2.76x (27.6 ms profiled, 10.0 ms unprofiled)."));
  EXPECT_THAT(text, HasSubstr("`GPT.forward`: 267 MFLOP in one call"));
  EXPECT_THAT(text, HasSubstr("MFU not measured: it needs a profiled call with shapes"));
  facts.profiled_pass->profiled_s = 0.008;
  EXPECT_THAT(ToMarkdown(MakeReport(facts)),
              HasSubstr(": below the noise (8.00 ms profiled, 10.0 ms unprofiled)."));
  facts.store.call_flops.push_back({.source = 0,
                                    .phase = "end_to_end",
                                    .flops = 267'000'000,
                                    .time_ns = 4'560'000,
                                    .device = "cpu",
                                    .peak_flops_per_s = 133e9,
                                    .peak_bytes_per_s = {}});
  const Document report = MakeReport(facts);
  text = ToMarkdown(report);
  EXPECT_THAT(text, HasSubstr("`GPT.forward`: 267 MFLOP in one call"));
  EXPECT_THAT(text, HasSubstr("(n=1, not the mean of all calls)"));
  EXPECT_EQ(text.find("MFU not measured"), text.npos);
  EXPECT_THAT(ToTerminal(report),
              HasSubstr("44 % (267 MFLOP in 4.56 ms: the same call in an unprofiled"));
  EXPECT_THAT(ToTerminal(report), HasSubstr("mean 1.90 s per run"));
}

TEST(ReportTest, CallsBesideFlopsAreThoseWithFlops) {
  RunFacts facts;
  results::ResultStore& store = facts.store;
  store.sources.push_back({.file = "t.json"});
  store.operator_totals.push_back({.source = 0,
                                   .name = store.names.Intern("aten::mm"),
                                   .calls = 7,
                                   .time_self_ns = 8});
  store.operator_totals.back().work =
      results::OperatorWork{.calls = 5, .flops = 100, .clock = "gpu", .time_ns = 10};
  const Document report = MakeReport(facts);
  EXPECT_EQ(report.operators.at(0).calls, 7);
  EXPECT_EQ(report.operators.at(0).flops_calls, 5);
}

TEST(ReportTest, ApiCallsHaveTheNamesOfNsysStats) {
  RunFacts facts;
  results::ResultStore& store = facts.store;
  store.sources.push_back({.file = "a.sqlite"});
  const auto add = [&store](const char* kind, const char* name, int64_t time_ns) {
    store.api_totals.push_back({.source = 0,
                                .kind = kind,
                                .name = store.names.Intern(name),
                                .calls = 1,
                                .time_total_ns = time_ns,
                                .time_max_ns = time_ns});
  };
  add("cuda", "cudaDeviceSynchronize_v3020", 5);
  add("cuda", "cudaDeviceSynchronize", 2);
  add("cuda", "cuMemAlloc_v2", 4);
  add("synchronization", "unknown", 1);
  const std::vector<ApiRow> rows = MakeReport(facts).api_calls;
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].name, "cudaDeviceSynchronize");
  EXPECT_EQ(rows[0].calls, 2);
  EXPECT_EQ(rows[1].name, "cuMemAlloc_v2");
  EXPECT_EQ(rows[2].name, "unknown (CUPTI activity)");
}

TEST(ReportTest, FitsOnATerminal) {
  os::ExpectGolden("reports/run_summary.txt", ToTerminal(MakeReport(Facts())));
}

TEST(ReportTest, KeepsTheEnvironmentAsItIs) {
  RunFacts facts;
  facts.environment_json = R"({"memory":{"total_bytes":1000}})";
  EXPECT_THAT(ToJson(MakeReport(facts), /*indent=*/-1),
              HasSubstr(R"("environment":{"memory":{"total_bytes":1000}})"));
}

}  // namespace
}  // namespace ridgeline::report
