// deepseek_ocr_cases DIR [--list]: runs every recorded case of a folder in the layout of
// the golden data (a checkpoint, images/, golden/cases.json and cases.safetensors) and
// prints per case what differs, and by how much. Ends with 1 if anything does.
#include <c10/core/InferenceMode.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "artifacts/sha256.h"
#include "checkpoints/safetensors.h"
#include "images/decode.h"
#include "inference/page_tensors.h"
#include "models/deepseek_ocr/preprocess.h"
#include "models/deepseek_ocr/prompt.h"
#include "networks/deepseek_ocr/generate.h"
#include "networks/deepseek_ocr/network.h"
#include "networks/shared/device.h"
#include "tokenizers/tokenizer.h"

namespace {

namespace fs = std::filesystem;
namespace ocr = ridgeline::models::deepseek_ocr;
namespace net = ridgeline::networks::deepseek_ocr;
using Json = nlohmann::json;
using ridgeline::Result;

constexpr double kTolerance = 1e-4;

std::string ReadAll(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// What was found in one case.
class Findings {
 public:
  void Wrong(std::string text) { wrong_.push_back(std::move(text)); }
  void Equal(std::string_view what, const Json& got, const Json& want) {
    if (got != want)
      Wrong(fmt::format("{}: {} instead of {}", what, got.dump(), want.dump()));
  }
  void Near(std::string_view what, const at::Tensor& got, const at::Tensor& want) {
    if (got.sizes() != want.sizes()) {
      Wrong(fmt::format("{}: another shape", what));
      return;
    }
    const double difference =
        (got.to(at::kDouble) - want.to(at::kDouble)).abs().max().item<double>();
    largest_ = std::max(largest_, difference);
    if (!(difference <= kTolerance)) {
      Wrong(fmt::format("{}: differs by {:.3g}", what, difference));
    }
  }
  const std::vector<std::string>& wrong() const { return wrong_; }
  double largest() const { return largest_; }

 private:
  std::vector<std::string> wrong_;
  double largest_ = 0;
};

class Cases {
 public:
  Cases(fs::path directory, net::Network network,
        ridgeline::tokenizers::Tokenizer tokenizer,
        ridgeline::checkpoints::SafetensorsFile tensors)
      : directory_(std::move(directory)),
        network_(std::move(network)),
        tokenizer_(std::move(tokenizer)),
        tensors_(std::move(tensors)) {}

  Findings Run(const Json& entry) {
    Findings findings;
    const std::string id = entry.at("id");
    auto picture =
        ridgeline::images::LoadImage(directory_ / "images" / entry.at("image"));
    if (!picture.ok()) {
      findings.Wrong(picture.error().message());
      return findings;
    }
    const ocr::PreprocessOptions options{.base_size = entry.at("base_size"),
                                         .image_size = entry.at("image_size"),
                                         .crop_mode = entry.at("crop_mode")};
    auto views = ocr::MakeViews(picture.value(), options);
    if (!views.ok()) {
      findings.Wrong(views.error().message());
      return findings;
    }
    CheckViews(entry, picture.value(), views.value(), findings);
    net::GenerateInput input;
    input.image_id = tokenizer_.IdOf("<image>").value_or(-1);
    input.page = ridgeline::inference::ToTensors(views.value(), network_.options());
    input.prompt = ocr::BuildPrompt(
        entry.at("prompt").get<std::string>(),
        {.bos_id = network_.dimensions().decoder.bos_id,
         .image_id = input.image_id,
         .placeholders = ocr::CountPlaceholders(views.value(), options).value()},
        [this](std::string_view text) { return tokenizer_.Encode(text); });
    CheckIds(entry, input.prompt, findings);
    CheckPrefill(entry, id, input, findings);
    CheckGenerated(entry, input, findings);
    return findings;
  }

 private:
  static std::string Sha(const ridgeline::images::Image& image) {
    return ridgeline::artifacts::Sha256(
        {reinterpret_cast<const char*>(image.rgb.data()), image.rgb.size()});
  }

  static void CheckViews(const Json& entry, const ridgeline::images::Image& picture,
                         const ocr::PageViews& views, Findings& findings) {
    findings.Equal("decoded", Sha(picture), entry.at("decoded").at("rgb_sha256"));
    findings.Equal("grid", Json({views.grid_cols, views.grid_rows}),
                   entry.at("grid_cols_rows"));
    findings.Equal("crops", views.crops.size(), entry.at("num_crops"));
    const Json& want = entry.at("views");
    for (size_t i = 0; i < want.size() && i <= views.crops.size(); ++i) {
      findings.Equal(fmt::format("view {}", i),
                     Sha(i == 0 ? views.global : views.crops[i - 1]),
                     want[i].at("u8_sha256"));
    }
  }

  static void CheckIds(const Json& entry, const std::vector<int64_t>& ids,
                       Findings& findings) {
    std::vector<int64_t> want;
    for (const Json& run : entry.at("input_ids_rle")) {
      want.insert(want.end(), run.at(1).get<size_t>(), run.at(0).get<int64_t>());
    }
    if (ids != want) findings.Wrong("input ids differ");
  }

  at::Tensor Golden(const std::string& name) const {
    const auto* view = tensors_.Find(name);
    if (view == nullptr) return {};
    void* data = const_cast<std::byte*>(view->bytes.data());
    return at::from_blob(data, view->shape, at::TensorOptions().dtype(at::kFloat))
        .clone();
  }

  // The first and the last view.
  static at::Tensor Ends(const at::Tensor& views) {
    if (views.size(0) == 1) return views;
    return views.index_select(0, at::tensor({int64_t{0}, views.size(0) - 1}, at::kLong));
  }

  static at::Tensor At(const at::Tensor& tokens, std::vector<int64_t> places) {
    return Ends(tokens).index_select(1, at::tensor(places, at::kLong));
  }

  void CheckVision(const std::string& id, std::string_view side,
                   const std::map<std::string, at::Tensor>& seen, Findings& findings) {
    const auto near = [&](const char* part, const at::Tensor& got) {
      const at::Tensor want = Golden(fmt::format("{}/{}/{}_slice", id, side, part));
      if (want.defined()) findings.Near(fmt::format("{} {}", side, part), got, want);
    };
    const at::Tensor sam = Ends(seen.at("sam")).permute({0, 2, 3, 1});
    const int64_t n = sam.size(1);
    near("sam",
         at::stack({sam.select(1, 0).select(1, 0), sam.select(1, n / 2).select(1, n / 3),
                    sam.select(1, n - 1).select(1, n - 1)},
                   1));
    const int64_t tokens = seen.at("clip").size(1);
    near("clip", At(seen.at("clip"), {0, 1, tokens / 2, tokens - 1}));
    const int64_t places = seen.at("projector").size(1);
    near("proj", At(seen.at("projector"), {0, places / 2, places - 1}));
  }

  void CheckPrefill(const Json& entry, const std::string& id,
                    const net::GenerateInput& input, Findings& findings) {
    std::vector<std::map<std::string, at::Tensor>> encodings;
    const at::Tensor features = network_.vision().EncodePage(
        input.page, [&encodings](std::string_view name, const at::Tensor& value) {
          if (name == "sam.patches") encodings.emplace_back();
          encodings.back()[std::string(name)] = value;
        });
    if (encodings.size() == 2) CheckVision(id, "local", encodings[0], findings);
    CheckVision(id, "global", encodings.back(), findings);

    const auto embedded = network_.Embed(input.prompt, input.image_id, features);
    if (!embedded.ok()) {
      findings.Wrong(embedded.error().message());
      return;
    }
    const std::vector<int64_t> positions = entry.at("positions32");
    const at::Tensor places = at::tensor(positions, at::kLong);
    findings.Near("embeddings", embedded.value().index_select(0, places).narrow(1, 0, 16),
                  Golden(id + "/inputs_embeds_at"));
    net::KeyValueCache cache;
    std::vector<at::Tensor> last;
    const at::Tensor hidden = network_.decoder().Forward(
        embedded.value(), cache, [&last](std::string_view, const at::Tensor& value) {
          last.push_back(value[-1]);
        });
    findings.Near("hidden", at::stack(last, 0), Golden(id + "/hidden_last"));
    const at::Tensor logits = network_.decoder().Logits(hidden);
    findings.Near("logits", logits[-1], Golden(id + "/prefill_last_logits"));
    const auto [top, ids] = logits.index_select(0, places).topk(5, -1);
    findings.Near("top 5 of 32 positions", top, Golden(id + "/positions32_top5_logits"));
  }

  void CheckGenerated(const Json& entry, const net::GenerateInput& input,
                      Findings& findings) {
    for (const auto& [name, want] : entry.at("generate").items()) {
      net::GenerateOptions options;
      options.max_new_tokens = entry.at("max_new_tokens");
      options.no_repeat_ngram_size = std::stoll(name.substr(std::string("ngram").size()));
      const auto generated = net::Generate(network_, input, options);
      if (!generated.ok()) {
        findings.Wrong(generated.error().message());
        continue;
      }
      const std::vector<int64_t> ids = want.at("ids");
      const std::vector<int64_t>& got = generated.value().ids;
      const size_t decisive = want.at("decisive_until");
      const auto [a, b] = std::mismatch(got.begin(), got.end(), ids.begin(), ids.end());
      const size_t same = static_cast<size_t>(a - got.begin());
      if (same < std::min(decisive, ids.size())) {
        findings.Wrong(fmt::format("{}: token {} differs, of {} decisive ones", name,
                                   same, decisive));
      } else if (got == ids) {
        CheckText(name, want, got, findings);
      }
      ++sequences_;
    }
  }

  void CheckText(const std::string& name, const Json& want,
                 const std::vector<int64_t>& ids, Findings& findings) {
    const std::vector<int32_t> narrow(ids.begin(), ids.end());
    findings.Equal(name + " text", tokenizer_.Decode(narrow), want.at("text"));
    findings.Equal(name + " clean text",
                   tokenizer_.Decode(narrow, ridgeline::tokenizers::SpecialTokens::kSkip),
                   want.at("text_skip_special"));
  }

 public:
  int sequences_ = 0;

 private:
  fs::path directory_;
  net::Network network_;
  ridgeline::tokenizers::Tokenizer tokenizer_;
  ridgeline::checkpoints::SafetensorsFile tensors_;
};

// The checkpoint in f32 of the folder: not the rounded one, not the one in pieces.
fs::path CheckpointIn(const fs::path& directory) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(directory)) {
    const std::string name = entry.path().filename();
    if (fs::exists(entry.path() / "config.json") && name != "official" &&
        !name.ends_with("-bf16") && !name.ends_with("-sharded")) {
      found.push_back(entry.path());
    }
  }
  std::sort(found.begin(), found.end());
  return found.empty() ? directory / "tiny" : found.front();
}

