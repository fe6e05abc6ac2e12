#include "report/value_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analysis/kernel_identity.h"
#include "base/plural.h"
#include "base/units.h"
#include "base/utf8.h"
#include "report/cite.h"

namespace ridgeline::report {
namespace {

std::string FlopsText(double flops) {
  constexpr double kMaxExact = 1e19;  // For 64 bits.
  return units::Flops(
      cost::Count(static_cast<uint64_t>(std::clamp(flops, 0.0, kMaxExact))));
}

// Bytes at the beginning that are the same in all texts of a sorted set.
size_t CommonPrefix(const std::set<std::string>& texts) {
  const std::string& first = *texts.begin();
  const std::string& last = *texts.rbegin();
  const size_t size = std::min(first.size(), last.size());
  return static_cast<size_t>(
      std::mismatch(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(size),
                    last.begin())
          .first -
      first.begin());
}

// As when shortened in the middle, and the part from where the texts differ: texts that
// differed at their ends still do.
std::string AroundDifference(const std::string& text, size_t difference, size_t most) {
  constexpr size_t kContext = 8;  // Shown before the difference.
  const std::string_view rest =
      std::string_view(text).substr(difference - std::min(difference, kContext));
  const size_t first = TailOf(text, rest.size()).size();  // Between characters.
  return Shortened(HeadOf(text, most / 2), most) + "..." +
         Shortened(HeadOf(TailOf(text, first), most / 4), most) + "..." +
         Shortened(TailOf(text, most / 2), most);
}

// Of texts that are the same when shortened in the middle. In full if the part from the
// first difference does not distinguish all of them.
std::string ShortenedAmong(const std::set<std::string>& texts, const std::string& text,
                           size_t most) {
  const size_t difference = CommonPrefix(texts);
  std::set<std::string> unique;
  for (const std::string& each : texts) {
    unique.insert(AroundDifference(each, difference, most));
  }
  return unique.size() == texts.size() ? AroundDifference(text, difference, most)
                                       : Shortened(text, text.size());
}

}  // namespace

std::string Number(double value, Unit unit) {
  switch (unit) {
    case Unit::kNone:
      return units::Ratio(value);
    case Unit::kSeconds:
      return units::Seconds(value);
    case Unit::kBytes:
      return units::SignedBytes(value);
    case Unit::kBytesPerS:
      return units::Bytes(std::optional(value));
    case Unit::kFlops:
      return FlopsText(value);
    case Unit::kFlopsPerS:
      return units::Flops(std::optional(value));
    case Unit::kFraction:
      return units::Percent(value);
    case Unit::kPercent:
      return units::Percent(value / 100);
    case Unit::kFactor:
      return units::Ratio(value) + "x";
  }
  return "";
}

std::string TextOf(const Value& value, Unit unit) {
  if (const bool* boolean = std::get_if<bool>(&value)) return *boolean ? "yes" : "no";
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* number = std::get_if<double>(&value)) return Number(*number, unit);
  const auto* whole = std::get_if<int64_t>(&value);
  if (whole == nullptr) return "";
  return unit == Unit::kNone ? WithCommas(*whole)
                             : Number(static_cast<double>(*whole), unit);
}

std::string OverheadText(double factor) {
  return factor < 1 ? "below the noise" : fmt::format("{:.2f}x", factor);
}

std::string PeakShare(double share) {
  constexpr double kOnePercent = 0.01;
  if (!(share > 0) || share >= kOnePercent) return Number(share, Unit::kFraction);
  const double percent = 100 * share;
  return fmt::format("{:.{}f} %", percent,
                     1 - static_cast<int>(std::floor(std::log10(percent))));
}

std::string PreciseShare(double share) {
  constexpr double kMaxDecimals = 9;
  const double percent = 100 * share;
  if (percent == 0) return "0 %";
  const double magnitude = std::floor(std::log10(std::abs(percent)));
  return fmt::format("{:.{}f} %", percent,
                     static_cast<int>(std::clamp(2 - magnitude, 0.0, kMaxDecimals)));
}

