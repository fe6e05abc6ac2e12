// The web pages that are part of the program; web/ holds their sources.
#pragma once

#include <string_view>

namespace ridgeline::pages {

// Where the data of a report go into its page.
inline constexpr std::string_view kDataMark = "<!--ridgeline:data-->";

// The report of a run, without its data.
std::string_view ReportPage();

// The report of a sweep, without its data.
std::string_view SweepPage();

// The list of runs, which asks its server for them. Its style and its script are the only
// <style> and the only <script>, without attributes.
std::string_view RunsPage();

}  // namespace ridgeline::pages
