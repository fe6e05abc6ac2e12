#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "report/printers/advice_text.h"
#include "report/printers/markdown.h"
#include "report/printers/printers.h"
#include "report/value_text.h"

namespace ridgeline::report {
namespace {

constexpr size_t kMaxText = 120;

// Values with which a verdict can be checked: "0.0361 %" where tables show "< 0.1 %".
std::string Precise(const Cell& cell) {
  if (const double* const number = std::get_if<double>(&cell.value)) {
    if (cell.unit == Unit::kFraction) return PreciseShare(*number);
    if (cell.unit == Unit::kPercent) return PreciseShare(*number / 100);
  }
  return TextOf(cell.value, cell.unit);
}

}  // namespace

std::string WithStop(std::string text) {
  if (!text.empty() && std::string_view(".!?").find(text.back()) == text.npos)
    text += '.';
  return text;
}

std::string PointerTo(const Cell& cell) {
  std::string pointer = "/" + std::string(cell.table);
  if (cell.row) pointer += "/" + std::to_string(*cell.row);
  return cell.column.empty() ? pointer : pointer + "/" + cell.column;
}

std::string EvidenceValue(const Cell& cell) {
  if (std::holds_alternative<std::monostate>(cell.value)) return "unknown";
  if (const bool* boolean = std::get_if<bool>(&cell.value)) {
    return *boolean ? "true" : "false";
  }
  std::string text = Shortened(Precise(cell), kMaxText);
  // "memory-bound"
  if (cell.column == "class") std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

std::string EvidenceInWords(const Cell& cell) {
  // Several stages time the same phases.
  const bool has_source = cell.table == PhaseRow::kTable && !cell.source.empty();
  return fmt::format("{}{}{}: {}", cell.words,
                     cell.label.empty() ? "" : " of " + Quoted(cell.label),
                     has_source ? " in " + Quoted(cell.source) : "", EvidenceValue(cell));
}

std::string AdviceSentence(const Document& document, const Advice& advice) {
  std::string text = fmt::format("**{}** {}", WithStop(Escaped(advice.verdict)),
                                 WithStop(Escaped(advice.action)));
  if (!advice.saving_s) return text;
  text += " Potential saving: up to " + Time(*advice.saving_s);
  if (advice.section == "ledger") {
    text += " over " + Samples(document.ledger ? document.ledger->samples : 0);
  }
  return text + ".";
}

std::string AdviceMarkdown(const Document& document) {
  std::string text;
  int number = 0;
  for (const Advice& advice : document.advice) {
    text += fmt::format("{}. {}\n", ++number, AdviceSentence(document, advice));
    for (const Cell& cell : advice.evidence) {
      text += fmt::format("   - {}\n", Escaped(EvidenceInWords(cell)));
    }
  }
  return text.empty() ? "" : "## Advice\n\n" + text;
}

}  // namespace ridgeline::report
