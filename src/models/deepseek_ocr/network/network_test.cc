// Compares the network with outputs of the vendor's code for a tiny checkpoint.
#include "models/deepseek_ocr/network/network.h"

#include <c10/core/InferenceMode.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "model_io/checkpoints/safetensors.h"
#include "models/deepseek_ocr/network/generate.h"

namespace ridgeline::networks::deepseek_ocr {
namespace {

namespace fs = std::filesystem;

constexpr double kTolerance = 1e-4;

fs::path Golden() {
  const char* given = std::getenv("RIDGELINE_SHARED");
  const fs::path shared =
      given != nullptr ? fs::path(given) : fs::path(RIDGELINE_SOURCE_DIR) / "../shared";
  return shared / "golden/deepseek_ocr";
}

class NetworkTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists(Golden() / "tiny/config.json")) {
      GTEST_SKIP() << "no golden data in " << Golden();
    }
    Result<Network> loaded = Network::Load(Golden() / "tiny", {});
    ASSERT_TRUE(loaded.ok()) << loaded.error().message();
    network_ = std::make_unique<Network>(std::move(loaded).value());
    auto units =
        checkpoints::SafetensorsFile::Open(Golden() / "golden/units.safetensors");
    ASSERT_TRUE(units.ok()) << units.error().message();
    units_ = std::make_unique<checkpoints::SafetensorsFile>(std::move(units).value());
  }

  at::Tensor Unit(const std::string& name) const {
    const checkpoints::TensorView* view = units_->Find(name);
    EXPECT_NE(view, nullptr) << name;
    const at::ScalarType type =
        view->dtype == checkpoints::DType::kI32 ? at::kInt : at::kFloat;
    void* data = const_cast<std::byte*>(view->bytes.data());
    return at::from_blob(data, view->shape, at::TensorOptions().dtype(type)).clone();
  }

  static void ExpectNear(const std::string& what, const at::Tensor& got,
                         const at::Tensor& want) {
    ASSERT_EQ(got.sizes(), want.sizes()) << what;
    EXPECT_LT((got.to(at::kFloat) - want).abs().max().item<double>(), kTolerance) << what;
  }

  // The image described by units.json.
  static at::Tensor Picture(int64_t views, int64_t side) {
    at::Tensor picture = at::empty({views, 3, side, side});
    auto pixels = picture.accessor<float, 4>();
    for (int64_t b = 0; b < views; ++b) {
      for (int64_t c = 0; c < 3; ++c) {
        for (int64_t y = 0; y < side; ++y) {
          for (int64_t x = 0; x < side; ++x) {
            const int64_t u8 = (7 * x + 13 * y + 29 * c + 31 * b + 3 * ((x * y) % 17) +
                                90 * ((x / 23 + y / 19) % 2)) %
                               256;
            pixels[b][c][y][x] = (static_cast<float>(u8) / 255.0F - 0.5F) / 0.5F;
          }
        }
      }
    }
    return picture;
  }

  // Three positions of a (views, rows, cols, channels) map.
  static at::Tensor MapSlice(const at::Tensor& map) {
    const int64_t side = map.size(1);
    return at::stack(
        {map.select(1, 0).select(1, 0), map.select(1, side / 2).select(1, side / 3),
         map.select(1, side - 1).select(1, side - 1)},
        1);
  }
  static at::Tensor TokenSlice(const at::Tensor& tokens,
                               const std::vector<int64_t>& places) {
    return tokens.index_select(1, at::tensor(places, at::kLong));
  }

  const c10::InferenceMode no_gradients_;
  std::unique_ptr<Network> network_;
  std::unique_ptr<checkpoints::SafetensorsFile> units_;
};

