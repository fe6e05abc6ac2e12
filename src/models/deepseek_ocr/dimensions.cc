#include "models/deepseek_ocr/dimensions.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.h"

namespace ridgeline::models::deepseek_ocr {
namespace {

using SortedJson = nlohmann::json;

// More than any model has; keeps products of dimensions in range.
constexpr int64_t kLargest = int64_t{1} << 24;
// The same for layers, each of which is listed.
constexpr int64_t kMaxLayers = 4096;

// Reads keys one by one and remembers the first error.
class Keys {
 public:
  Keys(const SortedJson& json, std::string origin)
      : json_(json), origin_(std::move(origin)) {}

  void Positive(std::string_view path, int64_t& target) {
    Read(path, {1, kLargest}, target);
  }
  void NotNegative(std::string_view path, int64_t& target) {
    Read(path, {0, kLargest}, target);
  }
  void Layers(std::string_view path, int64_t& target) {
    Read(path, {1, kMaxLayers}, target);
  }

  void Number(std::string_view path, double& target) {
    const SortedJson* value = Find(path);
    if (value == nullptr) return;
    if (!value->is_number() || value->get<double>() <= 0) {
      Fail(path, "expected a number above 0");
      return;
    }
    target = value->get<double>();
  }

  void List(std::string_view path, std::vector<int64_t>& target) {
    const SortedJson* value = Find(path);
    if (value == nullptr) return;
    std::vector<int64_t> items;
    if (value->is_array() && value->size() <= 1000) {
      for (const SortedJson& item : *value) {
        if (!item.is_number_integer()) break;
        items.push_back(item.get<int64_t>());
      }
    }
    if (!value->is_array() || items.size() != value->size()) {
      Fail(path, "expected a list of integers");
      return;
    }
    target = std::move(items);
  }

  // Rejects unsupported variants of the network.
  void MustNotBe(std::string_view path, const SortedJson& value) {
    const SortedJson* found = Find(path);
    if (found != nullptr && *found == value) {
      Fail(path, fmt::format("{} is not supported", DumpJson(value)));
    }
  }

  void Fail(std::string_view path, std::string_view what) {
    if (error_.empty()) error_ = fmt::format("{}: {}: {}", origin_, path, what);
  }
  const std::string& error() const { return error_; }

 private:
  // Null if absent or null: the default applies.
  const SortedJson* Find(std::string_view path) const {
    const SortedJson* node = &json_;
    while (!path.empty()) {
      const std::string key(path.substr(0, path.find('/')));
      path.remove_prefix(std::min(path.size(), key.size() + 1));
      if (!node->is_object() || !node->contains(key)) return nullptr;
      node = &(*node)[key];
    }
    return node->is_null() ? nullptr : node;
  }

  struct Range {
    int64_t smallest;
    int64_t largest;
  };

  void Read(std::string_view path, Range range, int64_t& target) {
    const SortedJson* value = Find(path);
    if (value == nullptr) return;
    const bool fits = value->is_number_integer() &&
                      value->get<int64_t>() >= range.smallest &&
                      value->get<int64_t>() <= range.largest;
    if (!fits) {
      Fail(path, fmt::format("expected an integer from {} to {}", range.smallest,
                             range.largest));
      return;
    }
    target = value->get<int64_t>();
  }

