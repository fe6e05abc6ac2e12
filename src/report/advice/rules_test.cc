#include "report/advice/rules.h"

#include <gmock/gmock.h>

#include "report/advice/advice.h"
#include "report/printers/advice_text.h"
#include "report/testing/saved_document.h"

namespace ridgeline::report {
namespace {

using Json = nlohmann::ordered_json;
using testing::DoubleNear;
using testing::HasSubstr;
using testing::Optional;

std::vector<Advice> FoundBy(std::string_view id, const Document& document) {
  for (const AdviceRule& rule : AdviceRules()) {
    if (rule.id == id) return rule.find(document);
  }
  ADD_FAILURE() << "no rule " << id;
  return {};
}

struct Change {
  const char* pointer;
  Json value;
};

Document Changed(const std::vector<Change>& changes) {
  Json report = SavedJson("gpu_run");
  for (const Change& change : changes)
    report[Json::json_pointer(change.pointer)] = change.value;
  return DocumentOf(report);
}

// For each threshold, a number on the other side of it.
TEST(AdviceRulesTest, AreSilentBelowTheirThresholds) {
  struct Case {
    const char* rule;
    std::vector<Change> changes;
  };
  const Case cases[] = {
      {"dominant_phase", {{"/phases/0/mean_s", 2.5}}},
      {"memory_bound", {{"/ledger/phases/2/bound", "unknown"}}},
      {"compute_bound",
       {{"/ledger/phases/0/mfu_useful", Json()},
        {"/ledger/phases/1/mfu_useful", Json()}}},
      {"wasted_flops", {{"/ledger/phases/0/mfu_useful", 0.2}}},
      {"launch_gaps",
       {{"/regions/1/gpu_idle_s", 0.009},
        {"/regions/0/gpu_idle_s", 0.009},
        {"/regions/2/gpu_idle_s", 0.13}}},
      {"long_tail_region", {{"/regions/4/instances", 99}}},
      {"long_tail_region", {{"/regions/4/per_instance/p99_s", 0.0039}}},
      {"long_tail_region", {{"/regions/4/gpu_span_s", 1.07}}},
      {"long_tail_region", {{"/regions/4/path", "warmup"}}},
      {"long_tail_region", {{"/regions/4/path", "decode/aten::add"}}},
      {"long_tail_region", {{"/regions/4/per_instance", Json()}}},
      {"device_idle", {{"/devices/1/idle_s", 0.15}}},
      {"device_idle",
       {{"/regions/2/source", "torch/trace.json"}, {"/devices/0/idle_s", 0.02}}},
      {"launch_bound", {{"/launch_latency/0/median_s", 21e-6}}},
      {"long_queue_time", {{"/launch_latency/2/median_s", 499e-6}}},
      {"long_queue_time", {{"/devices/2/compute_s", 0.39}}},
      {"records_lost", {{"/dropped/1/lost", false}}},
      {"short_kernels", {{"/kernel_kinds", Json::array()}}},
      {"short_kernels", {{"/kernel_kinds/0/total_s", 0.5}}},
      {"fp32_gemms", {}},
      {"gemv_share", {{"/kernel_kinds/1/share", 0.24}}},
      {"layout_conversion", {{"/kernel_kinds/3/share", 0.09}}},
      {"unfused_attention", {{"/kernel_kinds/4/share", 0.02}}},
      {"unfused_attention", {{"/kernel_kinds/2/kind", "attention"}}},
      {"elementwise_share", {{"/kernel_kinds/0/share", 0.24}}},
      {"top_kernel", {{"/kernels/0/share", 0.19}, {"/kernels/3/share", 0.19}}},
      {"ncu_rule", {{"/ncu/0/rules/0/speedup_percent", 9}}},
      // An estimate for one hardware unit is not one for the runtime.
      {"ncu_rule", {{"/ncu/0/rules/0/speedup_kind", "local"}}},
      {"ncu_rule", {{"/ncu/0/rules/0/speedup_kind", Json()}}},
      {"ncu_rule", {{"/ncu/0/duration_s", Json()}}},
      {"ncu_rule", {{"/ncu/0/name", "another"}}},
      {"communication_exposed", {{"/devices/0/exposed_communication_s", 0.07}}},
      {"copies_exposed", {{"/devices/0/exposed_copy_s", 0.07}}},
      {"pageable_copies", {{"/memory_ops/0/total_s", 0.015}}},
      {"pageable_copies", {{"/memory_ops/0/name", "Memcpy HtoD (Pinned -> Device)"}}},
      {"synchronizing_calls", {{"/api_calls/1/total_s", 0.13}}},
      // The CPU waits for a GPU that is busy.
      {"synchronizing_calls", {{"/devices/0/idle_s", 0.15}}},
      {"allocator_churn", {{"/api_calls/3/total_s", 0.03}}},
      {"allocator_churn", {{"/api_calls/3/calls", 3}}},
      {"top_operator", {{"/operators/0/share", 0.24}}},
      {"conversions", {{"/devices/1/busy_kernels_s", 0}, {"/operators/1/share", 0.04}}},
      // Of a source with GPU kernels, CPU self time is that of launches.
      {"conversions", {}},
      // 5 % of 9 s, in which copies or graphs kept the GPU busy.
      {"top_kernel", {{"/devices/0/busy_s", 9}}},
      {"gemv_share", {{"/devices/0/busy_s", 9}}},
      {"layout_conversion", {{"/devices/0/busy_s", 9}}},
      {"unfused_attention", {{"/devices/0/busy_s", 9}}},
      {"elementwise_share", {{"/devices/0/busy_s", 9}}},
      {"peak_under_load", {}},
      {"peak_under_load", {{"/ledger/peak_rounds_ratio", 1.29}}},
      {"ceiling_unknown", {}},
      {"wide_confidence_interval",
       {{"/phases/0/mean_ci95_s", Json()}, {"/phases/4/mean_ci95_s", Json()}}},
      {"profiler_overhead", {{"/phases/5/mean_s", 1.0}, {"/phases/6/mean_s", 0.8}}},
      {"unattributed", {{"/regions/3/gpu_exclusive_s", 0.07}}},
      {"cuda_graph_level_trace", {{"/devices/0/graphs", 0}}},
      {"memory_nearly_full", {{"/memory/host_memory_bytes", 18e9}}},
      {"parity_failed", {{"/verdict/parity", "not_checked"}}},
      {"not_complete", {}},
      {"not_complete", {{"/verdict/complete", false}, {"/run/state", "imported"}}},
  };
  for (const Case& c : cases) {
    const std::vector<Advice> found = FoundBy(c.rule, Changed(c.changes));
    EXPECT_TRUE(found.empty()) << c.rule << ": " << found.front().verdict;
  }
}

TEST(AdviceRulesTest, WhatToTryDependsOnWhatWasSeen) {
  struct Case {
    const char* rule;
    std::vector<Change> changes;
    const char* want;
  };
  const Case cases[] = {
      {"memory_bound", {}, "Close launch gaps first: the GPU is idle for 87 % of decode"},
      {"memory_bound", {{"/regions", Json::array()}}, "pipeline.nsys.enable=true"},
      {"memory_bound", {{"/regions/2/gpu_idle_s", 0.01}}, "look for copies"},
      {"memory_bound", {{"/ledger/phases/2/mbu", 0.5}}, "Fuse small kernels"},
      {"memory_bound", {{"/ledger/phases/2/mbu", 0.7}}, "only fewer bytes help"},
      {"launch_gaps", {}, "CUDA graph"},
      {"launch_gaps",
       {{"/regions/2/launches", 620}},
       "what the CPU does between launches in 'decode'"},
      {"device_idle", {}, "the gap of 300 ms"},
      {"device_idle", {{"/devices/1/idle_gap_max_s", 0.1}}, "the mean gap is 40.0 ms"},
      {"top_kernel", {}, "run.top_n_kernels=4"},
      {"top_kernel",
       {{"/kernels/3/share", 0.1}},
       "(ncu: latency-bound, SM 31 %, DRAM 44 %, occupancy 52 %)"},
      {"top_kernel",
       {{"/kernels/3/share", 0.1},
        {"/ncu_kernels/0/class", "memory_bound"},
        {"/ncu_kernels/0/memory_percent", 60.0}},
       "Move fewer bytes: lower the precision or fuse it with its neighbours (ncu: "
       "memory-bound, SM 31 %, memory 60 %, DRAM 44 %, occupancy 52 %)"},
      {"top_kernel",
       {{"/kernels/3/share", 0.1},
        {"/ncu_kernels/0/class", "memory_bound"},
        {"/ncu_kernels/0/memory_percent", 97.0}},
       "Reduce L1, L2 and shared-memory traffic (coalescing, reuse in registers)"},
      {"top_kernel",
       {{"/run/state", "imported"}},
       "'ridgeline top-kernels nsys/run.sqlite --top 4 -o kernels.yaml'"},
      // The mean over launches, not the longest one.
      {"top_kernel",
       {{"/kernels/3/share", 0.1},
        {"/ncu/0/sm_percent", 90.0},
        {"/ncu_kernels/0/class", "compute_bound"},
        {"/ncu_kernels/0/sm_percent", 64.0}},
       "Compute-bound (SM 64 % of peak): see the busiest pipe (ncu --section "
       "ComputeWorkloadAnalysis) (ncu: compute-bound, SM 64 %, DRAM 44 %, occupancy "
       "52 %)"},
      {"top_kernel",
       {{"/kernels/3/share", 0.1},
        {"/ncu_kernels/0/class", "compute_bound"},
        {"/ncu_kernels/0/sm_percent", 80.0}},
       "SM throughput is near peak: see the busiest pipe (ncu --section "
       "ComputeWorkloadAnalysis); fewer instructions or a lower precision help"},
      {"top_kernel",
       {{"/kernels/3/share", 0.1},
        {"/ncu_kernels/0/mean_s", 2.84},
        {"/ncu/0/waves_per_sm", 0.4}},
       "Give it more work per launch (larger batch, fusion): its grid has 0.40 waves/SM "
       "(ncu: latency-bound"},
      {"top_kernel",
       {{"/kernels/3/share", 0.1}, {"/ncu_kernels/0/mean_s", 5.4e-6}},
       "Give it more work per launch (larger batch, fusion): a launch takes only 5.40 "
       "us"},
      {"top_kernel",
       {{"/kernels/3/share", 0.1},
        {"/ncu_kernels/0/mean_s", 2.84},
        {"/ncu/0/waves_per_sm", 12.0}},
       "Raise its occupancy (fewer registers or less shared memory per block, another "
       "block size) and find what its warps wait for (ncu --section WarpStateStats)"},
      {"gemv_share", {}, "reads a whole matrix for one vector. Or quantize the weights"},
      {"layout_conversion", {}, "write into preallocated caches instead of copying"},
      {"top_kernel",
       {{"/run/state", "imported"},
        {"/sources", {{{"file", "nsys/run.sqlite"}, {"format", "torch_trace"}}}}},
       "'ridgeline ncu-kernels --kernel-regex vectorized_elementwise_kernel -- COMMAND'"},
      {"synchronizing_calls", {}, ".item()"},
      {"synchronizing_calls", {{"/api_calls/2/total_s", 0.4}}, "cudaMemcpyAsync"},
      {"top_operator", {}, "Speed up its GEMMs"},
      {"top_operator", {{"/operators/0/share", 0.6}}, "GEMMs dominate"},
      {"top_operator",
       {{"/operators/0/name", "own::thing"}},
       "pipeline.torch_profiler.record_shapes=true "
       "pipeline.torch_profiler.group_by_input_shape=true "
       "pipeline.torch_profiler.with_stack=true"},
      {"top_operator",
       {{"/operators/0/name", "own::thing"}, {"/run/state", "imported"}},
       "key_averages(group_by_input_shape=True)"},
      {"wide_confidence_interval",
       {},
       "Set run.repeats=22 (now 3) for a half-width of 5 %"},
      {"wide_confidence_interval",
       {{"/phases/0/mean_ci95_s", {0.45, 1.35}}},
       "Stop other processes and measure again"},
      {"wide_confidence_interval",
       {{"/config", Json::array()}},
       "Raise run.repeats to reach n=86 for a half-width of 5 %"},
      {"unattributed", {}, "the work that the 4 regions miss"},
      {"short_kernels",
       {},
       "'vectorized_elementwise_kernel' (elementwise SiLU, vectorized) alone has 30,000 "
       "launches"},
  };
  for (const Case& c : cases) {
    const std::vector<Advice> found = FoundBy(c.rule, Changed(c.changes));
    ASSERT_FALSE(found.empty()) << c.rule;
    EXPECT_THAT(found.front().action, HasSubstr(c.want)) << c.rule;
  }
}

TEST(AdviceRulesTest, OneProfiledCallHasTheOverheadThatItsStageMeasured) {
  Document document;
  const auto verdict = [&document](double factor) {
    document.profiling_overhead =
        ProfilingOverheadRow{.source = "torch_profiler/operator_profile.json",
                             .factor = factor,
                             .profiled_s = 0.01 * factor,
                             .unprofiled_s = 0.01};
    const std::vector<Advice> found = FoundBy("profiler_overhead", document);
    return found.empty() ? "" : found.front().verdict;
  };
  EXPECT_TRUE(FoundBy("profiler_overhead", document).empty());
  EXPECT_EQ(verdict(1.19), "");
  EXPECT_EQ(verdict(2.76),
            "Profiling overhead 2.76x in 'torch_profiler/operator_profile.json' (27.6 ms "
            "vs 10.0 ms unprofiled)");
}

TEST(AdviceRulesTest, CallsAreNotMinorBecauseTheRunIsLong) {
  Document document;
  document.phases = {{.source = "direct_inference/metrics.json",
                      .phase = "end_to_end",
                      .samples = 20,
                      .mean_s = 0.003,
                      .mean_ci95_s = {{0.002, 0.004}}},
                     {.source = "direct_inference/metrics.json",
                      .phase = "wall",
                      .samples = 2,
                      .mean_s = 1.9}};
  EXPECT_FALSE(FoundBy("wide_confidence_interval", document).empty());
}

TEST(AdviceRulesTest, Fp32GemmsNeedAGpuWithTf32) {
  struct Case {
    const char* model;
    const char* kernel;
    double share;
    bool want;
  };
  const Case cases[] = {
      {"NVIDIA A100-SXM4-80GB", "ampere_sgemm_128x64_tn", 0.88, true},
      {"NVIDIA A100-SXM4-80GB", "ampere_sgemm_128x64_tn", 0.19, false},
      {"NVIDIA A100-SXM4-80GB", "ampere_bf16_s16816gemm_bf16_128x64_tn", 0.88, false},
      {"Tesla V100-SXM2-16GB", "volta_sgemm_128x64_tn", 0.88, false},
      {"another", "ampere_sgemm_128x64_tn", 0.88, false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.model);
    Document document;
    document.devices = {{.source = "a.sqlite", .device = "0", .model = c.model}};
    document.kernels = {{.source = "a.sqlite",
                         .device = "0",
                         .name = c.kernel,
                         .launches = 900,
                         .total_s = 3,
                         .share = c.share}};
    const std::vector<Advice> found = FoundBy("fp32_gemms", document);
    ASSERT_EQ(!found.empty(), c.want);
    if (!c.want) continue;
    EXPECT_THAT(found.front().verdict,
                HasSubstr("FP32 GEMMs without tensor cores take 88 % of kernel time"));
    EXPECT_THAT(found.front().action,
                HasSubstr("torch.set_float32_matmul_precision(\"high\")"));
    EXPECT_THAT(found.front().saving_s, Optional(DoubleNear(3 * 7 / 8.0, 1e-9)));
  }
}

// 3 of 8 seconds in exposed copies, made by a region that launches `launches` kernels.
Document WithExposedCopies(int64_t launches) {
  Document document;
  document.devices = {{.source = "a.sqlite", .device = "0", .span_s = 8}};
  document.devices[0].memory_s = document.devices[0].exposed_copy_s = 3;
  document.memory_ops = {{.source = "a.sqlite", .name = "HtoD", .bytes = 1000}};
  document.regions = {{.source = "a.sqlite", .path = "init_model", .kind = "push_pop"}};
  document.regions[0].instances = 1;
  document.regions[0].launches = launches;
  document.regions[0].memcpy_bytes = 999;
  return document;
}

TEST(AdviceRulesTest, CopiesOfARegionWithoutKernelsAreOneTime) {
  const Advice loading = FoundBy("copies_exposed", WithExposedCopies(0)).at(0);
  EXPECT_THAT(loading.verdict, HasSubstr("one-time, in 'init_model'"));
  EXPECT_EQ(loading.saving_s, std::nullopt);
  EXPECT_EQ(loading.action.find("cudaMemcpyAsync"), std::string::npos);
  Document computing = WithExposedCopies(5);
  Advice advice = FoundBy("copies_exposed", computing).at(0);
  EXPECT_EQ(advice.verdict.find("one-time"), std::string::npos);
  EXPECT_THAT(advice.saving_s, Optional(3));
  EXPECT_THAT(advice.action, HasSubstr("with cudaMemcpyAsync"));
  computing.api_calls = {{.source = "a.sqlite", .name = "cudaMemcpyAsync_v3020"}};
  advice = FoundBy("copies_exposed", computing).at(0);
  EXPECT_EQ(advice.action.find("cudaMemcpyAsync"), std::string::npos);
}

TEST(AdviceRulesTest, OperatorsAreJudgedByTheTimeOfTheWholeWork) {
  Document document;
  document.operators = {{.source = "t.json",
                         .name = "aten::mm",
                         .calls = 80,
                         .self_s = 0.05,
                         .share = 0.27}};
  const std::vector<Advice> alone = FoundBy("top_operator", document);
  ASSERT_EQ(alone.size(), 1U);
  EXPECT_THAT(alone[0].action, HasSubstr("Speed up its GEMMs: lower the precision"));
  document.regions = {{.source = "t.json",
                       .path = "gloo:all_reduce",
                       .kind = "annotation",
                       .instances = 10,
                       .cpu_s = 2.1}};
  EXPECT_TRUE(FoundBy("top_operator", document).empty());
}

TEST(AdviceRulesTest, GemmsFarBelowPeakAreNotSmallOperators) {
  Document document;
  document.ledger = LedgerRow{.device = "cpu: x", .samples = 1};
  document.ledger->phases = {{.name = "prefill", .measured_s = 1}};
  document.ledger->phases[0].bound = cost::BoundClass::kCompute;
  document.ledger->phases[0].mfu_useful = 0.02;
  document.operators = {{.source = "t.json", .name = "aten::bmm", .share = 0.6},
                        {.source = "t.json", .name = "aten::mm", .share = 0.001},
                        {.source = "t.json", .name = "aten::addmm", .share = 0.002}};
  const Advice advice = FoundBy("compute_bound", document).at(0);
  ASSERT_GE(advice.evidence.size(), 2U);
  EXPECT_EQ(advice.evidence.end()[-2].label, "aten::bmm");
  EXPECT_EQ(EvidenceInWords(advice.evidence.back()), "and 2 more below 1 %: 0.300 %");
  EXPECT_THAT(advice.action,
              HasSubstr("Inefficient GEMMs and convolutions (60 % of operator self time "
                        "of the whole pass): raise the batch size, check "
                        "OMP_NUM_THREADS and the BLAS"));
  EXPECT_EQ(advice.action.find("small operators"), std::string::npos);
}

// ncu estimates the speedup of each launch that it profiled.
TEST(AdviceRulesTest, MultiplyEstimatesOfNcuByTheLaunchesTheyAreFor) {
  Document document;
  document.kernels = {
      {.source = "a.csv", .name = "f", .launches = 3, .total_s = 60e-6, .share = 1}};
  const auto launch = [](double duration_s, std::vector<NcuRuleRow> rules) {
    return NcuRow{.source = "a.csv",
                  .name = "f",
                  .duration_s = duration_s,
                  .rules = std::move(rules)};
  };
  const auto rule = [](const char* name, const char* kind, double percent) {
    return NcuRuleRow{.rule = name,
                      .kind = "OPT",
                      .text = std::string("Fix ") + name + " for more configurations.",
                      .speedup_kind = kind,
                      .speedup_percent = percent};
  };
  document.ncu = {launch(30e-6, {rule("Tail", "global", 50), rule("Tail", "global", 20),
                                 rule("Stall", "local", 99)}),
                  launch(26e-6, {rule("Tail", "global", 50)}),
                  launch(4e-6, {rule("Grid", "global", 94)})};
  Advice advice = FoundBy("ncu_rule", document).at(0);
  EXPECT_EQ(advice.verdict,
            "'f': ncu estimates a speedup of 50 % for 2 launches (56.0 us), as profiled");
  EXPECT_EQ(advice.action, "Fix Tail for more configurations");
  EXPECT_THAT(advice.saving_s, Optional(DoubleNear(28e-6, 1e-12)));
  document.ncu.erase(document.ncu.begin(), document.ncu.begin() + 2);
  advice = FoundBy("ncu_rule", document).at(0);
  EXPECT_THAT(advice.verdict, HasSubstr("94 % for 1 launch (4.00 us)"));
  EXPECT_THAT(advice.saving_s, Optional(DoubleNear(3.76e-6, 1e-12)));
}

TEST(AdviceRulesTest, CutTextsOfNcuBetweenSentencesOrWords) {
  std::string words;
  while (words.size() < 450) words += "wait ";
  const struct {
    const char* what;
    std::string text;
    std::string want;
  } cases[] = {
      {"short", "See further details.", "See further details"},
      {"sentences", "First one. " + words + "end.", "First one"},
      {"one long sentence", words + "end.", words.substr(0, 399) + " ..."},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    const Document report = Changed({{"/ncu/0/rules/0/text", c.text}});
    EXPECT_EQ(FoundBy("ncu_rule", report).at(0).action, c.want);
  }
}

TEST(AdviceRulesTest, WeightsInFp64AreNotQuantized) {
  Document document;
  document.kernel_kinds = {{.source = "a.csv",
                            .kind = analysis::KernelKind::kGemv,
                            .launches = 432,
                            .total_s = 1,
                            .share = 1}};
  document.kernels = {{.source = "a.csv",
                       .name = "void gemv2T_kernel_val<int, int, double, double, double, "
                               "double, 128, 16, 4, 4, 0, 0, P>(P)",
                       .kind = analysis::KernelKind::kGemv,
                       .launches = 432,
                       .total_s = 1,
                       .share = 1}};
  EXPECT_EQ(FoundBy("gemv_share", document).at(0).action,
            "Raise the batch size: each of the 432 launches reads a whole matrix for one "
            "vector");
}

TEST(AdviceRulesTest, EstimateOnlyGainsThatAreThere) {
  const Document report = SavedDocument("gpu_run");
  const auto gain = [&report](const char* rule) {
    return FoundBy(rule, report).front().saving_s;
  };
  EXPECT_THAT(gain("memory_bound"), Optional(DoubleNear(0.75 - 0.0431, 1e-9)));
  EXPECT_THAT(gain("launch_gaps"), Optional(DoubleNear(1.2, 1e-9)));
  EXPECT_THAT(gain("long_tail_region"), Optional(DoubleNear(1.3 - 512 * 0.002, 1e-9)));
  EXPECT_THAT(gain("ncu_rule"), Optional(DoubleNear(5.4e-6 * 0.35, 1e-12)));
  const Document on_cpu = Changed({{"/devices/1/busy_kernels_s", 0}});
  EXPECT_THAT(FoundBy("conversions", on_cpu).front().saving_s,
              Optional(DoubleNear(0.15, 1e-9)));
  EXPECT_THAT(gain("wasted_flops"),
              Optional(DoubleNear(0.08 * (1 - 0.18 / 0.207), 1e-9)));
  for (const char* rule :
       {"gemv_share", "dominant_phase", "top_kernel", "wide_confidence_interval"}) {
    EXPECT_EQ(gain(rule), std::nullopt) << rule;
  }
}

TEST(AdviceRulesTest, IgnorePhasesAndRegionsBelowTwoPercent) {
  struct Case {
    const char* rule;
    std::vector<Change> changes;
  };
  const Case cases[] = {
      // Pages take 0.9 s, 'decode' on the CPU 1.4 s.
      {"wide_confidence_interval",
       {{"/phases/0/mean_ci95_s", Json()},
        {"/phases/4/mean_s", 0.0179},
        {"/phases/4/mean_ci95_s", {0.001, 0.03}}}},
      {"memory_bound", {{"/ledger/phases/2/measured_s", 0.0015}}},
      {"wasted_flops", {{"/ledger/phases/0/measured_s", 0.014}}},
      {"long_tail_region",
       {{"/regions/4/gpu_span_s", 0.02},
        {"/regions/4/cpu_s", 0.02},
        {"/regions/4/per_instance/median_s", 1e-5}}},
  };
  for (const Case& c : cases) {
    const std::vector<Advice> found = FoundBy(c.rule, Changed(c.changes));
    EXPECT_TRUE(found.empty()) << c.rule << ": " << found.front().verdict;
  }
}

// prefill/sam has nearly all gaps of prefill.
TEST(AdviceRulesTest, NameTheInnermostRegionThatExplainsGaps) {
  const std::vector<Advice> found = FoundBy("launch_gaps", SavedDocument("gpu_run"));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_THAT(
      found[0].verdict,
      HasSubstr("'decode': launch gaps, GPU idle for 87 % (1.20 s of 1.38 s); 62,000 "
                "launches, mean kernel 2.90 us"));
  EXPECT_THAT(found[1].verdict, HasSubstr("'prefill/sam': launch gaps"));
}

TEST(AdviceRulesTest, NameTheInnermostRegionWithALongTail) {
  Json report = SavedJson("gpu_run");
  Json nested = report["regions"][4];
  const std::string path = nested["path"];
  nested["path"] = path + "/attention";
  report["regions"].push_back(nested);
  const std::vector<Advice> found = FoundBy("long_tail_region", DocumentOf(report));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].verdict, HasSubstr("'" + path + "/attention': long tail"));
}

