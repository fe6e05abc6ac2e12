#include "model_io/predictions/label_colour.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

namespace ridgeline::predictions {
namespace {

// Visually distinct from each other, and from paper and ink: at least 40 apart in CIELAB.
constexpr std::array<images::Colour, 16> kPalette = {{{0xd6, 0x28, 0x28},
                                                      {0x1a, 0x1a, 0xff},
                                                      {0x00, 0xe6, 0x00},
                                                      {0xe6, 0xb8, 0x00},
                                                      {0xff, 0x1a, 0xba},
                                                      {0x00, 0x73, 0xe6},
                                                      {0x10, 0x70, 0x10},
                                                      {0x70, 0x10, 0x53},
                                                      {0x80, 0x4d, 0x00},
                                                      {0x1a, 0xd1, 0xff},
                                                      {0x1d, 0xc9, 0xa6},
                                                      {0x59, 0x16, 0x9c},
                                                      {0x10, 0x40, 0x70},
                                                      {0xaf, 0xd2, 0x79},
                                                      {0xc9, 0x79, 0xd2},
                                                      {0xe8, 0x1a, 0xff}}};

// The smallest number that gives the usual labels different colours.
constexpr uint64_t kSalt = 360;

// FNV-1a: std::hash may change with the compiler.
uint64_t Hash(std::string_view label) {
  uint64_t hash = 0xcbf29ce484222325 ^ kSalt;
  for (const char c : label) {
    hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  }
  return hash ^ (hash >> 32);
}

}  // namespace

images::Colour LabelColour(std::string_view label) {
  return kPalette.at(Hash(label) % kPalette.size());
}

std::string ToHex(images::Colour colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.red, colour.green, colour.blue);
}

}  // namespace ridgeline::predictions