std::string ClassText(analysis::Bottleneck kernel_class) {
  std::string text(NameOf(kernel_class));
  std::replace(text.begin(), text.end(), '_', '-');
  return text;
}

std::string Shortened(std::string_view text, size_t most) {
  std::string shortened = ElideMiddle(text, most, "...");
  for (char& c : shortened) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return shortened;
}

std::vector<std::string> ShortenedApart(const std::vector<std::string>& texts,
                                        size_t most) {
  std::vector<std::string> shortened;
  std::map<std::string, std::set<std::string>> same;
  for (const std::string& text : texts) {
    shortened.push_back(Shortened(text, most));
    same[shortened.back()].insert(text);
  }
  for (size_t i = 0; i < texts.size(); ++i) {
    const std::set<std::string>& group = same[shortened[i]];
    if (group.size() > 1) shortened[i] = ShortenedAmong(group, texts[i], most);
  }
  return shortened;
}

std::string Quoted(std::string_view name) {
  return "'" + Shortened(name, kMaxName) + "'";
}

std::string TimedPhaseName(std::string_view phase, bool has_vision) {
  return Shortened(phase, kMaxName) +
         (has_vision && phase == "prefill" ? " (incl. vision)" : "");
}

std::string CostedPhaseName(std::string_view phase, bool has_vision) {
  return Shortened(phase, kMaxName) +
         (has_vision && phase == "prefill" ? " (excl. vision)" : "");
}

std::string PhaseRow::LabelAmong(const std::vector<PhaseRow>& phases) const {
  return TimedPhaseName(
      phase, std::any_of(phases.begin(), phases.end(), [this](const PhaseRow& row) {
        return row.phase == "vision" && row.source == source;
      }));
}

std::string LedgerPhaseRow::LabelAmong(const std::vector<LedgerPhaseRow>& phases) const {
  return CostedPhaseName(
      name, std::any_of(phases.begin(), phases.end(),
                        [](const LedgerPhaseRow& row) { return row.name == "vision"; }));
}

std::string PhaseName(const Document& document, const PhaseRow& phase) {
  return phase.LabelAmong(document.phases);
}

std::string_view SampleUnit(const Document& document, const PhaseRow& phase) {
  if (phase.is_of_run()) return "run";
  for (const SourceRow& source : document.sources) {
    if (source.file == phase.source && source.format == "call_metrics") return "call";
  }
  return "page";
}

std::string PhaseWithUnit(const Document& document, const PhaseRow& phase) {
  const std::string_view unit = SampleUnit(document, phase);
  std::string name = PhaseName(document, phase);
  return unit == "page" ? name : fmt::format("{} (per {})", name, unit);
}

std::string PhaseName(const LedgerRow& ledger, const LedgerPhaseRow& phase) {
  return phase.LabelAmong(ledger.phases);
}

std::string Samples(int64_t count) { return Plural(count, "sample"); }

std::string KernelName(std::string_view name) { return analysis::IdentityOf(name).name; }

std::string KernelInText(std::string_view name) {
  const std::string function = analysis::FunctionOf(name);
  std::string meaning = KernelName(name);
  if (meaning == function || meaning.empty()) return Quoted(function);
  // Parentheses in parentheses are hard to read.
  const size_t details = meaning.find(" (");
  if (details != meaning.npos && meaning.ends_with(')')) {
    meaning.pop_back();
    meaning.replace(details, 2, ", ");
  }
  if (function.empty()) return Quoted(meaning);
  return fmt::format("{} ({})", Quoted(function), Shortened(meaning, kMaxName));
}

std::string WordsOfId(std::string_view id) {
  std::string words(id);
  if (words.ends_with("_s") && !words.ends_with("_per_s")) words.resize(words.size() - 2);
  std::replace(words.begin(), words.end(), '_', ' ');
  return words;
}

}  // namespace ridgeline::report
