#include "collectors/nvtx/listing.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace ridgeline::nvtx {
namespace {

// Saturates instead of overflowing.
void Add(int64_t& sum, int64_t value) {
  const int64_t room = std::numeric_limits<int64_t>::max() - sum;
  sum += std::min(room, value);
}

auto KeyOf(const RangeRow& row) {
  return std::tie(row.domain, row.path, row.label, row.kind, row.registered, row.wide);
}

void AddCounts(RangeRow& sum, const RangeRow& row) {
  Add(sum.opened, row.opened);
  Add(sum.closed, row.closed);
  Add(sum.threads, row.threads);
  if (!row.times) return;
  if (!sum.times) {
    sum.times = row.times;
    return;
  }
  Add(sum.times->total_ns, row.times->total_ns);
  sum.times->min_ns = std::min(sum.times->min_ns, row.times->min_ns);
  sum.times->max_ns = std::max(sum.times->max_ns, row.times->max_ns);
}

struct ByKey {
  bool operator()(const RangeRow* a, const RangeRow* b) const {
    return KeyOf(*a) < KeyOf(*b);
  }
};

void AddLeftOut(LeftOut& sum, const LeftOut& more) {
  Add(sum.ranges, more.ranges);
  Add(sum.reentrant_calls, more.reentrant_calls);
  Add(sum.pops_without_push, more.pops_without_push);
  Add(sum.ends_without_start, more.ends_without_start);
  Add(sum.labels_shortened, more.labels_shortened);
  Add(sum.ranges_too_deep, more.ranges_too_deep);
}

}  // namespace

Listing Merge(std::span<const ProcessEvents> processes) {
  struct Place {
    size_t index = 0;
    size_t process = 0;  // Counted last.
  };
  std::map<const RangeRow*, Place, ByKey> places;
  Listing listing;
  for (size_t p = 0; p < processes.size(); ++p) {
    const ProcessEvents& process = processes[p];
    listing.processes.push_back({process.pid, process.parent_pid, process.program,
                                 process.complete, process.threads});
    AddLeftOut(listing.left_out, process.left_out);
    for (const RangeRow& row : process.ranges) {
      const auto [found, is_new] =
          places.try_emplace(&row, Place{listing.ranges.size(), p});
      if (is_new) {
        listing.ranges.push_back(row);
        listing.ranges.back().processes = 1;
        continue;
      }
      RangeRow& sum = listing.ranges[found->second.index];
      AddCounts(sum, row);
      if (std::exchange(found->second.process, p) != p) ++sum.processes;
    }
  }
  return listing;
}

}  // namespace ridgeline::nvtx
