#include "serve/headline_cache.h"

#include "artifacts/run_files.h"
#include "base/json.h"
#include "os/files.h"

namespace ridgeline::serve {
namespace {

Headlines None(std::vector<std::string> problems) {
  return {HeadlinesOf(nullptr), std::move(problems)};
}

Headlines Read(const artifacts::RunDir& run_dir) {
  const Result<std::string> text =
      artifacts::ReadOwnFile(run_dir.root(), run_dir.metrics_json());
  if (!text.ok()) return None({text.error().message()});
  const nlohmann::json metrics = ParseJson<nlohmann::json>(text.value());
  if (metrics.is_discarded()) {
    return None({"metrics.json: not JSON; rebuild it with `ridgeline report`"});
  }
  return {HeadlinesOf(metrics), {}};
}

}  // namespace

Headlines HeadlineCache::Of(const artifacts::RunDir& run_dir) {
  if (!os::Exists(run_dir.metrics_json())) return None({});  // Not finished yet.
  // Taken before reading: data written meanwhile is read the next time.
  const Result<os::FileStamp> stamp = os::StampOf(run_dir.metrics_json());
  if (!stamp.ok()) return Read(run_dir);
  const std::string key = run_dir.root().string();
  {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(key);
    if (found != entries_.end() && found->second.stamp == stamp.value()) {
      return found->second.headlines;
    }
  }
  Headlines headlines = Read(run_dir);
  const std::lock_guard lock(mutex_);
  entries_[key] = {stamp.value(), headlines};
  return headlines;
}

}  // namespace ridgeline::serve
