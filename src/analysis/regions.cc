#include "analysis/regions.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "analysis/intervals.h"
#include "analysis/open_ranges.h"
#include "analysis/statistics.h"
#include "base/random.h"

namespace ridgeline::analysis {
namespace {

using results::DropReason;
using results::GpuActivityKind;
using results::InstanceQuantiles;
using results::kNone;
using results::NsysGpuOp;
using results::NsysRows;
using results::NvtxKind;
using results::NvtxRange;
using results::RegionTotal;

bool IsMemoryOp(const NsysGpuOp& op) {
  return op.kind == GpuActivityKind::kMemcpy || op.kind == GpuActivityKind::kMemset;
}

void Add(const NsysRows& rows, const NsysGpuOp& op, GpuWork& work) {
  if (IsMemoryOp(op)) {
    ++work.memory_ops;
    work.memory_ns = SaturatingAdd(work.memory_ns, op.duration_ns);
    work.memory_bytes =
        SaturatingAdd(work.memory_bytes, rows.memory_ops[op.detail].bytes);
  } else {
    ++work.launches;
    work.gpu_ns = SaturatingAdd(work.gpu_ns, op.duration_ns);
  }
}

void Add(const GpuWork& part, GpuWork& sum) {
  sum.launches += part.launches;
  sum.gpu_ns = SaturatingAdd(sum.gpu_ns, part.gpu_ns);
  sum.memory_ops += part.memory_ops;
  sum.memory_ns = SaturatingAdd(sum.memory_ns, part.memory_ns);
  sum.memory_bytes = SaturatingAdd(sum.memory_bytes, part.memory_bytes);
}

// A region under construction.
struct Region {
  uint32_t parent = kNone;
  std::string path;
  NvtxKind kind = NvtxKind::kPushPop;
  int64_t instances = 0;
  int64_t cpu_total_ns = 0;
  GpuWork exclusive;
  GpuWork inclusive;
  int64_t gpu_span_ns = 0;
  int64_t gpu_gap_ns = 0;
  std::optional<InstanceQuantiles> cpu_instance;
  std::optional<InstanceQuantiles> gpu_span_instance;
};

struct RegionKey {
  uint32_t parent = kNone;
  uint32_t name = 0;    // In RegionSum::names_, without call numbers.
  uint32_t domain = 0;  // Name in names_: domain ids differ by process.
  NvtxKind kind = NvtxKind::kPushPop;

  bool operator==(const RegionKey&) const = default;
};

struct RegionKeyHash {
  size_t operator()(const RegionKey& key) const {
    const uint64_t first = (uint64_t{key.parent} << 32) | key.name;
    return MixBits(MixBits(first) ^ (uint64_t{key.domain} << 1) ^
                   static_cast<uint64_t>(key.kind));
  }
};

// Appends `text` as one component of a path, escaping separators with "\\".
void AppendPart(std::string_view text, std::string& path) {
  for (const char c : text) {
    if (c == '/' || c == '\\') path += '\\';
    path += c;
  }
}

// Nothing has run yet.
constexpr int64_t kNever = std::numeric_limits<int64_t>::min();

class RegionSum {
 public:
  explicit RegionSum(const NsysRows& rows)
      : rows_(rows), tree_(RangeTreeOf(rows)), open_(rows) {}

  Result<RegionFindings> Run() {
    NumberRegions();
    last_end_ns_.assign(rows_.nvtx_ranges.size(), kNever);
    span_ns_.assign(rows_.nvtx_ranges.size(), 0);
    name_totals_.resize(rows_.names.size());
    last_op_.assign(regions_.size(), kNone);
    // In execution order: a gap is time that no earlier op covers.
    uint32_t index = 0;
    for (const NsysGpuOp& op : rows_.gpu_ops) AddOp(op, index++);
    AddSpreads();
    RIDGELINE_RETURN_IF_ERROR(Check());
    Finish();
    return std::move(findings_);
  }

