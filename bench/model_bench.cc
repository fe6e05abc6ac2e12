// model_bench DIR [NEW_TOKENS]: how close the built-in model comes to the limits of this
// machine. Measures, in one run, the memory bandwidth and GEMM throughput, then the
// phases of reading a page with the checkpoint in DIR, and finally the same decoding in
// plain ATen calls in bf16:
//
//   ridgeline model create --preset full DIR && build/bench/bench/model_bench DIR
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <string>
#include <vector>

#include "hardware/cpu_peaks.h"
#include "inference/device.h"
#include "models/deepseek_ocr/network/network.h"

namespace {

namespace net = ridgeline::networks::deepseek_ocr;
using ridgeline::models::deepseek_ocr::ClipDimensions;
using ridgeline::models::deepseek_ocr::DecoderDimensions;
using ridgeline::models::deepseek_ocr::Dimensions;
using ridgeline::models::deepseek_ocr::SamDimensions;

template <typename Work>
double Seconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The shortest of several: noise only ever makes it longer.
template <typename Work>
double Best(int rounds, const Work& work) {
  double best = Seconds(work);
  for (int i = 1; i < rounds; ++i) best = std::min(best, Seconds(work));
  return best;
}

// Memory read bandwidth in bytes per second, with as many threads as the model. Shares no
// code with the model, not even its thread pool: a ceiling measured with the model's
// loops would have their faults.
double ReadBandwidth() {
  auto options = ridgeline::hardware::PlanMeasurement(ridgeline::hardware::ReadMachine(),
                                                      ridgeline::hardware::SystemFiles());
  options.threads = at::get_num_threads();
  const auto peaks = ridgeline::hardware::MeasurePeaks(options);
  if (!peaks.ok()) std::abort();
  return peaks.value().read_bytes.best_per_s;
}

double GemmFlopsPerSecond() {
  constexpr int64_t kSide = 2048;
  const at::Tensor a = at::randn({kSide, kSide});
  const at::Tensor b = at::randn({kSide, kSide});
  at::Tensor c = at::empty({kSide, kSide});
  const double seconds = Best(5, [&] { at::mm_out(c, a, b); });
  return 2.0 * kSide * kSide * kSide / seconds;
}

// FLOPs of the GEMMs alone; a multiply-add counts as two.
double SamFlops(const SamDimensions& d, double side) {
  const double grid = side / static_cast<double>(d.patch);
  const double all = grid * grid;
  const double width = static_cast<double>(d.width);
  const double window = static_cast<double>(d.window);
  const double windows = std::ceil(grid / window) * std::ceil(grid / window);
  double flops = 2 * all * 3 * 256 * width;
  for (int64_t i = 0; i < d.layers; ++i) {
    const double tokens = d.IsGlobal(i) ? all : windows * window * window;
    const double keys = d.IsGlobal(i) ? all : window * window;
    const double edge = d.IsGlobal(i) ? grid : window;
    flops += 2 * tokens * 4 * width * width + 4 * tokens * keys * width +
             4 * tokens * edge * width;
    flops += 2 * all * 2 * static_cast<double>(d.mlp_ratio) * width * width;
  }
  const double neck = static_cast<double>(d.neck_width);
  const double down = static_cast<double>(d.down_width);
  flops += 2 * all * (width * neck + 9 * neck * neck);
  flops += 2 * all / 4 * 9 * neck * down;
  return flops + 2 * all / 16 * 9 * down * static_cast<double>(d.out_width);
}

double ClipFlops(const ClipDimensions& d, double tokens) {
  const double width = static_cast<double>(d.width);
  return static_cast<double>(d.layers) *
         (2 * tokens * (4 + 2 * static_cast<double>(d.mlp_ratio)) * width * width +
          4 * tokens * tokens * width);
}

// Weights multiplied per token.
double ActiveWeights(const DecoderDimensions& d) {
  const double hidden = static_cast<double>(d.hidden);
  const double kv =
      hidden * static_cast<double>(d.kv_heads) / static_cast<double>(d.heads);
  const double attention = 2 * hidden * hidden + 2 * hidden * kv;
  const double expert = 3 * hidden * static_cast<double>(d.expert_width);
  const double sparse = static_cast<double>(d.layers - d.dense_layers);
  return static_cast<double>(d.layers) * attention +
         static_cast<double>(d.dense_layers) * 3 * hidden *
             static_cast<double>(d.dense_width) +
         sparse * (expert * static_cast<double>(d.experts_per_token + d.shared_experts) +
                   hidden * static_cast<double>(d.experts)) +
         hidden * static_cast<double>(d.vocabulary);
}

double PrefillFlops(const DecoderDimensions& d, double tokens) {
  const double head = static_cast<double>(d.hidden * d.vocabulary);
  return 2 * tokens * (ActiveWeights(d) - head) + 2 * head +
         2 * tokens * (tokens + 1) * static_cast<double>(d.hidden * d.layers);
}

double PeakMegabytes() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

// Seconds per token after a prompt of random embeddings.
double SecondsPerToken(const net::Network& network, int64_t context, int64_t tokens) {
  net::KeyValueCache cache;
  const at::Tensor prompt =
      at::randn({context, network.dimensions().decoder.hidden}) * 0.02;
  const net::Decoder& decoder = network.decoder();
  decoder.Forward(prompt.to(network.options().dtype), cache);
  int64_t token = 5;
  const auto step = [&] {
    const at::Tensor id = at::full({1}, token, at::kLong);
    token = decoder.Logits(decoder.Forward(decoder.Embed(id), cache))
                .argmax()
                .item<int64_t>();
  };
  step();  // One-time work.
  return Seconds([&] {
           for (int64_t i = 0; i < tokens; ++i) step();
         }) /
         static_cast<double>(tokens);
}

void Print(std::string_view what, double value, std::string_view unit) {
  std::cout << fmt::format("{:<52}{:>10.2f} {}\n", what, value, unit);
}

struct Machine {
  double read_bytes_per_s = 0;
  double gemm_flops_per_s = 0;
};

void BenchVision(const net::Network& network, const Machine& machine) {
  const Dimensions& d = network.dimensions();
  for (const int64_t side : {1024, 640}) {
    net::VisionTimes times;
    const at::Tensor views = at::randn({1, 3, side, side});
    const double seconds = Seconds([&] { network.vision().Encode(views, times); });
    const double patches = static_cast<double>((side / 64) * (side / 64));
    const double sam = SamFlops(d.sam, static_cast<double>(side));
    const double clip = ClipFlops(d.clip, patches + 1);
    Print(fmt::format("vision, one view of {0}x{0}", side), seconds, "s");
    Print("  sam", sam / times.sam_s / 1e9, "GFLOP/s");
    Print("  sam, of a matrix product",
          100 * sam / times.sam_s / machine.gemm_flops_per_s, "%");
    Print("  clip", clip / times.clip_s / 1e9, "GFLOP/s");
    Print("  clip, of a matrix product",
          100 * clip / times.clip_s / machine.gemm_flops_per_s, "%");
  }
}

void BenchPrefill(const net::Network& network, const Machine& machine) {
  constexpr int64_t kTokens = 903;  // A page with 2 x 3 crops.
  const DecoderDimensions& d = network.dimensions().decoder;
  const at::Tensor prompt = at::randn({kTokens, d.hidden}) * 0.02;
  const double seconds = Best(2, [&] {
    net::KeyValueCache cache;
    const at::Tensor hidden = network.decoder().Forward(prompt, cache);
    network.decoder().Logits(hidden.narrow(0, kTokens - 1, 1));
  });
  const double rate = PrefillFlops(d, kTokens) / seconds;
  Print(fmt::format("prefill of {} tokens", kTokens), seconds, "s");
  Print("  speed", rate / 1e9, "GFLOP/s");
  Print("  of a matrix product", 100 * rate / machine.gemm_flops_per_s, "%");
}

double BenchDecode(const net::Network& network, int64_t tokens) {
  double best_short = 0;
  for (const int64_t context : {32, 903}) {
    const DecoderDimensions& d = network.dimensions().decoder;
    // The speed of a shared machine varies, so measure the memory bandwidth at the same
    // time.
    double memory = ReadBandwidth();
    double seconds = SecondsPerToken(network, context, tokens);
    for (int i = 1; i < 3; ++i) {
      seconds = std::min(seconds, SecondsPerToken(network, context, tokens));
      memory = std::max(memory, ReadBandwidth());
    }
    const double cache_bytes = 2.0 * 4 * static_cast<double>(d.layers * d.kv_heads) *
                               static_cast<double>(d.head_width()) *
                               static_cast<double>(context + tokens / 2);
    const double bytes = 2 * ActiveWeights(d) + cache_bytes;
    Print(fmt::format("decode behind {} tokens", context), 1 / seconds, "tokens/s");
    Print("  reads", bytes / seconds / 1e9, "GB/s");
    Print("  of the speed of memory", 100 * bytes / seconds / memory, "%");
    if (context == 32) best_short = seconds;
  }
  return best_short;
}

int Run(const std::string& directory, int64_t tokens) {
  const c10::InferenceMode no_gradients;
  ridgeline::inference::PrepareCpu();
  auto network = net::Network::Load(directory, {});
  if (!network.ok()) {
    std::cerr << network.error().message() << '\n';
    return 1;
  }
  Print("peak memory when loaded", PeakMegabytes(), "MB");
  const Machine machine{ReadBandwidth(), GemmFlopsPerSecond()};
  BenchVision(network.value(), machine);
  BenchPrefill(network.value(), machine);
  const double ours = BenchDecode(network.value(), tokens);
  // Again, because the speed of a shared machine varies.
  const Machine after{ReadBandwidth(), GemmFlopsPerSecond()};
  Print("memory is read at, before", machine.read_bytes_per_s / 1e9, "GB/s");
  Print("memory is read at, after", after.read_bytes_per_s / 1e9, "GB/s");
  Print("matrix product of 2048, before", machine.gemm_flops_per_s / 1e9, "GFLOP/s");
  Print("matrix product of 2048, after", after.gemm_flops_per_s / 1e9, "GFLOP/s");
  auto plain = net::Network::Load(directory, {.dtype = at::kBFloat16});
  if (!plain.ok()) {
    std::cerr << plain.error().message() << '\n';
    return 1;
  }
  const double theirs = SecondsPerToken(plain.value(), 32, 3);
  Print("decode in plain ATen calls in bf16", 1 / theirs, "tokens/s");
  Print("  ours is faster by", theirs / ours, "times");
  Print("peak memory", PeakMegabytes(), "MB");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: model_bench DIR [NEW_TOKENS]\n";
    return 2;
  }
  return Run(argv[1], argc > 2 ? std::stoll(argv[2]) : 32);
}
