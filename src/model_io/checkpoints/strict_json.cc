#include "model_io/checkpoints/strict_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/json.h"

namespace ridgeline::checkpoints {
namespace {

using Json = nlohmann::json;

// Real files are not nested deeper; rejecting early saves memory.
constexpr size_t kDepthMax = 32;

// "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error while
// parsing value - invalid literal; last read: '...'": without the name of our library,
// and without the text read, which may be the whole file.
std::string_view WithoutLibrary(std::string_view what) {
  what.remove_prefix(std::min(what.find("] ") + 2, what.size()));
  return what.substr(0, what.find("; last read"));
}

// Checks the whole text without storing it. The library itself keeps the last of
// duplicate keys, and its hook against that takes quadratic time in a large object.
class Watch final : public nlohmann::json_sax<Json> {
 public:
  const std::string& problem() const { return problem_; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }

  bool start_object(size_t) override {
    keys_.emplace_back();
    return Deeper();
  }
  bool key(string_t& key) override {
    if (keys_.back().insert(key).second) return true;
    return Fail(fmt::format("has duplicate key {}", Quoted(key)));
  }
  bool end_object() override {
    keys_.pop_back();
    --depth_;
    return true;
  }
  bool start_array(size_t) override { return Deeper(); }
  bool end_array() override {
    --depth_;
    return true;
  }

  bool parse_error(size_t, const std::string&,
                   const nlohmann::detail::exception& error) override {
    return Fail(fmt::format("is not JSON: {}", WithoutLibrary(error.what())));
  }

 private:
  bool Deeper() {
    if (++depth_ <= kDepthMax) return true;
    return Fail(fmt::format("is nested more than {} levels deep", kDepthMax));
  }
  bool Fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  std::vector<std::unordered_set<std::string>> keys_;  // Of the enclosing objects.
  size_t depth_ = 0;
  std::string problem_;
};

}  // namespace

Result<Json> ParseStrictJson(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) {
    return Error(ErrorCode::kParse, "is not JSON: contains a NUL byte");
  }
  Watch watch;
  if (!Json::sax_parse(text, &watch)) return Error(ErrorCode::kParse, watch.problem());
  return ParseJson<Json>(text);
}

std::string Quoted(std::string_view name) {
  constexpr size_t kShown = 200;
  if (name.size() <= kShown) return fmt::format("'{}'", name);
  return fmt::format("'{}...' ({} bytes)", name.substr(0, kShown), name.size());
}

}  // namespace ridgeline::checkpoints
