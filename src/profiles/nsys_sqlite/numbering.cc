#include "profiles/nsys_sqlite/numbering.h"

#include <utility>

#include "profiles/shared/decimal_time.h"

namespace ridgeline::profiles::nsys_sqlite {
namespace {

using results::DropReason;

template <typename Map, typename Key>
std::pair<uint32_t, bool> NumberIn(Map& map, const Key& key) {
  const auto next = static_cast<uint32_t>(map.size());
  const auto [place, is_new] = map.try_emplace(key, next);
  return {place->second, is_new};
}

std::optional<std::string> ModelOf(const results::NsysHeader& header, int64_t device) {
  const auto model = header.gpu_name_of_device.find(device);
  if (model == header.gpu_name_of_device.end()) return std::nullopt;
  return model->second;
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

// Devices of two processes are the same GPU if the export states it, or if there is only
// one. Otherwise it is unknown, and they are kept separate.
uint32_t Numbering::Device(int64_t global_pid, int64_t device) {
  const results::NsysHeader& header = rows_->header;
  const auto gpu = header.gpu_of_process_device.find({PidOf(global_pid), device});
  const bool is_known = gpu != header.gpu_of_process_device.end();
  const bool is_only_one = header.gpu_names && header.gpu_names->size() == 1;
  std::string owner = is_known      ? "GPU " + gpu->second.id
                      : is_only_one ? ""
                                    : "process " + std::to_string(PidOf(global_pid));
  const auto [number, is_new] =
      NumberIn(devices_, DeviceKey(owner, is_known ? 0 : device));
  if (is_new) {
    rows_->devices.push_back({.id = device, .label = std::to_string(device)});
    rows_->devices.back().model = is_known ? gpu->second.name : ModelOf(header, device);
    owners_.push_back(std::move(owner));
    LabelDevices(device);
  }
  return number;
}

// If several have this number, labels include their owners.
void Numbering::LabelDevices(int64_t id) {
  std::vector<size_t> same;
  for (size_t i = 0; i < rows_->devices.size(); ++i) {
    if (rows_->devices[i].id == id) same.push_back(i);
  }
  if (same.size() < 2) return;
  for (const size_t i : same) {
    rows_->devices[i].label = std::to_string(id) + " (" + owners_[i] + ")";
  }
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
    rows_->tracks.push_back({.process = Process(global_pid),
                             .device = Device(global_pid, device),
                             .stream = stream});
  }
  last_track_ = key;
  last_track_number_ = number;
  return number;
}

std::optional<RowTimes> TimesOf(std::optional<int64_t> start, std::optional<int64_t> end,
                                results::DropCounts& left_out) {
  if (!start || !end) {
    left_out.Add(DropReason::kRowTimeMissing);
    return {};
  }
  // Half of the limit each, so that their difference stays below it.
  constexpr int64_t kLimit = kTimeLimitNs / 2;
  if (*start < -kLimit || *start > kLimit || *end < -kLimit || *end > kLimit) {
    left_out.Add(DropReason::kRowTimeOutOfRange);
    return {};
  }
  if (*end < *start) {
    left_out.Add(DropReason::kRowEndsBeforeItBegins);
    return {};
  }
  return RowTimes{*start, *end - *start};
}

}  // namespace ridgeline::profiles::nsys_sqlite
