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

// Bottleneck of a kernel, by one of three rules; docs/ncu.md explains when to trust
// which.

enum class Bottleneck : uint8_t { kUnknown, kCompute, kMemory, kLatency, kBalanced };

std::string_view NameOf(Bottleneck kernel_class);  // "memory_bound"

enum class BottleneckRule : uint8_t {
  // Ours: a ceiling limits a kernel only if the kernel comes near to it. Below that, on
  // all
  // ceilings, it waits: it is latency-bound.
  kRidgeline,
  // SM % against DRAM %, 5 points apart; otherwise balanced.
  kThroughputGap,
  // Arithmetic intensity on its side of the ridge and the throughput of that side ahead;
  // balanced if neither ceiling is near.
  kRidge,
};

std::string_view NameOf(BottleneckRule rule);  // "throughput-gap"
std::optional<BottleneckRule> ClassRuleOf(std::string_view name);

struct ClassThresholds {
  // ridgeline: both throughputs below this: latency-bound.
  double near_ceiling_percent = 60;
  // ridgeline: throughputs that are nearer to each other: balanced.
  double balance_points = 10;
  // throughput-gap and ridge: by how much one throughput has to exceed the other.
  double gap_points = 5;
  // ridge: both throughputs at or below this are low: balanced.
  double low_percent = 20;
  // ridge: where memory's ceiling meets that of arithmetic. Without one there is no
  // class.
  std::optional<double> ridge_flops_per_byte;
};

// kUnknown where a number is missing that the rule needs.
Bottleneck ClassOf(const NcuKernel& kernel, BottleneckRule rule,
                   const ClassThresholds& thresholds);

// Where kernels lie under the ceilings of a GPU.

enum class MemoryLevel : uint8_t { kDram, kL2, kL1 };
inline constexpr std::array kMemoryLevels = {MemoryLevel::kDram, MemoryLevel::kL2,
                                             MemoryLevel::kL1};
std::string_view NameOf(MemoryLevel level);  // "dram"

// What a GPU does at most.
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

// Raises `ceilings` to those that the launch reports, which depend on its clocks.
void RaiseCeilings(const NcuKernel& kernel, NcuCeilings& ceilings);

// Where a ceiling of arithmetic meets that of a level.
std::optional<double> RidgeOf(const NcuCeilings& ceilings, NcuPrecision precision,
                              MemoryLevel level);

// A launch that does FLOPs of a precision and moves bytes of a level; both above 0.
struct NcuPoint {
  NcuPrecision precision = NcuPrecision::kFp32;
  MemoryLevel level = MemoryLevel::kDram;
  double flops_per_byte = 0;
  double flops_per_s = 0;
  // Of the ceiling of this precision; needs the ceiling.
  std::optional<double> share_of_peak;
  // Of what the ceilings allow at this intensity; needs both.
  std::optional<double> share_of_ceiling;
};

// One for each precision and level that was measured.
std::vector<NcuPoint> PointsOf(const NcuKernel& kernel, const NcuCeilings& ceilings);

// A GPU under whose ceilings kernels are drawn.
struct NcuDevice {
  std::string name;  // "GeForce RTX 5090"; empty: not known.
  NcuCeilings ceilings;
  // The one that the rule "ridge" uses: of the fastest arithmetic that is known.
  std::optional<double> ridge_flops_per_byte;
  std::string note;  // Where ceilings are from that the files do not tell, or why none.
};

struct NcuLaunchFinding {
  size_t device = 0;  // In NcuFindings::devices.
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
  NcuCeilings given;  // Of every GPU; win over those that the files tell.
  // For what the files do not tell: of the given GPU, or of the one that the file names.
  std::optional<NcuDevice> device;
  GpuLookup lookup = GpuLookup::kNone;
};

struct NcuFindings {
  std::vector<NcuLaunchFinding> launches;  // As in the rows.
  std::vector<NcuDevice> devices;          // In the order of their first launch.
  std::vector<ClassCount> classes;         // That occur, in the order of Bottleneck.
  double duration_total_ns = 0;
};

NcuFindings FindingsOf(const results::NcuRows& rows, const NcuQuestion& question);

// Adds the rows of `from` to those of `into`, that has the same launches, perhaps, from
// another page of the same run: metrics and rules of one launch come together. A metric
// that `into` has already is not added again.
void Merge(const results::NcuRows& from, results::NcuRows& into);

// Adds the launches of `from` behind those of `into`, as others.
void Append(const results::NcuRows& from, results::NcuRows& into);

void AddToStore(const results::NcuRows& rows, const NcuFindings& findings,
                results::Source source, results::ResultStore& store);

}  // namespace ridgeline::analysis
