#include <bit>

#include "profiles/ncu_report/report_parts.h"

namespace ridgeline::profiles {

double WireField::AsDouble() const {
  if (kind == Kind::kFixed32) {
    return static_cast<double>(std::bit_cast<float>(static_cast<uint32_t>(integer)));
  }
  return std::bit_cast<double>(integer);
}

bool WireReader::Fault() {
  is_faulty_ = true;
  rest_ = {};
  return false;
}

// Seven bits per byte, lowest first; the highest bit indicates that more follow.
bool WireReader::TakeVarint(uint64_t& value) {
  constexpr int kMaxBits = 64;
  value = 0;
  for (int shift = 0; shift < kMaxBits; shift += 7) {
    if (rest_.empty()) return Fault();
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    value |= uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80U) return true;
  }
  return Fault();
}

// Little-endian.
bool WireReader::TakeFixed(size_t bytes, uint64_t& value) {
  if (rest_.size() < bytes) return Fault();
  value = 0;
  for (size_t i = 0; i < bytes; ++i) {
    value |= uint64_t{static_cast<unsigned char>(rest_[i])} << (8 * i);
  }
  rest_.remove_prefix(bytes);
  return true;
}

bool WireReader::Next(WireField& field) {
  if (rest_.empty()) return false;
  uint64_t tag = 0;
  if (!TakeVarint(tag)) return false;
  field = {.number = static_cast<uint32_t>(tag >> 3)};
  switch (tag & 7) {
    case 0:
      return TakeVarint(field.integer);
    case 1:
      field.kind = WireField::Kind::kFixed64;
      return TakeFixed(8, field.integer);
    case 2: {
      field.kind = WireField::Kind::kBytes;
      uint64_t size = 0;
      if (!TakeVarint(size)) return false;
      if (size > rest_.size()) return Fault();
      field.bytes = rest_.substr(0, size);
      rest_.remove_prefix(size);
      return true;
    }
    case 5:
      field.kind = WireField::Kind::kFixed32;
      return TakeFixed(4, field.integer);
    default:  // Groups, which are obsolete, and invalid data.
      return Fault();
  }
}

}  // namespace ridgeline::profiles