// Rows of two devices are parts of one kernel; shares of two sources have different
// totals.
TEST(AdviceRulesTest, AddUpDevicesOfASourceButNotSources) {
  Document report;
  report.sources = {{.file = "a"}, {.file = "b"}};
  const auto kernel = [](const char* source, const char* device, const char* name,
                         double share) {
    return KernelRow{.source = source,
                     .device = device,
                     .name = name,
                     .launches = 10,
                     .total_s = share,
                     .share = share};
  };
  report.kernels = {kernel("b", "0", "other", 0.3), kernel("a", "0", "mine", 0.246),
                    kernel("a", "1", "mine", 0.246)};
  const std::vector<Advice> longest = FoundBy("top_kernel", report);
  ASSERT_EQ(longest.size(), 1u);
  EXPECT_THAT(longest[0].verdict, HasSubstr("takes 49 % of kernel time in 'a' (20 "));
  for (const char* source : {"a", "b"}) {
    report.operators.push_back(
        {.source = source, .name = "aten::to", .self_s = 1, .share = 0.6});
    report.operators.push_back(
        {.source = source, .name = "aten::cat", .self_s = 0.3, .share = 0.2});
  }
  const std::vector<Advice> conversions = FoundBy("conversions", report);
  ASSERT_EQ(conversions.size(), 1u);
  EXPECT_THAT(conversions[0].verdict, HasSubstr("take 80 % of operator self time"));
  EXPECT_THAT(conversions[0].saving_s, Optional(DoubleNear(1.3, 1e-9)));
}

