#include "config/origin.h"

namespace ridgeline::config {

std::string Origin::ToString() const {
  if (!known()) return "";
  std::string text = *source;
  if (line > 0) text += ":" + std::to_string(line);
  if (line > 0 && column > 0) text += ":" + std::to_string(column);
  return text;
}

}  // namespace ridgeline::config
