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

// Attention field of a block.
struct Field {
  Count side;        // Of a window or the whole map.
  Count table_rows;  // Of relative positions, as stored.
  Amount rows;       // Positions of all views; executed: with window padding.
};

Field FieldOf(const SamDimensions& sam, const ViewBatch& batch, bool is_global) {
  const Count grid = MapsOf(sam, batch.side).grid;
  const Count places = grid * grid * batch.count;
  if (is_global) {
    return {
        .side = grid, .table_rows = 2 * sam.table_side - 1, .rows = Amount::Same(places)};
  }
  return {.side = sam.window,
          .table_rows = 2 * sam.window - 1,
          .rows = {.executed = PaddedPlaces(sam, grid) * batch.count, .useful = places}};
}

// Queries times the table rows for their lines, then for their columns; both are added to
// the scores.
CostNode RelativePositions(const SamDimensions& sam, const Parts& parts,
                           const Field& field) {
  const Count head_width = sam.width / sam.heads;
  const Amount pairs = field.rows * (field.side * field.side) * sam.heads;
  const Count terms = field.rows.executed * field.side * sam.heads * 2;
  CostNode node = parts.Plain(
      "rel_pos", CostClass::kRelativePositions,
      field.rows * (field.side * sam.width * 2 * 2),
      {field.rows.executed * sam.width + terms + pairs.executed, terms + pairs.executed});
  node.cost.flops(CostClass::kElementwise) = pairs * 2;
  const Count parameters = field.table_rows * head_width * 2;
  node.parameters = {.total = parameters, .active = parameters};
  node.cost.bytes.weights_read = parameters * parts.calls() * parts.bytes().weights;
  return node;
}

CostNode Attention(const SamDimensions& sam, const Parts& parts, const Field& field) {
  const AttentionShape shape = {
      .heads = sam.heads,
      .head_width = sam.width / sam.heads,
      .queries = field.rows,
      .pairs = field.rows * (field.side * field.side),
      .scale_flops = field.rows * sam.width,  // The queries are scaled.
      .keys_and_values = field.rows.executed * sam.width};
  const LinearShape qkv = {
      .inputs = sam.width, .outputs = 3 * sam.width, .has_bias = true};
  const LinearShape proj = {.inputs = sam.width, .outputs = sam.width, .has_bias = true};
  return MakeModule("attn",
                    {parts.Linear("qkv", qkv, field.rows), parts.Scores(shape),
                     RelativePositions(sam, parts, field), parts.Softmax(shape),
                     parts.Values(shape), parts.Linear("proj", proj, field.rows)});
}

CostNode Block(const SamDimensions& sam, const Parts& parts, const ViewBatch& batch,
               int64_t index) {
  const Field field = FieldOf(sam, batch, sam.IsGlobal(index));
  const Count rows = field.rows.useful;
  const Count middle = sam.mlp_ratio * sam.width;
  const LinearShape lin1 = {.inputs = sam.width, .outputs = middle, .has_bias = true};
  const LinearShape lin2 = {.inputs = middle, .outputs = sam.width, .has_bias = true};
  CostNode activation = parts.Plain("activation", CostClass::kActivation,
                                    Amount::Same(rows * middle * kGeluFlops),
                                    {rows * middle, rows * middle});
  return MakeModule(
      fmt::format("block{}", index),
      {parts.LayerNorm("norm1", sam.width, rows), Attention(sam, parts, field),
       parts.LayerNorm("norm2", sam.width, rows),
       MakeModule("mlp",
                  {parts.Linear("lin1", lin1, Amount::Same(rows)), std::move(activation),
                   parts.Linear("lin2", lin2, Amount::Same(rows))}),
       parts.Residual(rows * sam.width)});
}

CostNode Positions(const SamDimensions& sam, const Parts& parts, Count rows) {
  const Count elements = rows * sam.width;
  CostNode node = parts.Plain("pos_embed", CostClass::kElementwise,
                              Amount::Same(elements), {elements, elements});
  const Count table = Count(sam.table_side) * sam.table_side * sam.width;
  node.parameters = {.total = table, .active = table};
  node.cost.bytes.weights_read = table * parts.calls() * parts.bytes().weights;
  return node;
}

CostNode Neck(const SamDimensions& sam, const Parts& parts, Count places) {
  const ConvolutionShape narrow = {
      .inputs = sam.width, .outputs = sam.neck_width, .taps = 1};
  const ConvolutionShape wide = {
      .inputs = sam.neck_width, .outputs = sam.neck_width, .taps = 9};
  return MakeModule("neck", {parts.Convolution("conv1", narrow, places, places),
                             parts.LayerNorm("norm1", sam.neck_width, places),
                             parts.Convolution("conv2", wide, places, places),
                             parts.LayerNorm("norm2", sam.neck_width, places)});
}

}  // namespace

ViewMaps MapsOf(const SamDimensions& sam, int64_t side) {
  const int64_t grid = side / sam.patch;
  const int64_t half = (grid + 1) / 2;
  return {.grid = grid, .half = half, .quarter = (half + 1) / 2};
}

Count PaddedPlaces(const SamDimensions& sam, Count grid) {
  const uint64_t window = static_cast<uint64_t>(sam.window);
  const Count padded = (grid.value() + window - 1) / window * window;
  return padded * padded;
}

CostNode SamCost(const SamDimensions& sam, const ByteWidths& bytes,
                 const ViewBatch& batch) {
  const Parts parts(bytes, batch.count > 0 ? 1 : 0);
  const ViewMaps maps = MapsOf(sam, batch.side);
  const Count places = maps.grid * maps.grid * batch.count;
  const Count half = maps.half * maps.half * batch.count;
  const Count quarter = maps.quarter * maps.quarter * batch.count;
  const Count pixels = Count(batch.side) * batch.side * batch.count;
  const ConvolutionShape patch = {.inputs = 3,
                                  .outputs = sam.width,
                                  .taps = Count(sam.patch) * sam.patch,
                                  .has_bias = true};
  const ConvolutionShape down1 = {
      .inputs = sam.neck_width, .outputs = sam.down_width, .taps = 9};
  const ConvolutionShape down2 = {
      .inputs = sam.down_width, .outputs = sam.out_width, .taps = 9};
  std::vector<CostNode> modules = {
      parts.Convolution("patch_embed", patch, pixels, places),
      Positions(sam, parts, places)};
  for (int64_t i = 0; i < sam.layers; ++i) {
    modules.push_back(Block(sam, parts, batch, i));
  }
  modules.push_back(Neck(sam, parts, places));
  modules.push_back(parts.Convolution("net_2", down1, places, half));
  modules.push_back(parts.Convolution("net_3", down2, half, quarter));
  return MakeModule("sam", std::move(modules));
}

}  // namespace ridgeline::models::deepseek_ocr
