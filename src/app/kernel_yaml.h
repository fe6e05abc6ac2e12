// Lists of kernels as YAML, to select kernels for Nsight Compute.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::app {

struct RankedKernel {
  std::string name;
  int64_t calls = 0;
  int64_t time_total_ns = 0;
  double time_share = 0;  // 0..1
};

struct KernelYaml {
  std::string source;                 // File name.
  std::string region;                 // Empty: all.
  std::vector<RankedKernel> kernels;  // The first has rank 1.
};

// kernels:
// - name: 'void gemm<float, 128>(float *)'
//   regex: '^void gemm<float, 128>\(float \*\)$'
//   rank: 1
//   ...
std::string ToYaml(const KernelYaml& list);

// A regular expression (ECMAScript, as read by ncu, or Python) that matches exactly this
// text.
std::string ExactRegex(std::string_view text);

// A quoted YAML scalar on one line.
std::string YamlQuoted(std::string_view text);

}  // namespace ridgeline::app
