// Assigns small numbers to processes, threads, devices and streams of an export.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "results/nsys_rows.h"

namespace ridgeline::profiles::nsys_sqlite {

// nsys encodes a thread as hardware, virtual machine, process and thread in a 64-bit
// number, with the thread in the lowest 24.
constexpr int64_t ProcessOfThread(int64_t global_tid) {
  return static_cast<int64_t>((static_cast<uint64_t>(global_tid) >> 24) << 24);
}

// The pid of the operating system.
constexpr int64_t PidOf(int64_t global_pid) {
  return static_cast<int64_t>((static_cast<uint64_t>(global_pid) >> 24) & 0xFFFFFF);
}

class Numbering {
 public:
  explicit Numbering(results::NsysRows& rows) : rows_(&rows) {}

  uint32_t Process(int64_t global_pid);
  uint32_t Thread(int64_t global_tid);
  uint32_t Domain(uint32_t process, int64_t id);
  // nullopt after the first 16 million.
  std::optional<uint32_t> Track(int64_t global_pid, int64_t device, int64_t stream);

 private:
  results::NsysRows* rows_;
  std::unordered_map<int64_t, uint32_t> processes_;
  std::unordered_map<int64_t, uint32_t> threads_;
  uint32_t Device(int64_t global_pid, int64_t device);
  void LabelDevices(int64_t id);

  using DeviceKey = std::pair<std::string, int64_t>;  // Owner, and device number.
  std::map<DeviceKey, uint32_t> devices_;
  std::vector<std::string> owners_;  // Like NsysRows::devices.
  std::map<std::pair<uint32_t, int64_t>, uint32_t> domains_;
  using TrackKey = std::tuple<int64_t, int64_t, int64_t>;
  std::map<TrackKey, uint32_t> tracks_;
  // Rows of the same stream, thread or domain are mostly consecutive.
  TrackKey last_track_;
  uint32_t last_track_number_ = results::kNone;
  int64_t last_thread_ = 0;
  uint32_t last_thread_number_ = results::kNone;
};

// Start and end of a row, if they are usable; problems are counted.
struct RowTimes {
  int64_t start_ns = 0;
  int64_t duration_ns = 0;
};
std::optional<RowTimes> TimesOf(std::optional<int64_t> start, std::optional<int64_t> end,
                                results::DropCounts& left_out);

}  // namespace ridgeline::profiles::nsys_sqlite
