#include "checkpoints/strict_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

namespace ridgeline::checkpoints {
namespace {

using Json = nlohmann::json;

// Nobody nests deeper, and what was not parsed costs no memory.
constexpr size_t kDepthMax = 32;

// Listens to the parser, which by itself takes the last of equal keys.
class Watch {
 public:
  const std::string& problem() const { return problem_; }

  // Says whether the parser is to keep the value.
  bool See(size_t depth, Json::parse_event_t event, const Json& value) {
    if (depth > kDepthMax)
      return Fail(fmt::format("is nested deeper than {}", kDepthMax));
    if (event == Json::parse_event_t::object_start) {
      // Keys of a mapping are seen one deeper than its begin. A new set, since
      // emptying the old one takes as long as it was ever large.
      keys_.resize(std::max(keys_.size(), depth + 2));
      keys_[depth + 1] = {};
    }
    if (event == Json::parse_event_t::key) {
      const auto& key = value.get_ref<const std::string&>();
      if (!keys_[depth].insert(key).second) {
        return Fail(fmt::format("has the key {} twice", Quoted(key)));
      }
    }
    return true;
  }

 private:
  bool Fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
    return false;
  }

  std::vector<std::unordered_set<std::string>> keys_;
  std::string problem_;
};

}  // namespace

Result<Json> ParseStrictJson(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) {
    return Error(ErrorCode::kParse, "is not JSON: it holds a zero byte");
  }
  try {
    Watch watch;
    Json document = Json::parse(
        text, [&watch](int depth, Json::parse_event_t event, const Json& value) {
          return watch.See(static_cast<size_t>(depth), event, value);
        });
    if (!watch.problem().empty()) return Error(ErrorCode::kParse, watch.problem());
    return document;
  } catch (const Json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: syntax error
    // while parsing value - invalid literal; last read: '...'": without our library's
    // name, and without what was read, which may be the whole file.
    std::string_view what = error.what();
    what.remove_prefix(std::min(what.find("] ") + 2, what.size()));
    return Error(
        ErrorCode::kParse,
        fmt::format("is not JSON: {}", what.substr(0, what.find("; last read"))));
  }
}

std::string Quoted(std::string_view name) {
  constexpr size_t kShown = 200;
  if (name.size() <= kShown) return fmt::format("'{}'", name);
  return fmt::format("'{}...' ({} bytes)", name.substr(0, kShown), name.size());
}

}  // namespace ridgeline::checkpoints
