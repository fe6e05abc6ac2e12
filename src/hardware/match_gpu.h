// Finds the entry of the table of ceilings for a GPU, if there is one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "hardware/gpu.h"
#include "hardware/gpu_specs.h"

namespace ridgeline::hardware {

// GPU properties reported by the driver; fill in those that are known.
struct DeviceFacts {
  std::optional<uint32_t> pci_device_id;  // As in NVML, vendor last: 0x20B010DE.
  std::optional<std::string> name;
  std::optional<int> sm_count;
  std::optional<int64_t> memory_bytes;
  std::optional<Capability> capability;
  std::optional<int64_t> sm_clock_max_hz;
  std::optional<bool> mig;  // Whether the GPU is partitioned into instances.
};

DeviceFacts FactsOf(const Gpu& gpu);

struct KnownDevice {
  const GpuSpec* ceiling = nullptr;  // Points into the table.
  std::string by;                    // "PCI device id 10DE:2204"
};

struct UnknownDevice {
  std::string reason;
  std::string advice;  // How to set the ceilings manually.
};

using DeviceMatch = std::variant<KnownDevice, UnknownDevice>;

// Matches by PCI device id; without one, by name, SM count, memory and capability
// combined. All other known facts must agree, so that a MIG slice or a laptop, virtual or
// cut-down GPU of the same name is not mistaken for it. In doubt the device is unknown.
DeviceMatch MatchDevice(const DeviceFacts& facts,
                        std::span<const GpuSpec> table = GpuSpecs());

}  // namespace ridgeline::hardware