TEST(AdviceRulesTest, TimesOfThreadsAreNoShareOfTheCapture) {
  for (const double total_s : {0.5, 8.45}) {
    const std::vector<Advice> found =
        FoundBy("allocator_churn", Changed({{"/api_calls/3/total_s", total_s}}));
    ASSERT_EQ(found.size(), 1u);
    EXPECT_THAT(found[0].verdict,
                HasSubstr(total_s < 1 ? "take 31 % of the GPU span (500 ms)"
                                      : "take 8.45 s in total, more than the 1.60 s"));
  }
  const std::vector<Advice> advice = AdviceOn(Changed({{"/api_calls/3/total_s", 8.45}}));
  for (const Advice& piece : advice) EXPECT_LE(piece.saving_s.value_or(0), 1.6);
}

// "send narrower types" does not help if ranks wait for each other.
TEST(AdviceRulesTest, TellWaitingForRanksFromTransfers) {
  for (const double min_s : {1e-3, 5e-6}) {
    Document report = Changed({{"/devices/0/communication_s", 0.8},
                               {"/devices/0/exposed_communication_s", 0.8}});
    report.kernels.push_back({.source = "nsys/run.sqlite",
                              .device = "0",
                              .name = "ncclDevKernel_AllReduce_Sum_f32",
                              .kind = analysis::KernelKind::kCommunication,
                              .launches = 100,
                              .total_s = 0.15,
                              .mean_s = 1.5e-3,
                              .min_s = min_s});
    const std::vector<Advice> found = FoundBy("communication_exposed", report);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_THAT(found[0].action, HasSubstr(min_s < 1e-4 ? "or message sizes differ"
                                                        : "send narrower types"));
  }
}

