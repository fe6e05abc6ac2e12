// Web pages embedded in the program; their sources are in web/.
#pragma once

#include <string_view>

namespace ridgeline::pages {

// Placeholder for the data of a report in its page.
inline constexpr std::string_view kDataMark = "<!--ridgeline:data-->";

// The report of a run, without its data.
std::string_view ReportPage();

// The report of a sweep, without its data.
std::string_view SweepPage();

// The list of runs, fetched from the server. Its style and its script are the only
// <style> and the only <script>, without attributes.
std::string_view RunsPage();

}  // namespace ridgeline::pages
