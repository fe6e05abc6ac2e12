#include <fmt/format.h>

#include "base/utf8.h"
#include "report/printers/printers.h"
#include "report/value_text.h"

namespace ridgeline::report {
namespace {

// Lines of a terminal do not wrap well.
constexpr size_t kMaxColumns = 100;

std::string Line(std::string_view what, std::string_view value) {
  if (value.empty()) return "";
  std::string text(HeadOf(value, kMaxColumns));
  if (text.size() < value.size()) text += "...";
  return fmt::format("  {:<18} {}\n", what, Shortened(text, text.size()));
}

// Unprofiled times of the phases that users see, or of whole runs of a program.
std::string PhaseLines(const Document& document) {
  std::string lines;
  for (const PhaseRow& phase : document.phases) {
    const std::string& name = phase.phase;
    const bool is_shown =
        name == "end_to_end" || name == "prefill" || name == "decode" || name == "wall";
    if (phase.profiled || !is_shown) continue;
    if (!phase.source.starts_with("direct_inference/")) continue;
    std::string value = Time(phase.mean_s);
    if (phase.mean_ci95_s) {
      const auto& [low, high] = *phase.mean_ci95_s;
      value += fmt::format("  (95 % CI {} to {})", Time(low), Time(high));
    }
    if (phase.tokens_per_s && name == "decode") {
      value += fmt::format("  {} tokens/s", Ratio(*phase.tokens_per_s));
    }
    lines += Line(name, value);
  }
  return lines;
}

// Roofline of the longest phase.
std::string RoofLine(const Document& document) {
  if (!document.ledger) return "";
  const LedgerPhaseRow* longest = nullptr;
  for (const LedgerPhaseRow& phase : document.ledger->phases) {
    if (phase.name == "end_to_end" || !phase.roofline_slowdown) continue;
    if (longest == nullptr || phase.measured_s > longest->measured_s) longest = &phase;
  }
  if (longest == nullptr) return "";
  const bool is_memory_bound = longest->bound == cost::BoundClass::kMemory;
  const OptionalNumber& used = is_memory_bound ? longest->mbu : longest->mfu;
  return Line("roofline",
              fmt::format("{} {} ({}-bound), {} {}", longest->name,
                          Number(*longest->roofline_slowdown, Unit::kFactor),
                          NameOf(longest->bound), is_memory_bound ? "MBU" : "MFU",
                          used ? Number(*used, Unit::kFraction) : ""));
}

std::string DeviceLine(const Document& document) {
  if (document.devices.empty()) return "";
  const DeviceRow& device = document.devices.front();
  return Line(device.label(),
              fmt::format("busy {} of {}", Time(device.busy_s), Time(device.span_s)));
}

std::string ShareLine(std::string_view what, const OptionalNumber& share,
                      const std::string& name) {
  return Line(what, fmt::format("{}  {}", share ? Number(*share, Unit::kFraction) : "",
                                Shortened(name, kMaxName)));
}

std::string OperatorLine(const Document& document) {
  if (document.operators.empty()) return "";
  const OperatorRow& first = document.operators.front();
  return ShareLine("top operator", first.share, first.name);
}

std::string KernelLine(const Document& document) {
  if (document.kernels.empty()) return "";
  const KernelRow& first = document.kernels.front();
  return ShareLine("top kernel", first.share, KernelName(first.name));
}

std::string AdviceLine(const Document& document) {
  return document.advice.empty() ? "" : Line("advice", document.advice.front().verdict);
}

}  // namespace

std::string ToTerminal(const Document& document) {
  return PhaseLines(document) + RoofLine(document) + DeviceLine(document) +
         OperatorLine(document) + KernelLine(document) + AdviceLine(document);
}

}  // namespace ridgeline::report
