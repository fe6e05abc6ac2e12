#include "analysis/ncu_kernel.h"

#include <span>
#include <unordered_map>

namespace ridgeline::analysis {
namespace {

using results::NcuLaunch;
using results::NcuMetric;
using results::NcuRows;

// Where to find a quantity. Units distinguish metrics that share a label: "Memory
// Throughput" is a percentage in one section and a rate in another.
struct Place {
  std::string_view name;
  std::string_view unit;
  std::string_view item = {};  // Suffix; empty: any.
};

class MetricIndex {
 public:
  MetricIndex(const NcuRows& rows, const NcuLaunch& launch) : rows_(rows) {
    for (const NcuMetric& metric : launch.metrics) {
      by_name_[rows.names.text(metric.name)].push_back(&metric);
    }
  }

  // From the first place that has a number.
  std::optional<double> Get(std::span<const Place> places) const {
    for (const Place& place : places) {
      const auto found = by_name_.find(place.name);
      if (found == by_name_.end()) continue;
      for (const NcuMetric* const metric : found->second) {
        const bool is_it = metric->value &&
                           rows_.names.text(metric->unit) == place.unit &&
                           rows_.names.text(metric->item).ends_with(place.item);
        if (is_it) return metric->value;
      }
    }
    return {};
  }

  std::optional<double> Get(std::string_view name, std::string_view unit) const {
    const Place place = {name, unit};
    return Get({&place, 1});
  }

  // With any unit: whether counts have one depends on the version.
  std::optional<double> Count(std::string_view name) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return {};
    for (const NcuMetric* const metric : found->second) {
      if (metric->value) return metric->value;
    }
    return {};
  }

  std::string Text(std::string_view name) const {
    const auto found = by_name_.find(name);
    if (found == by_name_.end()) return {};
    return std::string(rows_.names.text(found->second.front()->text));
  }

  // Sum of all counts whose names begin and end like this; nullopt if there are none.
  std::optional<double> SumOf(std::string_view begin, std::string_view end) const {
    std::optional<double> sum;
    for (const auto& [name, metrics] : by_name_) {
      if (!name.starts_with(begin) || !name.ends_with(end)) continue;
      const std::optional<double> count = Count(name);
      if (count) sum = sum.value_or(0) + *count;
    }
    return sum;
  }

