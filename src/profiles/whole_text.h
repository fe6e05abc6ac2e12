#pragma once

#include <cstddef>
#include <string>

#include "base/byte_source.h"
#include "base/result.h"

namespace ridgeline::profiles {

// Everything that comes from `source`, if that is at most `most_bytes`; otherwise an
// error that says `too_much`: "has more than 1 GiB; export fewer launches".
Result<std::string> WholeText(ByteSource& source, size_t most_bytes,
                              const std::string& too_much);

}  // namespace ridgeline::profiles
