#include "analysis/kernel_kind.h"

#include <algorithm>
#include <string>

#include "analysis/communication.h"
#include "base/characters.h"

namespace ridgeline::analysis {
namespace {

constexpr size_t kNowhere = std::string_view::npos;

bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool Holds(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

// "RMSNorm", "gemv2T", "s16816gemm": a word ends where lower case, upper case and digits
// meet, and before the last of several capitals.
bool BeginsWord(std::string_view text, size_t i) {
  const char c = text[i];
  const char before = text[i - 1];
  if (IsDigit(c) != IsDigit(before)) return true;
  if (IsUpper(c)) return IsLower(before) || (i + 1 < text.size() && IsLower(text[i + 1]));
  return false;
}

// "at::native::LayerNormKernel" -> "_at_native_layer_norm_kernel_": a pattern with a '_'
// at either end matches at a word boundary there.
std::string WordsOf(std::string_view text) {
  std::string words = "_";
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (!IsUpper(c) && !IsLower(c) && !IsDigit(c)) {
      if (words.back() != '_') words += '_';
      continue;
    }
    if (words.back() != '_' && BeginsWord(text, i)) words += '_';
    words += IsUpper(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  if (words.back() != '_') words += '_';
  // A library name that contains "gemm"; its kernels may do anything.
  constexpr std::string_view kLibrary = "_fbgemm";
  for (size_t at = words.find(kLibrary); at != kNowhere; at = words.find(kLibrary)) {
    words.erase(at, kLibrary.size());
  }
  return words;
}

struct Parts {
  std::string function;   // "_flash_fwd_kernel_"
  std::string scopes;     // "_pytorch_flash_"
  std::string arguments;  // Template arguments.
};

// Splits a name into function, scopes and template arguments. ncu drops namespaces and
// leaves unbalanced brackets ("unnamed>::f"), which do not count as brackets here.
//   std::enable_if<!T7, void>::type internal::gemvx::kernel<int, float>(T3)
//   void at::native::(anonymous namespace)::f<4, at::native::AddFunctor<float> >(int)
Parts PartsOf(std::string_view kernel) {
  std::string head;
  std::string arguments;
  int depth = 0;
  for (size_t i = 0; i < kernel.size(); ++i) {
    const char c = kernel[i];
    const bool is_parameters =
        c == '(' && depth == 0 && !kernel.substr(i).starts_with("(anonymous");
    if (is_parameters) break;
    if (c == '<' || c == '(') ++depth;
    if (depth > 0) {
      arguments += c;
    } else {
      head += c;
    }
    if ((c == '>' || c == ')') && depth > 0) --depth;
  }
  while (head.ends_with(' ')) head.pop_back();
  if (const size_t space = head.rfind(' '); space != kNowhere) head.erase(0, space + 1);
  const size_t scope = head.rfind("::");
  const size_t begin = scope == kNowhere ? 0 : scope + 2;
  return {.function = WordsOf(std::string_view(head).substr(begin)),
          .scopes = WordsOf(std::string_view(head).substr(0, begin)),
          .arguments = WordsOf(arguments)};
}

struct Rule {
  std::string_view words;
  KernelKind kind;
};

// The first match wins. Composite kinds come before their parts: attention contains GEMMs
// and a softmax, a convolution may be an implicit GEMM.
constexpr Rule kKindRules[] = {
    // Inductor's prefix gives the kind of kernel; all fused operators follow it.
    {"_triton_poi_", KernelKind::kElementwise},
    {"_triton_red_", KernelKind::kReduction},
    {"_triton_per_", KernelKind::kReduction},
    // Writes to a KV cache, whichever kernel reads it.
    {"_and_cache_", KernelKind::kCopy},
    {"flash", KernelKind::kAttention},
    {"fmha", KernelKind::kAttention},
    {"attention", KernelKind::kAttention},
    {"attn", KernelKind::kAttention},
    {"sdpa", KernelKind::kAttention},
    {"_mha_", KernelKind::kAttention},
    {"_mla_", KernelKind::kAttention},
    {"splitkv", KernelKind::kAttention},
    {"with_paged_kv", KernelKind::kAttention},
    {"with_ragged_kv", KernelKind::kAttention},
    {"_fwd_grouped_kernel_stage_", KernelKind::kAttention},
    {"convol", KernelKind::kConvolution},
    {"_conv_", KernelKind::kConvolution},
    {"fprop", KernelKind::kConvolution},
    {"dgrad", KernelKind::kConvolution},
    {"wgrad", KernelKind::kConvolution},
    {"winograd", KernelKind::kConvolution},
    {"scudnn", KernelKind::kConvolution},
    {"_cudnn_", KernelKind::kConvolution},
    {"_im_2_col", KernelKind::kConvolution},
    {"_col_2_im", KernelKind::kConvolution},
    {"_fft_2_d_", KernelKind::kConvolution},
    {"depthwise", KernelKind::kConvolution},
    {"gemv", KernelKind::kGemv},
    {"_mat_vec_", KernelKind::kGemv},
    {"_matvec_", KernelKind::kGemv},
    {"gemm", KernelKind::kGemm},
    {"nvjet", KernelKind::kGemm},
    {"xmma", KernelKind::kGemm},
    {"wgmma", KernelKind::kGemm},
    {"matmul", KernelKind::kGemm},
    {"_mat_mul_", KernelKind::kGemm},
    {"_mul_mat_", KernelKind::kGemm},
    {"_mm_", KernelKind::kGemm},
    {"bmm_", KernelKind::kGemm},
    {"addmm_", KernelKind::kGemm},
    {"marlin", KernelKind::kGemm},
    {"_cijk_", KernelKind::kGemm},  // Tensile (rocBLAS).
    {"_fused_moe_", KernelKind::kGemm},
    {"split_kreduce_", KernelKind::kGemm},
    {"split_k_reduce_", KernelKind::kGemm},
    {"reduce_split_k_", KernelKind::kGemm},
    {"_epilogue_", KernelKind::kGemm},
    {"_tensorop_", KernelKind::kGemm},
    {"_rope_", KernelKind::kRope},
    {"rotary", KernelKind::kRope},
    {"norm_", KernelKind::kNorm},
    {"_bn_", KernelKind::kNorm},
    {"_ln_", KernelKind::kNorm},
    {"_rowwise_moments_", KernelKind::kNorm},
    {"_gamma_beta_", KernelKind::kNorm},
    {"_moe_", KernelKind::kMoe},
    {"gating", KernelKind::kMoe},
    {"expert", KernelKind::kMoe},
    {"_router_", KernelKind::kMoe},
    {"_routing_", KernelKind::kMoe},
    {"_grouped_topk_", KernelKind::kMoe},
    {"softmax", KernelKind::kSoftmax},
    {"soft_max", KernelKind::kSoftmax},
    {"quant", KernelKind::kQuantization},
    {"_fp_8_", KernelKind::kQuantization},
    {"hfp_8_", KernelKind::kQuantization},
    {"sort", KernelKind::kSort},
    {"topk", KernelKind::kSort},
    {"top_k", KernelKind::kSort},
    {"top_p", KernelKind::kSort},
    {"sampl", KernelKind::kSort},
    {"multinomial", KernelKind::kSort},
    {"argmax", KernelKind::kSort},
    {"penalt", KernelKind::kSort},
    {"_radix_", KernelKind::kSort},
    {"_with_index_", KernelKind::kElementwise},  // arange and the like.
    {"index", KernelKind::kIndex},
    {"indices", KernelKind::kIndex},
    {"gather", KernelKind::kIndex},
    {"scatter", KernelKind::kIndex},
    {"embedding", KernelKind::kIndex},
    {"_embs_", KernelKind::kIndex},
    {"_get_rows_", KernelKind::kIndex},
    {"_lookup_", KernelKind::kIndex},
    {"copy", KernelKind::kCopy},
    {"_cpy_", KernelKind::kCopy},
    {"memcpy", KernelKind::kCopy},
    {"_cat_", KernelKind::kCopy},
    {"concat", KernelKind::kCopy},
    {"transpose", KernelKind::kCopy},
    {"permute", KernelKind::kCopy},
    {"nchw_to_", KernelKind::kCopy},
    {"nhwc_to_", KernelKind::kCopy},
    {"_to_nchw_", KernelKind::kCopy},
    {"_to_nhwc_", KernelKind::kCopy},
    {"_cast_", KernelKind::kCopy},
    {"autocast", KernelKind::kCopy},
    {"_convert_", KernelKind::kCopy},
    {"_pad_", KernelKind::kCopy},
    {"reduce", KernelKind::kReduction},
    {"reduction", KernelKind::kReduction},
    {"_pool_", KernelKind::kReduction},
    {"pool_2_d_", KernelKind::kReduction},
    {"_sum_", KernelKind::kReduction},
    {"_mean_", KernelKind::kReduction},
    {"cumsum", KernelKind::kReduction},
    {"_dot_", KernelKind::kReduction},
    {"scan_", KernelKind::kReduction},
    {"elementwise", KernelKind::kElementwise},
    {"pointwise", KernelKind::kElementwise},
    {"multi_tensor_apply", KernelKind::kElementwise},
    {"activation", KernelKind::kElementwise},
    {"_act_", KernelKind::kElementwise},
    {"silu", KernelKind::kElementwise},
    {"gelu", KernelKind::kElementwise},
    {"relu", KernelKind::kElementwise},
    {"glu_", KernelKind::kElementwise},
    {"sigmoid", KernelKind::kElementwise},
    {"tanh", KernelKind::kElementwise},
    {"dropout", KernelKind::kElementwise},
    {"upsample", KernelKind::kElementwise},
    {"interpolate", KernelKind::kElementwise},
    {"_unary_", KernelKind::kElementwise},
    {"_bcast_", KernelKind::kElementwise},
    {"_add_", KernelKind::kElementwise},
    {"_mul_", KernelKind::kElementwise},
    {"_scal_", KernelKind::kElementwise},
    {"_scale_", KernelKind::kElementwise},
    {"_axpy_", KernelKind::kElementwise},
    {"_saxpy_", KernelKind::kElementwise},
    {"_fill_", KernelKind::kElementwise},
    {"_cupy_", KernelKind::kElementwise},
    // The remaining cuDNN kernels prepare convolutions.
    {"cudnn", KernelKind::kConvolution},
};

// The template argument of an elementwise ATen kernel names its operation.
constexpr Rule kElementwiseRules[] = {
    {"_copy_kernel_", KernelKind::kCopy},
    {"_native_copy_", KernelKind::kCopy},
    {"_hfp_8_", KernelKind::kQuantization},
    {"_index_kernel_", KernelKind::kIndex},
};

template <size_t kCount>
KernelKind FirstOf(const Rule (&rules)[kCount], std::string_view words,
                   KernelKind otherwise) {
  const auto* found = std::find_if(std::begin(rules), std::end(rules),
                                   [&](const Rule& r) { return Holds(words, r.words); });
  return found == std::end(rules) ? otherwise : found->kind;
}

// "Kernel2", "device_kernel", "_kernel_agent": only the arguments give the kind of work.
bool IsWrapper(std::string_view function) {
  constexpr std::string_view kFillers[] = {"kernel", "device", "global", "agent",
                                           "static", "entry",  "launch", "cuda",
                                           "1",      "2"};
  while (!function.empty()) {
    const size_t end = std::min(function.find('_'), function.size());
    const std::string_view word = function.substr(0, end);
    if (!word.empty() &&
        std::find(std::begin(kFillers), std::end(kFillers), word) == std::end(kFillers)) {
      return false;
    }
    function.remove_prefix(std::min(end + 1, function.size()));
  }
  return true;
}

}  // namespace

std::string_view NameOf(KernelKind kind) {
  switch (kind) {
    case KernelKind::kGemm:
      return "gemm";
    case KernelKind::kGemv:
      return "gemv";
    case KernelKind::kAttention:
      return "attention";
    case KernelKind::kNorm:
      return "norm";
    case KernelKind::kSoftmax:
      return "softmax";
    case KernelKind::kElementwise:
      return "elementwise";
    case KernelKind::kReduction:
      return "reduction";
    case KernelKind::kIndex:
      return "index";
    case KernelKind::kSort:
      return "sort";
    case KernelKind::kRope:
      return "rope";
    case KernelKind::kConvolution:
      return "convolution";
    case KernelKind::kQuantization:
      return "quantization";
    case KernelKind::kMoe:
      return "moe";
    case KernelKind::kCopy:
      return "copy";
    case KernelKind::kCommunication:
      return "communication";
    case KernelKind::kOther:
      return "other";
  }
  return "other";
}

KernelKind KindOf(std::string_view kernel) {
  if (RoleOf(kernel) == KernelRole::kCommunication) return KernelKind::kCommunication;
  const Parts parts = PartsOf(kernel);
  // Communication by other libraries is recognized by the function; arguments may contain
  // any name.
  if (RoleOf(parts.function + parts.scopes) == KernelRole::kSuspected) {
    return KernelKind::kCommunication;
  }
  const KernelKind by_function = FirstOf(kKindRules, parts.function, KernelKind::kOther);
  if (by_function == KernelKind::kElementwise) {
    return FirstOf(kElementwiseRules, parts.arguments, by_function);
  }
  if (by_function != KernelKind::kOther) return by_function;
  if (IsWrapper(parts.function)) {
    const KernelKind by_arguments =
        FirstOf(kKindRules, parts.arguments, KernelKind::kOther);
    if (by_arguments != KernelKind::kOther) return by_arguments;
  }
  return FirstOf(kKindRules, parts.scopes, KernelKind::kOther);
}

}  // namespace ridgeline::analysis
