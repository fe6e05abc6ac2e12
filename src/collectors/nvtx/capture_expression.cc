#include "collectors/nvtx/capture_expression.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/plural.h"
#include "config/tree/suggest.h"

namespace ridgeline::nvtx {
namespace {

constexpr const char* kAnyDomain = "*";
constexpr size_t kMaxNames = 8;  // Listed in a sentence.

std::string ExpressionOf(const RangeRow& row) {
  return Expression{.label = row.label, .domain = row.domain}.ToString();
}

// Unique expressions of the ranges, in order of first appearance.
std::vector<std::string> Expressions(const std::vector<const RangeRow*>& rows) {
  std::vector<std::string> names;
  for (const RangeRow* row : rows) {
    std::string name = ExpressionOf(*row);
    const bool is_new = std::find(names.begin(), names.end(), name) == names.end();
    if (is_new) names.push_back(std::move(name));
  }
  return names;
}

std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kMaxNames); ++i) {
    text += (i > 0 ? ", " : "") + names[i];
  }
  if (names.size() > kMaxNames) {
    text += fmt::format(" and {} more", names.size() - kMaxNames);
  }
  return text;
}

std::string DomainText(std::string_view domain) {
  return domain.empty() ? "the default domain" : fmt::format("'{}'", domain);
}

// "the default domain", "domain 'vllm'", "domains 'vllm', 'torch'"
std::string DomainsOf(const std::vector<const RangeRow*>& rows) {
  std::vector<std::string> domains;
  bool is_in_default = false;
  for (const RangeRow* row : rows) {
    std::string text = DomainText(row->domain);
    if (row->domain.empty()) {
      is_in_default = true;
    } else if (std::find(domains.begin(), domains.end(), text) == domains.end()) {
      domains.push_back(std::move(text));
    }
  }
  if (domains.empty()) return DomainText("");
  return (is_in_default ? DomainText("") + " and " : "") +
         (domains.size() == 1 ? "domain " : "domains ") + Listed(domains);
}

std::string InstancesText(int64_t count) { return Plural(count, "instance"); }

bool CanBeSaid(const RangeRow& row) {
  return row.label.find('@') == std::string::npos &&
         row.domain.find('@') == std::string::npos;
}

// Compares labels only, in any domain; otherwise one that contains it or is part of it.
std::string NearestTo(const Expression& wanted,
                      const std::vector<const RangeRow*>& rows) {
  std::vector<std::string> labels;
  for (const RangeRow* row : rows) {
    if (CanBeSaid(*row)) labels.push_back(row->label);
  }
  const std::string label = config::Nearest(wanted.label, labels);
  for (const RangeRow* row : rows) {
    if (!CanBeSaid(*row)) continue;
    const bool near = label.empty()
                          ? row->label.find(wanted.label) != std::string::npos ||
                                (!row->label.empty() &&
                                 wanted.label.find(row->label) != std::string::npos)
                          : row->label == label;
    if (near) return ExpressionOf(*row);
  }
  return "";
}

// Rows with the label, and those of them in the domain.
struct Found {
  std::vector<const RangeRow*> ranges;  // With any label.
  std::vector<const RangeRow*> elsewhere;
  int64_t marks = 0;
  int64_t opened_registered = 0;
  int64_t opened_unregistered = 0;
  int64_t opened_wide = 0;
};

Found Search(const Expression& wanted, const Listing& listing) {
  Found found;
  for (const RangeRow& row : listing.ranges) {
    const bool is_mark = row.kind == RangeKind::kMark;
    if (!is_mark) found.ranges.push_back(&row);
    if (row.label != wanted.label) continue;
    if (!wanted.any_domain && row.domain != wanted.domain) {
      if (!is_mark) found.elsewhere.push_back(&row);
    } else if (is_mark) {
      ++found.marks;
    } else {
      int64_t& sum = row.wide         ? found.opened_wide
                     : row.registered ? found.opened_registered
                                      : found.opened_unregistered;
      constexpr int64_t kLargest = int64_t{1} << 62;
      sum = std::min(sum, kLargest) + std::min(row.opened, kLargest - 1);
      sum = std::min(sum, kLargest);
    }
  }
  return found;
}

