// What kind of work is a kernel? By its name alone, as nsys, ncu and PyTorch spell it.
#pragma once

#include <cstdint>
#include <string_view>

namespace ridgeline::analysis {

enum class KernelKind : uint8_t {
  kGemm,          // Products of matrices, with whatever is fused to them.
  kGemv,          // Products of a matrix and a vector.
  kAttention,     // Fused: FlashAttention, FMHA, paged attention.
  kNorm,          // Layer, RMS, batch, group norms.
  kSoftmax,       // Outside of fused attention.
  kElementwise,   // Activations, arithmetic, random numbers, resampling.
  kReduction,     // Sums, maxima, scans, pooling.
  kIndex,         // Embeddings, gathers, scatters.
  kSort,          // Sorts, top-k, sampling of tokens.
  kRope,          // Rotary positions.
  kConvolution,   // And the steps of its algorithms.
  kQuantization,  // To narrow types and back.
  kMoe,           // Routing of tokens to experts; their products are kGemm.
  kCopy,          // Only moves or casts: copies, transposes, concatenations.
  kCommunication,
  kOther,
};

std::string_view NameOf(KernelKind kind);  // "gemm"

// The function decides, then its scopes ("gemvx::kernel"). Template arguments do only
// where the function is a mere wrapper of them ("cutlass::Kernel<...>"), or where they
// say what an elementwise kernel computes. A name that says nothing is kOther.
KernelKind KindOf(std::string_view kernel);

}  // namespace ridgeline::analysis
