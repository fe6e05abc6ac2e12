#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/units.h"
#include "base/utf8.h"
#include "collectors/nvtx/listing.h"

namespace ridgeline::nvtx {
namespace {

constexpr const char* kNoRanges =
    "no NVTX ranges found. Either the program opens none on this code path, or its NVTX\n"
    "does not load tools:\n"
    "  - it uses NVTX 2 (linked with libnvToolsExt.so), which loads tools differently;\n"
    "    only NVTX 3, which is header-only, is supported\n"
    "  - it was compiled with NVTX_DISABLE, or without NVTX (often an option of the\n"
    "    build or of the program: --nvtx, --profile)\n"
    "  - it is statically linked and cannot load a library, or is a 32-bit program\n"
    "  - it clears the environment of its child processes: NVTX_INJECTION64_PATH must\n"
    "    reach them\n"
    "  - Python: the package nvtx does nothing if NVTX_DISABLE is set, and torch "
    "without\n"
    "    CUDA has no NVTX (torch.cuda.nvtx)\n";

constexpr size_t kColumns = 11;
using Line = std::array<std::string, kColumns>;

const Line kHeading = {"label", "domain", "kind",       "count",   "total", "mean",
                       "min",   "max",    "registered", "threads", "parent"};
constexpr std::array<bool, kColumns> kToTheRight = {false, false, false, true, true, true,
                                                    true,  true,  false, true, false};

std::string TimeText(double ns) {
  return ns < 1e3 ? fmt::format("{:.0f} ns", ns) : units::Seconds(ns * 1e-9);
}

// Untrusted text for the terminal: a single line, nothing that moves the cursor.
std::string Printable(std::string_view text) {
  std::string shown;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) {
      shown += fmt::format("\\x{:02x}", byte);
    } else {
      shown += c;
    }
  }
  return shown;
}

Line LineOf(const RangeRow& row) {
  Line line = {row.label.empty() ? "(no label)" : Printable(row.label),
               row.domain.empty() ? "(default)" : Printable(row.domain),
               std::string(Name(row.kind)), fmt::format("{}", row.opened)};
  std::fill(line.begin() + 4, line.begin() + 8, "-");
  if (row.times) {
    line[4] = TimeText(static_cast<double>(row.times->total_ns));
    line[5] = TimeText(static_cast<double>(row.times->total_ns) /
                       static_cast<double>(row.closed));
    line[6] = TimeText(static_cast<double>(row.times->min_ns));
    line[7] = TimeText(static_cast<double>(row.times->max_ns));
  }
  line[8] = std::string(row.registered ? "yes" : "no") + (row.wide ? ", wide" : "");
  line[9] = fmt::format("{}", row.threads);
  for (const std::string& label : row.path) {
    line[10] += (line[10].empty() ? "" : "/") + Printable(label);
  }
  return line;
}

// In characters; assumes one column each.
size_t Width(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(),
                                           [](char c) { return !IsInsideCharacter(c); }));
}

std::string Aligned(const std::vector<Line>& lines) {
  std::array<size_t, kColumns> widths = {};
  for (const Line& line : lines) {
    for (size_t i = 0; i < kColumns; ++i) widths[i] = std::max(widths[i], Width(line[i]));
  }
  std::string text;
  for (const Line& line : lines) {
    std::string row;
    for (size_t i = 0; i < kColumns; ++i) {
      const std::string blanks(widths[i] - Width(line[i]), ' ');
      if (i > 0) row += "  ";
      row += kToTheRight[i] ? blanks + line[i] : line[i] + blanks;
    }
    row.erase(row.find_last_not_of(' ') + 1);
    text += row + "\n";
  }
  return text;
}

void AddNote(std::string& text, const char* what, int64_t count) {
  if (count > 0) text += fmt::format("note: {}: {}\n", what, count);
}

std::string Notes(const Listing& listing) {
  std::string text;
  int64_t open = 0;
  for (const RangeRow& row : listing.ranges) {
    open += row.kind != RangeKind::kMark && row.opened > row.closed ? 1 : 0;
  }
  int64_t cut_off = 0;
  for (const ListedProcess& process : listing.processes) {
    cut_off += process.complete ? 0 : 1;
  }
  AddNote(text, "rows with a range still open at exit; its time is not counted", open);
  AddNote(text, "processes killed or ended by _exit(); their last 0.1 s may be missing",
          cut_off);
  const LeftOut& left_out = listing.left_out;
  AddNote(text, "ranges dropped: more than 65536 labels", left_out.ranges);
  AddNote(text, "calls dropped: made inside another call (by a signal handler)",
          left_out.reentrant_calls);
  AddNote(text, "pops without an open range", left_out.pops_without_push);
  AddNote(text, "ends without an open range", left_out.ends_without_start);
  AddNote(text, "labels truncated to 1024 bytes", left_out.labels_shortened);
  AddNote(
      text,
      "ranges opened deeper than 64 levels, listed on level 64 (pushes without a pop?)",
      left_out.ranges_too_deep);
  return text;
}

}  // namespace

std::string ToText(const Listing& listing) {
  if (listing.ranges.empty()) return kNoRanges + Notes(listing);
  std::vector<Line> lines = {kHeading};
  for (const RangeRow& row : listing.ranges) lines.push_back(LineOf(row));
  return Aligned(lines) + Notes(listing);
}

}  // namespace ridgeline::nvtx
