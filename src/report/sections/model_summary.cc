#include "report/sections/model_summary.h"

#include <fmt/format.h>

#include "base/plural.h"
#include "base/units.h"
#include "report/printers/markdown.h"
#include "report/value_text.h"

namespace ridgeline::report {
namespace {

using profiles::CountedPart;
using profiles::ModelSummary;

Count CountOf(int64_t value) { return Count(static_cast<uint64_t>(value)); }

std::string FlopText(const std::optional<int64_t>& flops) {
  return flops ? units::Flops(CountOf(*flops)) : "-";
}

std::string WeightsSection(const ModelSummary& summary) {
  std::vector<std::vector<std::string>> rows;
  for (const profiles::WeightsRow& row : summary.weights) {
    rows.push_back({row.dtype, row.device, WithCommas(row.tensors),
                    units::Parameters(CountOf(row.numel)),
                    units::Bytes(CountOf(row.bytes))});
  }
  return "\n## Weights\n\n" + Table({{"dtype", Align::kLeft},
                                     {"Device", Align::kLeft},
                                     {"Tensors"},
                                     {"Parameters"},
                                     {"Bytes"}},
                                    rows);
}

std::string PartsTable(const char* what, const std::vector<CountedPart>& parts) {
  std::vector<std::vector<std::string>> rows;
  for (const CountedPart& part : parts) {
    rows.push_back({part.name,
                    part.parameters ? units::Parameters(CountOf(*part.parameters)) : "-",
                    FlopText(part.flops)});
  }
  return Table({{what, Align::kLeft}, {"Parameters"}, {"FLOPs"}}, rows);
}

std::string CallSection(const ModelSummary& summary) {
  if (summary.call.empty()) return "";
  std::string text = fmt::format(
      "\n## FLOPs of one call\n\n{}: {} in matrix products (two per multiply-add, from "
      "the shapes of its operators)",
      CodeSpan(summary.call), FlopText(summary.flops));
  if (summary.prompt_tokens) {
    text += fmt::format(", {}", Plural(*summary.prompt_tokens, "prompt token"));
  }
  if (summary.generated_tokens) {
    text += fmt::format(", {}", Plural(*summary.generated_tokens, "generated token"));
  }
  text += ".\n";
  if (!summary.phases.empty()) text += "\n" + PartsTable("Phase", summary.phases);
  if (summary.uncounted.empty()) return text;
  text +=
      "\nNot counted: matrix operators without a FLOP rule, or whose arguments the trace "
      "lacks (PyTorch before 2.1 records no strides of convolutions):\n\n";
  for (const profiles::UncountedPart& op : summary.uncounted) {
    text += fmt::format("- {}: {}, {} of the time\n", CodeSpan(op.name),
                        Plural(op.calls, "call"), Percent(op.time_share));
  }
  return text;
}

std::string TiedText(int64_t tied) {
  if (tied == 0) return "";
  return tied == 1 ? "; 1 more is tied and counts once"
                   : fmt::format("; {} more are tied and count once", WithCommas(tied));
}

}  // namespace

std::string ModelSummaryMarkdown(const ModelSummary& summary) {
  std::string text = fmt::format(
      "# Model\n\n- Class: {}, {}, PyTorch {}\n- Parameters: {} ({}){}\n"
      "- Weights: {}; buffers: {}\n- KV cache per token: {} ({})\n",
      CodeSpan(summary.model), Plural(summary.modules, "module"), Escaped(summary.torch),
      WithCommas(summary.parameters), units::Parameters(CountOf(summary.parameters)),
      TiedText(summary.parameters_tied), units::Bytes(CountOf(summary.weights_bytes)),
      units::Bytes(CountOf(summary.buffers_bytes)),
      summary.kv_cache_bytes_per_token
          ? units::Bytes(CountOf(*summary.kv_cache_bytes_per_token))
          : "unknown",
      Escaped(summary.kv_cache_basis));
  text += WeightsSection(summary) + CallSection(summary);
  if (summary.layers.empty()) return text;
  return text + "\n## By layer\n\n" + PartsTable("Layer", summary.layers);
}

}  // namespace ridgeline::report
