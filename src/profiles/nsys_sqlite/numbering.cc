#include "profiles/nsys_sqlite/numbering.h"

#include "profiles/shared/decimal_time.h"

namespace ridgeline::profiles::nsys_sqlite {
namespace {

using results::ImportCounter;

template <typename Map, typename Key>
std::pair<uint32_t, bool> NumberIn(Map& map, const Key& key) {
  const auto next = static_cast<uint32_t>(map.size());
  const auto [place, is_new] = map.try_emplace(key, next);
  return {place->second, is_new};
}

}  // namespace

uint32_t Numbering::Process(int64_t global_pid) {
  const auto [number, is_new] = NumberIn(processes_, global_pid);
  if (is_new) rows_->processes.push_back(global_pid);
  return number;
}

uint32_t Numbering::Thread(int64_t global_tid) {
  if (last_thread_number_ != results::kNone && last_thread_ == global_tid) {
    return last_thread_number_;
  }
  const auto [number, is_new] = NumberIn(threads_, global_tid);
  if (is_new) {
    const uint32_t process = Process(ProcessOfThread(global_tid));
    rows_->threads.push_back({.global_tid = global_tid, .process = process});
  }
  last_thread_ = global_tid;
  last_thread_number_ = number;
  return number;
}

uint32_t Numbering::Domain(uint32_t process, int64_t id) {
  const auto [number, is_new] = NumberIn(domains_, std::pair(process, id));
  if (is_new) rows_->domains.push_back({.process = process, .id = id});
  return number;
}

std::optional<uint32_t> Numbering::Track(int64_t global_pid, int64_t device,
                                         int64_t stream) {
  const TrackKey key = {global_pid, device, stream};
  if (last_track_number_ != results::kNone && key == last_track_) {
    return last_track_number_;
  }
  if (tracks_.size() > results::kMaxTrack && !tracks_.contains(key)) return {};
  const auto [number, is_new] = NumberIn(tracks_, key);
  if (is_new) {
    const auto [device_number, is_new_device] = NumberIn(devices_, device);
    if (is_new_device) rows_->devices.push_back(device);
    rows_->tracks.push_back(
        {.process = Process(global_pid), .device = device_number, .stream = stream});
  }
  last_track_ = key;
  last_track_number_ = number;
  return number;
}

std::optional<RowTimes> TimesOf(std::optional<int64_t> start, std::optional<int64_t> end,
                                results::ImportCounts& left_out) {
  if (!start || !end) {
    left_out.Add(ImportCounter::kRowTimeMissing);
    return {};
  }
  // Half of the limit each, so that their difference stays below it.
  constexpr int64_t kLimit = kTimeLimitNs / 2;
  if (*start < -kLimit || *start > kLimit || *end < -kLimit || *end > kLimit) {
    left_out.Add(ImportCounter::kRowTimeOutOfRange);
    return {};
  }
  if (*end < *start) {
    left_out.Add(ImportCounter::kRowEndsBeforeItBegins);
    return {};
  }
  return RowTimes{*start, *end - *start};
}

}  // namespace ridgeline::profiles::nsys_sqlite
