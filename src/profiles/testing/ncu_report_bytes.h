// Bytes of small ncu reports (.ncu-rep), for tests.
#pragma once

#include <bit>
#include <cstdint>
#include <string>

namespace ridgeline::profiles::ncu_report_bytes {

inline std::string Varint(uint64_t value) {
  std::string bytes;
  while (value >= 0x80) {
    bytes += static_cast<char>(0x80 | (value & 0x7F));
    value >>= 7;
  }
  return bytes + static_cast<char>(value);
}
inline std::string Number(uint32_t field, uint64_t value) {
  return Varint(field << 3) + Varint(value);
}
inline std::string Bytes(uint32_t field, const std::string& bytes) {
  return Varint(field << 3 | 2) + Varint(bytes.size()) + bytes;
}
inline std::string Fixed(size_t bytes, uint64_t value) {
  std::string text;
  for (size_t i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i));
  return text;
}
inline std::string Double(uint32_t field, double value) {
  return Varint(field << 3 | 1) + Fixed(8, std::bit_cast<uint64_t>(value));
}
inline std::string Sized(const std::string& message) {
  return Fixed(4, message.size()) + message;
}

inline std::string Metric(uint32_t name, const std::string& value) {
  return Bytes(13, Number(1, name) + Bytes(2, value));
}

inline std::string Kernel() {
  return Bytes(6, "k") + Bytes(7, "k(int)") +
         Bytes(10, Number(1, 256) + Number(2, 2) + Number(3, 1)) +
         Bytes(11, Number(1, 64) + Number(2, 1) + Number(3, 1)) +
         Metric(0, Double(3, 1168077824)) + Metric(1, Bytes(1, "NVIDIA A10G")) +
         Metric(2, Number(5, 7)) + Metric(3, Number(5, 5)) + Metric(4, "") +
         Bytes(19, Bytes(1, "SOLBottleneck") + Bytes(2, "Bottleneck") +
                       Bytes(3, Bytes(1, Bytes(1, Bytes(1, "slow") + Number(2, 2)))) +
                       Bytes(4, "SpeedOfLight")) +
         Number(22, 1);
}

inline std::string Strings() {
  return Bytes(1, "gpu__time_duration.sum") + Bytes(1, "device__attribute_display_name") +
         Bytes(1, "device__attribute_compute_capability_major") +
         Bytes(1, "device__attribute_compute_capability_minor") +
         Bytes(1, "lts__t_sectors.sum");
}

inline std::string Report(uint64_t version, const std::string& result,
                          uint32_t count_field) {
  const std::string payload = Sized(result);
  const std::string process =
      Number(1, 12541) + Bytes(2, "127.0.0.1") + Bytes(3, "/home/me/main");
  const std::string header = Number(count_field, 1) + Bytes(3, "API_KEY=secret") +
                             Bytes(4, Strings()) + Number(5, payload.size()) +
                             Bytes(6, process);
  return std::string("NVR\0", 4) + Sized(Number(1, version)) + Sized(header) + payload;
}

// A replayed range of 5 us.
inline std::string Range() { return Bytes(4, Number(1, 0) + Bytes(2, Double(3, 5000))); }

}  // namespace ridgeline::profiles::ncu_report_bytes