int Fail(const std::string& text) {
  std::cerr << "deepseek_ocr_cases: " << text << '\n';
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return Fail("usage: deepseek_ocr_cases DIR [PART_OF_AN_ID]");
  const fs::path directory = argv[1];
  const std::string part = argc > 2 ? argv[2] : "";
  const c10::InferenceMode no_gradients;
  ridgeline::networks::UseAllThreads();
  const fs::path checkpoint = CheckpointIn(directory);
  auto network = net::Network::Load(checkpoint, {});
  if (!network.ok()) return Fail(network.error().message());
  auto tokenizer = ridgeline::tokenizers::Tokenizer::Load(checkpoint / "tokenizer.json");
  if (!tokenizer.ok()) return Fail(tokenizer.error().message());
  auto tensors = ridgeline::checkpoints::SafetensorsFile::Open(
      directory / "golden/cases.safetensors");
  if (!tensors.ok()) return Fail(tensors.error().message());
  Cases cases(directory, std::move(network).value(), std::move(tokenizer).value(),
              std::move(tensors).value());
  const Json recorded = Json::parse(ReadAll(directory / "golden/cases.json"));
  int count = 0;
  int bad = 0;
  double largest = 0;
  for (const Json& entry : recorded.at("cases")) {
    const std::string id = entry.at("id");
    if (id.find(part) == std::string::npos) continue;
    const Findings findings = cases.Run(entry);
    ++count;
    bad += findings.wrong().empty() ? 0 : 1;
    largest = std::max(largest, findings.largest());
    std::cout << fmt::format("{} {} (largest difference {:.2g})\n",
                             findings.wrong().empty() ? "equal " : "DIFFERS", id,
                             findings.largest());
    for (const std::string& line : findings.wrong()) std::cout << "    " << line << '\n';
  }
  std::cout << fmt::format(
      "{} of {} cases equal, {} sequences, largest difference {:.2g}\n", count - bad,
      count, cases.sequences_, largest);
  return bad == 0 && count > 0 ? 0 : 1;
}
