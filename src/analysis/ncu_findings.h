// All findings of launches measured by ncu, in one pass.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/kernel_identity.h"
#include "analysis/ncu_kernel.h"
#include "results/ncu_rows.h"
#include "results/result_store.h"

namespace ridgeline::analysis {

// Bottleneck of a kernel, by one of three rules; see docs/ncu.md for when to trust which.

enum class Bottleneck : uint8_t { kUnknown, kCompute, kMemory, kLatency, kBalanced };

std::string_view NameOf(Bottleneck kernel_class);  // "memory_bound"

enum class BottleneckRule : uint8_t {
  // Ridgeline's own: a ceiling limits a kernel only if the kernel comes close to it. A
  // kernel far below all ceilings is latency-bound.
  kRidgeline,
  // SM % against DRAM %, 5 points apart; otherwise balanced.
  kThroughputGap,
  // Arithmetic intensity is on one side of the ridge and the throughput of that side is
  // higher; balanced if neither ceiling is near.
  kRidge,
};

std::string_view NameOf(BottleneckRule rule);  // "throughput-gap"
std::optional<BottleneckRule> ClassRuleOf(std::string_view name);

struct ClassThresholds {
  // ridgeline: latency-bound if both throughputs are below this.
  double near_ceiling_percent = 60;
  // ridgeline: balanced if the throughputs are closer to each other than this.
  double balance_points = 10;
  // throughput-gap and ridge: by how much one throughput must exceed the other.
  double gap_points = 5;
  // ridge: balanced if both throughputs are at or below this.
  double low_percent = 20;
  // ridge: the ridge point. Without it there is no class.
  std::optional<double> ridge_flops_per_byte;
};

// kUnknown if a metric that the rule needs is missing.
Bottleneck ClassOf(const NcuKernel& kernel, BottleneckRule rule,
                   const ClassThresholds& thresholds);

// Position of kernels under the ceilings of a GPU.

enum class MemoryLevel : uint8_t { kDram, kL2, kL1 };
inline constexpr std::array kMemoryLevels = {MemoryLevel::kDram, MemoryLevel::kL2,
                                             MemoryLevel::kL1};
std::string_view NameOf(MemoryLevel level);  // "dram"

// Peak rates of a GPU.
struct NcuCeilings {
  ByPrecision<std::optional<double>> flops_per_s;
  std::array<std::optional<double>, kMemoryLevels.size()> bytes_per_s;  // By level.

  std::optional<double>& Of(MemoryLevel level) {
    return bytes_per_s[static_cast<size_t>(level)];
  }
  const std::optional<double>& Of(MemoryLevel level) const {
    return bytes_per_s[static_cast<size_t>(level)];
  }
};

// Raises `ceilings` to those reported by the launch, which depend on its clocks.
void RaiseCeilings(const NcuKernel& kernel, NcuCeilings& ceilings);

// Ridge point of a precision and a memory level.
std::optional<double> RidgeOf(const NcuCeilings& ceilings, NcuPrecision precision,
                              MemoryLevel level);

// FLOPs of a launch in one precision and bytes at one memory level; both above 0.
struct NcuPoint {
  NcuPrecision precision = NcuPrecision::kFp32;
  MemoryLevel level = MemoryLevel::kDram;
  double flops_per_byte = 0;
  double flops_per_s = 0;
  // Fraction of the peak of this precision; nullopt if the peak is unknown.
  std::optional<double> share_of_peak;
  // Fraction of the ceiling at this intensity; nullopt unless both ceilings are known.
  std::optional<double> share_of_ceiling;
};

// One point for each measured precision and level.
std::vector<NcuPoint> PointsOf(const NcuKernel& kernel, const NcuCeilings& ceilings);

// A GPU whose ceilings kernels are compared with.
struct NcuDevice {
  std::string name;  // "GeForce RTX 5090"; empty: unknown.
  NcuCeilings ceilings;
  NcuCeilings reported;  // Those of them that are from counters of the launches.
  // Used by the rule "ridge": that of the fastest known precision.
  std::optional<double> ridge_flops_per_byte;
  // Source of ceilings that are not in the files, or why there are none.
  std::string note;
};

struct NcuLaunchFinding {
  size_t device = 0;  // Index into NcuFindings::devices.
  NcuKernel kernel;
  KernelIdentity identity;
  Bottleneck kernel_class = Bottleneck::kUnknown;
  std::vector<NcuPoint> points;
};

struct ClassCount {
  Bottleneck kernel_class = Bottleneck::kUnknown;
  int64_t launches = 0;
  double duration_ns = 0;
};

enum class GpuLookup : uint8_t { kNone, kTable };

struct NcuQuestion {
  BottleneckRule rule = BottleneckRule::kRidgeline;
  ClassThresholds thresholds;
  NcuCeilings given;  // For every GPU; override those in the files.
  // Fallback for ceilings missing from the files: the given GPU, or the one named in the
  // file.
  std::optional<NcuDevice> device;
  GpuLookup lookup = GpuLookup::kNone;
};

struct NcuFindings {
  std::vector<NcuLaunchFinding> launches;  // In the order of the rows.
  std::vector<NcuDevice> devices;          // In order of their first launch.
  std::vector<ClassCount> classes;         // Those that occur, in Bottleneck order.
  double duration_total_ns = 0;
};

NcuFindings FindingsOf(const results::NcuRows& rows, const NcuQuestion& question);

// Merges `from` into `into`, which may have the same launches from another page of the
// same run: metrics and rules of a launch are combined. Metrics that `into` already has
// are not added again.
void Merge(const results::NcuRows& from, results::NcuRows& into);

// Appends the launches of `from` to `into` as separate launches.
void Append(const results::NcuRows& from, results::NcuRows& into);

void AddToStore(const results::NcuRows& rows, const NcuFindings& findings,
                results::Source source, results::ResultStore& store);

}  // namespace ridgeline::analysis
