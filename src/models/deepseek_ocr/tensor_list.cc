#include "models/deepseek_ocr/tensor_list.h"

#include <fmt/format.h>

namespace ridgeline::models::deepseek_ocr {
namespace {

class List {
 public:
  void Add(std::string name, std::vector<int64_t> shape) {
    tensors_.push_back({std::move(name), std::move(shape)});
  }
  // A linear layer or a norm: weight and bias.
  void AddLinear(const std::string& name, int64_t outputs, int64_t inputs) {
    Add(name + ".weight", {outputs, inputs});
    Add(name + ".bias", {outputs});
  }
  void AddNorm(const std::string& name, int64_t width) {
    Add(name + ".weight", {width});
    Add(name + ".bias", {width});
  }
  std::vector<checkpoints::ExpectedTensor> Take() { return std::move(tensors_); }

 private:
  std::vector<checkpoints::ExpectedTensor> tensors_;
};

void AddSam(const SamDimensions& sam, List& list) {
  const std::string root = "model.sam_model.";
  const int64_t head_width = sam.width / sam.heads;
  list.Add(root + "pos_embed", {1, sam.table_side, sam.table_side, sam.width});
  list.Add(root + "patch_embed.proj.weight", {sam.width, 3, sam.patch, sam.patch});
  list.Add(root + "patch_embed.proj.bias", {sam.width});
  for (int64_t layer = 0; layer < sam.layers; ++layer) {
    const std::string block = fmt::format("{}blocks.{}.", root, layer);
    const int64_t side = sam.IsGlobal(layer) ? sam.table_side : sam.window;
    list.AddNorm(block + "norm1", sam.width);
    list.AddLinear(block + "attn.qkv", 3 * sam.width, sam.width);
    list.AddLinear(block + "attn.proj", sam.width, sam.width);
    list.Add(block + "attn.rel_pos_h", {2 * side - 1, head_width});
    list.Add(block + "attn.rel_pos_w", {2 * side - 1, head_width});
    list.AddNorm(block + "norm2", sam.width);
    list.AddLinear(block + "mlp.lin1", sam.mlp_ratio * sam.width, sam.width);
    list.AddLinear(block + "mlp.lin2", sam.width, sam.mlp_ratio * sam.width);
  }
  list.Add(root + "neck.0.weight", {sam.neck_width, sam.width, 1, 1});
  list.AddNorm(root + "neck.1", sam.neck_width);
  list.Add(root + "neck.2.weight", {sam.neck_width, sam.neck_width, 3, 3});
  list.AddNorm(root + "neck.3", sam.neck_width);
  list.Add(root + "net_2.weight", {sam.down_width, sam.neck_width, 3, 3});
  list.Add(root + "net_3.weight", {sam.out_width, sam.down_width, 3, 3});
}

void AddClip(const ClipDimensions& clip, List& list) {
  const std::string root = "model.vision_model.";
  list.Add(root + "embeddings.class_embedding", {clip.width});
  // Stored, but never used: SAM's features replace it.
  list.Add(root + "embeddings.patch_embedding.weight",
           {clip.width, 3, clip.patch, clip.patch});
  list.Add(root + "embeddings.position_embedding.weight",
           {clip.table_side * clip.table_side + 1, clip.width});
  list.AddNorm(root + "pre_layrnorm", clip.width);
  for (int64_t layer = 0; layer < clip.layers; ++layer) {
    const std::string block = fmt::format("{}transformer.layers.{}.", root, layer);
    list.AddNorm(block + "layer_norm1", clip.width);
    list.AddLinear(block + "self_attn.qkv_proj", 3 * clip.width, clip.width);
    list.AddLinear(block + "self_attn.out_proj", clip.width, clip.width);
    list.AddNorm(block + "layer_norm2", clip.width);
    list.AddLinear(block + "mlp.fc1", clip.mlp_ratio * clip.width, clip.width);
    list.AddLinear(block + "mlp.fc2", clip.width, clip.mlp_ratio * clip.width);
  }
}

void AddGatedMlp(const std::string& name, int64_t hidden, int64_t width, List& list) {
  list.Add(name + ".gate_proj.weight", {width, hidden});
  list.Add(name + ".up_proj.weight", {width, hidden});
  list.Add(name + ".down_proj.weight", {hidden, width});
}

void AddDecoder(const DecoderDimensions& d, List& list) {
  const int64_t kv_width = d.kv_heads * d.head_width();
  list.Add("model.embed_tokens.weight", {d.vocabulary, d.hidden});
  for (int64_t layer = 0; layer < d.layers; ++layer) {
    const std::string block = fmt::format("model.layers.{}.", layer);
    list.Add(block + "input_layernorm.weight", {d.hidden});
    list.Add(block + "self_attn.q_proj.weight", {d.hidden, d.hidden});
    list.Add(block + "self_attn.k_proj.weight", {kv_width, d.hidden});
    list.Add(block + "self_attn.v_proj.weight", {kv_width, d.hidden});
    list.Add(block + "self_attn.o_proj.weight", {d.hidden, d.hidden});
    list.Add(block + "post_attention_layernorm.weight", {d.hidden});
    if (layer < d.dense_layers) {
      AddGatedMlp(block + "mlp", d.hidden, d.dense_width, list);
      continue;
    }
    list.Add(block + "mlp.gate.weight", {d.experts, d.hidden});
    for (int64_t expert = 0; expert < d.experts; ++expert) {
      AddGatedMlp(fmt::format("{}mlp.experts.{}", block, expert), d.hidden,
                  d.expert_width, list);
    }
    if (d.shared_experts > 0) {
      AddGatedMlp(block + "mlp.shared_experts", d.hidden,
                  d.shared_experts * d.expert_width, list);
    }
  }
  list.Add("model.norm.weight", {d.hidden});
  list.Add("lm_head.weight", {d.vocabulary, d.hidden});
}

}  // namespace

std::vector<checkpoints::ExpectedTensor> TensorList(const Dimensions& dimensions) {
  List list;
  AddSam(dimensions.sam, list);
  AddClip(dimensions.clip, list);
  list.AddLinear("model.projector.layers", dimensions.decoder.hidden,
                 dimensions.projector_input);
  list.Add("model.image_newline", {dimensions.decoder.hidden});
  list.Add("model.view_seperator", {dimensions.decoder.hidden});
  AddDecoder(dimensions.decoder, list);
  return list.Take();
}

}  // namespace ridgeline::models::deepseek_ocr
