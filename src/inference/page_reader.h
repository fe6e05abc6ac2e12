#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "inference/options.h"
#include "networks/deepseek_ocr/generate.h"
#include "networks/deepseek_ocr/network.h"
#include "tokenizers/tokenizer.h"

namespace ridgeline::inference {

// What the model made of one page.
struct Prediction {
  std::filesystem::path image;
  std::string text;        // With special tokens, without the end of text.
  std::string text_clean;  // Without any.
  networks::deepseek_ocr::Generated generated;
  double preprocess_s = 0;  // Reading, decoding and scaling the picture.
};

// The model with its tokenizer, ready to read pages.
class PageReader {
 public:
  // A checkpoint that is not there is made, if the options name a preset.
  static Result<PageReader> Load(const Options& options);

  Result<Prediction> Read(const std::filesystem::path& image,
                          int64_t max_new_tokens) const;

  const networks::deepseek_ocr::Network& network() const { return network_; }

 private:
  PageReader(const Options& options, networks::deepseek_ocr::Network network,
             tokenizers::Tokenizer tokenizer, int64_t image_id)
      : options_(options),
        network_(std::move(network)),
        tokenizer_(std::move(tokenizer)),
        image_id_(image_id) {}

  Options options_;
  networks::deepseek_ocr::Network network_;
  tokenizers::Tokenizer tokenizer_;
  int64_t image_id_;
};

}  // namespace ridgeline::inference
