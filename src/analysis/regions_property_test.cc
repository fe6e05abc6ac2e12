// Compares RegionsOf() with slow reference implementations on random ranges and launches.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/regions.h"
#include "analysis/statistics.h"

namespace ridgeline::analysis {
namespace {

using results::GpuActivityKind;
using results::kNone;
using results::NsysGpuOp;
using results::NsysRows;
using results::NvtxKind;
using results::NvtxRange;
using results::RegionTotal;

constexpr int64_t kEndNs = 60;  // Short: many ranges start or end at the same time.

NsysRows RandomRanges(std::mt19937& random) {
  const auto below = [&](int64_t n) { return static_cast<int64_t>(random() % n); };
  NsysRows rows;
  rows.processes = {1, 2};
  rows.threads = {{.global_tid = 1, .process = 0},
                  {.global_tid = 2, .process = 0},
                  {.global_tid = 3, .process = 1}};
  rows.devices = {{}};
  rows.tracks = {{}};
  rows.domains = {{}, {.id = 1, .name = "d"}};
  rows.kernel_shapes.push_back({.name = rows.names.Intern("kernel")});
  for (int64_t i = below(14); i > 0; --i) {
    NvtxRange range;
    range.start_ns = below(kEndNs);
    range.end_ns = range.start_ns + below(kEndNs - range.start_ns + 1);
    range.name = rows.names.Intern(std::string(1, "abc"[below(3)]));
    range.thread = static_cast<uint32_t>(below(3));
    range.domain = static_cast<uint32_t>(below(4) / 3);
    range.kind = below(2) == 0 ? NvtxKind::kPushPop : NvtxKind::kStartEnd;
    rows.nvtx_ranges.push_back(range);
  }
  results::NsysGpuOpSorter sorter;
  for (int64_t i = below(14); i > 0; --i) {
    NsysGpuOp op;
    op.start_ns = 100 + below(kEndNs);
    op.duration_ns = below(8);
    op.call_start_ns = below(kEndNs);
    op.thread = below(8) == 0 ? kNone : static_cast<uint32_t>(below(3));
    sorter.Add(op);
  }
  rows.gpu_ops = std::move(sorter).Finish();
  return rows;
}

// Brute force: range by range, op by op, nanosecond by nanosecond.
class SlowRegions {
 public:
  explicit SlowRegions(const NsysRows& rows) : rows_(rows) {
    for (const NsysGpuOp& op : rows.gpu_ops) ops_.push_back(op);
    for (size_t range = 0; range < rows.nvtx_ranges.size(); ++range) AddRange(range);
    for (size_t op = 0; op < ops_.size(); ++op) AddOp(op);
  }

  struct Region {
    std::vector<int64_t> cpu_ns;  // Per instance.
    std::vector<int64_t> span_ns;
    int64_t gap_ns = 0;
    int64_t exclusive_ns = 0;
    int64_t inclusive_ns = 0;
  };
  using Key = std::pair<std::string, std::string>;  // Kind and path.
  std::map<Key, Region> regions;
  int64_t outside_ns = 0;
  struct Name {
    int64_t kernels = 0;
    int64_t instances = 0;
    int64_t span_ns = 0;
  };
  std::map<std::string, Name> names;

 private:
  const NvtxRange& At(size_t range) const { return rows_.nvtx_ranges[range]; }
  // By start; of ranges that start at the same time, the longer one is the outer.
  auto Order(size_t range) const {
    return std::tuple(At(range).start_ns, -At(range).end_ns, range);
  }

  // The last in that order of a thread's push/pop ranges for which `fits`.
  template <typename Fits>
  size_t LastOf(uint32_t thread, Fits fits) const {
    size_t found = kNone;
    for (size_t i = 0; i < rows_.nvtx_ranges.size(); ++i) {
      if (At(i).kind != NvtxKind::kPushPop || At(i).thread != thread || !fits(i))
        continue;
      if (found == kNone || Order(found) < Order(i)) found = i;
    }
    return found;
  }

  size_t ParentOf(size_t range) const {
    if (At(range).kind == NvtxKind::kStartEnd) return kNone;
    return LastOf(At(range).thread, [&](size_t outer) {
      return outer != range && Order(outer) < Order(range) &&
             At(outer).end_ns > At(range).start_ns &&
             At(outer).end_ns >= At(range).end_ns;
    });
  }

  bool IsOpen(size_t range, const NsysGpuOp& op) const {
    return At(range).start_ns <= op.call_start_ns && op.call_start_ns < At(range).end_ns;
  }
  size_t PushPopOf(const NsysGpuOp& op) const {
    return LastOf(op.thread, [&](size_t range) { return IsOpen(range, op); });
  }

  bool Holds(size_t range, const NsysGpuOp& op) const {
    if (op.thread == kNone) return false;
    if (At(range).kind == NvtxKind::kStartEnd) {
      return IsOpen(range, op) &&
             rows_.threads[At(range).thread].process == rows_.threads[op.thread].process;
    }
    size_t at = PushPopOf(op);
    while (at != kNone && at != range) at = ParentOf(at);
    return at == range;
  }

