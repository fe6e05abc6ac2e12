// What the machine under us is. Nothing is guessed: what the system does not tell is
// empty.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hardware/system_files.h"

namespace ridgeline::hardware {

struct Cpu {
  std::optional<std::string> model;
  std::optional<int> sockets;
  std::optional<int> cores;              // Physical ones.
  std::optional<int> threads;            // That run now.
  std::optional<int> threads_available;  // Those of them that we may use (affinity).
  std::optional<std::string> governor;   // "performance", of the first thread.
  // Whether the kernel reaches its performance counters; many virtual machines have none.
  std::optional<bool> has_counters;
};

struct Memory {
  std::optional<int64_t> total_bytes;
  std::optional<int64_t> available_bytes;  // Without swapping, when we looked.
};

struct Machine {
  std::optional<std::string> host;
  std::optional<std::string> kernel;        // "6.1.0-18-amd64"
  std::optional<std::string> os;            // "Debian GNU/Linux 12 (bookworm)"
  std::optional<std::string> architecture;  // "x86_64"
  std::optional<std::string> boot_id;       // Changes whenever the machine starts.
  std::optional<std::string> container;     // "docker", "podman", "apptainer"
  std::optional<bool> is_virtual;
  std::optional<std::string> product;  // "Dell Inc. PowerEdge R750"
  Cpu cpu;
  Memory memory;
};

// From /proc/cpuinfo. Empty are, on machines whose kernel does not tell them (ARM), the
// model, sockets and cores.
Cpu ParseCpuInfo(std::string_view cpuinfo);

// Whether /proc/cpuinfo shows a hypervisor; only x86 would say so.
std::optional<bool> ShowsHypervisor(std::string_view cpuinfo);

// From /proc/meminfo.
Memory ParseMemInfo(std::string_view meminfo);

// PRETTY_NAME of /etc/os-release.
std::optional<std::string> ParseOsName(std::string_view os_release);

Machine ReadMachine(const SystemFiles& files = SystemFiles());

}  // namespace ridgeline::hardware
