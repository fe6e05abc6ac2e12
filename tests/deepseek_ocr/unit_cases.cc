#include "tests/deepseek_ocr/unit_cases.h"

#include <map>

namespace ridgeline::ocr_cases {
namespace {

namespace net = networks::deepseek_ocr;

class Units {
 public:
  Units(const net::Network& network, const Json& file, const Tensors& recorded)
      : network_(network), file_(file), recorded_(recorded) {}

  Findings Check() {
    for (const auto& [name, unit] : file_.items()) {
      if (name.starts_with("vis")) CheckVision(name, unit);
    }
    CheckTables();
    CheckRope();
    CheckDenseLayer();
    CheckExperts();
    CheckLanguageModel();
    return std::move(findings_);
  }

 private:
  at::Tensor Get(const std::string& name) const { return recorded_.Get(name); }
  bool Has(const std::string& name) const { return Get(name).defined(); }
  void Near(const std::string& name, const at::Tensor& got) {
    findings_.Near(name, got, Get(name));
  }
  // Where there is such a table.
  void NearIfThere(const std::string& name, const at::Tensor& got) {
    if (Has(name)) Near(name, got);
  }

  // The picture that the file's formula describes.
  static at::Tensor Picture(int64_t views, int64_t side) {
    at::Tensor picture = at::empty({views, 3, side, side});
    auto pixels = picture.accessor<float, 4>();
    for (int64_t i = 0; i < picture.numel(); ++i) {
      const int64_t x = i % side;
      const int64_t y = i / side % side;
      const int64_t c = i / (side * side) % 3;
      const int64_t b = i / (3 * side * side);
      const int64_t u8 = (7 * x + 13 * y + 29 * c + 31 * b + 3 * ((x * y) % 17) +
                          90 * ((x / 23 + y / 19) % 2)) %
                         256;
      pixels[b][c][y][x] = (static_cast<float>(u8) / 255.0F - 0.5F) / 0.5F;
    }
    return picture;
  }

  // Three places of a (views, rows, cols, channels) map.
  static at::Tensor MapSlice(const at::Tensor& map) {
    const int64_t side = map.size(1);
    return at::stack(
        {map.select(1, 0).select(1, 0), map.select(1, side / 2).select(1, side / 3),
         map.select(1, side - 1).select(1, side - 1)},
        1);
  }
  static at::Tensor TokenSlice(const at::Tensor& tokens) {
    const int64_t count = tokens.size(1);
    return tokens.index_select(
        1, at::tensor({int64_t{0}, int64_t{1}, count / 2, count - 1}, at::kLong));
  }

  // "vis640": all stages of the encoders on the picture of that side.
  void CheckVision(const std::string& name, const Json& unit) {
    const int64_t side = std::stoll(name.substr(3));
    net::VisionTimes times;
    const at::Tensor features = network_.vision().Encode(
        Picture(unit.at("batch"), side), times,
        [&](std::string_view part, const at::Tensor& value) { See(name, part, value); });
    const int64_t places = features.size(1);
    Near(name + "/proj",
         features.index_select(
             1, at::tensor({int64_t{0}, places / 2, places - 1}, at::kLong)));
    NearIfThere(name + "/proj_full", features);
  }

  void See(const std::string& unit, std::string_view part, const at::Tensor& value) {
    static const std::map<std::string, std::string, std::less<>> kMaps = {
        {"sam.patches", "patch_embed"}, {"sam.after_pos", "after_pos"}};
    static const std::map<std::string, std::string, std::less<>> kChannelsFirst = {
        {"sam.neck", "neck"}, {"sam.net_2", "net_2"}, {"sam", "sam_out"}};
    static const std::map<std::string, std::string, std::less<>> kTokens = {
        {"clip.embeddings", "clip_embeddings"}, {"clip.pre_ln", "clip_pre_ln"}};
    const std::string name = unit + "/";
    if (const auto found = kMaps.find(part); found != kMaps.end()) {
      Near(name + found->second, MapSlice(value));
    } else if (const auto at = kChannelsFirst.find(part); at != kChannelsFirst.end()) {
      Near(name + at->second, MapSlice(value.permute({0, 2, 3, 1})));
    } else if (const auto of = kTokens.find(part); of != kTokens.end()) {
      Near(name + of->second, TokenSlice(value));
    } else if (part.starts_with("sam.block")) {
      Near(name + "sam_block" + std::string(part.substr(9)), MapSlice(value));
    } else if (part.starts_with("clip.layer")) {
      Near(name + "clip_layer" + std::string(part.substr(10)), TokenSlice(value));
    }
  }

  // Of tables only some channels were recorded, and of lines every eighth.
  static at::Tensor Part(at::Tensor table, const at::Tensor& recorded) {
    if (!recorded.defined() || recorded.dim() != table.dim()) return table;
    for (int64_t d = 0; d + 1 < table.dim(); ++d) {
      table = table.slice(d, 0, c10::nullopt, table.size(d) / recorded.size(d));
    }
    return table.narrow(-1, 0, std::min(recorded.size(-1), table.size(-1)));
  }

