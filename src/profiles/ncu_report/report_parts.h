// What a report of ncu is made of: Protocol Buffers, and quantities in base units.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ridgeline::profiles {

// The wire format of Protocol Buffers, as far as it is needed to read messages: a list of
// fields, each with a number and a value.

struct WireField {
  enum class Kind : uint8_t { kVarint, kFixed64, kBytes, kFixed32 };

  uint32_t number = 0;
  Kind kind = Kind::kVarint;
  uint64_t integer = 0;    // Of all but kBytes; bits of floating-point numbers.
  std::string_view bytes;  // Of kBytes: a text or another message.

  double AsDouble() const;  // Of kFixed64 and kFixed32.
};

// Reads one field after the other. Stops at malformed data.
class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}

  // False at the end, and at a fault.
  bool Next(WireField& field);
  bool is_faulty() const { return is_faulty_; }

 private:
  bool TakeVarint(uint64_t& value);
  bool TakeFixed(size_t bytes, uint64_t& value);
  bool Fault();

  std::string_view rest_;
  bool is_faulty_ = false;
};

// The unit of a metric's value in a report, which holds base units and does not name
// them: "ns" of gpu__time_duration.sum, "byte/s" of dram__bytes.sum.per_second, "%" of
// what is a share of a peak. Empty where the name does not tell.
std::string BaseUnitOf(std::string_view metric);

}  // namespace ridgeline::profiles