void DescribeAbsent(const Expression& wanted, const Found& found, Resolution& answer) {
  const std::string name = wanted.ToString();
  if (found.ranges.empty() && found.marks == 0) {
    answer.verdict = Verdict::kNoRanges;
    answer.sentence =
        fmt::format("'{}' matches nothing: the program opened no NVTX ranges", name);
    answer.fix = "enable the NVTX ranges of the program (docs/nvtx.md)";
    return;
  }
  if (!found.elsewhere.empty()) {
    answer.verdict = Verdict::kOtherDomain;
    const RangeRow& first = *found.elsewhere.front();
    answer.nearest = CanBeSaid(first) ? ExpressionOf(first) : wanted.label + "@*";
    answer.sentence =
        fmt::format("'{}' matches nothing: '{}' is in {}, not in {}", name, wanted.label,
                    DomainsOf(found.elsewhere), DomainText(wanted.domain));
    answer.fix = CanBeSaid(first)
                     ? fmt::format("use {} or {}@*", answer.nearest, wanted.label)
                     : fmt::format("use {}", answer.nearest);
    return;
  }
  const auto names_it = [&name](const RangeRow* row) {
    return !CanBeSaid(*row) && ExpressionOf(*row) == name;
  };
  if (std::any_of(found.ranges.begin(), found.ranges.end(), names_it)) {
    answer.verdict = Verdict::kNeverOpened;
    answer.sentence = fmt::format(
        "'{}' matches nothing: it is the name of a range, but nsys reads the part after "
        "'@' as a domain",
        name);
    answer.fix = "rename the range; nsys cannot capture names with '@'";
    return;
  }
  answer.nearest = NearestTo(wanted, found.ranges);
  const std::string there =
      found.ranges.empty() ? "none" : Listed(Expressions(found.ranges));
  if (found.marks > 0) {
    answer.verdict = Verdict::kOnlyMarks;
    answer.sentence = fmt::format(
        "'{}' matches nothing: it is a mark, not a range; ranges: {}", name, there);
  } else {
    answer.verdict = Verdict::kNeverOpened;
    answer.sentence = fmt::format("no NVTX range '{}' (ranges: {})", name, there);
  }
  answer.fix = answer.nearest.empty() ? "use one of these"
                                      : fmt::format("did you mean '{}'?", answer.nearest);
}

}  // namespace

std::string Expression::ToString() const {
  if (any_domain) return label + "@" + kAnyDomain;
  return domain.empty() ? label : label + "@" + domain;
}

Result<Expression> ParseExpression(std::string_view text) {
  const size_t at = text.find('@');
  const std::string label(text.substr(0, at));
  const std::string domain(at == std::string_view::npos ? "" : text.substr(at + 1));
  if (domain.find('@') != std::string::npos) {
    return Error(
        ErrorCode::kConfig,
        fmt::format("'{}': expected LABEL, LABEL@DOMAIN or LABEL@* with one '@'; nsys "
                    "cannot capture ranges or domains with '@' in their names: rename "
                    "them",
                    text));
  }
  if (label.empty() || (at != std::string_view::npos && domain.empty())) {
    return Error(ErrorCode::kConfig,
                 fmt::format("'{}': expected LABEL, LABEL@DOMAIN or LABEL@*", text));
  }
  if (domain == kAnyDomain) return Expression{label, "", /*any_domain=*/true};
  return Expression{label, domain, /*any_domain=*/false};
}

std::string_view Word(Verdict verdict) {
  switch (verdict) {
    case Verdict::kOpened:
      return "opened";
    case Verdict::kUnregistered:
      return "unregistered";
    case Verdict::kWide:
      return "wide";
    case Verdict::kOnlyMarks:
      return "only_marks";
    case Verdict::kOtherDomain:
      return "other_domain";
    case Verdict::kNeverOpened:
      return "never_opened";
    case Verdict::kNoRanges:
      return "no_ranges";
  }
  return "";
}

Resolution Resolve(const Expression& wanted, const Listing& listing) {
  const Found found = Search(wanted, listing);
  Resolution answer;
  answer.opened_registered = found.opened_registered;
  answer.opened_unregistered = found.opened_unregistered;
  answer.opened_wide = found.opened_wide;
  if (found.opened_registered > 0) {
    answer.verdict = Verdict::kOpened;
    answer.sentence =
        fmt::format("'{}' matches: {} with a registered string", wanted.ToString(),
                    InstancesText(found.opened_registered));
    if (found.opened_unregistered > 0) {
      answer.sentence +=
          fmt::format(", and {} with a plain string, which nsys ignores by default",
                      InstancesText(found.opened_unregistered));
    }
    return answer;
  }
  if (found.opened_unregistered > 0) {
    answer.verdict = Verdict::kUnregistered;
    answer.sentence = fmt::format(
        "'{}' matches: {}, but with a plain string, which nsys ignores by default",
        wanted.ToString(), InstancesText(found.opened_unregistered));
    answer.fix =
        "run nsys with --env-var=NSYS_NVTX_PROFILER_REGISTER_ONLY=0 (`ridgeline run` "
        "does), or register the string (nvtxDomainRegisterString)";
    return answer;
  }
  if (found.opened_wide > 0) {
    answer.verdict = Verdict::kWide;
    answer.sentence = fmt::format(
        "'{}' matches: {}, but with a wide string (wchar_t), which nsys 2022.4 does not "
        "support",
        wanted.ToString(), InstancesText(found.opened_wide));
    answer.fix = "use a char string for the range";
    return answer;
  }
  DescribeAbsent(wanted, found, answer);
  return answer;
}

}  // namespace ridgeline::nvtx
