// Content-Security-Policy of the served files. Names in a run come from the profiled
// program; if one were ever interpreted as markup, it could not use the network.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::serve {

// For our own page: its single script and style, by their hashes, and requests to us.
std::string PolicyOfPage(std::string_view page);

// For pages of a run, which include their scripts: these, and images of the run.
// Sandboxed pages have no origin: a script in them cannot read other runs from us.
inline constexpr std::string_view kPolicyOfRunPages =
    "sandbox allow-scripts allow-downloads allow-modals allow-popups "
    "allow-popups-to-escape-sandbox; "
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'";

// For files that are not pages.
inline constexpr std::string_view kPolicyOfData =
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

}  // namespace ridgeline::serve
