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
      {"", "nothing: the file is empty"},
      {" \n", "nothing but spaces"},
      {std::string("SQLite format 3\0more", 20), "an SQLite database (of nsys, perhaps)"},
      {"\x28\xb5\x2f\xfd rest", "data compressed with zstd; decompress it first"},
      {"\"ID\",\"Process ID\"", "CSV of ncu"},
      {"NVIDIA Tegra Profiler Report 2026@1@1@204",
       "a report of nsys; export it first (nsys export -t sqlite FILE), with the nsys "
       "that has recorded it or a newer one"},
      {"hello\nworld", "text that begins with 'hello'"},
      {std::string(50, 'x'),
       "text that begins with 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...'"},
      {std::string("\1\2\0", 3), "binary data"},
  };
  for (const Case& c : cases) EXPECT_EQ(DescribeForeign(c.bytes), c.want);
}

}  // namespace
}  // namespace ridgeline::app
