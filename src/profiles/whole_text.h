#pragma once

#include <cstddef>
#include <string>

#include "base/byte_source.h"
#include "base/result.h"

namespace ridgeline::profiles {

// All text of `source`, if it is at most `most_bytes`; otherwise an error with the text
// `too_much`: "has more than 1 GiB; export fewer launches".
Result<std::string> WholeText(ByteSource& source, size_t most_bytes,
                              const std::string& too_much);

}  // namespace ridgeline::profiles
