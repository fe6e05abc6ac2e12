// The machine this runs on. Nothing is guessed: fields that the system does not report
// are empty.
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

// From /proc/cpuinfo. Model, sockets and cores are empty if the kernel does not report
// them (ARM).
Cpu ParseCpuInfo(std::string_view cpuinfo);

// Whether /proc/cpuinfo shows a hypervisor; only x86 would say so.
std::optional<bool> ShowsHypervisor(std::string_view cpuinfo);

// From /proc/meminfo.
Memory ParseMemInfo(std::string_view meminfo);

// PRETTY_NAME of /etc/os-release.
std::optional<std::string> ParseOsName(std::string_view os_release);

Machine ReadMachine(const SystemFiles& files = SystemFiles());

struct Disk {
  std::filesystem::path wanted;       // The directory that was asked about...
  std::filesystem::path existing;     // ...and it or the nearest one above that exists.
  bool is_writable = false;           // Whether we may create something in `existing`.
  std::optional<int64_t> free_bytes;  // For us, not for root.
};

// Nothing is created. `directory` is absolute.
Disk LookAtDisk(const std::filesystem::path& directory);

// How much of the machine we are let to use.

// A limit of the process: a number, or that there is none.
struct ProcessLimit {
  std::optional<int64_t> value;  // Nothing: unlimited.

  bool operator==(const ProcessLimit&) const = default;
};

struct Limits {
  // Nothing: not known. These are the soft ones, which are in force.
  std::optional<ProcessLimit> open_files;
  std::optional<ProcessLimit> locked_memory_bytes;
  // Of the control groups around us, the tightest. Nothing: none, or not known.
  std::optional<int64_t> cgroup_memory_bytes;
  std::optional<double> cgroup_cpus;  // 1.5: one and a half threads' worth of time.
};

// The soft limit of one line of /proc/self/limits, such as
//   Max open files            20000                20000                files
std::optional<ProcessLimit> ParseProcessLimit(std::string_view limits,
                                              std::string_view name);

Limits ReadLimits(const SystemFiles& files = SystemFiles());

}  // namespace ridgeline::hardware
