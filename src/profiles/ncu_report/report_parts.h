// Parts of ncu reports: Protocol Buffers, and quantities in base units.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ridgeline::profiles {

// Wire format of Protocol Buffers, as far as needed to read messages: a list of fields,
// each with a number and a value.

struct WireField {
  enum class Kind : uint8_t { kVarint, kFixed64, kBytes, kFixed32 };

  uint32_t number = 0;
  Kind kind = Kind::kVarint;
  uint64_t integer = 0;    // All types but kBytes; bits of floating-point numbers.
  std::string_view bytes;  // For kBytes: a text or another message.

  double AsDouble() const;  // For kFixed64 and kFixed32.
};

// Reads one field after the other. Stops at malformed data.
class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}

  // False at the end, and on an error.
  bool Next(WireField& field);
  bool is_faulty() const { return is_faulty_; }

 private:
  bool TakeVarint(uint64_t& value);
  bool TakeFixed(size_t bytes, uint64_t& value);
  bool Fault();

  std::string_view rest_;
  bool is_faulty_ = false;
};

// The unit of a metric's value in a report, which contains base units without naming
// them: "ns" for gpu__time_duration.sum, "byte/s" for dram__bytes.sum.per_second, "%" for
// a share of a peak. Empty if it does not follow from the name.
std::string BaseUnitOf(std::string_view metric);

}  // namespace ridgeline::profiles
