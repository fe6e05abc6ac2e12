#include <fmt/format.h>

#include "base/utf8.h"
#include "report/run_report.h"
#include "report/value_text.h"

namespace ridgeline::report {
namespace {

using Json = nlohmann::ordered_json;

// Lines of a terminal do not wrap well.
constexpr size_t kMostColumns = 100;

std::string Line(std::string_view what, std::string text) {
  if (text.empty()) return "";
  if (text.size() > kMostColumns) text = std::string(HeadOf(text, kMostColumns)) + "...";
  // Kernel names must not move the cursor.
  for (char& byte : text) {
    if (static_cast<unsigned char>(byte) < 0x20 || byte == 0x7F) byte = '?';
  }
  return fmt::format("  {:<18} {}\n", what, text);
}

// Unprofiled times of the phases that users see, or of whole runs of a program.
std::string PhaseLines(const Json& report) {
  std::string lines;
  for (const Json& phase : report["phases"]) {
    const std::string name = Text(phase["phase"]);
    const bool is_shown =
        name == "page" || name == "prefill" || name == "decode" || name == "wall";
    if (phase["profiled"] == true || !is_shown) continue;
    if (!Text(phase["source"]).starts_with("direct_inference/")) continue;
    std::string value = Time(phase["mean_s"]);
    if (phase["mean_ci95_s"].is_array()) {
      value += fmt::format("  (95 % CI {} to {})", Time(phase["mean_ci95_s"][0]),
                           Time(phase["mean_ci95_s"][1]));
    }
    if (phase["tokens_per_s"].is_number() && name == "decode") {
      value += fmt::format("  {} tokens/s", Rate(phase["tokens_per_s"]));
    }
    lines += Line(name, value);
  }
  return lines;
}

// Roofline of the longest phase.
std::string RoofLine(const Json& report) {
  if (report["ledger"].is_null()) return "";
  const Json* longest = nullptr;
  for (const Json& phase : report["ledger"]["phases"]) {
    if (phase["name"] == "page" || !phase["distance"].is_number()) continue;
    if (longest == nullptr || phase["measured_s"] > (*longest)["measured_s"]) {
      longest = &phase;
    }
  }
  if (longest == nullptr) return "";
  const bool is_memory_bound = (*longest)["bound"] == "memory";
  return Line("roofline",
              fmt::format("{} {} ({}-bound), {} {}", Text((*longest)["name"]),
                          Factor((*longest)["distance"]), Text((*longest)["bound"]),
                          is_memory_bound ? "MBU" : "MFU",
                          Share((*longest)[is_memory_bound ? "mbu" : "mfu"])));
}

std::string DeviceLine(const Json& report) {
  if (report["devices"].empty()) return "";
  const Json& device = report["devices"][0];
  return Line(
      "GPU " + Text(device["device"]),
      fmt::format("busy {} of {}", Time(device["busy_s"]), Time(device["span_s"])));
}

std::string FirstLine(std::string_view what, const Json& rows) {
  if (rows.empty()) return "";
  return Line(what,
              fmt::format("{}  {}", Share(rows[0]["share"]), Text(rows[0]["name"])));
}

std::string AdviceLine(const Json& report) {
  return report["advice"].empty() ? ""
                                  : Line("advice", Text(report["advice"][0]["text"]));
}

}  // namespace

std::string RunSummaryText(const Json& report) {
  return PhaseLines(report) + RoofLine(report) + DeviceLine(report) +
         FirstLine("top operator", report["operators"]) +
         FirstLine("top kernel", report["kernels"]) + AdviceLine(report);
}

}  // namespace ridgeline::report
