// Part of the precompiled header of modules and of tests: templates that most files use
// are instantiated once, in common_templates.cc, and not in each of them. More than half
// of the time of a debug build goes into such copies.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// RIDGELINE_COMMON_TEMPLATE is "extern template" here and "template" in the source file.
#ifndef RIDGELINE_COMMON_TEMPLATE
#define RIDGELINE_COMMON_TEMPLATE extern template
#endif

RIDGELINE_COMMON_TEMPLATE class std::basic_string<char>;
RIDGELINE_COMMON_TEMPLATE class std::vector<char>;
RIDGELINE_COMMON_TEMPLATE class std::vector<uint8_t>;
RIDGELINE_COMMON_TEMPLATE class std::vector<int>;
RIDGELINE_COMMON_TEMPLATE class std::vector<uint32_t>;
RIDGELINE_COMMON_TEMPLATE class std::vector<int64_t>;
RIDGELINE_COMMON_TEMPLATE class std::vector<uint64_t>;
RIDGELINE_COMMON_TEMPLATE class std::vector<double>;
RIDGELINE_COMMON_TEMPLATE class std::vector<bool>;
RIDGELINE_COMMON_TEMPLATE class std::vector<std::string>;
RIDGELINE_COMMON_TEMPLATE class std::vector<std::string_view>;
RIDGELINE_COMMON_TEMPLATE class std::vector<std::filesystem::path>;
RIDGELINE_COMMON_TEMPLATE class std::vector<std::pair<std::string, std::string>>;
RIDGELINE_COMMON_TEMPLATE class std::optional<int64_t>;
RIDGELINE_COMMON_TEMPLATE class std::optional<double>;
RIDGELINE_COMMON_TEMPLATE class std::optional<std::string>;
RIDGELINE_COMMON_TEMPLATE class std::set<std::string>;
RIDGELINE_COMMON_TEMPLATE class std::map<std::string, std::string>;
RIDGELINE_COMMON_TEMPLATE class nlohmann::basic_json<>;
RIDGELINE_COMMON_TEMPLATE class std::vector<nlohmann::json>;
RIDGELINE_COMMON_TEMPLATE class std::map<std::string, nlohmann::json, std::less<>>;
RIDGELINE_COMMON_TEMPLATE class nlohmann::basic_json<nlohmann::ordered_map>;
RIDGELINE_COMMON_TEMPLATE class std::vector<nlohmann::ordered_json>;
