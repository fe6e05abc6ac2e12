#include "reports/json_parts.h"

namespace ridgeline::reports {
namespace {

bool IsInsideCharacter(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

}  // namespace

std::string CutText(std::string_view text) {
  if (text.size() <= kMostTextBytes) return std::string(text);
  size_t head = kMostTextBytes / 2;
  size_t tail = text.size() - kMostTextBytes / 2;
  while (head > 0 && IsInsideCharacter(text[head])) --head;
  while (tail < text.size() && IsInsideCharacter(text[tail])) ++tail;
  return std::string(text.substr(0, head)) + " … " + std::string(text.substr(tail));
}

}  // namespace ridgeline::reports
