// Compares FLOPs, bytes and GPU times with those published by TraceLens
// (AMD-AGI/TraceLens, MIT) for traces of an H100. The traces are not part of this
// repository; they are read from RIDGELINE_SHARED (default: ../shared beside the
// checkout).
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <variant>

#include "analysis/trace_findings.h"
#include "cost/operator_flops.h"
#include "profiles/formats.h"
#include "profiles/torch_trace/operator_inputs.h"

namespace ridgeline::analysis {
namespace {

namespace fs = std::filesystem;

fs::path SharedProfiles() {
  const char* const given = std::getenv("RIDGELINE_SHARED");
  const fs::path beside = fs::path(RIDGELINE_TESTS_DIR) / ".." / ".." / "shared";
  return (given != nullptr ? fs::path(given) : beside) / "profiles";
}

results::TraceRows SharedTrace(const std::string& name) {
  auto profile = profiles::OpenProfile(SharedProfiles() / "torch" / name);
  EXPECT_TRUE(profile.ok()) << profile.error().message();
  return std::move(std::get<results::TraceRows>(std::move(profile).value().rows));
}

struct Published {
  const char* trace;
  const char* name;
  const char* shapes;
  int64_t calls;
  uint64_t flops;  // TraceLens: 1e9 * GFLOPS, with one addition per output for a bias.
  uint64_t bytes;  // 2^20 * Data Moved (MB).
};

constexpr const char* kBert = "tracelens_bert_small_h100.json.gz";
constexpr const char* kVit = "tracelens_nsfw_vit_h100.json.gz";
constexpr const char* kQwen = "tracelens_qwen0.5b_h100.json.gz";

// GEMM.csv, SDPA_fwd.csv and CONV_fwd.csv of tests/traces/h100.
constexpr Published kPublished[] = {
    {kBert, "aten::addmm", "[[512],[141,512],[512,512],[],[]]", 17, 73'996'800, 814'080},
    {kBert, "aten::addmm", "[[30522],[141,512],[512,30522],[],[]]", 1, 4'411'192'050,
     40'067'160},
    {kBert, "aten::addmm", "[[512],[141,2048],[2048,512],[],[]]", 4, 295'770'624,
     2'820'096},
    {kBert, "aten::addmm", "[[2048],[141,512],[512,2048],[],[]]", 4, 295'987'200,
     2'823'168},
    {kBert, "aten::_scaled_dot_product_flash_attention",
     "[[1,8,141,64],[1,8,141,64],[1,8,141,64],[],[],[],[]]", 4, 40'716'288, 577'536},
    {kBert, "aten::_flash_attention_forward",
     "[[1,141,8,64],[1,141,8,64],[1,141,8,64],[],[],[],[],[],[],[],[],[],[],[],[]]", 4,
     40'716'288, 577'536},
    {kVit, "aten::addmm", "[[768],[788,768],[768,768],[],[]]", 48, 930'167'808,
     3'601'920},
    {kVit, "aten::addmm", "[[3072],[788,768],[768,3072],[],[]]", 12, 3'720'671'232,
     10'776'576},
    {kVit, "aten::addmm", "[[768],[788,3072],[3072,768],[],[]]", 12, 3'718'855'680,
     10'771'968},
    {kVit, "aten::addmm", "[[768],[4,768],[768,768],[],[]]", 1, 4'721'664, 1'193'472},
    {kVit, "aten::_scaled_dot_product_flash_attention",
     "[[4,12,197,64],[4,12,197,64],[4,12,197,64],[],[],[],[]]", 12, 476'884'992,
     4'841'472},
    {kQwen, "aten::mm", "[[8944,1024],[1024,2816]]", 48, 51'581'550'592, 74'457'088},
    {kQwen, "aten::mm", "[[8944,2816],[2816,1024]]", 24, 51'581'550'592, 74'457'088},
    {kQwen, "aten::mm", "[[8944,1024],[1024,1024]]", 24, 18'756'927'488, 38'731'776},
    {kQwen, "aten::addmm", "[[1024],[8944,1024],[1024,1024],[],[]]", 72, 18'766'086'144,
     38'733'824},
    {kQwen, "aten::bmm", "[[1,32,1],[1,1,559]]", 1, 35'776, 73'916},
};

// All calls of these shapes, and the cost of one of them.
struct Found {
  int64_t calls = 0;
  std::optional<cost::OperatorCost> cost;
};

Found Find(const results::TraceRows& rows, const std::string& name,
           const std::string& shapes) {
  Found found;
  for (size_t i = 0; i < rows.operators.size(); ++i) {
    if (rows.names.text(rows.operators[i].name) != name) continue;
    const std::string_view inputs = rows.inputs.text(rows.operator_inputs[i]);
    if (profiles::ShapesOf(inputs) != shapes) continue;
    ++found.calls;
    found.cost = cost::CostOf(name, profiles::ParseOperatorInputs(inputs));
  }
  return found;
}

class PublishedByTraceLens : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(SharedProfiles() / "torch" / kBert)) {
      GTEST_SKIP() << "no traces in " << SharedProfiles() << "; set RIDGELINE_SHARED";
    }
  }
};

TEST_F(PublishedByTraceLens, FlopsAndBytesAreTheSame) {
  std::map<std::string, results::TraceRows> traces;
  for (const Published& row : kPublished) {
    SCOPED_TRACE(std::string(row.trace) + " " + row.name + row.shapes);
    if (!traces.contains(row.trace)) traces[row.trace] = SharedTrace(row.trace);
    const Found found = Find(traces[row.trace], row.name, row.shapes);
    EXPECT_EQ(found.calls, row.calls);
    ASSERT_TRUE(found.cost.has_value());
    EXPECT_EQ(found.cost->flops_total().executed.value(), row.flops);
    EXPECT_EQ(found.cost->bytes->value(), row.bytes);
  }
}

// Differing conventions are explained in docs/flops.md.
TEST_F(PublishedByTraceLens, DifferencesAreThoseOfConventions) {
  // Half of all pairs, 10,239,377,408, for causal attention. Executed: all; useful: the
  // triangle with its diagonal, 560 / 559 of the half.
  const Found causal =
      Find(SharedTrace(kQwen), "aten::_scaled_dot_product_flash_attention",
           "[[16,16,559,64],[16,16,559,64],[16,16,559,64],[],[],[],[]]");
  EXPECT_EQ(causal.calls, 24);
  EXPECT_EQ(causal.cost->flops_matrix().executed.value(), 2 * 10'239'377'408U);
  EXPECT_EQ(causal.cost->flops_matrix().useful.value(), 10'239'377'408U / 559 * 560);
  EXPECT_EQ(causal.cost->bytes->value(), 73'269'248U);  // 69.875 MiB, as published.

  // A convolution with a bias of 768 is counted as one without: 768 * 2 bytes and 4 * 768
  // * 14 * 14 additions less.
  const Found convolution = Find(SharedTrace(kVit), "aten::convolution",
                                 "[[4,3,224,224],[768,3,16,16],[768],[],[],[],[],[],[]]");
  EXPECT_EQ(convolution.cost->flops_matrix().executed.value(), 924'844'032U);
  EXPECT_EQ(convolution.cost->flops_total().executed.value(), 924'844'032U + 602'112);
  EXPECT_EQ(convolution.cost->bytes->value(), 3'588'096U + 1'536);
}

// "name,total_direct_kernel_time_sum,..." in microseconds.
std::map<std::string, double> DirectKernelTimes(const fs::path& file) {
  std::ifstream in(file);
  std::map<std::string, double> times;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    const size_t comma = line.find(',');
    times[line.substr(0, comma)] = std::atof(line.c_str() + comma + 1);
  }
  return times;
}

TEST_F(PublishedByTraceLens, GpuTimesOfOperatorsAreTheSame) {
  const std::pair<const char*, const char*> traces[] = {
      {kBert, "gaunernst_bert-small-uncased__1016001"},
      {kVit, "Falconsai_nsfw_image_detection__1016002"},
      {kQwen, "Qwen_Qwen1.5-0.5B-Chat__1016005"}};
  for (const auto& [trace, folder] : traces) {
    SCOPED_TRACE(trace);
    const auto times = DirectKernelTimes(
        SharedProfiles() / "torch_published_by_tracelens" / folder / "ops_summary.csv");
    ASSERT_FALSE(times.empty());
    const results::TraceRows rows = SharedTrace(trace);
    size_t found = 0;
    for (const results::OperatorTotal& total : FindingsOf(rows).operators) {
      const auto time = times.find(std::string(rows.names.text(total.name)));
      const double ours_us = static_cast<double>(total.gpu_self_ns.value_or(0)) / 1000;
      if (time == times.end()) {
        EXPECT_EQ(ours_us, 0) << rows.names.text(total.name);
        continue;
      }
      ++found;
      // Theirs are differences of doubles that count from 1970.
      EXPECT_NEAR(ours_us, time->second, 1e-3 * time->second) << time->first;
    }
    EXPECT_EQ(found, times.size());
  }
}

// "busy_time,31.9,91.4" in milliseconds. Theirs exclude activities without a matching API
// call.
TEST_F(PublishedByTraceLens, GpuTimelinesAreThoseOfMatchedActivities) {
  const std::pair<const char*, const char*> traces[] = {
      {kBert, "gaunernst_bert-small-uncased__1016001"},
      {kVit, "Falconsai_nsfw_image_detection__1016002"},
      {kQwen, "Qwen_Qwen1.5-0.5B-Chat__1016005"}};
  for (const auto& [trace, folder] : traces) {
    SCOPED_TRACE(trace);
    auto times = DirectKernelTimes(SharedProfiles() / "torch_published_by_tracelens" /
                                   folder / "gpu_timeline.csv");
    const results::TraceRows rows = SharedTrace(trace);
    const results::DeviceTime time = FindingsOf(rows).devices.at(0);
    EXPECT_NEAR(static_cast<double>(time.launched_inside_span_ns) / 1e6,
                times["total_time"], 1e-3 * times["total_time"]);
    EXPECT_NEAR(static_cast<double>(time.launched_inside_busy_ns) / 1e6,
                times["busy_time"], 1e-3 * times["busy_time"]);
    EXPECT_NEAR(static_cast<double>(time.launched_inside_idle_ns) / 1e6,
                times["idle_time"], 1e-3 * times["idle_time"]);
  }
}

}  // namespace
}  // namespace ridgeline::analysis
