#include "report/sections/operators.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/plural.h"
#include "base/units.h"
#include "report/printers/markdown.h"
#include "report/value_text.h"

namespace ridgeline::report {
namespace {

using profiles::OperatorTotal;
using Profile = profiles::OperatorProfile;

double SelfTotal(const Profile& profile) {
  double total = 0;
  for (const profiles::OperatorRow& row : profile.operators) {
    total += static_cast<double>(row.total.self_ns);
  }
  return total;
}

std::string ShareText(double part, double whole) {
  return whole > 0 ? Percent(part / whole) : "?";
}

std::string FlopsText(uint64_t flops) {
  return flops == 0 ? "--" : units::Flops(Count(flops));
}

size_t RowsOf(size_t there_are, size_t most) {
  return most == 0 ? there_are : std::min(most, there_are);
}

std::vector<Column> OperatorColumns(const Profile& profile) {
  std::vector<Column> columns = {{"Name", Align::kLeft}, {"Self CPU %"}, {"Self CPU"},
                                 {"CPU total %"},        {"CPU total"},  {"CPU time avg"},
                                 {"# of Calls"}};
  if (profile.is_grouped_by_shapes) columns.push_back({"Input Shapes", Align::kLeft});
  if (profile.has_memory) {
    columns.push_back({"CPU Mem"});
    columns.push_back({"Self CPU Mem"});
  }
  if (profile.has_shapes) columns.push_back({"Total FLOPs"});
  return columns;
}

std::vector<std::string> OperatorCells(const Profile& profile,
                                       const profiles::OperatorRow& row,
                                       double whole_ns) {
  const OperatorTotal& total = row.total;
  const auto self_ns = static_cast<double>(total.self_ns);
  const auto total_ns = static_cast<double>(total.total_ns);
  std::vector<std::string> cells = {
      row.name,
      ShareText(self_ns, whole_ns),
      Milliseconds(self_ns),
      ShareText(total_ns, whole_ns),
      Milliseconds(total_ns),
      units::Seconds(total_ns * 1e-9 /
                     static_cast<double>(std::max<int64_t>(1, total.calls))),
      WithCommas(total.calls)};
  if (profile.is_grouped_by_shapes) cells.push_back(row.shapes.value_or(""));
  if (profile.has_memory) {
    cells.push_back(SignedBytes(static_cast<double>(total.bytes_total)));
    cells.push_back(SignedBytes(static_cast<double>(total.bytes_self)));
  }
  if (profile.has_shapes) cells.push_back(FlopsText(total.flops));
  return cells;
}

}  // namespace

std::string OperatorTableMarkdown(const Profile& profile, size_t most) {
  const double whole_ns = SelfTotal(profile);
  std::vector<std::vector<std::string>> rows;
  const size_t count = RowsOf(profile.operators.size(), most);
  for (size_t i = 0; i < count; ++i) {
    rows.push_back(OperatorCells(profile, profile.operators[i], whole_ns));
  }
  return Table(OperatorColumns(profile), rows);
}

std::string ModuleTableMarkdown(const Profile& profile, size_t most) {
  const double whole_ns = SelfTotal(profile);
  std::vector<Column> columns = {
      {"Module", Align::kLeft}, {"Self CPU %"}, {"Self CPU"}, {"# of Ops"}};
  if (profile.has_shapes) columns.push_back({"Total FLOPs"});
  std::vector<std::vector<std::string>> rows;
  const size_t count = RowsOf(profile.modules.size(), most);
  for (size_t i = 0; i < count; ++i) {
    const profiles::ModuleRow& module = profile.modules[i];
    const auto self_ns = static_cast<double>(module.self_ns);
    rows.push_back({module.module.empty() ? "(outside any module)" : module.module,
                    ShareText(self_ns, whole_ns), Milliseconds(self_ns),
                    WithCommas(module.calls)});
    if (profile.has_shapes) rows.back().push_back(FlopsText(module.flops));
  }
  return Table(columns, rows);
}

std::string DeviceTimesMarkdown(const std::vector<OperatorDeviceTime>& operators) {
  if (operators.empty()) return "";
  double whole_ns = 0;
  for (const OperatorDeviceTime& op : operators) {
    whole_ns += static_cast<double>(op.self_ns);
  }
  std::vector<std::vector<std::string>> rows;
  for (const OperatorDeviceTime& op : operators) {
    const auto self_ns = static_cast<double>(op.self_ns);
    rows.push_back({op.name, ShareText(self_ns, whole_ns), Milliseconds(self_ns),
                    WithCommas(op.calls)});
  }
  return "\n## Device time\n\nGPU time of the kernels, copies and memsets that each "
         "operator launched itself, from trace.json.gz.\n\n" +
         Table({{"Name", Align::kLeft}, {"Self CUDA %"}, {"Self CUDA"}, {"# of Calls"}},
               rows);
}

std::string CostSentence(const Profile& profile) {
  std::string text =
      !(profile.unprofiled_before_s > 0)
          ? fmt::format("Profiled call: {}; unprofiled time unknown",
                        units::Seconds(profile.wall_s))
      : profile.unprofiled_calls > 0
          ? fmt::format("Profiled call: {}; median of {} in an unprofiled run: {}",
                        units::Seconds(profile.wall_s),
                        Plural(profile.unprofiled_calls, "call"),
                        units::Seconds(profile.unprofiled_before_s))
          : fmt::format(
                "Profiled pass: {}; unprofiled passes before and after it: {} and {}",
                units::Seconds(profile.wall_s),
                units::Seconds(profile.unprofiled_before_s),
                units::Seconds(profile.unprofiled_after_s));
  if (const auto slowdown = profiles::SlowdownOf(profile)) {
    text += ". Profiling overhead " + OverheadText(*slowdown);
  }
  if (profile.overhead_per_event_ns > 0) {
    text += fmt::format(". The recorder adds {:.0f} ns per event",
                        profile.overhead_per_event_ns);
  }
  return text + fmt::format("; {}.", Plural(profile.events, "event"));
}

std::string ProfiledPassSentence(const Profile& profile) {
  std::string text = Escaped(profile.image);
  if (profile.unprofiled_calls == 0 && !text.starts_with("call ")) {
    text.insert(0, "One pass over ");
  } else if (!text.empty()) {
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  }
  if (profile.generated_tokens > 0) {
    text += ", " + Plural(profile.generated_tokens, "token");
  }
  return text;
}

std::string OperatorsMarkdown(const Profile& profile) {
  const double whole_ns = SelfTotal(profile);
  const bool is_program = profile.unprofiled_calls > 0;
  std::string text = fmt::format(
      "# Operators\n\n{}, recorded by {}.\n\n"
      "Self time excludes called operators, total time includes them; recursive calls "
      "count once. Names without `::` are {}: their self time is between "
      "operators.\n\n",
      ProfiledPassSentence(profile), Escaped(profile.recorder),
      is_program ? "record_function annotations (phases, modules)"
                 : "phases of the workload");
  text += OperatorTableMarkdown(profile, 0);
  text += fmt::format("\nSelf CPU time total: {} of {} wall time ({}).\n",
                      units::Seconds(whole_ns * 1e-9), units::Seconds(profile.wall_s),
                      ShareText(whole_ns, profile.wall_s * 1e9));
  text += "\n" + CostSentence(profile) + "\n";
  for (const std::string& note : profile.notes) text += "\n- " + Escaped(note) + "\n";
  text += "\n## By module\n\nOperators by the module that called them.\n\n";
  text += ModuleTableMarkdown(profile, 0);
  return text;
}

}  // namespace ridgeline::report
