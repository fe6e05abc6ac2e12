// Which entry of the table of ceilings a GPU is, if it is one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "hardware/gpu.h"
#include "hardware/gpu_specs.h"

namespace ridgeline::hardware {

// What the driver tells about a GPU; give what there is.
struct DeviceFacts {
  std::optional<uint32_t> pci_device_id;  // As NVML has it, vendor below: 0x20B010DE.
  std::optional<std::string> name;
  std::optional<int> sm_count;
  std::optional<int64_t> memory_bytes;
  std::optional<Capability> capability;
  std::optional<int64_t> sm_clock_max_hz;
  std::optional<bool> mig;  // Whether the GPU is cut into instances.
};

DeviceFacts FactsOf(const Gpu& gpu);

struct KnownDevice {
  const Ceiling* ceiling = nullptr;  // Lives as long as the table.
  std::string by;                    // "PCI device id 10DE:2204"
};

struct UnknownDevice {
  std::string reason;
  std::string advice;  // How to give the ceilings by hand.
};

using DeviceMatch = std::variant<KnownDevice, UnknownDevice>;

// By PCI device id; without one by name, SM count, memory and capability together. What
// else is known must agree, so that neither a slice of a GPU nor its laptop, virtual or
// cut-down namesake is taken for it. In doubt the device is unknown.
DeviceMatch MatchDevice(const DeviceFacts& facts,
                        std::span<const Ceiling> table = Ceilings());

}  // namespace ridgeline::hardware