  void CheckTables() {
    const auto& sam = network_.dimensions().sam;
    for (const std::string& name : recorded_.names()) {
      const size_t slash = name.find('/');
      const std::string kind = name.substr(0, slash);
      if (kind == "sam_pos") {
        const int64_t grid = std::stoll(name.substr(slash + 1));
        Near(name, Part(network_.vision().sam().Positions(grid)[0], Get(name)));
      } else if (kind == "clip_pos") {
        const int64_t grid = std::stoll(name.substr(slash + 1));
        Near(name, Part(network_.vision().clip().Positions(grid), Get(name)));
      } else if (kind == "sam_rel") {
        const int64_t side = std::stoll(name.substr(slash + 1));
        const at::Tensor rows = net::RelativePositions(
            network_.weights().Get(fmt::format("model.sam_model.blocks.{}.attn.rel_pos_h",
                                               sam.global_layers.front())),
            side);
        Near(name, name.ends_with("row0") ? rows.select(0, 0) : rows.select(1, 0));
      }
    }
  }

  void CheckRope() {
    if (!Has("rope/positions")) return;
    const at::Tensor positions = Get("rope/positions");
    const int64_t last = positions.max().item<int64_t>();
    const net::Decoder::Rotation all =
        network_.decoder().RotationFor(0, last + 1, at::empty({1}));
    const at::Tensor places = positions.to(at::kLong);
    Near("rope/cos", all.cos.index_select(0, places));
    Near("rope/sin", all.sin.index_select(0, places));
  }

  // The first layer: its norm, its attention with a cache, its dense network.
  void CheckDenseLayer() {
    const net::Weights& weights = network_.weights();
    if (Has("rmsnorm/in")) {
      const inference::RmsNorm norm{weights.Get("model.layers.0.input_layernorm.weight"),
                                    network_.dimensions().decoder.norm_epsilon};
      Near("rmsnorm/out", norm(Get("rmsnorm/in")));
    }
    if (Has("mlp0/in")) Near("mlp0/out", network_.decoder().Feed(0, Get("mlp0/in")));
    if (!Has("attn0/in")) return;
    const net::Decoder& decoder = network_.decoder();
    const at::Tensor x = Get("attn0/in");
    net::KeyValueCache cache;
    Near("attn0/out", decoder.Attend(0, x, decoder.RotationFor(0, x.size(0), x), cache));
    cache.Advance(x.size(0));
    Near("attn0/k_cache", cache.At(0).keys);
    Near("attn0/v_cache", cache.At(0).values);
    Near("attn0/step_out", decoder.Attend(0, Get("attn0/step_in"),
                                          decoder.RotationFor(x.size(0), 1, x), cache));
  }

  void CheckExperts() {
    if (!Has("moe/in")) return;
    const net::Decoder& decoder = network_.decoder();
    const size_t layer = file_.at("moe_layer_index");
    const at::Tensor x = Get("moe/in");
    const net::Decoder::Routing routing = decoder.Route(layer, x);
    const auto [sorted, order] = Get("moe/topk_weights").sort(-1, /*descending=*/true);
    findings_.Near("moe/topk_weights", routing.shares, sorted);
    findings_.Equal(
        "moe/topk_ids",
        at::equal(routing.chosen, Get("moe/topk_ids").to(at::kLong).gather(-1, order)),
        true);
    Near("moe/out", decoder.Feed(layer, x));
    std::vector<at::Tensor> one_by_one;
    for (int64_t i = 0; i < x.size(0); ++i) {
      one_by_one.push_back(decoder.Feed(layer, x.narrow(0, i, 1)));
    }
    findings_.Near("moe/out, token by token", at::cat(one_by_one, 0), Get("moe/out"));
    if (!Has("layer_moe/in")) return;
    const at::Tensor in = Get("layer_moe/in");
    net::KeyValueCache cache;
    Near("layer_moe/out",
         decoder.RunLayer(layer, in, decoder.RotationFor(0, in.size(0), in), cache));
  }

  void CheckLanguageModel() {
    if (!Has("lm/input_ids")) return;
    const net::Decoder& decoder = network_.decoder();
    const at::Tensor ids = Get("lm/input_ids").to(at::kLong);
    net::KeyValueCache cache;
    Near("lm/logits", decoder.Logits(decoder.Forward(decoder.Embed(ids), cache)));
    net::KeyValueCache growing;
    std::vector<at::Tensor> steps;
    for (int64_t i = 0; i < ids.size(0); ++i) {
      steps.push_back(
          decoder.Logits(decoder.Forward(decoder.Embed(ids.narrow(0, i, 1)), growing)));
    }
    findings_.Near("lm/logits, token by token", at::cat(steps, 0), Get("lm/logits"));
  }

  const net::Network& network_;
  const Json& file_;
  const Tensors& recorded_;
  Findings findings_;
};

}  // namespace

Findings CheckUnits(const net::Network& network, const Json& file,
                    const Tensors& recorded) {
  return Units(network, file, recorded).Check();
}

}  // namespace ridgeline::ocr_cases
