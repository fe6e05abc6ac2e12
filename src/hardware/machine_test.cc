#include "hardware/machine.h"

#include <gtest/gtest.h>

#include "hardware/testing/recorded_machine.h"

namespace ridgeline::hardware {
namespace {

TEST(MachineTest, ReadsAVirtualMachineWithoutSensors) {
  const Machine machine = ReadMachine(Recorded("virtual_debian12"));
  EXPECT_EQ(machine.host, "vm");
  EXPECT_EQ(machine.kernel, "6.18.44-fc-v445");
  EXPECT_EQ(machine.os, "Debian GNU/Linux 12 (bookworm)");
  EXPECT_EQ(machine.architecture, "x86_64");
  EXPECT_EQ(machine.boot_id, "6f2a1c1e-6f0b-4f63-9d4e-0d3c8d0c5a11");
  EXPECT_EQ(machine.container, "docker");
  EXPECT_EQ(machine.is_virtual, true);
  EXPECT_EQ(machine.product, std::nullopt);
  EXPECT_EQ(machine.cpu.model, "AMD EPYC");
  EXPECT_EQ(machine.cpu.sockets, 1);
  EXPECT_EQ(machine.cpu.cores, 2);
  EXPECT_EQ(machine.cpu.threads, 2);
  EXPECT_EQ(machine.cpu.threads_available, 2);
  EXPECT_EQ(machine.cpu.governor, std::nullopt);
  EXPECT_EQ(machine.cpu.has_counters, false);
  EXPECT_EQ(machine.memory.total_bytes, 24682416LL * 1024);
}

TEST(MachineTest, CountsSocketsCoresAndThreadsApart) {
  const Machine machine = ReadMachine(Recorded("gpu_server"));
  EXPECT_EQ(machine.cpu.model, "Intel(R) Xeon(R) Gold 6330 CPU @ 2.00GHz");
  EXPECT_EQ(machine.cpu.sockets, 2);
  EXPECT_EQ(machine.cpu.cores, 4);
  EXPECT_EQ(machine.cpu.threads, 8);
  EXPECT_EQ(machine.cpu.threads_available, 4) << "0-2,7 of the affinity";
  EXPECT_EQ(machine.cpu.governor, "powersave");
  EXPECT_EQ(machine.cpu.has_counters, true);
  EXPECT_EQ(machine.is_virtual, false);
  EXPECT_EQ(machine.product, "Dell Inc. PowerEdge R750xa");
  EXPECT_EQ(machine.container, std::nullopt);
  EXPECT_EQ(machine.memory.available_bytes, 401234568LL * 1024);
}

TEST(MachineTest, LeavesEmptyWhatAnArmKernelDoesNotTell) {
  const Cpu cpu = ParseCpuInfo(
      "processor\t: 0\nBogoMIPS\t: 2000.00\nFeatures\t: fp asimd\n\n"
      "processor\t: 1\nBogoMIPS\t: 2000.00\nFeatures\t: fp asimd\n\n");
  EXPECT_EQ(cpu.threads, 2);
  EXPECT_EQ(cpu.model, std::nullopt);
  EXPECT_EQ(cpu.sockets, std::nullopt);
  EXPECT_EQ(cpu.cores, std::nullopt);
  EXPECT_EQ(ShowsHypervisor("processor\t: 0\nFeatures\t: fp\n"), std::nullopt);
}

TEST(MachineTest, KnowsNothingOfAMachineThatTellsNothing) {
  const Machine machine = ReadMachine(Recorded("no_such_machine"));
  EXPECT_EQ(machine.host, std::nullopt);
  EXPECT_EQ(machine.os, std::nullopt);
  EXPECT_EQ(machine.cpu.threads, std::nullopt);
  EXPECT_EQ(machine.memory.total_bytes, std::nullopt);
}

TEST(MachineTest, ReadsNamesOfSystemsHoweverTheyAreQuoted) {
  EXPECT_EQ(ParseOsName("ID=x\nPRETTY_NAME='Arch Linux'\n"), "Arch Linux");
  EXPECT_EQ(ParseOsName("PRETTY_NAME=Alpine\n"), "Alpine");
  EXPECT_EQ(ParseOsName("PRETTY_NAME=\"\n"), "\"");
  EXPECT_EQ(ParseOsName("NAME=x\n"), std::nullopt);
}

TEST(MachineTest, ReadsThisMachine) {
  const Machine machine = ReadMachine();
  EXPECT_TRUE(machine.host);
  EXPECT_TRUE(machine.kernel);
  EXPECT_GE(machine.cpu.threads_available.value_or(0), 1);
  EXPECT_GT(machine.memory.total_bytes.value_or(0), 0);
}

}  // namespace
}  // namespace ridgeline::hardware
