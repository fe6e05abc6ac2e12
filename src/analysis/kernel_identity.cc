#include "analysis/kernel_identity.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <vector>

#include "base/characters.h"

namespace ridgeline::analysis {
namespace {

bool Has(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

struct Mark {
  std::string_view part;
  std::string_view library;
};

// The first match wins, so a library built on another comes before it: FlashAttention
// kernels are full of cutlass::, and ATen calls CUB.
constexpr Mark kMarks[] = {
    {"nccl", "NCCL"},
    {"flash_fwd", "FlashAttention"},
    {"flash_bwd", "FlashAttention"},
    {"Flash_fwd", "FlashAttention"},
    {"flash::", "FlashAttention"},
    {"FlashAttnFwd", "FlashAttention"},
    {"flashinfer", "FlashInfer"},
    {"triton_", "Triton"},
    {"cublasGemv", "cuBLAS"},
    {"gemvx::", "cuBLAS"},
    {"cublasLt", "cuBLAS"},
    {"cublas", "cuBLAS"},
    {"cudnn", "cuDNN"},
    {"fmha_cutlass", "CUTLASS"},
    {"cutlass", "CUTLASS"},
    {"cute::", "CUTLASS"},
    {"xmma_gemm", "cuBLAS"},
    {"16816gemm", "cuBLAS"},
    {"ampere_", "cuBLAS"},
    {"turing_", "cuBLAS"},
    {"volta_", "cuBLAS"},
    {"sgemm_", "cuBLAS"},
    {"hgemm_", "cuBLAS"},
    {"gemmk1_kernel", "cuBLAS"},
    {"splitKreduce_kernel", "cuBLAS"},
    {"at::native", "PyTorch ATen"},
    {"at_cuda_detail", "PyTorch ATen"},
    {"elementwise_kernel", "PyTorch ATen"},
    {"CatArrayBatchedCopy", "PyTorch ATen"},
    {"TensorIterator", "PyTorch ATen"},
    {"reduce_kernel<", "PyTorch ATen"},
    {"gatherTopK", "PyTorch ATen"},
    {"bitonicSortKVInPlace", "PyTorch ATen"},
    {"index_elementwise", "PyTorch ATen"},
    {"softmax_warp", "PyTorch ATen"},
    {"vectorized_layer_norm", "PyTorch ATen"},
    {"cub::", "CUB"},
    {"thrust::", "Thrust"},
    {"Kokkos::", "Kokkos"},
    {"vllm::", "vLLM"},
};

struct Word {
  std::string_view part;
  std::string_view text;
};

constexpr Word kTypes[] = {
    {"__nv_bfloat16", "BF16"}, {"BFloat16", "BF16"}, {"bfloat16", "BF16"},
    {"_bf16_", "BF16"},        {"__half", "FP16"},   {"c10::Half", "FP16"},
    {"half_t", "FP16"},        {"_f16_", "FP16"},    {"_h16816", "FP16"},
    {"e4m3", "FP8"},           {"e5m2", "FP8"},      {"tf32", "TF32"},
    {"double", "FP64"},        {"float", "FP32"},    {"signed char", "INT8"},
    {"_s8_", "INT8"}};

constexpr Word kGemmLetters[] = {{"_hgemm_", "FP16"}, {"_dgemm_", "FP64"}};

// Operations of ATen's elementwise kernels.
constexpr Word kOperations[] = {
    {"silu", "SiLU"},
    {"gelu", "GELU"},
    {"GeluCUDA", "GELU"},
    {"MulFunctor", "multiply"},
    {"CUDAFunctor_add", "add"},
    {"AddFunctor", "add"},
    {"DivFunctor", "divide"},
    {"BitwiseAnd", "bitwise and"},
    {"direct_copy", "copy"},
    {"bfloat16_copy", "copy to BF16"},
    {"float16_copy", "copy to FP16"},
    {"copy_kernel", "copy"},
    {"neg_kernel", "negate"},
    {"cos_kernel", "cosine"},
    {"sin_kernel", "sine"},
    {"exp_kernel", "exponential"},
    {"pow_tensor", "power"},
    {"rsqrt", "reciprocal square root"},
    {"sigmoid", "sigmoid"},
    {"tanh", "tanh"},
    {"where_kernel", "where"},
    {"masked_fill", "masked fill"},
    {"FillFunctor", "fill"},
    {"CompareFunctor", "compare"},
    {"compare_", "compare"},
    {"index_put", "index put"},
    {"arange", "arange"},
    {"normal_and_transform", "random normal"},
    {"uniform_and_transform", "random uniform"},
};

constexpr Word kReductions[] = {{"MeanOps", "mean"},    {"sum_functor", "sum"},
                                {"SumOps", "sum"},      {"ArgMaxOps", "argmax"},
                                {"MaxOps", "maximum"},  {"MinOps", "minimum"},
                                {"NormTwoOps", "norm"}, {"WelfordOps", "variance"},
                                {"and_kernel", "all"},  {"or_kernel", "any"}};

template <size_t kCount>
std::string_view FirstOf(const Word (&words)[kCount], std::string_view text) {
  for (const Word& word : words) {
    if (Has(text, word.part)) return word.text;
  }
  return {};
}

// "256x128_32x3" -> "256x128x32": the tile of a CUTLASS or cuBLAS kernel.
std::string TileOf(std::string_view kernel) {
  for (size_t x = kernel.find('x'); x != kernel.npos; x = kernel.find('x', x + 1)) {
    size_t begin = x;
    while (begin > 0 && IsDigit(kernel[begin - 1])) --begin;
    size_t end = x + 1;
    while (end < kernel.size() && IsDigit(kernel[end])) ++end;
    if (begin == x || end == x + 1 || begin == 0 || kernel[begin - 1] != '_') continue;
    std::string tile(kernel.substr(begin, end - begin));
    if (end < kernel.size() && kernel[end] == '_') {
      size_t depth = end + 1;
      while (depth < kernel.size() && IsDigit(kernel[depth])) ++depth;
      if (depth > end + 1 && depth < kernel.size() && kernel[depth] == 'x') {
        tile += "x" + std::string(kernel.substr(end + 1, depth - end - 1));
      }
    }
    return tile;
  }
  return {};
}

bool IsInName(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Behind the `>` of the `<` at this place; npos: there is none.
size_t EndOfArguments(std::string_view text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>' && --depth == 0) return i + 1;
  }
  return text.npos;
}

// "std::enable_if<!T7, void>::type f<int>(T13)" -> "f<int>(T13)": names of templates
// begin with the return type, which may be a template, too.
std::string_view WithoutReturnType(std::string_view kernel) {
  const size_t open = kernel.find_first_of("<([");
  if (open == kernel.npos || kernel[open] != '<') return kernel;
  size_t end = EndOfArguments(kernel, open);
  if (end == kernel.npos) return kernel;
  if (kernel.substr(end).starts_with("::")) {
    for (end += 2; end < kernel.size() && IsInName(kernel[end]); ++end) continue;
  }
  const bool is_type =
      end + 1 < kernel.size() && kernel[end] == ' ' && IsInName(kernel[end + 1]);
  return is_type ? kernel.substr(end + 1) : kernel;
}

}  // namespace

std::string FunctionOf(std::string_view kernel) {
  kernel = WithoutReturnType(kernel);
  size_t end = kernel.size();
  int depth = 0;
  for (size_t i = 0; i < kernel.size(); ++i) {
    const char c = kernel[i];
    const bool opens = c == '<' || c == '(' || c == '[';
    if (opens && depth == 0 && i > 0 && kernel[i - 1] != ':' && kernel[i - 1] != ' ') {
      end = i;
      break;
    }
    if (opens) ++depth;
    if ((c == '>' || c == ')' || c == ']') && depth > 0) --depth;
  }
  std::string_view head = kernel.substr(0, end);
  while (head.ends_with(' ')) head.remove_suffix(1);
  if (const size_t scope = head.rfind("::"); scope != head.npos) {
    head.remove_prefix(scope + 2);
  }
  if (const size_t space = head.rfind(' '); space != head.npos) {
    head.remove_prefix(space + 1);
  }
  return std::string(head.empty() ? kernel : head);
}

namespace {

std::string WithDetails(const std::string& name,
                        const std::vector<std::string_view>& details) {
  std::string list;
  for (const std::string_view detail : details) {
    if (detail.empty()) continue;
    list += (list.empty() ? "" : ", ") + std::string(detail);
  }
  return list.empty() ? name : name + " (" + list + ")";
}

// The precision is a letter in names without tensor cores: "ampere_sgemm_128x64_tn".
std::string_view GemmTypeOf(std::string_view kernel) {
  const std::string_view type = FirstOf(kTypes, kernel);
  if (!type.empty()) return type;
  if (IsFp32GemmWithoutTensorCores(kernel)) return "FP32";
  return FirstOf(kGemmLetters, kernel);
}

// "relu" in a name is an optional epilogue: models without ReLU use such kernels, too.
std::string GemmName(std::string_view kernel) {
  std::string name = "GEMM";
  if (const std::string tile = TileOf(kernel); !tile.empty()) name += " " + tile;
  const bool is_tensor =
      Has(kernel, "tensorop") || Has(kernel, "xmma") || Has(kernel, "16816");
  return WithDetails(name, {GemmTypeOf(kernel), is_tensor ? "tensor cores" : ""});
}

std::string AttentionName(std::string_view kernel) {
  const std::string_view type = FirstOf(kTypes, kernel);
  if (Has(kernel, "combine")) return WithDetails("attention combine split-KV", {type});
  if (Has(kernel, "splitkv")) return WithDetails("attention split-KV", {type});
  if (Has(kernel, "bwd")) return WithDetails("attention backward", {type});
  return WithDetails("attention", {type});
}

std::string AtenName(std::string_view kernel) {
  const std::string_view type = FirstOf(kTypes, kernel);
  const std::string_view vectorized = Has(kernel, "vectorized") ? "vectorized" : "";
  if (Has(kernel, "CatArrayBatchedCopy")) {
    return WithDetails("concatenate", {Has(kernel, "_vectorized") ? "vectorized" : ""});
  }
  if (Has(kernel, "gatherTopK")) return WithDetails("top-k", {type});
  if (Has(kernel, "bitonicSort")) return "bitonic sort";
  if (Has(kernel, "softmax")) return WithDetails("softmax", {type});
  if (Has(kernel, "layer_norm")) return WithDetails("layer norm", {type});
  if (Has(kernel, "reduce_kernel")) {
    const std::string_view reduction = FirstOf(kReductions, kernel);
    return WithDetails("reduce" + (reduction.empty() ? "" : " " + std::string(reduction)),
                       {type});
  }
  const std::string_view operation = FirstOf(kOperations, kernel);
  if (!operation.empty()) {
    return WithDetails("elementwise " + std::string(operation), {type, vectorized});
  }
  return WithDetails(FunctionOf(kernel), {type});
}

}  // namespace

bool IsFp32GemmWithoutTensorCores(std::string_view kernel) {
  if (!Has(kernel, "sgemm")) return false;
  constexpr std::string_view kOthers[] = {"16_", "tf32", "tensorop", "TF32"};
  return std::none_of(std::begin(kOthers), std::end(kOthers),
                      [kernel](std::string_view part) { return Has(kernel, part); });
}

KernelIdentity IdentityOf(std::string_view kernel) {
  KernelIdentity identity = {.library = "own"};
  for (const Mark& mark : kMarks) {
    if (!Has(kernel, mark.part)) continue;
    identity.library = mark.library;
    break;
  }
  const std::string_view library = identity.library;
  if (Has(kernel, "gemv") || Has(kernel, "Gemv")) {
    identity.name = WithDetails("GEMV", {FirstOf(kTypes, kernel)});
  } else if (library == "FlashAttention" || Has(kernel, "fmha")) {
    identity.name = AttentionName(kernel);
  } else if (library == "PyTorch ATen") {
    identity.name = AtenName(kernel);
  } else if ((library == "CUTLASS" || library == "cuBLAS") &&
             (Has(kernel, "gemm") || Has(kernel, "Gemm"))) {
    identity.name = GemmName(kernel);
  } else {
    identity.name = FunctionOf(kernel);
  }
  return identity;
}

}  // namespace ridgeline::analysis
