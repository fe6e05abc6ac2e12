// The web pages that are part of the program; web/ holds their sources.
#pragma once

#include <string_view>

namespace ridgeline::pages {

// Where the data of a report go into its page.
inline constexpr std::string_view kDataMark = "<!--ridgeline:data-->";

// The report of a run, without its data.
std::string_view ReportPage();

}  // namespace ridgeline::pages
