#include "report/sections/parts.h"

#include "base/utf8.h"

namespace ridgeline::report {

std::string CutText(std::string_view text) {
  return ElideMiddle(text, kMaxTextBytes, " … ");
}

}  // namespace ridgeline::report