TEST(AdviceRulesTest, NameOneOfManyAlikeDevices) {
  Document report;
  for (const char* file : {"a.json", "b.json", "c.json"}) {
    report.sources.push_back({.file = file, .format = "torch_trace"});
    report.devices.push_back({.source = file,
                              .device = "0",
                              .span_s = 1,
                              .idle_s = 0.4 + 0.1 * static_cast<double>(file[0] - 'a'),
                              .idle_gaps = 10,
                              .idle_gap_max_s = 0.1});
  }
  report.sources[2].rank = 7;
  const std::vector<Advice> advice = AdviceOn(report);
  ASSERT_EQ(advice.size(), 1u);
  EXPECT_THAT(advice[0].verdict,
              HasSubstr("GPU 0 in 'c.json' (rank 7): idle for 60 % of the GPU span"));
  EXPECT_THAT(advice[0].verdict, HasSubstr("2 other GPUs are similar"));
}

// One short phase of one pass is not significant. Times of one phase in two stages:
// disjoint intervals, or no intervals, and more than a tenth apart.
TEST(AdviceRulesTest, DoubtStagesThatDisagree) {
  struct Case {
    const char* what;
    double other_s;
    Json other_ci95_s;
    bool disagree;
  };
  const Case cases[] = {
      {"without an interval, far apart", 1.5, Json(), true},
      {"without an interval, close", 1.05, Json(), false},
      {"intervals overlap", 1.5, {0.9, 2.1}, false},
      {"disjoint intervals, far apart", 1.5, {1.4, 1.6}, true},
      {"disjoint intervals, close", 1.05, {1.045, 1.055}, false},
      {"faster", 0.5, {0.4, 0.6}, true},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    Json report = SavedJson("cpu_run");
    report["/phases/0/mean_s"_json_pointer] = 1.0;
    report["/phases/0/mean_ci95_s"_json_pointer] = {0.98, 1.02};
    report["/phases/2/mean_s"_json_pointer] = c.other_s;
    report["/phases/2/mean_ci95_s"_json_pointer] = c.other_ci95_s;
    const std::vector<Advice> found = FoundBy("stages_disagree", DocumentOf(report));
    ASSERT_EQ(!found.empty(), c.disagree);
    if (!c.disagree) continue;
    EXPECT_THAT(found[0].verdict, HasSubstr("direct_inference measures 1.00 s per page"));
    EXPECT_THAT(found[0].verdict, HasSubstr("torch_profiler measures "));
    EXPECT_THAT(found[0].action, HasSubstr("Use the times of direct_inference"));
  }
}

