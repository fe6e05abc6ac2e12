#include "report/json_parts.h"

#include "base/cut_text.h"

namespace ridgeline::report {

std::string CutText(std::string_view text) {
  return WithoutMiddle(text, kMostTextBytes, " … ");
}

}  // namespace ridgeline::report