TEST_F(NetworkTest, EncodesPicturesAsTheVendorDoes) {
  for (const auto& [side, views] : {std::pair{512, 1}, {640, 2}, {1024, 1}}) {
    SCOPED_TRACE(side);
    std::map<std::string, at::Tensor> seen;
    VisionTimes times;
    const at::Tensor features = network_->vision().Encode(
        Picture(views, side), times,
        [&seen](std::string_view name, const at::Tensor& value) {
          seen[std::string(name)] = value;
        });
    const std::string unit = fmt::format("vis{}/", side);
    ExpectNear("patches", MapSlice(seen["sam.patches"]), Unit(unit + "patch_embed"));
    for (int block = 0; block < 4; ++block) {
      const std::string name = fmt::format("sam.block{}", block);
      ExpectNear(name, MapSlice(seen[name]),
                 Unit(fmt::format("{}sam_block{}", unit, block)));
    }
    ExpectNear("sam", MapSlice(seen["sam"].permute({0, 2, 3, 1})),
               Unit(unit + "sam_out"));
    const int64_t tokens = seen["clip"].size(1);
    for (int layer = 0; layer < 4; ++layer) {
      const std::string name = fmt::format("clip.layer{}", layer);
      ExpectNear(name, TokenSlice(seen[name], {0, 1, tokens / 2, tokens - 1}),
                 Unit(fmt::format("{}clip_layer{}", unit, layer)));
    }
    const int64_t places = features.size(1);
    ExpectNear("projector", TokenSlice(features, {0, places / 2, places - 1}),
               Unit(unit + "proj"));
  }
}

TEST_F(NetworkTest, GivesTheVendorsLogitsForText) {
  const at::Tensor ids = Unit("lm/input_ids").to(at::kLong);
  KeyValueCache cache;
  const at::Tensor hidden =
      network_->decoder().Forward(network_->decoder().Embed(ids), cache);
  ExpectNear("logits", network_->decoder().Logits(hidden), Unit("lm/logits"));
}

TEST_F(NetworkTest, GivesTheSameLogitsTokenByToken) {
  const at::Tensor ids = Unit("lm/input_ids").to(at::kLong);
  KeyValueCache cache;
  std::vector<at::Tensor> logits;
  for (int64_t i = 0; i < ids.size(0); ++i) {
    const at::Tensor hidden = network_->decoder().Forward(
        network_->decoder().Embed(ids.narrow(0, i, 1)), cache);
    logits.push_back(network_->decoder().Logits(hidden));
  }
  EXPECT_EQ(cache.length(), ids.size(0));
  ExpectNear("logits", at::cat(logits, 0), Unit("lm/logits"));
}

TEST_F(NetworkTest, LoadsAllThreeLayoutsAlike) {
  const at::Tensor ids = Unit("lm/input_ids").to(at::kLong);
  for (const char* layout : {"tiny-sharded", "tiny-bf16"}) {
    SCOPED_TRACE(layout);
    Result<Network> other = Network::Load(Golden() / layout, {});
    ASSERT_TRUE(other.ok()) << other.error().message();
    KeyValueCache cache;
    const at::Tensor logits = other.value().decoder().Logits(
        other.value().decoder().Forward(other.value().decoder().Embed(ids), cache));
    // Rounded weights give different, but similar numbers.
    const double difference = (logits - Unit("lm/logits")).abs().max().item<double>();
    EXPECT_LT(difference, std::string(layout) == "tiny-bf16" ? 1.0 : kTolerance);
  }
}

TEST_F(NetworkTest, SamplingIsReproducibleAndDependsOnTheSeed) {
  const at::Tensor given = Unit("lm/input_ids").to(at::kLong);
  GenerateInput input;
  input.prompt.assign(given.data_ptr<int64_t>(),
                      given.data_ptr<int64_t>() + given.size(0));
  input.image_id = -1;
  const auto generate = [&](uint64_t seed) {
    GenerateOptions options;
    options.max_new_tokens = 12;
    options.temperature = 1.5;
    options.seed = seed;
    Result<Generated> generated = Generate(*network_, input, options);
    EXPECT_TRUE(generated.ok()) << generated.error().message();
    return generated.value().ids;
  };
  EXPECT_EQ(generate(1), generate(1));
  EXPECT_NE(generate(1), generate(2));
}

}  // namespace
}  // namespace ridgeline::networks::deepseek_ocr
