#include "models/deepseek_ocr/presets.h"

#include <nlohmann/json.hpp>

#include "base/json.h"

namespace ridgeline::models::deepseek_ocr {
namespace {

Dimensions Tiny() {
  Dimensions d;
  d.sam = {.width = 32,
           .layers = 4,
           .heads = 4,
           .global_layers = {1, 3},
           .neck_width = 24,
           .down_width = 32,
           .out_width = 48};
  d.clip = {.width = 48, .layers = 4, .heads = 4};
  d.decoder = {.hidden = 64,
               .layers = 4,
               .heads = 4,
               .kv_heads = 4,
               .dense_width = 160,
               .experts = 8,
               .experts_per_token = 3,
               .expert_width = 48,
               .vocabulary = 768};
  d.projector_input = 96;
  return d;
}

Dimensions Small() {
  Dimensions d;
  d.sam = {.width = 256,
           .layers = 6,
           .heads = 4,
           .global_layers = {2, 5},
           .neck_width = 128,
           .down_width = 192,
           .out_width = 256};
  d.clip = {.width = 256, .layers = 6, .heads = 4};
  d.decoder = {.hidden = 512,
               .layers = 6,
               .heads = 8,
               .kv_heads = 8,
               .dense_width = 1408,
               .experts = 16,
               .experts_per_token = 4,
               .expert_width = 352,
               .vocabulary = 4096};
  d.projector_input = 512;
  return d;
}

}  // namespace

std::optional<Dimensions> Preset(std::string_view name) {
  if (name == "tiny") return Tiny();
  if (name == "small") return Small();
  if (name == "full") return Dimensions();
  return std::nullopt;
}

std::string ConfigJson(const Dimensions& dimensions) {
  const SamDimensions& sam = dimensions.sam;
  const ClipDimensions& clip = dimensions.clip;
  const DecoderDimensions& d = dimensions.decoder;
  const nlohmann::ordered_json json = {
      {"architectures", {"DeepseekOCRForCausalLM"}},
      {"model_type", "deepseek_vl_v2"},
      {"hidden_size", d.hidden},
      {"num_hidden_layers", d.layers},
      {"num_attention_heads", d.heads},
      {"num_key_value_heads", d.kv_heads},
      {"first_k_dense_replace", d.dense_layers},
      {"intermediate_size", d.dense_width},
      {"n_routed_experts", d.experts},
      {"num_experts_per_tok", d.experts_per_token},
      {"moe_intermediate_size", d.expert_width},
      {"n_shared_experts", d.shared_experts},
      {"vocab_size", d.vocabulary},
      {"max_position_embeddings", d.max_positions},
      {"bos_token_id", d.bos_id},
      {"eos_token_id", d.eos_id},
      {"use_mla", false},
      {"projector_config",
       {{"projector_type", "linear"},
        {"input_dim", dimensions.projector_input},
        {"n_embed", d.hidden}}},
      {"vision_config",
       {{"width",
         {{"sam_vit_b",
           {{"width", sam.width},
            {"layers", sam.layers},
            {"heads", sam.heads},
            {"global_attn_indexes", sam.global_layers},
            {"downsample_channels", {sam.down_width, sam.out_width}},
            {"out_chans", sam.neck_width}}},
          {"clip-l-14-224",
           {{"width", clip.width},
            {"layers", clip.layers},
            {"heads", clip.heads},
            {"patch_size", clip.patch}}}}}}}};
  return DumpJson(json, 2) + "\n";
}

}  // namespace ridgeline::models::deepseek_ocr