  size_t OwnerOf(const NsysGpuOp& op) const {
    if (op.thread == kNone) return kNone;
    size_t owner = PushPopOf(op);
    if (owner != kNone) return owner;
    for (size_t i = 0; i < rows_.nvtx_ranges.size(); ++i) {
      if (At(i).kind != NvtxKind::kStartEnd || !Holds(i, op)) continue;
      if (owner == kNone || At(owner).start_ns <= At(i).start_ns) owner = i;
    }
    return owner;
  }

  std::string PathOf(size_t range) const {
    const size_t parent = ParentOf(range);
    std::string path = parent == kNone ? "" : PathOf(parent) + "/";
    if (At(range).domain == 1) path += "d:";
    return path += rows_.names.text(At(range).name);
  }
  Key KeyOf(size_t range) const {
    return {At(range).kind == NvtxKind::kPushPop ? "push_pop" : "start_end",
            PathOf(range)};
  }

  bool IsInItsOwnName(size_t range) const {
    size_t at = ParentOf(range);
    while (at != kNone && At(at).name != At(range).name) at = ParentOf(at);
    return at != kNone;
  }

  void AddRange(size_t range) {
    Region& region = regions[KeyOf(range)];
    region.cpu_ns.push_back(At(range).end_ns - At(range).start_ns);
    int64_t first_ns = 1000;
    int64_t last_ns = 0;
    int64_t busy_ns = 0;
    int64_t kernels = 0;
    for (const NsysGpuOp& op : ops_) {
      if (!Holds(range, op)) continue;
      ++kernels;
      first_ns = std::min(first_ns, op.start_ns);
      last_ns = std::max(last_ns, op.end_ns());
    }
    for (int64_t now_ns = first_ns; now_ns < last_ns; ++now_ns) {
      busy_ns += std::any_of(ops_.begin(), ops_.end(), [&](const NsysGpuOp& op) {
        return Holds(range, op) && op.start_ns <= now_ns && now_ns < op.end_ns();
      });
    }
    if (kernels == 0) return;
    region.span_ns.push_back(last_ns - first_ns);
    region.gap_ns += last_ns - first_ns - busy_ns;
    if (At(range).kind == NvtxKind::kStartEnd || IsInItsOwnName(range)) return;
    Name& name = names[std::string(rows_.names.text(At(range).name))];
    name.kernels += kernels;
    name.span_ns += last_ns - first_ns;
    ++name.instances;
  }

  void AddOp(size_t index) {
    const NsysGpuOp& op = ops_[index];
    const size_t owner = OwnerOf(op);
    if (owner != kNone) regions[KeyOf(owner)].exclusive_ns += op.duration_ns;
    if (owner == kNone && op.thread != kNone) outside_ns += op.duration_ns;
    std::map<Key, bool> holding;
    for (size_t range = 0; range < rows_.nvtx_ranges.size(); ++range) {
      if (Holds(range, op)) holding[KeyOf(range)] = true;
    }
    for (const auto& [key, holds] : holding) regions[key].inclusive_ns += op.duration_ns;
  }

  const NsysRows& rows_;
  std::vector<NsysGpuOp> ops_;
};

int64_t Sum(const std::vector<int64_t>& values) {
  int64_t sum = 0;
  for (const int64_t value : values) sum += value;
  return sum;
}

void ExpectRegion(const RegionTotal& got, SlowRegions::Region want) {
  SCOPED_TRACE(got.kind + " " + got.path);
  EXPECT_EQ(got.instances, static_cast<int64_t>(want.cpu_ns.size()));
  EXPECT_EQ(got.cpu_total_ns, Sum(want.cpu_ns));
  EXPECT_EQ(got.gpu_exclusive_ns, want.exclusive_ns);
  EXPECT_EQ(got.gpu_inclusive_ns, want.inclusive_ns);
  EXPECT_EQ(got.gpu_span_ns.has_value(), !want.span_ns.empty());
  EXPECT_EQ(got.gpu_span_ns.value_or(0), Sum(want.span_ns));
  EXPECT_EQ(got.gpu_gap_ns.value_or(0), want.gap_ns);
  EXPECT_EQ(got.cpu_instance, QuantilesOf(want.cpu_ns));
  EXPECT_EQ(got.gpu_span_instance, QuantilesOf(want.span_ns));
}

TEST(RegionsProperty, EqualTheSlowAnswers) {
  for (uint32_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const NsysRows rows = RandomRanges(random);
    const SlowRegions want(rows);
    const Result<RegionFindings> got = RegionsOf(rows);
    ASSERT_TRUE(got.ok());
    ASSERT_EQ(got.value().regions.size(), want.regions.size());
    for (const RegionTotal& region : got.value().regions) {
      ASSERT_TRUE(want.regions.contains({region.kind, region.path})) << region.path;
      ExpectRegion(region, want.regions.at({region.kind, region.path}));
    }
    EXPECT_EQ(got.value().outside.gpu_ns, want.outside_ns);
    ASSERT_EQ(got.value().names.size(), want.names.size());
    for (const NvtxNameTotal& name : got.value().names) {
      const auto& slow = want.names.at(std::string(rows.names.text(name.name)));
      EXPECT_EQ(name.kernels, slow.kernels);
      EXPECT_EQ(name.instances_with_gpu_ops, slow.instances);
      EXPECT_EQ(name.gpu_span_ns, slow.span_ns);
    }
    if (testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace ridgeline::analysis
