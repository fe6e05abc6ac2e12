// Scales a scanned page (US letter, 200 dpi) as DeepSeek-OCR does.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>

#include "model_io/images/resize.h"

namespace {

using ridgeline::images::Image;

Image Noise(int width, int height) {
  Image image{.width = width, .height = height};
  uint32_t state = 1;
  for (size_t i = 0; i < image.row_bytes() * static_cast<size_t>(height); ++i) {
    state = state * 1664525 + 1013904223;
    image.rgb.push_back(static_cast<uint8_t>(state >> 24));
  }
  return image;
}

void ResizePage(benchmark::State& state, int width, int height) {
  const Image page = Noise(1700, 2200);
  for (auto _ : state) {
    benchmark::DoNotOptimize(ridgeline::images::ResizeBicubic(page, width, height));
  }
  state.SetItemsProcessed(state.iterations() * width * height);  // Pixels.
}
BENCHMARK_CAPTURE(ResizePage, to_crops, 1280, 1920)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ResizePage, to_global_view, 791, 1024)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ResizePage, to_larger, 3400, 4400)->Unit(benchmark::kMillisecond);
// One pass only.
BENCHMARK_CAPTURE(ResizePage, to_narrower, 850, 2200)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ResizePage, to_lower, 1700, 1100)->Unit(benchmark::kMillisecond);

}  // namespace
