#include <gtest/gtest.h>

#include <string>

#include "app/import/import_file.h"

namespace ridgeline::app {
namespace {

TEST(ForeignFormatTest, TellsWhatItSees) {
  struct Case {
    std::string bytes;
    const char* want;
  };
  const Case cases[] = {
      {"", "an empty file"},
      {" \n", "only whitespace"},
      {std::string("SQLite format 3\0more", 20), "an SQLite database (an nsys export?)"},
      {"\x28\xb5\x2f\xfd rest", "data compressed with zstd; decompress it first"},
      {"\"ID\",\"Process ID\"", "ncu CSV"},
      {"NVIDIA Tegra Profiler Report 2026@1@1@204",
       "an nsys report; export it first (nsys export -t sqlite FILE) with the same or "
       "a newer nsys"},
      {"hello\nworld", "text starting with 'hello'"},
      {std::string(50, 'x'),
       "text starting with 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'"},
      {std::string("\1\2\0", 3), "binary data"},
  };
  for (const Case& c : cases) EXPECT_EQ(DescribeForeign(c.bytes), c.want);
}

}  // namespace
}  // namespace ridgeline::app
