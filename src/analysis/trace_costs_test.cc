#include "analysis/trace_costs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "analysis/trace_findings.h"
#include "base/byte_source.h"
#include "profiles/torch_trace/torch_trace.h"

namespace ridgeline::analysis {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Concise builder of trace events.
class TraceText {
 public:
  TraceText& Op(const char* name, int64_t start, int64_t end,
                const std::string& dims = "", const std::string& types = "",
                const std::string& values = "") {
    std::string args;
    if (!dims.empty()) args = "\"Input Dims\":" + dims;
    if (!types.empty()) args += ",\"Input type\":" + types;
    if (!values.empty()) args += ",\"Concrete Inputs\":" + values;
    return Add("cpu_op", name, start, end, args);
  }
  TraceText& Annotation(const char* name, int64_t start, int64_t end) {
    return Add("user_annotation", name, start, end, "");
  }
  // A call at `start` and a kernel, copy or memset of some microseconds.
  TraceText& Launch(int64_t start, int64_t duration, const char* kind = "kernel") {
    ++correlation_;
    const std::string correlation = "\"correlation\":" + std::to_string(correlation_);
    Add("cuda_runtime", "cudaLaunchKernel", start, start, correlation);
    return Add(kind, "k", start + 1000, start + 1000 + duration, correlation);
  }
  TraceText& Thread(int64_t thread) {
    thread_ = thread;
    return *this;
  }

  results::TraceRows Rows(const std::string& devices = "[]") const {
    const std::string text =
        "{\"deviceProperties\":" + devices + ",\"traceEvents\":[" + events_ + "]}";
    MemorySource source(text);
    return std::move(profiles::ReadTorchTrace(source)).value();
  }

 private:
  TraceText& Add(const char* category, const char* name, int64_t start, int64_t end,
                 const std::string& args) {
    if (!events_.empty()) events_ += ",";
    events_ += "{\"ph\":\"X\",\"cat\":\"" + std::string(category) + "\",\"name\":\"" +
               name + "\",\"pid\":1,\"tid\":" + std::to_string(thread_) +
               ",\"ts\":" + std::to_string(start) +
               ",\"dur\":" + std::to_string(end - start) + ",\"args\":{" + args + "}}";
    return *this;
  }

