// Keeps the table of docs/ceilings.md in sync with the code.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "hardware/gpu_specs.h"

namespace ridgeline::hardware {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegin = "<!-- table: begin -->\n";
constexpr std::string_view kEnd = "<!-- table: end -->\n";

constexpr Arithmetic kColumns[] = {
    Arithmetic::kFp32,     Arithmetic::kTf32, Arithmetic::kBf16, Arithmetic::kFp16,
    Arithmetic::kFp16Fp16, Arithmetic::kFp8,  Arithmetic::kInt8, Arithmetic::kFp4};

// Four digits, as vendors print them: "989.4", "71.16", "1979".
std::string Digits(double value) {
  const int digits = value >= 1000 ? 0 : value >= 100 ? 1 : 2;
  char text[32];
  std::snprintf(text, sizeof(text), "%.*f", digits, value);
  std::string trimmed = text;
  if (digits > 0) {
    trimmed.erase(trimmed.find_last_not_of('0') + 1);
    if (trimmed.ends_with('.')) trimmed.pop_back();
  }
  return trimmed;
}

std::string PeakCell(const GpuSpec& ceiling, Arithmetic arithmetic) {
  const std::variant<Peak, NoPeak> peak = PeakOf(ceiling, arithmetic);
  if (const auto* found = std::get_if<Peak>(&peak)) {
    return Digits(found->flops_per_s / 1e12);
  }
  return Supports(*ceiling.chip, arithmetic) ? "?" : "";
}

std::string ClockCell(const GpuSpec& ceiling) {
  if (!ceiling.clock_hz) return "?";
  std::string cell = std::to_string(*ceiling.clock_hz / 1'000'000);
  if (ceiling.tensor_clock_hz) {
    cell += " / " + std::to_string(*ceiling.tensor_clock_hz / 1'000'000);
  }
  return cell;
}

std::string PciCell(const GpuSpec& ceiling) {
  std::string cell;
  for (const uint16_t id : PciIds(ceiling)) {
    char text[8];
    std::snprintf(text, sizeof(text), "%04X", static_cast<unsigned>(id));
    cell += (cell.empty() ? "" : " ") + std::string(text);
  }
  return cell;
}

std::string Row(const GpuSpec& ceiling) {
  const Capability capability = ceiling.chip->capability;
  std::string row =
      "| " + std::string(ceiling.name) + " | " + PciCell(ceiling) + " | " +
      std::to_string(capability.major) + "." + std::to_string(capability.minor) + " | " +
      (ceiling.sm_count ? std::to_string(*ceiling.sm_count) : "?") + " | " +
      ClockCell(ceiling) + " | " + std::to_string(ceiling.memory_bytes >> 30) + " | " +
      Digits(ceiling.memory_bytes_per_s.value_or(0) / 1e9);
  for (const Arithmetic arithmetic : kColumns)
    row += " | " + PeakCell(ceiling, arithmetic);
  row += " | " + std::string(ceiling.source) + ".";
  if (!ceiling.note.empty()) row += " " + std::string(ceiling.note);
  return row + " |\n";
}

std::string Table() {
  std::string table =
      "| GPU | PCI ids | CC | SMs | MHz | GB | GB/s | fp32 | tf32 | bf16 | fp16 | fp16, "
      "fp16 sums | fp8 | int8 | fp4 | Source |\n"
      "| --- | --- | --- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | "
      "--: | --: | --- |\n";
  for (const GpuSpec& ceiling : GpuSpecs()) table += Row(ceiling);
  return table;
}

TEST(CeilingsDocTest, ThePageHasTheTableOfTheCode) {
  const fs::path path = fs::path(RIDGELINE_SOURCE_DIR) / "docs/ceilings.md";
  std::ifstream file(path, std::ios::binary);
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  const size_t begin = page.find(kBegin);
  const size_t end = page.find(kEnd);
  ASSERT_NE(begin, std::string::npos) << path;
  ASSERT_NE(end, std::string::npos) << path;
  const size_t table = begin + kBegin.size();
  const std::string want = page.substr(0, table) + Table() + page.substr(end);
  if (std::getenv("RIDGELINE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << want;
    return;
  }
  EXPECT_EQ(page, want) << path << "; RIDGELINE_UPDATE_GOLDEN=1 rewrites it";
}

}  // namespace
}  // namespace ridgeline::hardware
