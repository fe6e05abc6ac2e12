// NVTX ranges of a whole program, including its child processes.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridgeline::nvtx {

// NVTX events of one process, read from the file of the injection library.

enum class RangeKind { kPushPop, kStartEnd, kMark };

struct RangeTimes {
  int64_t total_ns = 0;
  int64_t min_ns = 0;
  int64_t max_ns = 0;

  bool operator==(const RangeTimes&) const = default;
};

// One label in one position.
struct RangeRow {
  std::string domain;  // Empty: the default domain.
  std::string label;
  RangeKind kind = RangeKind::kPushPop;
  bool registered = false;
  bool wide = false;              // The label was passed as wchar_t.
  std::vector<std::string> path;  // Enclosing push/pop ranges, outermost first.
  int64_t opened = 0;
  int64_t closed = 0;               // Number closed before the program ended.
  std::optional<RangeTimes> times;  // For closed ranges; marks have none.
  int64_t threads = 0;
  int64_t processes = 1;

  bool operator==(const RangeRow&) const = default;
};

// Dropped events, by reason.
struct LeftOut {
  int64_t ranges = 0;  // Beyond the maximum number of labels.
  int64_t reentrant_calls = 0;
  int64_t pops_without_push = 0;
  int64_t ends_without_start = 0;
  int64_t labels_shortened = 0;
  int64_t ranges_too_deep = 0;  // Listed at the last level.

  bool operator==(const LeftOut&) const = default;
};

struct ProcessEvents {
  int64_t pid = 0;
  int64_t parent_pid = 0;
  std::string program;
  bool complete = false;  // False: killed, or exited with _exit().
  int64_t threads = 0;
  LeftOut left_out;
  std::vector<RangeRow> ranges;
};

// "push/pop"
std::string_view Name(RangeKind kind);
// As in files: "push_pop".
std::string_view Word(RangeKind kind);

// `origin` is the prefix of error messages.
Result<ProcessEvents> ParseProcessEvents(std::string_view json, std::string_view origin);

struct ListedProcess {
  int64_t pid = 0;
  int64_t parent_pid = 0;
  std::string program;
  bool complete = false;
  int64_t threads = 0;
};

struct Listing {
  std::vector<RangeRow> ranges;          // In order of first appearance.
  std::vector<ListedProcess> processes;  // Processes that used NVTX.
  LeftOut left_out;
};

// The same label in the same position is one row, whichever processes opened it.
Listing Merge(std::span<const ProcessEvents> processes);

// A table for people, with notes below it; ends with a newline. If there are no ranges,
// says so with the possible reasons.
std::string ToText(const Listing& listing);

}  // namespace ridgeline::nvtx
