// Kind of work of a kernel, from its name alone as spelled by nsys, ncu and PyTorch.
#pragma once

#include <cstdint>
#include <string_view>

namespace ridgeline::analysis {

enum class KernelKind : uint8_t {
  kGemm,          // Matrix products, with any fused epilogue.
  kGemv,          // Matrix-vector products.
  kAttention,     // Fused: FlashAttention, FMHA, paged attention.
  kNorm,          // Layer, RMS, batch, group norms.
  kSoftmax,       // Outside fused attention.
  kElementwise,   // Activations, arithmetic, random numbers, resampling.
  kReduction,     // Sums, maxima, scans, pooling.
  kIndex,         // Embeddings, gathers, scatters.
  kSort,          // Sorts, top-k, token sampling.
  kRope,          // Rotary position embeddings.
  kConvolution,   // Including the steps of its algorithms.
  kQuantization,  // To and from narrow types.
  kMoe,           // Routing of tokens to experts; the expert GEMMs are kGemm.
  kCopy,          // Moves or casts data only: copies, transposes, concatenations.
  kCommunication,
  kOther,
};

std::string_view NameOf(KernelKind kind);  // "gemm"

// Decided by the function, then by its scopes ("gemvx::kernel"). Template arguments count
// only if the function is a mere wrapper ("cutlass::Kernel<...>") or if they name the
// operation of an elementwise kernel. kOther if the name is not specific enough.
KernelKind KindOf(std::string_view kernel);

}  // namespace ridgeline::analysis
