#pragma once

#include <iosfwd>

namespace ridgeline::app {

// Where a command writes: the answer to `out`, all talk to `err`.
struct Streams {
  std::ostream& out;
  std::ostream& err;
};

}  // namespace ridgeline::app