// A stage that was disturbed itself is not the one to use.
TEST(AdviceRulesTest, DoNotPreferAStageThatWasDisturbed) {
  struct Case {
    double direct_half_width;
    double other_half_width;
    const char* want;
  };
  const Case cases[] = {
      {0.2, 0.01, "Use the times of direct_inference. Stop other processes"},
      {0.79, 0.01,
       "direct_inference (95 % CI half-width 79 %) was disturbed: stop other processes "
       "and "
       "measure again"},
      {0.79, 0.4,
       "direct_inference (95 % CI half-width 79 %) and torch_profiler (95 % CI "
       "half-width 40 %) were "
       "both disturbed: stop other processes and measure again"},
  };
  for (const Case& c : cases) {
    const auto phase = [](const char* source, double mean_s, double half_width) {
      return PhaseRow{
          .source = source,
          .phase = "end_to_end",
          .samples = 5,
          .mean_s = mean_s,
          .mean_ci95_s = {{mean_s * (1 - half_width), mean_s * (1 + half_width)}}};
    };
    Document document;
    document.phases = {phase("direct_inference/metrics.json", 0.039, c.direct_half_width),
                       phase("torch_profiler/metrics.json", 352e-6, c.other_half_width)};
    EXPECT_THAT(FoundBy("stages_disagree", document).at(0).action, HasSubstr(c.want));
  }
}

