#include "config/overrides/sweep_iterator.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "config/overrides/override_parser.h"

namespace ridgeline::config {
namespace {

// The first values, separated by spaces; "..." if there are more than ten; or the error.
std::string Values(const std::string& value, const GroupOptions& options = nullptr) {
  const auto parsed = ParseOverride("g=" + value);
  if (!parsed.ok()) return "does not parse";
  std::mt19937 random(1);
  auto iterator = SweepIterator::Create(parsed.value(), options, random);
  if (!iterator.ok()) return iterator.error().message;
  std::string text;
  for (int i = 0; i < 10; ++i) {
    auto next = iterator.value().Next();
    if (!next.ok()) return next.error().message;
    if (!next.value()) return text;
    text += (i == 0 ? "" : " ") + *next.value();
  }
  return text + " ...";
}

TEST(SweepIterator, EnumeratesChoicesAndRanges) {
  struct Case {
    const char* what;
    const char* value;
    const char* want;
  } cases[] = {
      {"choices are rendered", "1e3,'a b',x y", "1000.0 'a b' x\\ y"},
      {"whole range", "range(1,4)", "1 2 3"},
      {"falling range", "range(3,0,-2)", "3 1"},
      {"range of bools", "range(true,3)", "1 2"},
      {"empty range", "range(0)", ""},
      {"beyond int64", "range(9223372036854775806,9223372036854775809)",
       "9223372036854775806 9223372036854775807 9223372036854775808"},
      {"decimal sums, not binary ones", "range(0,1,0.1)",
       "0.0 0.1 0.2 0.3 0.4 0.5 0.6 0.7000000000000001 0.8 0.9 ..."},
      {"a whole start becomes a float", "range(1,2,0.5)", "1.0 1.5"},
      {"negative zero", "range(-0.0,1,0.5)", "-0.0 0.5"},
      {"without end", "range(0,1e18)", "0.0 1.0 2.0 3.0 4.0 5.0 6.0 7.0 8.0 9.0 ..."},
      {"step zero", "range(1,2,0)", "range() arg 3 must not be zero"},
      {"float step zero", "range(1,2.5,-0.0)",
       "Invalid range values (start:1, stop:2.5, step:-0)"},
      {"nan", "range(nan)", "[<class 'decimal.InvalidOperation'>]"},
      {"infinite difference", "range(inf,0,-inf)",
       "[<class 'decimal.InvalidOperation'>]"},
      {"a sweep in a sweep", "range(2),1",
       "Unexpected type annotation: Set[str]\n    full_key: tags\n    "
       "object_type=RangeSweep"},
      {"no sweep", "1",
       "Can only enumerate CHOICE and RANGE sweeps, type is ValueType.ELEMENT"},
      {"no options for a glob", "glob(*)", "ConfigLoader is not set"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(Values(c.value), c.want);
  }
}

TEST(SweepIterator, FiltersTheOptionsOfTheGroup) {
  const GroupOptions options = [](const std::string& group) {
    EXPECT_EQ(group, "g");
    return Result<std::vector<std::string>>({"abc", "abd", "xyz"});
  };
  EXPECT_EQ(Values("glob(*)", options), "abc abd xyz");
  EXPECT_EQ(Values("glob([a*,x*],exclude=*d)", options), "abc xyz");
  EXPECT_EQ(Values("glob('ab[!c]')", options), "abd");
  EXPECT_EQ(Values("glob(q)", options), "");
  EXPECT_EQ(Values("glob(['a*'])", options),
            "expected str, bytes or os.PathLike object, not QuotedString");
}

TEST(ExpandSweep, IsBounded) {
  std::mt19937 random(1);
  const auto endless = ParseOverride("a=range(0,inf)");
  const auto expanded = ExpandSweep(endless.value(), nullptr, random, 1000);
  ASSERT_FALSE(expanded.ok());
  EXPECT_EQ(expanded.error().kind, ErrorKind::kLimit);
  const auto shuffled = ParseOverride("a=shuffle(range(1000000000000))");
  EXPECT_EQ(ExpandSweep(shuffled.value(), nullptr, random).error().kind,
            ErrorKind::kLimit);
}

TEST(ExpandSweep, ShufflesWithoutLosingValues) {
  std::mt19937 random(1);
  const auto parsed = ParseOverride("a=shuffle(range(20))");
  std::vector<std::string> values = ExpandSweep(parsed.value(), nullptr, random).value();
  std::vector<int> numbers;
  numbers.reserve(values.size());
  for (const std::string& value : values) numbers.push_back(std::stoi(value));
  EXPECT_FALSE(std::is_sorted(numbers.begin(), numbers.end()));
  std::sort(numbers.begin(), numbers.end());
  for (int i = 0; i < 20; ++i) EXPECT_EQ(numbers[static_cast<size_t>(i)], i);
}

}  // namespace
}  // namespace ridgeline::config
