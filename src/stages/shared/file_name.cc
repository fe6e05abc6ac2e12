#include "stages/shared/file_name.h"

#include <cctype>

namespace ridgeline::stages {

std::string AsFileName(std::string_view label) {
  std::string name(label);
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-') c = '_';
  }
  return name.empty() ? "_" : name;
}

}  // namespace ridgeline::stages
