#include <gtest/gtest.h>

#include <string>

#include "profiles/formats.h"

namespace ridgeline::profiles {
namespace {

TEST(DescribeContentTest, NamesProfilesAndWhatIsTakenForThem) {
  struct Case {
    std::string bytes;
    const char* want;
  };
  const Case cases[] = {
      {"", "an empty file"},
      {" \n", "only whitespace"},
      {std::string("SQLite format 3\0more", 20), "an nsys SQLite export"},
      {"\x28\xb5\x2f\xfd rest", "data compressed with zstd; decompress it first"},
      {"==PROF== Connected to process 7", "an ncu page (CSV)"},
      {"NVIDIA Tegra Profiler Report 2026@1@1@204",
       "a binary nsys report, which only nsys reads"},
      {R"({"schemaVersion": 1, "traceEvents": [)", "a PyTorch trace"},
      {R"([{"ph": "X"}])", "a PyTorch trace"},
      {R"({"a": 1})", "a JSON file"},
      {"hello\nworld", "text starting with 'hello'"},
      {std::string(50, 'x'),
       "text starting with 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'"},
      {std::string("\1\2\0", 3), "binary data"},
  };
  for (const Case& c : cases) EXPECT_EQ(DescribeContent(c.bytes), c.want);
}

}  // namespace
}  // namespace ridgeline::profiles
