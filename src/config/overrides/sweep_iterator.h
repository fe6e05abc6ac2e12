// The values of a discrete sweep, one by one, as text for the override of a job.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "config/error.h"
#include "config/overrides/decimal.h"
#include "config/overrides/override.h"

namespace ridgeline::config {

// The options of a config group, sorted; glob() selects among them.
using GroupOptions =
    std::function<Result<std::vector<std::string>>(const std::string& group)>;

// More values than this are rejected (ErrorKind::kLimit) if all of them would have to be
// kept in memory.
constexpr size_t kSweepMaxValues = 100'000;

class SweepIterator {
 public:
  // `override` is a discrete sweep and outlives the iterator. `random` determines the
  // order of a shuffled sweep, in this call.
  static Result<SweepIterator> Create(const Override& override,
                                      const GroupOptions& group_options,
                                      std::mt19937& random);

  // Empty at the end. range(0,inf) never ends.
  Result<std::optional<std::string>> Next();

 private:
  struct Choices {
    const ParsedList* list = nullptr;
    size_t next = 0;
  };
  struct WholeRange {
    Integer next;
    Integer stop;
    Integer step;
  };
  struct DecimalRange {
    Decimal next;
    Decimal stop;
    Decimal step;
  };
  struct Texts {
    std::vector<std::string> list;
    size_t next = 0;
  };
  using Source = std::variant<Choices, WholeRange, DecimalRange, Texts>;

  explicit SweepIterator(Source source) : source_(std::move(source)) {}

  static Result<Source> RangeSource(const RangeSweep& range);
  static Result<SweepIterator> Shuffled(SweepIterator in_order, std::mt19937& random);

  Result<std::optional<std::string>> NextOf(Choices& choices);
  Result<std::optional<std::string>> NextOf(WholeRange& range);
  Result<std::optional<std::string>> NextOf(DecimalRange& range);
  Result<std::optional<std::string>> NextOf(Texts& texts);

  Source source_;
};

// All values at once; more than `limit` is an error (kLimit).
Result<std::vector<std::string>> ExpandSweep(const Override& override,
                                             const GroupOptions& group_options,
                                             std::mt19937& random,
                                             size_t limit = kSweepMaxValues);

}  // namespace ridgeline::config
