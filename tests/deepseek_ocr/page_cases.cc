#include "tests/deepseek_ocr/page_cases.h"

#include <algorithm>
#include <map>

#include "base/digest.h"
#include "model_io/images/decode.h"
#include "models/deepseek_ocr/network/generate.h"
#include "models/deepseek_ocr/network/page_tensors.h"
#include "models/deepseek_ocr/preprocess.h"
#include "models/deepseek_ocr/prompt.h"

namespace ridgeline::ocr_cases {
namespace {

namespace fs = std::filesystem;
namespace ocr = models::deepseek_ocr;
namespace net = networks::deepseek_ocr;

struct Page {
  images::Image picture;
  ocr::PageViews views;
  ocr::PreprocessOptions options;
  net::GenerateInput input;
};

// `place` has image, base_size, image_size and crop_mode.
Result<Page> Prepare(const fs::path& folder, const Model& model, const Json& place,
                     const std::string& prompt) {
  Page page;
  const std::string image = place.at("image");
  RIDGELINE_TRY(page.picture, images::LoadImage(folder / "images" / image));
  page.options = {.base_size = place.at("base_size"),
                  .image_size = place.at("image_size"),
                  .crop_mode = place.at("crop_mode")};
  RIDGELINE_TRY(page.views, ocr::MakeViews(page.picture, page.options));
  RIDGELINE_TRY(const int64_t placeholders,
                ocr::CountPlaceholders(page.views, page.options));
  page.input.image_id = model.image_id;
  page.input.page = net::ToTensors(page.views, model.network.options());
  page.input.prompt = ocr::BuildPrompt(
      prompt,
      {.bos_id = model.network.dimensions().decoder.bos_id,
       .image_id = model.image_id,
       .placeholders = placeholders},
      [&model](std::string_view text) { return model.tokenizer.Encode(text); });
  return page;
}

std::string Sha(const images::Image& image) {
  return ridgeline::Sha256(
      {reinterpret_cast<const char*>(image.rgb.data()), image.rgb.size()});
}

std::vector<int64_t> Unrolled(const Json& runs) {
  std::vector<int64_t> values;
  for (const Json& run : runs) {
    values.insert(values.end(), run.at(1).get<size_t>(), run.at(0).get<int64_t>());
  }
  return values;
}

void CheckViews(const Json& entry, const Page& page, Findings& findings) {
  const ocr::PageViews& views = page.views;
  findings.Equal("decoded", Sha(page.picture), entry.at("decoded").at("rgb_sha256"));
  findings.Equal("grid", Json({views.grid_cols, views.grid_rows}),
                 entry.at("grid_cols_rows"));
  findings.Equal("crops", views.crops.size(), entry.at("num_crops"));
  const Json& want = entry.at("views");
  findings.Equal("views", views.crops.size() + 1, want.size());
  for (size_t i = 0; i < want.size() && i <= views.crops.size(); ++i) {
    findings.Equal(fmt::format("view {}", i),
                   Sha(i == 0 ? views.global : views.crops[i - 1]),
                   want[i].at("u8_sha256"));
  }
}

void CheckIds(const Json& entry, const Page& page, Findings& findings) {
  const std::vector<int64_t>& ids = page.input.prompt;
  findings.Equal("input ids", ids, Unrolled(entry.at("input_ids_rle")));
  findings.Equal("length", ids.size(), entry.at("seq_len"));
  findings.Equal("image tokens", std::count(ids.begin(), ids.end(), page.input.image_id),
                 entry.at("num_image_tokens"));
  findings.Equal("first image token",
                 std::find(ids.begin(), ids.end(), page.input.image_id) - ids.begin(),
                 entry.at("image_token_first_pos"));
}

// The first and the last view.
at::Tensor Ends(const at::Tensor& views) {
  if (views.size(0) == 1) return views;
  return views.index_select(0, at::tensor({int64_t{0}, views.size(0) - 1}, at::kLong));
}

at::Tensor At(const at::Tensor& tokens, const std::vector<int64_t>& places) {
  return Ends(tokens).index_select(1, at::tensor(places, at::kLong));
}

using Seen = std::map<std::string, at::Tensor, std::less<>>;

void CheckVision(const std::string& id, std::string_view side, const Seen& seen,
                 const Tensors& recorded, Findings& findings) {
  const auto near = [&](const char* part, const at::Tensor& got) {
    findings.Near(fmt::format("{} {}", side, part), got,
                  recorded.Get(fmt::format("{}/{}/{}_slice", id, side, part)));
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

void CheckPrefill(const Json& entry, const Model& model, const Page& page,
                  const Tensors& recorded, Findings& findings) {
  const std::string id = entry.at("id");
  std::vector<Seen> encodings;
  net::VisionTimes times;
  const at::Tensor features = model.network.vision().EncodePage(
      page.input.page, times, [&](std::string_view name, const at::Tensor& value) {
        if (name == "sam.patches") encodings.emplace_back();
        encodings.back()[std::string(name)] = value;
      });
  if (encodings.size() == 2) CheckVision(id, "local", encodings[0], recorded, findings);
  CheckVision(id, "global", encodings.back(), recorded, findings);

  const auto embedded =
      model.network.Embed(page.input.prompt, page.input.image_id, features);
  if (!embedded.ok()) return findings.Wrong(embedded.error().message());
  const std::vector<int64_t> positions = entry.at("positions32");
  const at::Tensor places = at::tensor(positions, at::kLong);
  findings.Near("embeddings", embedded.value().index_select(0, places).narrow(1, 0, 16),
                recorded.Get(id + "/inputs_embeds_at"));
  const net::Decoder& decoder = model.network.decoder();
  net::KeyValueCache cache;
  std::vector<at::Tensor> last;
  const at::Tensor hidden = decoder.Forward(
      embedded.value(), cache,
      [&last](std::string_view, const at::Tensor& value) { last.push_back(value[-1]); });
  findings.Near("hidden", at::stack(last, 0), recorded.Get(id + "/hidden_last"));
  const at::Tensor logits = decoder.Logits(hidden);
  findings.Near("logits", logits[-1], recorded.Get(id + "/prefill_last_logits"));
  const auto [top, ids] = logits.index_select(0, places).topk(5, -1);
  findings.Near("top 5 of 32 positions", top,
                recorded.Get(id + "/positions32_top5_logits"));
}

// Up to the first step that no two implementations need agree on.
void CheckSequence(const std::string& name, const Json& want,
                   const std::vector<int64_t>& got, Findings& findings) {
  const std::vector<int64_t> ids = want.at("ids");
  const size_t decisive = std::min(want.at("decisive_until").get<size_t>(), ids.size());
  const auto [a, b] = std::mismatch(got.begin(), got.end(), ids.begin(), ids.end());
  const size_t same = static_cast<size_t>(a - got.begin());
  findings.Equal(name + " tokens", std::min(same, decisive), decisive);
}

std::optional<std::vector<int64_t>> Generated(const Model& model, const Page& page,
                                              const net::GenerateOptions& options,
                                              Findings& findings) {
  auto generated = net::Generate(model.network, page.input, options);
  if (generated.ok()) return generated.value().ids;
  findings.Wrong(generated.error().message());
  return std::nullopt;
}

void CheckGenerated(const Json& entry, const Model& model, const Page& page,
                    Findings& findings) {
  for (const auto& [name, want] : entry.at("generate").items()) {
    net::GenerateOptions options;
    options.max_new_tokens = entry.at("max_new_tokens");
    options.no_repeat_ngram_size = std::stoll(name.substr(std::string("ngram").size()));
    const auto ids = Generated(model, page, options, findings);
    if (!ids) continue;
    CheckSequence(name, want, *ids, findings);
    if (Json(*ids) != want.at("ids")) continue;
    const std::vector<int32_t> narrow(ids->begin(), ids->end());
    findings.Equal(name + " text", model.tokenizer.Decode(narrow), want.at("text"));
    findings.Equal(name + " clean text",
                   model.tokenizer.Decode(narrow, tokenizers::SpecialTokens::kSkip),
                   want.at("text_skip_special"));
  }
}

}  // namespace

Findings CheckPage(const fs::path& folder, const Model& model, const Tensors& recorded,
                   const Json& entry) {
  Findings findings;
  const Result<Page> page = Prepare(folder, model, entry, entry.at("prompt"));
  if (!page.ok()) {
    findings.Wrong(page.error().message());
    return findings;
  }
  CheckViews(entry, page.value(), findings);
  CheckIds(entry, page.value(), findings);
  CheckPrefill(entry, model, page.value(), recorded, findings);
  CheckGenerated(entry, model, page.value(), findings);
  return findings;
}

Findings CheckBf16Page(const fs::path& folder, const Model& model,
                       const Tensors& recorded, const Json& entry) {
  Findings findings;
  const Result<Page> page = Prepare(folder, model, entry, entry.at("prompt"));
  if (!page.ok()) {
    findings.Wrong(page.error().message());
    return findings;
  }
  const Json& want = entry.at("bf16_weights_fp32_compute");
  at::Tensor first;
  net::GenerateOptions options;
  options.max_new_tokens = static_cast<int64_t>(want.at("ids").size());
  options.on_logits = [&first](const at::Tensor& logits) {
    if (!first.defined()) first = logits.clone();
  };
  const auto ids = Generated(model, page.value(), options, findings);
  if (!ids) return findings;
  CheckSequence("bf16", want, *ids, findings);
  findings.Near(
      "logits", first,
      recorded.Get(entry.at("id").get<std::string>() + "/fp32c/prefill_last_logits"));
  return findings;
}

Findings CheckPromptIds(const fs::path& folder, const Model& model, const Json& common,
                        const Json& row) {
  Findings findings;
  const Result<Page> page = Prepare(folder, model, common, row.at("prompt"));
  if (!page.ok()) {
    findings.Wrong(page.error().message());
    return findings;
  }
  const std::vector<int64_t>& ids = page.value().input.prompt;
  findings.Equal("ids", ids, Unrolled(row.at("input_ids_rle")));
  std::vector<int64_t> mask;
  for (const int64_t id : ids) mask.push_back(id == model.image_id ? 1 : 0);
  findings.Equal("mask", mask, Unrolled(row.at("image_mask_rle")));
  return findings;
}

}  // namespace ridgeline::ocr_cases