  const SortedJson& json_;
  const std::string origin_;
  std::string error_;
};

void ReadVision(Keys& keys, Dimensions& dimensions) {
  SamDimensions& sam = dimensions.sam;
  keys.Positive("vision_config/width/sam_vit_b/width", sam.width);
  keys.Layers("vision_config/width/sam_vit_b/layers", sam.layers);
  keys.Positive("vision_config/width/sam_vit_b/heads", sam.heads);
  keys.List("vision_config/width/sam_vit_b/global_attn_indexes", sam.global_layers);
  keys.Positive("vision_config/width/sam_vit_b/out_chans", sam.neck_width);
  std::vector<int64_t> down = {sam.down_width, sam.out_width};
  keys.List("vision_config/width/sam_vit_b/downsample_channels", down);
  if (down.size() != 2 || down[0] < 1 || down[1] < 1 || down[0] > kLargest ||
      down[1] > kLargest) {
    keys.Fail("vision_config/width/sam_vit_b/downsample_channels",
              "expected two widths above 0");
  } else {
    sam.down_width = down[0];
    sam.out_width = down[1];
  }
  ClipDimensions& clip = dimensions.clip;
  keys.Positive("vision_config/width/clip-l-14-224/width", clip.width);
  keys.Layers("vision_config/width/clip-l-14-224/layers", clip.layers);
  keys.Positive("vision_config/width/clip-l-14-224/heads", clip.heads);
  keys.Positive("vision_config/width/clip-l-14-224/patch_size", clip.patch);
  keys.Positive("projector_config/input_dim", dimensions.projector_input);
}

void ReadDecoder(Keys& keys, DecoderDimensions& decoder) {
  keys.Positive("hidden_size", decoder.hidden);
  keys.Layers("num_hidden_layers", decoder.layers);
  keys.Positive("num_attention_heads", decoder.heads);
  decoder.kv_heads = decoder.heads;
  keys.Positive("num_key_value_heads", decoder.kv_heads);
  keys.NotNegative("first_k_dense_replace", decoder.dense_layers);
  keys.Positive("intermediate_size", decoder.dense_width);
  keys.Positive("n_routed_experts", decoder.experts);
  keys.Positive("num_experts_per_tok", decoder.experts_per_token);
  keys.Positive("moe_intermediate_size", decoder.expert_width);
  keys.NotNegative("n_shared_experts", decoder.shared_experts);
  keys.Positive("vocab_size", decoder.vocabulary);
  keys.Positive("max_position_embeddings", decoder.max_positions);
  keys.Number("rope_theta", decoder.rope_theta);
  keys.Number("rms_norm_eps", decoder.norm_epsilon);
  keys.NotNegative("bos_token_id", decoder.bos_id);
  keys.NotNegative("eos_token_id", decoder.eos_id);
  keys.MustNotBe("use_mla", true);
  keys.MustNotBe("tie_word_embeddings", true);
  keys.MustNotBe("norm_topk_prob", true);
  keys.MustNotBe("attention_bias", true);
  keys.MustNotBe("scoring_func", "sigmoid");
}

// Requirements of the network.
void CheckFit(Keys& keys, const Dimensions& d) {
  const auto divides = [&keys](int64_t whole, int64_t part, std::string_view key,
                               std::string_view of) {
    if (whole % part != 0) {
      keys.Fail(key, fmt::format("{} does not divide {} ({})", part, of, whole));
    }
  };
  divides(d.sam.width, d.sam.heads, "vision_config/width/sam_vit_b/heads", "the width");
  divides(d.clip.width, d.clip.heads, "vision_config/width/clip-l-14-224/heads",
          "the width");
  divides(d.decoder.hidden, d.decoder.heads, "num_attention_heads", "hidden_size");
  divides(d.decoder.heads, d.decoder.kv_heads, "num_key_value_heads",
          "num_attention_heads");
  if (d.decoder.head_width() % 2 != 0) {
    keys.Fail("hidden_size", "head width must be even (rotary embedding)");
  }
  if (d.sam.out_width != d.clip.width) {
    keys.Fail(
        "vision_config/width/sam_vit_b/downsample_channels",
        fmt::format("ends with {}, but CLIP expects {}", d.sam.out_width, d.clip.width));
  }
  if (d.projector_input != d.clip.width + d.sam.out_width) {
    keys.Fail("projector_config/input_dim",
              fmt::format("is {}, but CLIP and SAM give {}", d.projector_input,
                          d.clip.width + d.sam.out_width));
  }
  if (d.decoder.experts_per_token > d.decoder.experts) {
    keys.Fail("num_experts_per_tok", "is more than n_routed_experts");
  }
  if (d.decoder.eos_id >= d.decoder.vocabulary) {
    keys.Fail("eos_token_id", "is not in the vocabulary");
  }
}

}  // namespace

bool SamDimensions::IsGlobal(int64_t layer) const {
  return std::find(global_layers.begin(), global_layers.end(), layer) !=
         global_layers.end();
}

Result<Dimensions> ParseDimensions(std::string_view config_json,
                                   std::string_view origin) {
  const SortedJson json = ParseJson<SortedJson>(config_json);
  if (!json.is_object()) {
    return Error(ErrorCode::kParse, fmt::format("{}: not a JSON object", origin));
  }
  Dimensions dimensions;
  Keys keys(json, std::string(origin));
  ReadVision(keys, dimensions);
  ReadDecoder(keys, dimensions.decoder);
  if (keys.error().empty()) CheckFit(keys, dimensions);
  if (!keys.error().empty()) return Error(ErrorCode::kParse, keys.error());
  return dimensions;
}

}  // namespace ridgeline::models::deepseek_ocr
