#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "app/analyze/ncu_summary.h"
#include "base/printable.h"

namespace ridgeline::app {
namespace {

using analysis::NcuKernel;
using analysis::NcuLaunchFinding;
using results::NcuLaunch;
using results::NcuMetric;

bool IsNumber(std::string_view text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

// Spreadsheets evaluate cells that begin like this; OWASP recommends a leading
// apostrophe.
bool LooksLikeAFormula(std::string_view text) {
  constexpr std::string_view kSigns = "=+-@\t\r";
  return !text.empty() && kSigns.find(text.front()) != kSigns.npos && !IsNumber(text);
}

std::string Field(std::string_view name) {
  const std::string text = (LooksLikeAFormula(name) ? "'" : "") + Printable(name);
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

// The shortest text that parses to the same number.
std::string Field(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

std::string Shape(const std::optional<results::NcuShape>& shape) {
  if (!shape) return "";
  return fmt::format("{} {} {}", (*shape)[0], (*shape)[1], (*shape)[2]);
}

struct Column {
  std::string_view name;
  std::optional<double> NcuKernel::*field;
};

constexpr Column kColumns[] = {
    {"duration_ns", &NcuKernel::duration_ns},
    {"sm_percent", &NcuKernel::sm_percent},
    {"memory_percent", &NcuKernel::memory_percent},
    {"dram_percent", &NcuKernel::dram_percent},
    {"l1_percent", &NcuKernel::l1_percent},
    {"l2_percent", &NcuKernel::l2_percent},
    {"tensor_percent", &NcuKernel::tensor_percent},
    {"occupancy_percent", &NcuKernel::occupancy_percent},
    {"occupancy_theoretical_percent", &NcuKernel::occupancy_theoretical_percent},
    {"l1_hit_percent", &NcuKernel::l1_hit_percent},
    {"l2_hit_percent", &NcuKernel::l2_hit_percent},
    {"registers_per_thread", &NcuKernel::registers_per_thread},
    {"waves_per_sm", &NcuKernel::waves_per_sm},
    {"dram_bytes_per_s", &NcuKernel::dram_bytes_per_s},
    {"dram_bytes", &NcuKernel::dram_bytes},
    {"l2_bytes", &NcuKernel::l2_bytes},
    {"l1_bytes", &NcuKernel::l1_bytes},
};

// group,launch,process_id: the first columns of all tables.
std::string LaunchFields(const NcuTableInput& input, size_t i) {
  const NcuLaunch& launch = input.rows.launches[i];
  return fmt::format("{},{},{}", Field(input.groups[i]),
                     launch.id ? std::to_string(*launch.id) : "", launch.process_id);
}

}  // namespace

std::string NcuKernelsCsv(const NcuTableInput& input) {
  std::string csv = "group,launch,process_id,name,library,class,grid,block";
  for (const Column& column : kColumns) csv += "," + std::string(column.name);
  csv += ",flops,flops_per_dram_byte,kernel\n";
  for (size_t i = 0; i < input.rows.launches.size(); ++i) {
    const NcuLaunch& launch = input.rows.launches[i];
    const NcuLaunchFinding& finding = input.findings.launches[i];
    csv += fmt::format("{},{},{},{},{},{}", LaunchFields(input, i),
                       Field(finding.identity.name), Field(finding.identity.library),
                       NameOf(finding.kernel_class), Shape(launch.grid),
                       Shape(launch.block));
    for (const Column& column : kColumns)
      csv += "," + Field(finding.kernel.*column.field);
    const auto flops = FlopsTotalOf(finding.kernel);
    const auto& bytes = finding.kernel.dram_bytes;
    std::optional<double> intensity;
    if (flops && bytes && *bytes > 0) intensity = *flops / *bytes;
    csv += fmt::format(",{},{},{}\n", Field(flops), Field(intensity),
                       Field(input.rows.names.text(launch.kernel)));
  }
  return csv;
}

std::string NcuRooflineCsv(const NcuTableInput& input) {
  std::string csv =
      "group,launch,process_id,name,precision,memory,flops_per_byte,flops_per_s,"
      "peak_fraction,roofline_fraction\n";
  for (size_t i = 0; i < input.rows.launches.size(); ++i) {
    const NcuLaunchFinding& finding = input.findings.launches[i];
    for (const analysis::NcuPoint& point : finding.points) {
      csv += fmt::format("{},{},{},{},{},{},{},{}\n", LaunchFields(input, i),
                         Field(finding.identity.name), NameOf(point.precision),
                         NameOf(point.level), point.flops_per_byte, point.flops_per_s,
                         Field(point.share_of_peak), Field(point.share_of_ceiling));
    }
  }
  return csv;
}

std::string NcuMetricsCsv(const NcuTableInput& input) {
  std::string csv = "group,launch,process_id,section,item,metric,unit,value,text\n";
  for (size_t i = 0; i < input.rows.launches.size(); ++i) {
    const std::string begin = LaunchFields(input, i);
    for (const NcuMetric& metric : input.rows.launches[i].metrics) {
      const auto text = [&](StringId id) { return Field(input.rows.names.text(id)); };
      csv += fmt::format("{},{},{},{},{},{},{}\n", begin, text(metric.section),
                         text(metric.item), text(metric.name), text(metric.unit),
                         Field(metric.value), text(metric.text));
    }
  }
  return csv;
}

}  // namespace ridgeline::app
