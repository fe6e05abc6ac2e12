#pragma once

#include <optional>
#include <string>
#include <vector>

#include "profiles/operators/recording.h"

namespace ridgeline::profiles {

struct OperatorRow {
  std::string name;
  std::optional<std::string> shapes;  // Nothing: rows are not told apart by them.
  OperatorTotal total;

  bool operator==(const OperatorRow&) const = default;
};

enum class GroupBy { kName, kNameAndShapes };

// Sums over everything that was recorded, lost or not; the most self time first. Self
// times add up to the time within the outermost events.
std::vector<OperatorRow> OperatorTable(const Recording& recording, GroupBy group_by);

}  // namespace ridgeline::profiles