 private:
  void NumberRegions() {
    region_of_range_.assign(rows_.nvtx_ranges.size(), kNone);
    is_recursive_.assign(rows_.nvtx_ranges.size(), false);
    std::vector<uint32_t> chain;
    for (size_t i = 0; i < rows_.nvtx_ranges.size(); ++i) {
      // Starting with the outermost range that has no number yet.
      for (auto range = static_cast<uint32_t>(i);
           range != kNone && region_of_range_[range] == kNone;
           range = tree_.parent_of_range[range]) {
        chain.push_back(range);
      }
      for (; !chain.empty(); chain.pop_back()) {
        region_of_range_[chain.back()] = RegionOf(chain.back());
      }
      is_recursive_[i] = IsRecursive(static_cast<uint32_t>(i));
      const NvtxRange& range = rows_.nvtx_ranges[i];
      Region& region = regions_[region_of_range_[i]];
      ++region.instances;
      region.cpu_total_ns =
          SaturatingAdd(region.cpu_total_ns, range.end_ns - range.start_ns);
    }
  }

  bool IsRecursive(uint32_t range) const {
    const StringId name = rows_.nvtx_ranges[range].name;
    uint32_t outer = tree_.parent_of_range[range];
    while (outer != kNone && rows_.nvtx_ranges[outer].name != name) {
      outer = tree_.parent_of_range[outer];
    }
    return outer != kNone;
  }

  uint32_t RegionOf(uint32_t index) {
    const NvtxRange& range = rows_.nvtx_ranges[index];
    const uint32_t parent = tree_.parent_of_range[index];
    const results::NvtxDomain& domain = rows_.domains[range.domain];
    const RegionKey key = {.parent = parent == kNone ? kNone : region_of_range_[parent],
                           .name = ShownName(range.name),
                           .domain = names_.Intern(domain.name),
                           .kind = range.kind};
    const auto next = static_cast<uint32_t>(regions_.size());
    const auto [place, is_new] = numbers_.try_emplace(key, next);
    if (is_new) {
      Region region;
      region.parent = key.parent;
      region.kind = range.kind;
      if (key.parent != kNone) region.path = regions_[key.parent].path + "/";
      if (!domain.name.empty()) {
        AppendPart(domain.name, region.path);
        region.path += ':';
      }
      AppendPart(names_.text(key.name), region.path);
      regions_.push_back(std::move(region));
    }
    return place->second;
  }

  uint32_t ShownName(StringId name) {
    const auto found = shown_names_.find(name);
    if (found != shown_names_.end()) return found->second;
    const uint32_t shown = names_.Intern(WithoutCallNumbers(rows_.names.text(name)));
    shown_names_.emplace(name, shown);
    return shown;
  }

  void AddOp(const NsysGpuOp& op, uint32_t index) {
    Add(rows_, op, findings_.total);
    if (!op.has_call()) {
      Add(rows_, op,
          rows_.IsMigration(op) ? findings_.migrations : findings_.without_call);
      return;
    }
    const auto open = open_.At(rows_.threads[op.thread].process, op.call_start_ns);
    uint32_t& range = tree_.range_of_op[index];
    if (range != kNone) {
      AddToChain(op, range);
    } else if (!open.empty()) {
      range = open.back();
    }
    for (const uint32_t each : open) AddHeld(op, index, each);
    Add(rows_, op,
        range == kNone ? findings_.outside : regions_[region_of_range_[range]].exclusive);
  }

  // Adds to a push/pop range and all ranges that enclose it.
  void AddToChain(const NsysGpuOp& op, uint32_t range) {
    if (op.kind == GpuActivityKind::kKernel) ++findings_.kernels_inside;
    for (uint32_t at = range; at != kNone; at = tree_.parent_of_range[at]) {
      Region& region = regions_[region_of_range_[at]];
      Add(rows_, op, region.inclusive);
      const Growth growth = Grow(op, at);
      AddGrowth(growth, region);
      if (!is_recursive_[at]) AddToName(op, growth, rows_.nvtx_ranges[at].name);
    }
  }