TEST(AdviceRulesTest, MoreCallsDoNotCountWarmUp) {
  Document document;
  document.sources = {{.file = "torch_profiler/metrics.json", .format = "call_metrics"}};
  document.phases = {{.source = "torch_profiler/metrics.json",
                      .phase = "end_to_end",
                      .samples = 5,
                      .mean_s = 1,
                      .mean_ci95_s = {{0.88, 1.12}}}};
  const std::string action = FoundBy("wide_confidence_interval", document).at(0).action;
  EXPECT_THAT(action, HasSubstr("Make n=29 calls in the program for a half-width of 5 %, "
                                "in addition to warm-up calls "
                                "(pipeline.torch_profiler.warmup_rounds)"));
  EXPECT_THAT(action, HasSubstr("or set pipeline.direct_inference.enable=true"));
}

// Summaries show the times of direct_inference.
TEST(AdviceRulesTest, WarnAboutTheShownTimesFirst) {
  Document document;
  document.phases = {{.source = "torch_profiler/metrics.json",
                      .phase = "end_to_end",
                      .samples = 5,
                      .mean_s = 1,
                      .mean_ci95_s = {{0.08, 1.92}}},
                     {.source = "direct_inference/metrics.json",
                      .phase = "end_to_end",
                      .samples = 5,
                      .mean_s = 1,
                      .mean_ci95_s = {{0.88, 1.12}}}};
  const auto verdict = [&document] {
    return FoundBy("wide_confidence_interval", document).at(0).verdict;
  };
  EXPECT_THAT(
      verdict(),
      HasSubstr("in direct_inference: half-width of the 95 % CI is 12 % of the mean"));
  document.phases[1].mean_ci95_s = {{0.99, 1.01}};
  EXPECT_THAT(
      verdict(),
      HasSubstr("in torch_profiler: half-width of the 95 % CI is 92 % of the mean"));
}

