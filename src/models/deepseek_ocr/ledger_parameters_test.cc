// Compares the ledger's parameters with the tensors of a checkpoint, and with counts from
// the vendor's own modules.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "models/deepseek_ocr/ledger.h"
#include "models/deepseek_ocr/presets.h"
#include "models/deepseek_ocr/tensor_list.h"
#include "os/env.h"
#include "os/files.h"

namespace ridgeline::models::deepseek_ocr {
namespace {

namespace fs = std::filesystem;
using cost::CostNode;
using Json = nlohmann::json;

struct Trees {
  CostNode vision;
  CostNode decoder;
};

Trees TreesOf(const Dimensions& dimensions) {
  const Ledger ledger = MakeLedger(dimensions, {}).value();
  return {ledger.phase("vision"), ledger.phase("decode")};
}

uint64_t Total(const CostNode& root, std::string_view name) {
  const CostNode* node = FindModule(root, name);
  EXPECT_NE(node, nullptr) << name;
  return node == nullptr ? 0 : node->parameters.total.value();
}

uint64_t Activated(const CostNode& root, std::string_view name) {
  const CostNode* node = FindModule(root, name);
  EXPECT_NE(node, nullptr) << name;
  return node == nullptr ? 0 : node->parameters.active.value();
}

// Children of a module whose names continue with this word: "sam" and "block".
uint64_t TotalOfAll(const CostNode& root, const std::string& module,
                    const std::string& word) {
  uint64_t sum = 0;
  for (const CostNode& child : FindModule(root, module)->children) {
    if (child.name.starts_with(module + "." + word))
      sum += child.parameters.total.value();
  }
  return sum;
}

std::map<std::string, uint64_t> CountedVision(const CostNode& vision) {
  return {
      {"sam total", Total(vision, "sam")},
      {"sam pos_embed", Total(vision, "sam.pos_embed")},
      {"sam patch_embed", Total(vision, "sam.patch_embed")},
      {"sam blocks", TotalOfAll(vision, "sam", "block")},
      {"sam neck", Total(vision, "sam.neck")},
      {"sam net_2", Total(vision, "sam.net_2")},
      {"sam net_3", Total(vision, "sam.net_3")},
      {"sam block 0 (window)", Total(vision, "sam.block0")},
      {"sam block 2 (global)", Total(vision, "sam.block2")},
      {"clip total", Total(vision, "clip")},
      // One class vector, and a table with one row more than positions.
      {"clip embeddings class", Total(vision, "clip.embeddings") / 258},
      {"clip embeddings pos", Total(vision, "clip.embeddings") / 258 * 257},
      {"clip embeddings patch", Total(vision, "clip.patch_embedding")},
      {"clip pre_layrnorm", Total(vision, "clip.pre_norm")},
      {"clip transformer layers", TotalOfAll(vision, "clip", "layer")},
      {"clip transformer layers 0", Total(vision, "clip.layer0")},
      {"projector", Total(vision, "projector")},
      {"image_newline", Total(vision, "layout") / 2},
      {"view_seperator", Total(vision, "layout") / 2},
      {"vision total (sam+clip+proj+2 vecs)", Total(vision, "vision")},
  };
}

std::map<std::string, uint64_t> CountedDecoder(const CostNode& decoder) {
  const uint64_t all = Total(decoder, "decoder");
  const uint64_t activated = Activated(decoder, "decoder");
  const uint64_t table = Total(decoder, "decoder.embedding");
  const uint64_t head = Total(decoder, "decoder.lm_head");
  return {
      {"embed_tokens", table},
      {"lm_head", head},
      {"final norm", Total(decoder, "decoder.norm")},
      {"layer0 (dense)", Total(decoder, "decoder.layer0")},
      {"attn", Total(decoder, "decoder.layer0.attn")},
      {"dense mlp", Total(decoder, "decoder.layer0.mlp")},
      {"2 norms", Total(decoder, "decoder.layer0.input_norm") +
                      Total(decoder, "decoder.layer0.post_norm")},
      {"layer1 (moe)", Total(decoder, "decoder.layer1")},
      {"routed experts(64)", Total(decoder, "decoder.layer1.mlp.experts")},
      {"one expert", Total(decoder, "decoder.layer1.mlp.experts") / 64},
      {"shared", Total(decoder, "decoder.layer1.mlp.shared")},
      {"gate", Total(decoder, "decoder.layer1.mlp.router")},
      {"moe mlp total", Total(decoder, "decoder.layer1.mlp")},
      {"layer1 activated", Activated(decoder, "decoder.layer1")},
      {"LM total", all},
      {"LM total w/o embed+lm_head", all - table - head},
      {"LM activated, all but unselected experts (embed+head counted whole)",
       activated + table},
      {"LM activated, w/o embed table", activated},
      {"LM activated, blocks+norm only", activated - head},
  };
}

TEST(LedgerParameters, AreThoseOfTheFullModel) {
  const cost::Parameters parameters = ModelParameters(Dimensions());
  EXPECT_EQ(parameters.total.value(), 3'336'106'240U);
  EXPECT_EQ(parameters.active.value(), 574'127'360U);

  const Trees trees = TreesOf(Dimensions());
  EXPECT_EQ(Total(trees.vision, "vision"), 401'372'160U);
  EXPECT_EQ(Total(trees.vision, "sam"), 95'569'152U);
  EXPECT_EQ(Total(trees.vision, "sam.block0"), 7'091'328U);
  EXPECT_EQ(Total(trees.vision, "sam.block11"), 7'104'128U);
  EXPECT_EQ(Total(trees.vision, "clip"), 303'177'728U);
  EXPECT_EQ(Activated(trees.vision, "clip"), 303'177'728U - 602'112U);
  EXPECT_EQ(Total(trees.vision, "projector"), 2'622'720U);
  EXPECT_EQ(Total(trees.decoder, "decoder"), 2'934'734'080U);
  EXPECT_EQ(Total(trees.decoder, "decoder.layer0"), 32'852'480U);
  EXPECT_EQ(Total(trees.decoder, "decoder.layer11"), 233'720'320U);
  EXPECT_EQ(Activated(trees.decoder, "decoder.layer11"), 34'163'200U);
}

TEST(LedgerParameters, KeysAndValuesOfATokenAre61440Bytes) {
  EXPECT_EQ(KvCacheBytes(DecoderDimensions(), {}, 1).value(), 61'440U);
}

TEST(LedgerParameters, AreAllTensorsOfACheckpoint) {
  Dimensions odd = *Preset("tiny");
  odd.decoder.kv_heads = 1;
  odd.decoder.shared_experts = 0;
  odd.sam.global_layers = {};
  for (const Dimensions& dimensions :
       {*Preset("tiny"), *Preset("small"), *Preset("full"), odd}) {
    uint64_t elements = 0;
    for (const checkpoints::ExpectedTensor& tensor : TensorList(dimensions)) {
      uint64_t product = 1;
      for (const int64_t side : tensor.shape) product *= static_cast<uint64_t>(side);
      elements += product;
    }
    EXPECT_EQ(ModelParameters(dimensions).total.value(), elements);
  }
}

TEST(LedgerParameters, AreTheRecordedOnesModuleByModule) {
  const fs::path beside = fs::path(RIDGELINE_SOURCE_DIR) / ".." / "shared";
  const fs::path official =
      fs::path(os::GetEnv("RIDGELINE_SHARED").value_or(beside.string())) / "golden" /
      "deepseek_ocr" / "official";
  if (!os::Exists(official / "real_params.json")) {
    GTEST_SKIP() << "no real_params.json in " << official << "; see RIDGELINE_SHARED";
  }
  const std::string config = os::ReadFile(official / "config.json").value();
  const Result<Dimensions> dimensions = ParseDimensions(config, "config.json");
  ASSERT_TRUE(dimensions.ok()) << dimensions.error().message();
  const Json recorded =
      Json::parse(os::ReadFile(official / "real_params.json").value()).at("parameters");

  const Trees trees = TreesOf(dimensions.value());
  std::map<std::string, uint64_t> counted = CountedVision(trees.vision);
  counted.merge(CountedDecoder(trees.decoder));
  counted["TOTAL"] = ModelParameters(dimensions.value()).total.value();
  EXPECT_EQ(counted.size(), recorded.size());
  for (const auto& [name, value] : recorded.items()) {
    ASSERT_TRUE(counted.contains(name)) << name;
    EXPECT_EQ(counted[name], value.get<uint64_t>()) << name;
  }
}

}  // namespace
}  // namespace ridgeline::models::deepseek_ocr