  // How much an op extends the span of an instance.
  struct Growth {
    bool is_first = false;
    int64_t span_ns = 0;
    int64_t gap_ns = 0;
  };
  Growth Grow(const NsysGpuOp& op, uint32_t range) {
    int64_t& last_end_ns = last_end_ns_[range];
    if (last_end_ns == kNever) {
      last_end_ns = op.end_ns();
      span_ns_[range] = op.duration_ns;
      return {.is_first = true, .span_ns = op.duration_ns};
    }
    const int64_t gap_ns = std::max<int64_t>(0, op.start_ns - last_end_ns);
    const int64_t span_ns = std::max<int64_t>(0, op.end_ns() - last_end_ns);
    last_end_ns = std::max(last_end_ns, op.end_ns());
    span_ns_[range] = SaturatingAdd(span_ns_[range], span_ns);
    return {.span_ns = span_ns, .gap_ns = gap_ns};
  }

  static void AddGrowth(const Growth& growth, Region& region) {
    region.gpu_span_ns = SaturatingAdd(region.gpu_span_ns, growth.span_ns);
    region.gpu_gap_ns = SaturatingAdd(region.gpu_gap_ns, growth.gap_ns);
  }

  void AddToName(const NsysGpuOp& op, const Growth& growth, StringId of) {
    NvtxNameTotal& name = name_totals_[of];
    ++name.gpu_ops;
    if (growth.is_first) ++name.instances_with_gpu_ops;
    name.gpu_span_ns = SaturatingAdd(name.gpu_span_ns, growth.span_ns);
    if (op.kind != GpuActivityKind::kKernel) return;
    ++name.kernels;
    name.kernel_time_ns = SaturatingAdd(name.kernel_time_ns, op.duration_ns);
  }

  // Start/end ranges do not nest: an op counts for every one that is open at its launch.
  void AddHeld(const NsysGpuOp& op, uint32_t op_index, uint32_t range) {
    const uint32_t number = region_of_range_[range];
    Region& region = regions_[number];
    if (std::exchange(last_op_[number], op_index) != op_index) {
      Add(rows_, op, region.inclusive);
    }
    AddGrowth(Grow(op, range), region);
  }

  void AddSpreads() {
    AddSpread(&Region::cpu_instance, [&](size_t range) -> std::optional<int64_t> {
      return rows_.nvtx_ranges[range].end_ns - rows_.nvtx_ranges[range].start_ns;
    });
    AddSpread(&Region::gpu_span_instance, [&](size_t range) -> std::optional<int64_t> {
      if (last_end_ns_[range] == kNever) return std::nullopt;
      return span_ns_[range];
    });
  }

  // `duration_of` returns nullopt for a range that does not count.
  template <typename DurationOf>
  void AddSpread(std::optional<InstanceQuantiles> Region::*spread,
                 const DurationOf& duration_of) {
    // All regions in one array: there may be millions of ranges.
    std::vector<size_t> ends(regions_.size() + 1, 0);
    for (size_t range = 0; range < region_of_range_.size(); ++range) {
      if (duration_of(range)) ++ends[region_of_range_[range] + 1];
    }
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    std::vector<int64_t> durations_ns(ends.back());
    std::vector<size_t> next = ends;
    for (size_t range = 0; range < region_of_range_.size(); ++range) {
      const std::optional<int64_t> duration_ns = duration_of(range);
      if (duration_ns) durations_ns[next[region_of_range_[range]]++] = *duration_ns;
    }
    for (size_t i = 0; i < regions_.size(); ++i) {
      regions_[i].*spread =
          QuantilesOf(std::span(durations_ns).subspan(ends[i], ends[i + 1] - ends[i]));
    }
  }

  // Checks that no work is lost or counted twice.
  Status Check() const {
    GpuWork sum = findings_.outside;
    Add(findings_.without_call, sum);
    Add(findings_.migrations, sum);
    for (const Region& region : regions_) Add(region.exclusive, sum);
    if (sum == findings_.total) return Ok();
    return Error(ErrorCode::kUnsupported,
                 "regions do not add up: " + std::to_string(sum.gpu_ns) +
                     " ns instead of " + std::to_string(findings_.total.gpu_ns));
  }

