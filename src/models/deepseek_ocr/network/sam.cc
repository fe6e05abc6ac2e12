#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "inference/scope.h"
#include "models/deepseek_ocr/ledger.h"
#include "models/deepseek_ocr/network/vision.h"

namespace ridgeline::networks::deepseek_ocr {
namespace {

constexpr double kSamEpsilon = 1e-6;

// Queries per attention block: all of a window, or a few lines of a whole page.
constexpr int64_t kSamQueriesPerBlock = models::deepseek_ocr::kLedgerSamQueriesPerBlock;

// Score terms of each query for the line and the column of a key.
std::pair<at::Tensor, at::Tensor> RelativeTerms(const at::Tensor& q,
                                                const at::Tensor& down,
                                                const at::Tensor& across) {
  const inference::Scope scope("rel_pos");
  return {at::einsum("blwc,lkc->blwk", {q, down}),
          at::einsum("blwc,wkc->blwk", {q, across})};
}

at::Tensor Convolve(const char* name, const at::Tensor& x, const at::Tensor& weight,
                    int64_t stride, int64_t padding) {
  const inference::Scope scope(name);
  return at::conv2d(x, weight, {}, stride, padding);
}

// Channels-last norm of a (n, c, h, w) tensor.
at::Tensor NormChannels(const inference::LayerNorm& norm, const at::Tensor& x) {
  return norm(x.permute({0, 2, 3, 1})).permute({0, 3, 1, 2});
}

}  // namespace

at::Tensor RelativePositions(const at::Tensor& table, int64_t side) {
  at::Tensor rows = table;
  if (table.size(0) != 2 * side - 1) {
    rows = at::upsample_linear1d(table.to(at::kFloat).t().unsqueeze(0), {2 * side - 1},
                                 /*align_corners=*/false)
               .squeeze(0)
               .t()
               .to(table.scalar_type());
  }
  const at::Tensor place = at::arange(side, table.options().dtype(at::kLong));
  const at::Tensor index = place.unsqueeze(1) - place.unsqueeze(0) + (side - 1);
  return rows.index_select(0, index.flatten()).view({side, side, -1});
}

SamEncoder::SamEncoder(const models::deepseek_ocr::SamDimensions& dimensions,
                       const Weights& weights)
    : dimensions_(dimensions) {
  const std::string root = "model.sam_model.";
  patch_weight_ = weights.Get(root + "patch_embed.proj.weight");
  patch_bias_ = weights.Get(root + "patch_embed.proj.bias");
  positions_ = weights.Get(root + "pos_embed");
  for (int64_t layer = 0; layer < dimensions.layers; ++layer) {
    const std::string name = fmt::format("{}blocks.{}.", root, layer);
    blocks_.push_back({.norm1 = weights.GetNorm(name + "norm1", kSamEpsilon),
                       .qkv = weights.GetLinear(name + "attn.qkv"),
                       .proj = weights.GetLinear(name + "attn.proj"),
                       .rel_pos_h = weights.Get(name + "attn.rel_pos_h"),
                       .rel_pos_w = weights.Get(name + "attn.rel_pos_w"),
                       .norm2 = weights.GetNorm(name + "norm2", kSamEpsilon),
                       .lin1 = weights.GetLinear(name + "mlp.lin1"),
                       .lin2 = weights.GetLinear(name + "mlp.lin2"),
                       .is_global = dimensions.IsGlobal(layer)});
  }
  neck_narrow_ = weights.Get(root + "neck.0.weight");
  neck_norm1_ = weights.GetNorm(root + "neck.1", kSamEpsilon);
  neck_conv_ = weights.Get(root + "neck.2.weight");
  neck_norm2_ = weights.GetNorm(root + "neck.3", kSamEpsilon);
  down1_ = weights.Get(root + "net_2.weight");
  down2_ = weights.Get(root + "net_3.weight");
}

at::Tensor SamEncoder::Positions(int64_t grid) const {
  if (grid == positions_.size(1)) return positions_;
  return at::_upsample_bicubic2d_aa(positions_.to(at::kFloat).permute({0, 3, 1, 2}),
                                    {grid, grid},
                                    /*align_corners=*/false, c10::nullopt, c10::nullopt)
      .permute({0, 2, 3, 1})
      .to(positions_.scalar_type());
}

// (n, side, side, width) -> the same; positions attend to all others of the same n.
at::Tensor SamEncoder::Attend(const Block& block, const at::Tensor& x) const {
  const int64_t count = x.size(0);
  const int64_t side = x.size(1);
  const int64_t heads = dimensions_.heads;
  const int64_t head_width = dimensions_.width / heads;
  const int64_t all = side * side;
  const inference::Scope scope("attn");
  const at::Tensor qkv = inference::In("qkv", block.qkv, x.reshape({count, all, -1}))
                             .view({count, all, 3, heads, head_width})
                             .permute({2, 0, 3, 1, 4})
                             .reshape({3, count * heads, all, head_width});
  const at::Tensor q = qkv[0];
  const at::Tensor k_transposed = qkv[1].transpose(-2, -1);
  const at::Tensor v = qkv[2];
  const at::Tensor down = RelativePositions(block.rel_pos_h, side);
  const at::Tensor across = RelativePositions(block.rel_pos_w, side);
  const double scale = 1 / std::sqrt(static_cast<double>(head_width));
  const int64_t lines_per_block = std::max<int64_t>(1, kSamQueriesPerBlock / side);
  std::vector<at::Tensor> outputs;
  for (int64_t line = 0; line < side; line += lines_per_block) {
    const int64_t lines = std::min(lines_per_block, side - line);
    const at::Tensor part = q.narrow(1, line * side, lines * side);
    // The relative position terms use the unscaled q.
    const at::Tensor by_line = part.view({-1, lines, side, head_width});
    const auto [rel_h, rel_w] =
        RelativeTerms(by_line, down.narrow(0, line, lines), across);
    at::Tensor scores = inference::MultiplyIn("scores", part * scale, k_transposed)
                            .view({-1, lines, side, side, side});
    scores = scores + rel_h.unsqueeze(-1) + rel_w.unsqueeze(-2);
    const at::Tensor shares = at::softmax(scores.view({-1, lines * side, all}), -1);
    outputs.push_back(inference::MultiplyIn("values", shares, v));
  }
  const at::Tensor mixed = (outputs.size() == 1 ? outputs[0] : at::cat(outputs, 1))
                               .view({count, heads, side, side, head_width})
                               .permute({0, 2, 3, 1, 4})
                               .reshape({count, side, side, dimensions_.width});
  return inference::In("proj", block.proj, mixed);
}

// Pads the map with zeros at the right and the bottom and splits it into windows. Padded
// positions are ordinary keys (only their bias remains), as in the original.
at::Tensor SamEncoder::AttendInWindows(const Block& block, const at::Tensor& x) const {
  const int64_t views = x.size(0);
  const int64_t grid = x.size(1);
  const int64_t window = dimensions_.window;
  const int64_t count = (grid + window - 1) / window;
  const int64_t missing = count * window - grid;
  at::Tensor padded = x;
  if (missing > 0) padded = at::constant_pad_nd(x, {0, 0, 0, missing, 0, missing}, 0);
  const at::Tensor windows = padded.view({views, count, window, count, window, -1})
                                 .permute({0, 1, 3, 2, 4, 5})
                                 .reshape({-1, window, window, x.size(3)});
  return Attend(block, windows)
      .view({views, count, count, window, window, -1})
      .permute({0, 1, 3, 2, 4, 5})
      .reshape({views, count * window, count * window, -1})
      .narrow(1, 0, grid)
      .narrow(2, 0, grid);
}

at::Tensor SamEncoder::Neck(const at::Tensor& x,
                            const inference::Observer& observer) const {
  at::Tensor y;
  {
    const inference::Scope scope("neck");
    y = Convolve("conv1", x.permute({0, 3, 1, 2}), neck_narrow_, 1, 0);
    y = NormChannels(neck_norm1_, y);
    y = Convolve("conv2", y, neck_conv_, 1, 1);
    y = NormChannels(neck_norm2_, y);
  }
  inference::Tell(observer, "sam.neck", y);
  y = Convolve("net_2", y, down1_, 2, 1);
  inference::Tell(observer, "sam.net_2", y);
  return Convolve("net_3", y, down2_, 2, 1);
}

at::Tensor SamEncoder::Patches(const at::Tensor& views) const {
  const inference::Scope scope("patch_embed");
  return at::conv2d(views, patch_weight_, patch_bias_, dimensions_.patch)
      .permute({0, 2, 3, 1});
}

at::Tensor SamEncoder::Feed(const Block& block, const at::Tensor& x) {
  const inference::Scope scope("mlp");
  return inference::In("lin2", block.lin2,
                       at::gelu(inference::In("lin1", block.lin1, x)));
}

at::Tensor SamEncoder::Encode(const at::Tensor& views,
                              const inference::Observer& observer) const {
  const inference::Scope scope("sam");
  at::Tensor x = Patches(views);
  inference::Tell(observer, "sam.patches", x);
  x = x + Positions(x.size(1));
  inference::Tell(observer, "sam.after_pos", x);
  for (size_t i = 0; i < blocks_.size(); ++i) {
    const inference::Scope block_scope("block", i);
    const Block& block = blocks_[i];
    const at::Tensor y = block.norm1(x);
    x = x + (block.is_global ? Attend(block, y) : AttendInWindows(block, y));
    x = x + Feed(block, block.norm2(x));
    if (observer) inference::Tell(observer, fmt::format("sam.block{}", i), x);
  }
  x = Neck(x, observer);
  inference::Tell(observer, "sam", x);
  return x;
}

}  // namespace ridgeline::networks::deepseek_ocr
