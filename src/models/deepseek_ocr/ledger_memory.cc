// Tensors that are live at the same time, at the candidates for peak memory. The names in
// comments are those of models/deepseek_ocr/network.
#include <algorithm>

#include "models/deepseek_ocr/ledger_phases.h"

namespace ridgeline::models::deepseek_ocr {
namespace {

using cost::Count;

// A score of Attention() and its f32 softmax: 2 + 4 + 2 bytes for two-byte activations, 4
// + 4 for four-byte ones.
constexpr int64_t kBytesPerScore = 8;

Count SamWindowElements(const SamDimensions& sam, const ViewBatch& batch) {
  const Count grid = MapsOf(sam, batch.side).grid;
  const Count rows = grid * grid * batch.count;
  const Count padded = PaddedPlaces(sam, grid) * batch.count;
  // x, y; padded, windows, qkv (three), outputs; scores, with either term added.
  return (rows * 2 + padded * 6) * sam.width +
         padded * sam.window * sam.window * sam.heads * 3;
}

Count SamGlobalElements(const SamDimensions& sam, const ViewBatch& batch) {
  const Count grid = MapsOf(sam, batch.side).grid;
  const Count rows = grid * grid * batch.count;
  const uint64_t side = std::max<uint64_t>(1, grid.value());
  const uint64_t lines = std::clamp<uint64_t>(kLedgerSamQueriesPerBlock / side, 1, side);
  // x, y, qkv (three), outputs; scores of some lines, with either term added.
  return rows * sam.width * 6 +
         Count(lines) * side * grid * grid * sam.heads * batch.count * 3;
}

Count SamMlpElements(const SamDimensions& sam, const ViewBatch& batch) {
  const Count grid = MapsOf(sam, batch.side).grid;
  // x, norm2, lin1 and gelu (wide), lin2, sum.
  return grid * grid * batch.count * sam.width * (4 + 2 * sam.mlp_ratio);
}

Count ClipBytes(const Dimensions& dimensions, const ByteWidths& bytes,
                const ViewBatch& batch) {
  const ClipDimensions& clip = dimensions.clip;
  const Count side = MapsOf(dimensions.sam, batch.side).quarter;
  const Count tokens = side * side + 1;
  const Count row_elements = tokens * batch.count * clip.width;
  const Count features = side * side * batch.count * dimensions.sam.out_width;
  const Count block = std::min(tokens, Count(kLedgerQueriesPerBlock));
  // x, norm1, qkv (three), outputs; scores of a block.
  const Count attention = row_elements * 6 * bytes.activations +
                          block * tokens * clip.heads * batch.count * kBytesPerScore;
  // x, norm2; fc1, its multiple, its sigmoid and their product (wide).
  const Count mlp = row_elements * (2 + 4 * clip.mlp_ratio) * bytes.activations;
  return features * bytes.activations + std::max(attention, mlp);
}

Count VisionBytes(const Dimensions& dimensions, const SampleShape& shapes) {
  Count pixels;
  Count most;
  for (const ViewBatch& batch : shapes.views) {
    pixels += Count(batch.side) * batch.side * batch.count * 3;
    const Count sam = std::max({SamWindowElements(dimensions.sam, batch),
                                SamGlobalElements(dimensions.sam, batch),
                                SamMlpElements(dimensions.sam, batch)});
    most = std::max({most, sam * shapes.bytes.activations,
                     ClipBytes(dimensions, shapes.bytes, batch)});
  }
  return pixels * shapes.bytes.activations + most;
}

// A call with this many rows and visible tokens.
Count DecoderBytes(const DecoderDimensions& d, const ByteWidths& bytes, Count rows,
                   Count context) {
  if (rows == Count(0)) return {};
  const Count kv_width = Count(d.kv_heads) * d.head_width();
  const Count block = std::min(rows, Count(kLedgerQueriesPerBlock));
  const Count repeated = d.heads > d.kv_heads ? context * d.hidden * 2 : Count(0);
  // x, input_norm, q, outputs; k, v; scores of a block.
  const Count attention =
      (rows * (kv_width * 2 + Count(d.hidden) * 4) + repeated) * bytes.activations +
      block * context * d.heads * kBytesPerScore;
  // x, post_norm, down, sum; gate, its silu, up and their product.
  const Count dense = rows * (Count(d.hidden) * 4 + Count(d.dense_width) * 4);
  // The same with the shared experts, and the sum of the experts in f32 and in the type
  // in which it is added.
  const Count shared_width = Count(d.shared_experts) * d.expert_width;
  const Count mixture =
      rows * (Count(d.hidden) * 5 + shared_width * 4) * bytes.activations +
      rows * d.hidden * 4;
  // Logits of the last row, as computed and in f32; x is still live.
  const Count logits =
      rows * d.hidden * bytes.activations + Count(d.vocabulary) * (bytes.activations + 4);
  return std::max({attention, d.dense_layers > 0 ? dense * bytes.activations : Count(0),
                   d.layers > d.dense_layers ? mixture : Count(0), logits});
}

}  // namespace

std::vector<cost::ActivationPeak> PeaksOf(const Dimensions& dimensions,
                                          const SampleShape& shapes) {
  const DecoderDimensions& d = dimensions.decoder;
  const Count last = shapes.prompt_tokens + shapes.decode_steps;
  // Each tensor has a row for each page.
  const Count pages = shapes.batch.samples;
  return {
      {"vision", VisionBytes(dimensions, shapes) * pages},
      {"prefill",
       DecoderBytes(d, shapes.bytes, shapes.prompt_tokens, shapes.prompt_tokens) * pages},
      {"decode",
       DecoderBytes(d, shapes.bytes, shapes.decode_steps > 0 ? 1 : 0, last) * pages}};
}

}  // namespace ridgeline::models::deepseek_ocr
