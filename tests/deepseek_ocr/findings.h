#pragma once

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::ocr_cases {

using Json = nlohmann::json;

// Two implementations in f32 differ by less on everything that was recorded.
constexpr double kTolerance = 1e-4;

// What was found in one case.
class Findings {
 public:
  void Wrong(std::string text) { wrong_.push_back(std::move(text)); }

  void Equal(std::string_view what, const Json& got, const Json& want) {
    ++checks_;
    if (got == want) return;
    Wrong(fmt::format("{}: {} instead of {}", what, Short(got), Short(want)));
  }

  void Near(std::string_view what, const at::Tensor& got, const at::Tensor& want) {
    ++checks_;
    if (!want.defined()) return Wrong(fmt::format("{}: is not recorded", what));
    if (got.sizes() != want.sizes()) {
      return Wrong(
          fmt::format("{}: has the shape {}, not {}", what, Shape(got), Shape(want)));
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
  int checks() const { return checks_; }

 private:
  static std::string Short(const Json& json) {
    std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    constexpr size_t kShown = 100;
    if (text.size() > kShown) text = text.substr(0, kShown) + "...";
    return text;
  }
  static std::string Shape(const at::Tensor& t) {
    return fmt::format("({})", fmt::join(t.sizes().vec(), ", "));
  }

  std::vector<std::string> wrong_;
  double largest_ = 0;
  int checks_ = 0;
};

}  // namespace ridgeline::ocr_cases
