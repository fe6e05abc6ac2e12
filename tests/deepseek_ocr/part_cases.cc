#include "tests/deepseek_ocr/part_cases.h"

#include <cstdio>

#include "model_io/images/resize.h"
#include "models/deepseek_ocr/ngram_ban.h"
#include "models/deepseek_ocr/preprocess.h"

namespace ridgeline::ocr_cases {
namespace {

namespace ocr = models::deepseek_ocr;

images::Image ToImage(const at::Tensor& bytes) {
  images::Image image;
  image.height = static_cast<int>(bytes.size(0));
  image.width = static_cast<int>(bytes.size(1));
  image.rgb.assign(bytes.data_ptr<uint8_t>(), bytes.data_ptr<uint8_t>() + bytes.numel());
  return image;
}

std::vector<int32_t> ToVector(const at::Tensor& values) {
  return {values.data_ptr<int32_t>(), values.data_ptr<int32_t>() + values.numel()};
}

}  // namespace

// Names are grid2x3_b1024_i640_crop: columns, rows, sizes.
Findings CheckLayouts(const Tensors& recorded) {
  Findings findings;
  for (const std::string& name : recorded.names()) {
    ocr::GridChoice grid;
    ocr::PreprocessOptions options;
    char mode[16] = {};
    if (std::sscanf(name.c_str(), "grid%dx%d_b%d_i%d_%15s", &grid.cols, &grid.rows,
                    &options.base_size, &options.image_size, mode) != 5) {
      findings.Wrong(name + ": what is that?");
      continue;
    }
    options.crop_mode = std::string_view(mode) == "crop";
    const auto layout = ocr::LayoutTokens(grid, options);
    if (!layout.ok()) {
      findings.Wrong(name + ": " + layout.error().message());
      continue;
    }
    findings.Equal(name, layout.value().features, ToVector(recorded.Get(name)));
  }
  return findings;
}

Findings CheckCropGrids(const Json& file) {
  Findings findings;
  for (const Json& row : file.at("rows")) {
    const ocr::GridChoice grid = ocr::ChooseGrid(row.at(0), row.at(1));
    findings.Equal(fmt::format("{}x{}", row.at(0).dump(), row.at(1).dump()),
                   Json({grid.cols, grid.rows, grid.crops()}),
                   Json({row.at(2), row.at(3), row.at(4)}));
  }
  return findings;
}

Findings CheckNgramBans(const Json& file) {
  Findings findings;
  for (size_t i = 0; i < file.size(); ++i) {
    ocr::NgramBan ban(file[i].at("n"));
    for (const int64_t token : file[i].at("seq")) ban.Append(token);
    std::vector<int64_t> banned = ban.Banned();
    std::sort(banned.begin(), banned.end());
    banned.erase(std::unique(banned.begin(), banned.end()), banned.end());
    std::vector<int64_t> want = file[i].at("banned");
    std::sort(want.begin(), want.end());
    want.erase(std::unique(want.begin(), want.end()), want.end());
    findings.Equal(fmt::format("entry {}", i), banned, want);
  }
  return findings;
}

Findings CheckResizing(const Json& file, const Tensors& recorded) {
  constexpr images::Colour kGrey = {127, 127, 127};
  Findings findings;
  for (const Json& row : file) {
    const std::string op = row.at("op");
    const std::string name = op + row.at("k").dump();
    const images::Image source = ToImage(recorded.Get(name + "/in"));
    const images::Image want = ToImage(recorded.Get(name + "/out"));
    const auto got = op == "pad" ? images::PadResize(source, want.width, kGrey)
                                 : Result<images::Image>(images::ResizeBicubic(
                                       source, want.width, want.height));
    if (!got.ok()) {
      findings.Wrong(name + ": " + got.error().message());
      continue;
    }
    findings.Equal(name, got.value().rgb, want.rgb);
  }
  return findings;
}

Findings CheckTokenizer(const tokenizers::Tokenizer& tokenizer, const Json& file) {
  Findings findings;
  const auto check_decoding = [&](const Json& row, const std::string& what) {
    const std::vector<int32_t> ids = row.at("ids");
    findings.Equal(what + " decoded", tokenizer.Decode(ids), row.at("decoded"));
    findings.Equal(what + " decoded without special tokens",
                   tokenizer.Decode(ids, tokenizers::SpecialTokens::kSkip),
                   row.at("decoded_skip_special"));
  };
  for (const Json& row : file.at("encode")) {
    const std::string text = row.at("text");
    const std::string what =
        Json(text.substr(0, 40)).dump(-1, ' ', true, Json::error_handler_t::replace);
    findings.Equal(what, tokenizer.Encode(text), row.at("ids"));
    findings.Equal(what + " with BOS",
                   tokenizer.Encode(text, {.add_special_tokens = true}),
                   row.at("ids_with_bos"));
    check_decoding(row, what);
  }
  for (const Json& row : file.value("decode_only", Json::array())) {
    check_decoding(row, row.at("ids").dump());
  }
  return findings;
}

}  // namespace ridgeline::ocr_cases