  void Finish() {
    std::vector<uint32_t> order(regions_.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      const Region& x = regions_[a];
      const Region& y = regions_[b];
      if (x.inclusive.gpu_ns != y.inclusive.gpu_ns) {
        return x.inclusive.gpu_ns > y.inclusive.gpu_ns;
      }
      // Regions without GPU work.
      if (x.cpu_total_ns != y.cpu_total_ns) return x.cpu_total_ns > y.cpu_total_ns;
      return std::tie(x.path, x.kind, a) < std::tie(y.path, y.kind, b);
    });
    std::vector<uint32_t> place(regions_.size());
    for (size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<uint32_t>(i);
    findings_.left_out.Add(DropReason::kNvtxTooDeep, tree_.too_deep);
    findings_.left_out.Add(DropReason::kNvtxTooManyOpen, open_.given_up());
    findings_.region_of_op = std::move(tree_.range_of_op);
    for (uint32_t& of_op : findings_.region_of_op) {
      if (of_op != kNone) of_op = place[region_of_range_[of_op]];
    }
    for (const uint32_t index : order) findings_.regions.push_back(TotalOf(index));
    for (size_t name = 0; name < name_totals_.size(); ++name) {
      if (name_totals_[name].gpu_ops == 0) continue;
      findings_.names.push_back(name_totals_[name]);
      findings_.names.back().name = static_cast<StringId>(name);
    }
  }

  RegionTotal TotalOf(uint32_t index) const {
    const Region& region = regions_[index];
    RegionTotal total;
    total.path = region.path;
    total.kind = region.kind == NvtxKind::kPushPop ? "push_pop" : "start_end";
    total.instances = region.instances;
    total.cpu_total_ns = region.cpu_total_ns;
    total.launches = region.exclusive.launches;
    total.launches_inclusive = region.inclusive.launches;
    total.gpu_exclusive_ns = region.exclusive.gpu_ns;
    total.gpu_inclusive_ns = region.inclusive.gpu_ns;
    total.memory_ops = region.exclusive.memory_ops;
    total.memory_ops_inclusive = region.inclusive.memory_ops;
    total.memory_exclusive_ns = region.exclusive.memory_ns;
    total.memory_inclusive_ns = region.inclusive.memory_ns;
    total.memory_exclusive_bytes = region.exclusive.memory_bytes;
    total.memory_inclusive_bytes = region.inclusive.memory_bytes;
    if (region.gpu_span_instance) {
      total.gpu_span_ns = region.gpu_span_ns;
      total.gpu_gap_ns = region.gpu_gap_ns;
    }
    total.cpu_instance = region.cpu_instance;
    total.gpu_span_instance = region.gpu_span_instance;
    return total;
  }

  const NsysRows& rows_;
  RangeTree tree_;
  const OpenRanges open_;
  StringPool names_;
  std::unordered_map<StringId, uint32_t> shown_names_;
  std::unordered_map<RegionKey, uint32_t, RegionKeyHash> numbers_;
  std::vector<Region> regions_;
  std::vector<uint32_t> region_of_range_;
  std::vector<bool> is_recursive_;  // A range inside one of the same name.
  // By range: work launched so far.
  std::vector<int64_t> last_end_ns_;
  std::vector<int64_t> span_ns_;
  std::vector<NvtxNameTotal> name_totals_;
  std::vector<uint32_t> last_op_;  // By region: last op added as launched while open.
  RegionFindings findings_;
};

}  // namespace

std::string WithoutCallNumbers(std::string_view name) {
  std::string shown(name);
  for (const std::string_view word : {", op_id = ", ", seq = "}) {
    const size_t begin = shown.find(word);
    if (begin == std::string::npos) continue;
    size_t end = begin + word.size();
    while (end < shown.size() && shown[end] >= '0' && shown[end] <= '9') ++end;
    if (end > begin + word.size()) shown.erase(begin, end - begin);
  }
  return shown;
}

Result<RegionFindings> RegionsOf(const NsysRows& rows) { return RegionSum(rows).Run(); }

}  // namespace ridgeline::analysis
