// The machine this runs on. Nothing is guessed: fields not reported by the system are
// empty.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "hardware/system_files.h"

namespace ridgeline::hardware {

struct Cpu {
  std::optional<std::string> model;
  std::optional<int> sockets;
  std::optional<int> cores;              // Physical.
  std::optional<int> threads;            // Online.
  std::optional<int> threads_available;  // Those we may use (affinity).
  std::optional<std::string> governor;   // "performance", of the first thread.
  // Whether the kernel has access to performance counters; many virtual machines have
  // none.
  std::optional<bool> has_counters;
};

struct Memory {
  std::optional<int64_t> total_bytes;
  std::optional<int64_t> available_bytes;  // Without swapping, at the time of the query.
};

struct Machine {
  std::optional<std::string> host;
  std::optional<std::string> kernel;        // "6.1.0-18-amd64"
  std::optional<std::string> os;            // "Debian GNU/Linux 12 (bookworm)"
  std::optional<std::string> architecture;  // "x86_64"
  std::optional<std::string> boot_id;       // Changes at every boot.
  std::optional<std::string> container;     // "docker", "podman", "apptainer"
  std::optional<bool> is_virtual;
  std::optional<std::string> product;  // "Dell Inc. PowerEdge R750"
  Cpu cpu;
  Memory memory;
};

// From /proc/cpuinfo. Model, sockets and cores are empty if the kernel does not report
// them (ARM).
Cpu ParseCpuInfo(std::string_view cpuinfo);

// Whether /proc/cpuinfo shows a hypervisor; reported on x86 only.
std::optional<bool> ShowsHypervisor(std::string_view cpuinfo);

// From /proc/meminfo.
Memory ParseMemInfo(std::string_view meminfo);

// PRETTY_NAME of /etc/os-release.
std::optional<std::string> ParseOsName(std::string_view os_release);

Machine ReadMachine(const SystemFiles& files = SystemFiles());

struct Disk {
  std::filesystem::path wanted;       // The requested directory...
  std::filesystem::path existing;     // ...and the nearest existing one at or above it.
  bool is_writable = false;           // Whether we may create files in `existing`.
  std::optional<int64_t> free_bytes;  // Available to us, excluding root's reserve.
};

// Creates nothing. `directory` is absolute.
Disk LookAtDisk(const std::filesystem::path& directory);

// Resource limits of this process.

// A process limit: a number or unlimited.
struct ProcessLimit {
  std::optional<int64_t> value;  // Empty: unlimited.

  bool operator==(const ProcessLimit&) const = default;
};

struct Limits {
  // Empty: unknown. Soft limits, i.e. the effective ones.
  std::optional<ProcessLimit> open_files;
  std::optional<ProcessLimit> locked_memory_bytes;
  // The tightest of the enclosing control groups. Empty: none or unknown.
  std::optional<int64_t> cgroup_memory_bytes;
  std::optional<double> cgroup_cpus;  // 1.5: the time of one and a half threads.
};

// The soft limit in one line of /proc/self/limits, such as
//   Max open files            20000                20000                files
std::optional<ProcessLimit> ParseProcessLimit(std::string_view limits,
                                              std::string_view name);

Limits ReadLimits(const SystemFiles& files = SystemFiles());

}  // namespace ridgeline::hardware