TEST(AdviceRulesTest, TakeProfilingOverheadFromWholePages) {
  const std::vector<Advice> found =
      FoundBy("profiler_overhead", SavedDocument("gpu_run"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(
      found[0].verdict,
      HasSubstr("end_to_end: profiling overhead 1.78x in 'nsys/run.sqlite' (1.60 s vs "
                "900 ms unprofiled)"));
}

TEST(AdviceRulesTest, DoubtAProfiledPassThatWasDisturbed) {
  struct Case {
    const char* what;
    double profiled_s;
    int64_t samples;
    const char* source;
    bool doubt;
  };
  const Case cases[] = {
      {"as slow as profilers are", 2.9, 1, "torch_profiler/metrics.json", false},
      {"slower", 3.1, 1, "torch_profiler/metrics.json", true},
      {"several passes: profiler_overhead", 3.1, 2, "torch_profiler/metrics.json", false},
      {"another stage's process", 3.1, 1, "nsys/run.metrics.json", false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    Document document;
    PhaseRow fast = {.source = "torch_profiler/metrics.json",
                     .phase = "end_to_end",
                     .samples = 6,
                     .mean_s = 0.5,
                     .max_s = 1.0};
    PhaseRow slow = {.source = c.source,
                     .profiled = true,
                     .phase = "end_to_end",
                     .samples = c.samples,
                     .mean_s = c.profiled_s};
    document.phases = {fast, slow};
    const std::vector<Advice> found = FoundBy("profiled_pass_disturbed", document);
    ASSERT_EQ(!found.empty(), c.doubt);
    if (!c.doubt) continue;
    EXPECT_THAT(
        found[0].verdict,
        HasSubstr("took 3.10 s, 3.10x the slowest of 6 unprofiled ones (1.00 s)"));
  }
}

TEST(AdviceRulesTest, SayWhichStageFailedAndHowToGoOn) {
  const std::vector<Advice> found = FoundBy("not_complete", SavedDocument("cpu_run"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_THAT(found[0].verdict, HasSubstr("2 of 3 stages did not complete"));
  EXPECT_THAT(found[0].verdict, HasSubstr("'nsys' failed (no range 'decod' was opened)"));
  EXPECT_THAT(found[0].action, HasSubstr("pipeline.nsys.nvtx_capture=decode@*"));
  EXPECT_THAT(found[0].action, HasSubstr("'ridgeline doctor'"));
}

TEST(AdviceRulesTest, GraphsLongerThanKernelsAreAWarning) {
  Document document;
  document.devices = {{.source = "a.sqlite", .device = "0", .busy_s = 7.83}};
  document.devices[0].busy_kernels_s = 78.3e-6;
  document.devices[0].graphs = 12;
  document.devices[0].graphs_s = 7.81;
  document.run.state = "imported";
  Advice advice = FoundBy("cuda_graph_level_trace", document).at(0);
  EXPECT_TRUE(advice.doubt);
  EXPECT_EQ(advice.verdict,
            "CUDA graphs take 100 % of GPU busy time (7.81 s) in 'a.sqlite' and were "
            "captured as a whole: kernel shares cover 78.3 us");
  EXPECT_EQ(advice.action, "Capture with nsys --cuda-graph-trace=node");
  EXPECT_TRUE(AdviceOn(document).at(0).doubt);
  document.devices[0].busy_kernels_s = 7.82;
  EXPECT_FALSE(FoundBy("cuda_graph_level_trace", document).at(0).doubt);
}

TEST(AdviceRulesTest, DoubtAPeakMeasuredUnderLoad) {
  Document document;
  document.ledger = LedgerRow{.device = "cpu: x", .compute_flops_per_s = 130e9};
  document.ledger->peak_rounds_ratio = 1.6;
  const Advice advice = FoundBy("peak_under_load", document).at(0);
  EXPECT_EQ(advice.verdict,
            "CPU peak measured under load: 130 GFLOP/s (rounds differ by 1.6x): MFU may "
            "be too high");
  EXPECT_THAT(advice.action, HasSubstr("hardware.peak_tflops"));
  document.ledger->memory_bytes_per_s = 12.5e9;
  document.ledger->bandwidth_rounds_ratio = 2.4;
  const Advice bandwidth = FoundBy("peak_under_load", document).at(1);
  EXPECT_EQ(bandwidth.verdict,
            "CPU bandwidth measured under load: 12.5 GB/s (rounds differ by 2.4x): MBU "
            "may be too high");
  EXPECT_THAT(bandwidth.action, HasSubstr("hardware.peak_gbps"));
  document.ledger->peak_rounds_ratio = 1.0;
  EXPECT_EQ(FoundBy("peak_under_load", document).size(), 1u);
}

TEST(AdviceRulesTest, DoubtAnMfuAbovePeak) {
  Document document;
  document.ledger = LedgerRow{.device = "cpu: x", .compute_flops_per_s = 100e9};
  document.ledger->phases = {
      {.name = "end_to_end", .flops = 5'200'000'000, .measured_s = 0.02, .mfu = 2.6}};
  const Advice advice = FoundBy("above_peak", document).at(0);
  EXPECT_EQ(advice.verdict,
            "end_to_end: MFU 260 %: 5.20 GFLOP in 20.0 ms are above the peak of 100 "
            "GFLOP/s");
  EXPECT_THAT(advice.action, HasSubstr("hardware.peak_tflops"));
  document.ledger->phases[0].mfu = 1;
  EXPECT_TRUE(FoundBy("above_peak", document).empty());
}

TEST(AdviceRulesTest, BelowATenthOfPeakOverheadIsTheBound) {
  struct Case {
    double mfu;
    const char* want;
  };
  const Case cases[] = {
      {0.0013,
       "vision: 789x roofline time (compute roofline), 0.13 % of peak FLOP/s: "
       "overhead-bound"},
      {0.099, "9.9 % of peak FLOP/s: overhead-bound"},
      {0.11, "vision: compute-bound at 11 % of peak FLOP/s, 789x roofline time"},
  };
  for (const Case& c : cases) {
    Document document;
    document.ledger = LedgerRow{.device = "cpu: x", .samples = 1};
    document.ledger->phases = {{.name = "vision",
                                .flops_useful = 1000,
                                .measured_s = 1,
                                .roofline_slowdown = 789,
                                .bound = cost::BoundClass::kCompute,
                                .mfu_useful = c.mfu}};
    EXPECT_THAT(FoundBy("compute_bound", document).at(0).verdict, HasSubstr(c.want));
  }
}

// Operators are those of all phases.
TEST(AdviceRulesTest, SayOnceWhereTheTimeOfTheWholePassIs) {
  Document document;
  document.ledger = LedgerRow{.device = "cpu: x", .samples = 1};
  for (const char* name : {"vision", "prefill"}) {
    document.ledger->phases.push_back({.name = name,
                                       .measured_s = 1,
                                       .bound = cost::BoundClass::kCompute,
                                       .mfu_useful = 0.02});
  }
  document.operators = {{.source = "t.json", .name = "aten::bmm", .share = 0.6}};
  const std::vector<Advice> found = FoundBy("compute_bound", document);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(found[0].action, HasSubstr("Inefficient GEMMs and convolutions"));
  EXPECT_EQ(found[1].action.find("whole pass"), std::string::npos);
}

TEST(AdviceRulesTest, TellProfilingOverheadFromOtherLoad) {
  Document document;
  document.phases = {{.source = "torch_profiler/metrics.json",
                      .phase = "end_to_end",
                      .samples = 5,
                      .mean_s = 72.9e-6,
                      .max_s = 73e-6},
                     {.source = "torch_profiler/metrics.json",
                      .profiled = true,
                      .phase = "end_to_end",
                      .samples = 1,
                      .mean_s = 284e-6}};
  document.sources = {{.file = "torch_profiler/metrics.json", .format = "call_metrics"}};
  document.operators = {{.source = "torch_profiler/trace.json",
                         .name = "aten::mm",
                         .calls = 2,
                         .self_s = 1e-4,
                         .share = 0.6}};
  document.profiling_overhead = ProfilingOverheadRow{.source = "p.json",
                                                     .factor = 3.9,
                                                     .profiled_s = 284e-6,
                                                     .unprofiled_s = 72.9e-6,
                                                     .events = 42};
  Advice advice = FoundBy("profiled_pass_disturbed", document).at(0);
  EXPECT_EQ(advice.verdict, "Profiling overhead dominates: 42 events in a 72.9 us call");
  EXPECT_EQ(advice.action, "Profile a larger batch");
  EXPECT_TRUE(FoundBy("top_operator", document).empty());
  document.profiling_overhead->events = 3;  // 70 us each.
  advice = FoundBy("profiled_pass_disturbed", document).at(0);
  EXPECT_THAT(advice.action, HasSubstr("Stop other processes"));
  EXPECT_FALSE(FoundBy("top_operator", document).empty());
}

TEST(AdviceRulesTest, TheShareOfAFilteredNcuFileIsOfTheProfiledTime) {
  Document document;
  document.kernels = {
      {.source = "a.csv", .name = "f", .launches = 4, .total_s = 1, .share = 1}};
  document.ncu_kernels = {{.source = "a.csv", .name = "f", .launches = 4}};
  document.ncu_kernels[0].kernel_class = analysis::Bottleneck::kCompute;
  EXPECT_THAT(FoundBy("top_kernel", document).at(0).verdict,
              HasSubstr("'f' is the only kernel in 'a.csv' (4 launches, mean "));
  document.ncu_kernels.push_back({.source = "a.csv", .name = "g", .launches = 1});
  document.ncu_kernels[0].total_s = 1;
  EXPECT_THAT(FoundBy("top_kernel", document).at(0).verdict,
              HasSubstr("'f' takes 100 % of the measured time (4 of 5 launches) in "));
  document.ncu_kernels[1].total_s = 0.1;
  EXPECT_THAT(FoundBy("top_kernel", document).at(0).verdict,
              HasSubstr("'f' takes 100 % of the profiled time in 'a.csv'"));
}

Document WithSkippedStages(const char* reason) {
  Document report;
  report.run.state = "done";
  report.verdict.complete = false;
  for (const char* name : {"static_analysis", "torch_profiler"}) {
    report.stages.push_back(
        {.name = name, .state = artifacts::State::kSkipped, .reason = reason});
  }
  return report;
}

TEST(AdviceRulesTest, GiveAReasonOfSeveralStagesOnce) {
  Document report = WithSkippedStages("needs PyTorch in the workload");
  const std::vector<Advice> found = FoundBy("not_complete", report);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].verdict,
            "2 of 2 stages did not complete: 'static_analysis', 'torch_profiler' skipped "
            "(needs PyTorch in the workload)");
  EXPECT_EQ(found[0].action,
            "If that is intended, disable: pipeline.static_analysis.enable=false "
            "pipeline.torch_profiler.enable=false");
  for (StageRow& stage : report.stages) stage.reason = "no GPU";
  EXPECT_EQ(
      FoundBy("not_complete", report).at(0).action,
      "Run 'ridgeline doctor' to see what 'static_analysis', 'torch_profiler' need");
}

TEST(AdviceRulesTest, StagesForPythonAreNotMissingFromOtherPrograms) {
  Document report = WithSkippedStages("not a Python program (...)");
  report.run.arguments = {"--", "pipeline.torch_profiler.enable=true"};
  EXPECT_TRUE(FoundBy("not_complete", report).empty());
  report.run.arguments = {"++pipeline.torch_profiler.enable=true"};
  EXPECT_EQ(FoundBy("not_complete", report).at(0).verdict,
            "1 of 2 stages did not complete: 'torch_profiler' skipped (not a Python "
            "program (...))");
}

}  // namespace
}  // namespace ridgeline::report
