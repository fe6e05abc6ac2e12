// From the JSON that this program prints to recorded answers of others, which give the
// same things other names.
#pragma once

#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

namespace ridgeline::reference {

using Json = nlohmann::ordered_json;

// Old names, new names.
using Renames = std::vector<std::pair<const char*, const char*>>;

// Fields of `from` by their old names, under their new ones. All have to be there.
Json Renamed(const Json& from, const Renames& renames);
Json RenamedList(const Json& from, const Renames& renames);

// Count, total, mean, median, least and most of durations; null stays null.
Json Stats(const Json& stats);

double Percent(const Json& share);

}  // namespace ridgeline::reference