 private:
  const NcuRows& rows_;
  std::unordered_map<std::string_view, std::vector<const NcuMetric*>> by_name_;
};

struct Quantity {
  std::optional<double> NcuKernel::*field;
  std::vector<Place> places;
};

// Metrics by their own names first: they are more exact than labels. Labels from the
// newest version to the oldest.
const std::vector<Quantity>& Quantities() {
  static const std::vector<Quantity> table = {
      {&NcuKernel::duration_ns, {{"gpu__time_duration.sum", "ns"}, {"Duration", "ns"}}},
      {&NcuKernel::sm_percent,
       {{"sm__throughput.avg.pct_of_peak_sustained_elapsed", "%"},
        {"Compute (SM) Throughput", "%"},
        {"Compute (SM) [%]", "%"},
        {"SM [%]", "%"},
        {"SOL SM", "%"}}},
      {&NcuKernel::memory_percent,
       {{"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", "%"},
        {"Memory Throughput", "%"},
        {"Memory [%]", "%"},
        {"SOL Memory", "%"}}},
      {&NcuKernel::dram_percent,
       {{"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed", "%"},
        {"dram__throughput.avg.pct_of_peak_sustained_elapsed", "%"},
        {"DRAM Throughput", "%"},
        {"SOL DRAM", "%"}}},
      {&NcuKernel::l1_percent,
       {{"l1tex__throughput.avg.pct_of_peak_sustained_active", "%"},
        {"L1/TEX Cache Throughput", "%"},
        {"SOL L1/TEX Cache", "%"}}},
      {&NcuKernel::l2_percent,
       {{"lts__throughput.avg.pct_of_peak_sustained_elapsed", "%"},
        {"L2 Cache Throughput", "%"},
        {"SOL L2 Cache", "%"}}},
      {&NcuKernel::tensor_percent,
       {{"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", "%"},
        {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_active", "%"},
        {"SM: Pipe Tensor Cycles Active", "%"},
        {"SOL SM: Pipe Tensor Cycles Active", "%"}}},
      {&NcuKernel::occupancy_percent,
       {{"sm__warps_active.avg.pct_of_peak_sustained_active", "%"},
        {"Achieved Occupancy", "%"}}},
      {&NcuKernel::occupancy_theoretical_percent,
       {{"sm__maximum_warps_per_active_cycle_pct", "%"}, {"Theoretical Occupancy", "%"}}},
      {&NcuKernel::l1_hit_percent,
       {{"l1tex__t_sector_hit_rate.pct", "%"}, {"L1/TEX Hit Rate", "%"}}},
      {&NcuKernel::l2_hit_percent,
       {{"lts__t_sector_hit_rate.pct", "%"}, {"L2 Hit Rate", "%"}}},
      {&NcuKernel::registers_per_thread,
       {{"launch__registers_per_thread", "register/thread"},
        {"Registers Per Thread", "register/thread"}}},
      {&NcuKernel::waves_per_sm,
       {{"launch__waves_per_multiprocessor", ""}, {"Waves Per SM", ""}}},
      {&NcuKernel::dram_bytes_per_s,
       {{"dram__bytes.sum.per_second", "byte/s"},
        {"Memory Throughput", "byte/s"},
        {"DRAM Bandwidth", "byte/s"}}},
      {&NcuKernel::dram_read_bytes,
       {{"dram__bytes_read.sum", "byte"}, {"dram__bytes_op_read.sum", "byte"}}},
      {&NcuKernel::dram_write_bytes,
       {{"dram__bytes_write.sum", "byte"}, {"dram__bytes_op_write.sum", "byte"}}},
  };
  return table;
}

std::optional<double> Product(std::optional<double> a, std::optional<double> b) {
  if (!a || !b) return {};
  return *a * *b;
}

void SetDramBytes(NcuKernel& kernel) {
  if (kernel.dram_read_bytes && kernel.dram_write_bytes) {
    kernel.dram_bytes = *kernel.dram_read_bytes + *kernel.dram_write_bytes;
    kernel.dram_bytes_source = DramBytesSource::kCounters;
    return;
  }
  kernel.dram_bytes = Product(kernel.dram_bytes_per_s, kernel.duration_ns);
  if (!kernel.dram_bytes) return;
  *kernel.dram_bytes /= 1e9;
  kernel.dram_bytes_source = DramBytesSource::kThroughputTimesTime;
}

// Spellings of one precision: op_ffma, "FFMA", "Single Precision".
struct Words {
  NcuPrecision precision;
  char letter;
  std::string_view capital;
  std::string_view item;
};
constexpr Words kWords[] = {{NcuPrecision::kFp16, 'h', "H", "Half Precision"},
                            {NcuPrecision::kFp32, 'f', "F", "Single Precision"},
                            {NcuPrecision::kFp64, 'd', "D", "Double Precision"}};

std::string Instruction(std::string_view unit, char letter, std::string_view operation,
                        std::string_view rest) {
  return std::string(unit) + "__sass_thread_inst_executed_op_" + letter +
         std::string(operation) + "_pred_on" + std::string(rest);
}

// add + mul + 2 fma, from totals of the launch.
std::optional<double> CountedFlops(const MetricIndex& index, const Words& words) {
  const auto count = [&](std::string_view operation) -> std::optional<double> {
    for (const std::string_view unit : {"smsp", "sm"}) {
      const auto sum = index.Count(Instruction(unit, words.letter, operation, ".sum"));
      if (sum) return sum;
    }
    return {};
  };
  const auto add = count("add");
  const auto mul = count("mul");
  const auto fma = count("fma");
  if (!add || !mul || !fma) return {};
  return *add + *mul + 2 * *fma;
}

// The same from FLOPs per cycle and cycles per second, as in the roofline section.
std::optional<double> RooflineFlops(const MetricIndex& index, const Words& words) {
  const std::string item = std::string(words.item) + " Achieved Value";
  const auto per_cycle = [&](std::string_view operation, std::string_view label) {
    const std::string name =
        Instruction("smsp", words.letter, operation, ".sum.per_cycle_elapsed");
    const std::string shown = "Predicated-On " + std::string(words.capital) +
                              std::string(label) +
                              " Thread Instructions Executed Per Cycle";
    const Place places[] = {{name, "inst/cycle"}, {shown, "inst/cycle"}};
    return index.Get(places);
  };
  const std::string derived =
      "derived__" + Instruction("smsp", words.letter, "fma", "_x2");
  const std::string shown =
      "Predicated-On " + std::string(words.capital) + "FMA Operations Per Cycle";
  std::optional<double> fma = index.Count(derived);
  if (!fma) fma = index.Count(shown);
  if (!fma) {
    fma = per_cycle("fma", "FMA");
    if (fma) *fma *= 2;
  }
  const auto add = per_cycle("add", "ADD");
  const auto mul = per_cycle("mul", "MUL");
  const Place clocks[] = {{"smsp__cycles_elapsed.avg.per_second", "hz"},
                          {"SM Frequency", "hz", item}};
  const auto clock = index.Get(clocks);
  if (!fma || !add || !mul || !clock) return {};
  return (*fma + *add + *mul) * *clock;
}

std::optional<double> PeakFlops(const MetricIndex& index, const Words& words) {
  const std::string item = std::string(words.item) + " Roofline";
  std::optional<double> per_cycle =
      index.Count("derived__" + Instruction("sm", words.letter, "fma", "_x2"));
  if (!per_cycle) {
    per_cycle = index.Count("Theoretical Predicated-On " + std::string(words.capital) +
                            "FMA Operations");
  }
  const Place clocks[] = {{"sm__cycles_elapsed.avg.per_second", "hz"},
                          {"SM Frequency", "hz", item}};
  return Product(per_cycle, index.Get(clocks));
}

// Peak from a rate and its percentage of the peak. Some pages round percentages to two
// decimals, so small ones are not used.
std::optional<double> PeakFromShare(std::optional<double> rate,
                                    std::optional<double> percent) {
  constexpr double kFewest = 1;
  if (!rate || !percent || *percent < kFewest) return {};
  return *rate / (*percent / 100);
}

void SetCaches(const MetricIndex& index, NcuKernel& kernel) {
  constexpr double kSectorBytes = 32;
  const auto bytes_of = [&](std::string_view bytes_name,
                            std::string_view sectors_name) -> std::optional<double> {
    if (const auto bytes = index.Get(bytes_name, "byte")) return bytes;
    return Product(index.Count(sectors_name), kSectorBytes);
  };
  kernel.l2_bytes = bytes_of("lts__t_bytes.sum", "lts__t_sectors.sum");
  kernel.l1_bytes = bytes_of("l1tex__t_bytes.sum", "l1tex__t_sectors.sum");
  if (!kernel.l1_bytes) {
    // Sums per operation, not their breakdown (..._lookup_hit.sum).
    std::optional<double> sectors;
    for (const std::string_view part :
         {"lsu_mem_global_op_ld", "lsu_mem_global_op_st", "lsu_mem_global_op_atom",
          "lsu_mem_global_op_red", "lsu_mem_local_op_ld", "lsu_mem_local_op_st",
          "tex_mem_surface_op_ld", "tex_mem_surface_op_st", "tex_mem_surface_op_atom",
          "tex_mem_surface_op_red", "tex_mem_texture"}) {
      const auto count =
          index.Count("l1tex__t_sectors_pipe_" + std::string(part) + ".sum");
      if (count) sectors = sectors.value_or(0) + *count;
    }
    kernel.l1_bytes = Product(sectors, kSectorBytes);
  }
  if (!kernel.duration_ns || *kernel.duration_ns <= 0) return;
  const double per_s = 1e9 / *kernel.duration_ns;
  kernel.l2_peak_bytes_per_s =
      PeakFromShare(Product(kernel.l2_bytes, per_s),
                    index.Get("lts__t_sectors.avg.pct_of_peak_sustained_elapsed", "%"));
  kernel.l1_peak_bytes_per_s =
      PeakFromShare(Product(kernel.l1_bytes, per_s),
                    index.Get("l1tex__t_sectors.sum.pct_of_peak_sustained_elapsed", "%"));
}

std::optional<double> DramPeak(const MetricIndex& index) {
  const Place bytes[] = {{"dram__bytes.sum.peak_sustained", "byte/cycle"},
                         {"Theoretical DRAM Bytes Accessible", "byte/cycle"}};
  const Place clocks[] = {{"dram__cycles_elapsed.avg.per_second", "hz"},
                          {"DRAM Frequency", "hz"}};
  return Product(index.Get(bytes), index.Get(clocks));
}

}  // namespace

std::string_view NameOf(NcuPrecision precision) {
  switch (precision) {
    case NcuPrecision::kTensor:
      return "tensor";
    case NcuPrecision::kFp16:
      return "fp16";
    case NcuPrecision::kFp32:
      return "fp32";
    case NcuPrecision::kFp64:
      return "fp64";
  }
  return "";
}

NcuKernel NcuKernelOf(const NcuRows& rows, const NcuLaunch& launch) {
  const MetricIndex index(rows, launch);
  NcuKernel kernel;
  for (const Quantity& quantity : Quantities()) {
    kernel.*quantity.field = index.Get(quantity.places);
  }
  SetDramBytes(kernel);
  SetCaches(index, kernel);
  kernel.flops[NcuPrecision::kTensor] = index.SumOf("sm__ops_path_tensor_", ".sum");
  for (const Words& words : kWords) {
    kernel.flops[words.precision] = CountedFlops(index, words);
    kernel.roofline_flops_per_s[words.precision] = RooflineFlops(index, words);
    kernel.peak_flops_per_s[words.precision] = PeakFlops(index, words);
  }
  kernel.dram_peak_bytes_per_s = DramPeak(index);
  kernel.device_name = index.Text("device__attribute_display_name");
  kernel.sm_count = index.Count("device__attribute_multiprocessor_count");
  if (!kernel.sm_count) kernel.sm_count = index.Count("# SMs");
  kernel.pci_device_id = index.Count("device__attribute_gpu_pci_device_id");
  return kernel;
}

std::optional<double> FlopsOf(const NcuKernel& kernel, NcuPrecision precision) {
  if (kernel.flops[precision]) return kernel.flops[precision];
  const std::optional<double> flops =
      Product(kernel.roofline_flops_per_s[precision], kernel.duration_ns);
  if (!flops) return {};
  return *flops / 1e9;
}

std::optional<double> FlopsTotalOf(const NcuKernel& kernel) {
  if (!kernel.flops[NcuPrecision::kTensor] && kernel.tensor_percent.value_or(0) > 0) {
    return {};
  }
  std::optional<double> total;
  for (const NcuPrecision precision : kNcuPrecisions) {
    if (const auto flops = FlopsOf(kernel, precision)) total = total.value_or(0) + *flops;
  }
  return total;
}

}  // namespace ridgeline::analysis
