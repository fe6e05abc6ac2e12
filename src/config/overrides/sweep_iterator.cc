#include "config/overrides/sweep_iterator.h"

#include <algorithm>
#include <utility>

#include "base/glob.h"
#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

Error InvalidOperation() {
  // Python's text for a decimal that cannot be computed or compared.
  return Error(ErrorKind::kValue, "[<class 'decimal.InvalidOperation'>]");
}

Result<bool> MatchesAny(const std::string& name, const ParsedList& patterns) {
  for (const ParsedValue& pattern : patterns) {
    const std::string* text = pattern.AsScalar<std::string>();
    if (text == nullptr) {
      return Error(ErrorKind::kType, "expected str, bytes or os.PathLike object, not " +
                                         std::string(TypeName(pattern)));
    }
    if (GlobMatches(name, *text)) return true;
  }
  return false;
}

Result<std::vector<std::string>> Filter(const Glob& glob,
                                        std::vector<std::string> names) {
  std::vector<std::string> chosen;
  for (std::string& name : names) {
    RIDGELINE_TRY(const bool included, MatchesAny(name, glob.include));
    if (!included) continue;
    RIDGELINE_TRY(const bool excluded, MatchesAny(name, glob.exclude));
    if (!excluded) chosen.push_back(std::move(name));
  }
  return chosen;
}

Error TooMany(size_t limit) {
  return Error(ErrorKind::kLimit, "A sweep has more than the " + std::to_string(limit) +
                                      " values that can be held");
}

}  // namespace

Result<SweepIterator::Source> SweepIterator::RangeSource(const RangeSweep& range) {
  if (!range.IsWhole()) {
    return Source(DecimalRange{Decimal::FromNumber(range.start),
                               Decimal::FromNumber(range.stop),
                               Decimal::FromNumber(range.step)});
  }
  WholeRange whole{ToInteger(range.start), ToInteger(range.stop), ToInteger(range.step)};
  if (whole.step.IsZero()) {
    return Error(ErrorKind::kValue, "range() arg 3 must not be zero");
  }
  return Source(std::move(whole));
}

Result<SweepIterator> SweepIterator::Shuffled(SweepIterator in_order,
                                              std::mt19937& random) {
  Texts texts;
  while (true) {
    RIDGELINE_TRY(std::optional<std::string> text, in_order.Next());
    if (!text) break;
    if (texts.list.size() >= kSweepMaxValues) return TooMany(kSweepMaxValues);
    texts.list.push_back(*std::move(text));
  }
  std::shuffle(texts.list.begin(), texts.list.end(), random);
  return SweepIterator(Source(std::move(texts)));
}

Result<SweepIterator> SweepIterator::Create(const Override& override,
                                            const GroupOptions& group_options,
                                            std::mt19937& random) {
  if (const ChoiceSweep* choice = override.value.As<ChoiceSweep>()) {
    SweepIterator iterator{Source(Choices{&choice->list, 0})};
    if (!choice->shuffle) return iterator;
    return Shuffled(std::move(iterator), random);
  }
  if (const RangeSweep* range = override.value.As<RangeSweep>()) {
    RIDGELINE_TRY(Source source, RangeSource(*range));
    SweepIterator iterator{std::move(source)};
    if (!range->shuffle) return iterator;
    return Shuffled(std::move(iterator), random);
  }
  if (const Glob* glob = override.value.As<Glob>()) {
    if (!group_options) return Error(ErrorKind::kHydra, "ConfigLoader is not set");
    RIDGELINE_TRY(std::vector<std::string> names, group_options(override.key_or_group));
    RIDGELINE_TRY(std::vector<std::string> chosen, Filter(*glob, std::move(names)));
    return SweepIterator{Source(Texts{std::move(chosen), 0})};
  }
  const std::string type =
      override.value_type
          ? "ValueType." + std::string(ValueTypeName(*override.value_type))
          : "None";
  return Error(ErrorKind::kHydra,
               "Can only enumerate CHOICE and RANGE sweeps, type is " + type);
}

Result<std::optional<std::string>> SweepIterator::Next() {
  return std::visit([this](auto& source) { return NextOf(source); }, source_);
}

Result<std::optional<std::string>> SweepIterator::NextOf(Choices& choices) {
  if (choices.next >= choices.list->size()) return std::optional<std::string>();
  RIDGELINE_TRY(std::string text, RenderElement((*choices.list)[choices.next++]));
  return std::optional(std::move(text));
}

Result<std::optional<std::string>> SweepIterator::NextOf(WholeRange& range) {
  const int order = Integer::Compare(range.next, range.stop);
  const bool more = range.step.IsNegative() ? order > 0 : order < 0;
  if (!more) return std::optional<std::string>();
  std::string text = range.next.ToString();
  range.next = range.next + range.step;
  return std::optional(std::move(text));
}

Result<std::optional<std::string>> SweepIterator::NextOf(DecimalRange& range) {
  const std::optional<int> direction =
      Decimal::Compare(range.step, Decimal::FromNumber(Integer(0)));
  if (!direction) return InvalidOperation();
  if (*direction == 0) {
    return Error(ErrorKind::kHydra,
                 "Invalid range values (start:" + range.next.ToString() + ", stop:" +
                     range.stop.ToString() + ", step:" + range.step.ToString() + ")");
  }
  const std::optional<int> order = Decimal::Compare(range.next, range.stop);
  if (!order) return InvalidOperation();
  if (*order * *direction >= 0) return std::optional<std::string>();
  std::string text = FloatRepr(range.next.ToDouble());
  std::optional<Decimal> next = Decimal::Sum(range.next, range.step);
  if (!next) return InvalidOperation();
  range.next = *std::move(next);
  return std::optional(std::move(text));
}

Result<std::optional<std::string>> SweepIterator::NextOf(Texts& texts) {
  if (texts.next >= texts.list.size()) return std::optional<std::string>();
  return std::optional(texts.list[texts.next++]);
}

Result<std::vector<std::string>> ExpandSweep(const Override& override,
                                             const GroupOptions& group_options,
                                             std::mt19937& random, size_t limit) {
  RIDGELINE_TRY(SweepIterator values,
                SweepIterator::Create(override, group_options, random));
  std::vector<std::string> texts;
  while (true) {
    RIDGELINE_TRY(std::optional<std::string> text, values.Next());
    if (!text) return texts;
    if (texts.size() >= limit) return TooMany(limit);
    texts.push_back(*std::move(text));
  }
}

}  // namespace ridgeline::config
