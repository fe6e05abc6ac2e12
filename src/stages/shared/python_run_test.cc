#include "stages/shared/python_run.h"

#include <gtest/gtest.h>

namespace ridgeline::stages {
namespace {

using python::Call;
using python::Process;

Call CallOf(std::string kind, int64_t duration_ns) {
  return {.kind = kind, .name = "M." + kind, .duration_ns = duration_ns};
}

TEST(WhyNotObserved, NamesTheReasonForEachKindOfProgram) {
  const Process torch = {.torch = "2.13.0", .hooked = true, .ended = true};
  Process unsupported = {.torch = "1.4", .hooked = false, .not_hooked = "too old"};
  Process killed = torch;
  killed.ended = false;
  Process called = torch;
  called.calls = {CallOf("forward", 1)};
  const struct {
    std::vector<Process> processes;
    std::string outcome;
  } cases[] = {
      {{}, "AgentNotLoaded"},    {{Process{.ended = true}}, "TorchNotImported"},
      {{torch}, "NoCalls"},      {{unsupported}, "UnsupportedTorch"},
      {{killed}, "AgentKilled"}, {{called}, ""},
      {{Process{}, called}, ""},
  };
  for (const auto& c : cases) {
    const auto why = WhyNotObserved(c.processes);
    EXPECT_EQ(why ? why->outcome : "", c.outcome);
  }
}

TEST(CallsOf, TakesTheKindThatTookMostTimeInOneProcess) {
  Process parent = {.pid = 1, .calls = {CallOf("forward", 5)}};
  Process worker = {.pid = 2,
                    .calls = {CallOf("forward", 5), CallOf("generate", 70),
                              CallOf("forward", 6), CallOf("generate", 30)}};
  worker.calls[3].error = "ValueError";
  const std::vector<Process> processes = {parent, worker};
  const MeasuredCalls measured = CallsOf(processes);
  ASSERT_NE(measured.process, nullptr);
  EXPECT_EQ(measured.process->pid, 2);
  EXPECT_EQ(measured.name, "M.generate");
  EXPECT_EQ(measured.calls.size(), 1u);
  EXPECT_EQ(measured.failed, 1);
  EXPECT_EQ(measured.other, 3);
}

TEST(CallsOf, TakesTheLowestRankWhereThereAreRanks) {
  std::vector<Process> processes(2);
  processes[0] = {.pid = 1, .rank = 1, .calls = {CallOf("forward", 50)}};
  processes[1] = {.pid = 2, .rank = 0, .calls = {CallOf("forward", 5)}};
  EXPECT_EQ(CallsOf(processes).process->pid, 2);
}

TEST(CallsOf, PrefersTheRegionThatIsTheCall) {
  std::vector<Process> processes(2);
  processes[0] = {.pid = 1, .rank = 0, .calls = {CallOf("forward", 50)}};
  processes[1] = {.pid = 2,
                  .rank = 1,
                  .calls = {CallOf("forward", 90), CallOf("region", 5)},
                  .trace = python::Trace{2, "trace-2.json", 1}};
  EXPECT_EQ(CallsOf(processes).name, "M.region");
  EXPECT_EQ(TracedProcess(processes, {})->pid, 2);
  processes[0].trace = python::Trace{1, "trace-1.json", 1};
  EXPECT_EQ(TracedProcess(processes, {})->pid, 2);
}

// Calls of the kind with the most time that succeeded.
TEST(CallsOf, AreNotThoseThatRaised) {
  Process process = {.calls = {CallOf("forward", 5), CallOf("generate", 70)}};
  process.calls[1].error = "ValueError";
  EXPECT_EQ(CallsOf({&process, 1}).name, "M.forward");
}

Process WithModel(int64_t pid, int64_t width, int64_t duration_ns) {
  return {.pid = pid,
          .models = {{.class_name = "M", .tensors = {{.name = "w", .shape = {width}}}}},
          .calls = {CallOf("forward", duration_ns)},
          .trace = python::Trace{1, "trace.json", 1}};
}

TEST(SameCalls, AreInTheProcessWithTheSameModel) {
  const std::vector<Process> first = {WithModel(11, 8, 5), WithModel(12, 1024, 6)};
  const MeasuredCalls measured = CallsOf(first);
  ASSERT_EQ(measured.process->pid, 12);
  // In another order, and with other times.
  std::vector<Process> second = {WithModel(22, 1024, 5), WithModel(21, 8, 9)};
  const MeasuredCalls same = SameCalls(measured, first, second);
  ASSERT_NE(same.process, nullptr);
  EXPECT_EQ(same.process->pid, 22);
  EXPECT_EQ(same.calls.size(), 1u);
  EXPECT_EQ(same.other, 1);
  EXPECT_EQ(TracedProcess(second, same)->pid, 22);
  second[0].trace.reset();
  EXPECT_EQ(TracedProcess(second, SameCalls(measured, first, second))->pid, 21);
  second.erase(second.begin());
  EXPECT_EQ(SameCalls(measured, first, second).process, nullptr);
}

// Lines of two children may be written in either order.
TEST(SameCalls, AreInTheProcessThatWasStartedAtTheSamePlace) {
  const std::vector<Process> first = {WithModel(12, 8, 5), WithModel(11, 8, 6)};
  std::vector<Process> second = {WithModel(21, 8, 5), WithModel(22, 8, 9)};
  EXPECT_EQ(SameCalls(CallsOf(first), first, second).process->pid, 21);
  second.pop_back();
  EXPECT_EQ(SameCalls(CallsOf(first), first, second).process, nullptr);
}

TEST(CallMetrics, AreOfUnprofiledCallsBehindTheWarmup) {
  Process process;
  for (int64_t i = 1; i <= 5; ++i) {
    Call call = CallOf("generate", i * 1'000'000'000);
    call.prompt_tokens = 4;
    call.generated_tokens = 3;
    call.batch = 2;
    call.prefill_ns = 100'000'000;
    call.ttft_ns = 200'000'000;
    call.decode_ns = 500'000'000;
    call.decode_step_ns = {200'000'000, 300'000'000};
    call.profiled = i == 4;
    process.calls.push_back(call);
  }
  const std::vector<Process> processes = {process};
  const MeasuredCalls measured = CallsOf(processes);
  const profiles::ModelMetrics metrics = CallMetrics({&measured, 1}, 2);
  EXPECT_EQ(metrics.unit, "call");
  EXPECT_EQ(metrics.warmup_rounds, 2);
  ASSERT_EQ(metrics.samples.size(), 2u);  // The third and the fifth.
  EXPECT_EQ(metrics.samples[0].SecondsOf("end_to_end"), 3.0);
  EXPECT_EQ(metrics.samples[1].SecondsOf("end_to_end"), 5.0);
  // Of two sequences.
  EXPECT_EQ(metrics.samples[0].prompt_tokens, 8);
  EXPECT_EQ(metrics.samples[0].generated_tokens, 6);
  EXPECT_EQ(metrics.samples[0].decode_steps, 4);
  ASSERT_NE(Find(metrics, "ttft_s"), nullptr);
  EXPECT_EQ(Find(metrics, "ttft_s")->summary.count, 2u);
  EXPECT_EQ(Find(metrics, "itl_s")->summary.count, 4u);
  EXPECT_DOUBLE_EQ(Find(metrics, "itl_s")->summary.mean, 0.25);
  EXPECT_DOUBLE_EQ(*metrics.decode_tokens_per_s(), 8.0);
}

TEST(CallMetrics, KeepTheOnlyCallsOfAProgramThatMakesFewerThanTheWarmup) {
  Process process = {.calls = {CallOf("forward", 7), CallOf("forward", 8)}};
  const std::vector<Process> processes = {process};
  const MeasuredCalls measured = CallsOf(processes);
  const profiles::ModelMetrics metrics = CallMetrics({&measured, 1}, 2);
  EXPECT_EQ(metrics.samples.size(), 2u);
  EXPECT_EQ(metrics.warmup_rounds, 0);
}

}  // namespace
}  // namespace ridgeline::stages
