#include <fmt/format.h>

#include <utility>

#include "models/deepseek_ocr/ledger_parts.h"
#include "models/deepseek_ocr/ledger_phases.h"

namespace ridgeline::models::deepseek_ocr {
namespace {

using cost::Amount;
using cost::CostClass;
using cost::CostNode;
using cost::Count;
using cost::MakeModule;

// The class token and the patches of a view attend to each other.
struct Tokens {
  Count views;
  Count per_view;

  Count all() const { return views * per_view; }
};

CostNode Attention(const ClipDimensions& clip, const Parts& parts, const Tokens& tokens) {
  const Amount pairs = Amount::Same(tokens.all() * tokens.per_view);
  const AttentionShape shape = {.heads = clip.heads,
                                .head_width = clip.width / clip.heads,
                                .queries = Amount::Same(tokens.all()),
                                .pairs = pairs,
                                .scale_flops = pairs * clip.heads,
                                .keys_and_values = tokens.all() * clip.width};
  const LinearShape qkv = {
      .inputs = clip.width, .outputs = 3 * clip.width, .has_bias = true};
  const LinearShape out = {.inputs = clip.width, .outputs = clip.width, .has_bias = true};
  const Amount rows = Amount::Same(tokens.all());
  return MakeModule(
      "attn", {parts.Linear("qkv", qkv, rows), parts.Scores(shape), parts.Softmax(shape),
               parts.Values(shape), parts.Linear("out", out, rows)});
}

CostNode Layer(const ClipDimensions& clip, const Parts& parts, const Tokens& tokens,
               int64_t index) {
  const Count rows = tokens.all();
  const Count middle = clip.mlp_ratio * clip.width;
  const LinearShape fc1 = {.inputs = clip.width, .outputs = middle, .has_bias = true};
  const LinearShape fc2 = {.inputs = middle, .outputs = clip.width, .has_bias = true};
  CostNode activation = parts.Plain("activation", CostClass::kActivation,
                                    Amount::Same(rows * middle * kQuickGeluFlops),
                                    {rows * middle, rows * middle});
  return MakeModule(
      fmt::format("layer{}", index),
      {parts.LayerNorm("norm1", clip.width, rows), Attention(clip, parts, tokens),
       parts.LayerNorm("norm2", clip.width, rows),
       MakeModule("mlp",
                  {parts.Linear("fc1", fc1, Amount::Same(rows)), std::move(activation),
                   parts.Linear("fc2", fc2, Amount::Same(rows))}),
       parts.Residual(rows * clip.width)});
}

// SAM's features with a class vector in front, and positions.
CostNode Embeddings(const ClipDimensions& clip, const Parts& parts, Count rows) {
  const Count elements = rows * clip.width;
  CostNode node = parts.Plain("embeddings", CostClass::kElementwise,
                              Amount::Same(elements), {elements, elements});
  const Count places = Count(clip.table_side) * clip.table_side + 1;
  const Count used = (places + 1) * clip.width;  // With the class row.
  node.parameters = {.total = used, .active = used};
  node.cost.bytes.weights_read = used * parts.calls() * parts.bytes().weights;
  return node;
}

// Stored, but SAM's features are used instead.
CostNode UnusedPatchEmbedding(const ClipDimensions& clip) {
  CostNode node = {.name = "patch_embedding"};
  node.parameters.total = Count(3) * clip.patch * clip.patch * clip.width;
  return node;
}

}  // namespace

CostNode ClipCost(const Dimensions& dimensions, const ByteWidths& bytes,
                  const ViewBatch& batch) {
  const ClipDimensions& clip = dimensions.clip;
  const Parts parts(bytes, batch.count > 0 ? 1 : 0);
  const Count side = MapsOf(dimensions.sam, batch.side).quarter;
  const Tokens tokens = {.views = batch.count, .per_view = side * side + 1};
  std::vector<CostNode> modules = {Embeddings(clip, parts, tokens.all()),
                                   UnusedPatchEmbedding(clip),
                                   parts.LayerNorm("pre_norm", clip.width, tokens.all())};
  for (int64_t i = 0; i < clip.layers; ++i) {
    modules.push_back(Layer(clip, parts, tokens, i));
  }
  return MakeModule("clip", std::move(modules));
}

}  // namespace ridgeline::models::deepseek_ocr