  std::string events_;
  int64_t thread_ = 1;
  int64_t correlation_ = 0;
};

constexpr const char* kFloats = R"(["float","float"])";

// "aten::mm: 1 calls, 30 flops in 5 us gpu"
std::vector<std::string> Work(const TraceFindings& findings,
                              const results::TraceRows& rows) {
  std::vector<std::string> lines;
  for (const results::OperatorTotal& total : findings.operators) {
    if (!total.work) continue;
    lines.push_back(std::string(rows.names.text(total.name)) + ": " +
                    std::to_string(total.work->calls) + " calls, " +
                    std::to_string(total.work->flops) + " flops in " +
                    std::to_string(total.work->time_ns / 1000) + " us " +
                    total.work->clock);
  }
  return lines;
}

TEST(TraceCosts, CountTheOutermostOperatorWithARule) {
  TraceText text;
  text.Op("aten::linear", 0, 10, "[[3, 5], [7, 5], [7]]", R"(["float","float","float"])")
      .Op("aten::addmm", 2, 9, "[[7], [3, 5], [5, 7]]", R"(["float","float","float"])")
      .Op("MmBackward0", 20, 30, "[[3, 7]]", R"(["float"])")
      .Op("aten::mm", 21, 25, "[[7, 3], [3, 5]]", kFloats)
      .Op("aten::mm", 26, 28, "[[7, 3], [3, 5]]", kFloats);
  const results::TraceRows rows = text.Rows();
  const TraceFindings findings = FindingsOf(rows);
  EXPECT_THAT(Work(findings, rows),
              ElementsAre("aten::linear: 1 calls, 210 flops in 10 us cpu",
                          "aten::mm: 2 calls, 420 flops in 6 us cpu"));
  EXPECT_THAT(findings.uncounted, IsEmpty());
  EXPECT_FALSE(findings.operators[0].gpu_self_ns.has_value());
}

TEST(TraceCosts, TakeTheTimeOfWhatWasLaunched) {
  TraceText text;
  text.Op("aten::linear", 0, 10, "[[3, 5], [7, 5], []]", R"(["float","float",""])")
      .Op("aten::mm", 2, 9, "[[3, 5], [5, 7]]", kFloats)
      .Launch(3, 40)
      .Launch(4, 2, "gpu_memset")
      .Launch(9, 1)      // From aten::linear itself.
      .Launch(50, 100);  // From no operator.
  const results::TraceRows rows = text.Rows();
  const TraceFindings findings = FindingsOf(rows);
  EXPECT_THAT(Work(findings, rows),
              ElementsAre("aten::linear: 1 calls, 210 flops in 43 us gpu"));
  EXPECT_EQ(findings.operators[0].gpu_self_ns, 1000);
  EXPECT_EQ(findings.operators[1].gpu_self_ns, 42000);
}

TEST(TraceCosts, ListMatrixWorkWithoutFlops) {
  TraceText text;
  text.Op("vllm::moe_forward", 0, 20, "[[3, 5]]", R"(["float"])")
      .Op("_C::marlin_gemm", 5, 15, "[[3, 5]]", R"(["float"])")
      .Op("aten::conv2d", 20, 30, "[[1, 3, 9, 9], [4, 3, 3, 3]]", kFloats)  // No stride.
      .Op("aten::einsum", 30, 40, "[[3, 5]]", R"(["float"])")
      .Op("aten::bmm", 31, 39, "[[1, 3, 5], [1, 5, 7]]", kFloats)
      .Op("aten::relu", 40, 80, "[[3]]", R"(["float"])");
  const results::TraceRows rows = text.Rows();
  const TraceFindings findings = FindingsOf(rows);
  ASSERT_EQ(findings.uncounted.size(), 2U);
  EXPECT_EQ(rows.names.text(findings.uncounted[0].name), "_C::marlin_gemm");
  EXPECT_EQ(findings.uncounted[0].time_ns, 10000);
  EXPECT_EQ(findings.uncounted[0].time_share, 0.125);
  EXPECT_EQ(rows.names.text(findings.uncounted[1].name), "aten::conv2d");
}

TEST(TraceCosts, HaveNoFlopsWithoutShapes) {
  TraceText text;
  text.Op("aten::mm", 0, 10).Annotation("forward", 0, 10);
  const results::TraceRows rows = text.Rows();
  const TraceFindings findings = FindingsOf(rows);
  EXPECT_FALSE(findings.has_shapes);
  EXPECT_THAT(findings.uncounted, IsEmpty());
  ASSERT_EQ(findings.regions.size(), 1U);
  EXPECT_EQ(findings.regions[0].work->operators, 1);
  EXPECT_FALSE(findings.regions[0].work->flops.has_value());
}

// "model/layer 2x, cpu 10 self 4, 3 operators, 30 flops, gpu 7 exclusive 2"
std::vector<std::string> Regions(const TraceFindings& findings) {
  std::vector<std::string> lines;
  for (const results::RegionTotal& r : findings.regions) {
    std::string line = r.path + " " + std::to_string(r.instances) + "x, cpu " +
                       std::to_string(r.cpu_total_ns / 1000);
    if (r.work) {
      line += " self " + std::to_string(r.work->cpu_self_ns / 1000) + ", " +
              std::to_string(r.work->operators) + " operators, " +
              std::to_string(r.work->flops.value_or(-1)) + " flops";
    }
    lines.push_back(line + ", gpu " + std::to_string(r.gpu_inclusive_ns / 1000) +
                    " exclusive " + std::to_string(r.gpu_exclusive_ns / 1000));
  }
  return lines;
}

TEST(TraceCosts, AddUpByAnnotation) {
  TraceText text;
  text.Annotation("ProfilerStep#1", 0, 200)
      .Annotation("model", 0, 100)
      .Annotation("layer/0", 10, 40)
      .Op("aten::mm", 11, 20, "[[3, 5], [5, 7]]", kFloats)
      .Launch(12, 30)
      .Annotation("layer/0", 50, 60)
      .Op("aten::mm", 61, 70, "[[3, 5], [5, 7]]", kFloats)
      .Launch(62, 5)
      .Launch(150, 4)  // Outside all annotations.
      .Thread(2)
      .Op("aten::mm", 20, 30, "[[3, 5], [5, 7]]", kFloats)
      .Launch(21, 3);
  const TraceFindings findings = FindingsOf(text.Rows());
  EXPECT_THAT(
      Regions(findings),
      ElementsAre("model 1x, cpu 100 self 60, 2 operators, 420 flops, gpu 35 "
                  "exclusive 5",
                  "model/layer\\/0 2x, cpu 40 self 40, 1 operators, 210 flops, gpu "
                  "30 exclusive 30",
                  "outside all annotations 0x, cpu 0, gpu 7 exclusive 7"));
}

// 2^62 x 2 x 1: 2^64 FLOPs.
constexpr const char* kTooLarge = "[[4611686018427387904, 2], [2, 1]]";
// 2^60 x 2 x 1: 2^62 FLOPs.
constexpr const char* kLarge = "[[1152921504606846976, 2], [2, 1]]";

TEST(TraceCosts, DoNotCountFlopsBeyondTheLimit) {
  struct Case {
    const char* what;
    std::vector<const char*> dims;
    std::vector<std::string> work;
    int64_t uncounted_calls;
    int64_t region_flops;  // -1: none.
    int64_t dropped;
  };
  const Case cases[] = {
      {"large",
       {kLarge},
       {"aten::mm: 1 calls, 4611686018427387904 flops in 1 us cpu"},
       0,
       4611686018427387904,
       0},
      {"a call",
       {kTooLarge, "[[3, 5], [5, 7]]"},
       {"aten::mm: 1 calls, 210 flops in 1 us cpu"},
       1,
       210,
       1},
      // Both calls and the region.
      {"the sum of two calls", {kLarge, kLarge}, {}, 2, -1, 3},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    TraceText text;
    text.Annotation("forward", 0, 100);
    int64_t start = 0;
    for (const char* dims : c.dims) {
      text.Op("aten::mm", start, start + 1, dims, kFloats);
      start += 10;
    }
    const results::TraceRows rows = text.Rows();
    const TraceFindings findings = FindingsOf(rows);
    EXPECT_EQ(Work(findings, rows), c.work);
    int64_t uncounted = 0;
    for (const auto& row : findings.uncounted) uncounted += row.calls;
    EXPECT_EQ(uncounted, c.uncounted_calls);
    EXPECT_EQ(findings.regions[0].work->flops.value_or(-1), c.region_flops);
    results::ResultStore store;
    AddToStore(rows, findings, {}, WithEvents::kNo, store);
    int64_t dropped = 0;
    for (const auto& row : store.import_counters) {
      if (row.counter == results::DropReason::kFlopsTooLarge) dropped += row.count;
    }
    EXPECT_EQ(dropped, c.dropped);
  }
}

TEST(TraceCosts, CompareWithThePeakOfAKnownGpu) {
  const char* const kH100 =
      R"([{"id":0,"name":"NVIDIA H100 80GB HBM3","totalGlobalMem":85028765696,)"
      R"("computeMajor":9,"computeMinor":0,"numSms":132}])";
  TraceText text;
  text.Annotation("forward", 0, 100)
      .Op("aten::mm", 0, 10, "[[8944, 1024], [1024, 2816]]",
          R"(["c10::BFloat16","c10::BFloat16"])")
      .Launch(1, 84);
  const TraceFindings findings = FindingsOf(text.Rows(kH100));
  // 51,581,550,592 FLOP in 84 us at 989.4 TFLOP/s.
  ASSERT_TRUE(findings.operators[0].work->mfu.has_value());
  EXPECT_NEAR(*findings.operators[0].work->mfu, 51581550592.0 / 84e-6 / 989.4e12, 0.002);
  EXPECT_EQ(findings.regions[0].work->mfu, findings.operators[0].work->mfu);

  const TraceFindings unknown =
      FindingsOf(text.Rows(R"([{"id":0,"name":"Example GPU"}])"));
  EXPECT_FALSE(unknown.operators[0].work->mfu.has_value());
}

}  // namespace
}  // namespace ridgeline::analysis
