#include <gtest/gtest.h>

#include "serve/site.h"

namespace ridgeline::serve {
namespace {

TEST(PathPartsTest, DecodesEachPartOnce) {
  struct Case {
    std::string_view target;
    std::vector<std::string> want;
  };
  const Case cases[] = {
      {"/", {}},
      {"/?x=/a", {}},
      {"/api/runs", {"api", "runs"}},
      {"/runs/a%20b/report.html?download=1", {"runs", "a b", "report.html"}},
      {"/runs/a+b/%41", {"runs", "a+b", "A"}},
      {"/runs/%252e%252e/x", {"runs", "%2e%2e", "x"}},
      {"/runs/.../x", {"runs", "...", "x"}},
      {"/runs/%E2%82%AC/%3Cscript%3E", {"runs", "\xE2\x82\xAC", "<script>"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.target);
    EXPECT_EQ(PathParts(c.target), c.want);
  }
}

TEST(PathPartsTest, RefusesWhatCouldMeanAnotherFile) {
  const std::string_view targets[] = {
      "",
      "runs",
      "*",
      "http://localhost/runs",
      "//",
      "/runs/",
      "/runs//x",
      "/runs/../x",
      "/runs/./x",
      "/runs/%2e%2e/x",
      "/runs/.%2E/x",
      "/runs/%2e/x",
      "/runs/a%2fb",
      "/runs/a%2F..%2F..%2Fetc",
      "/runs/a%00.html",
      "/runs/%",
      "/runs/%4",
      "/runs/%zz",
      "/runs/x/..",
  };
  for (const std::string_view target : targets) {
    SCOPED_TRACE(target);
    EXPECT_EQ(PathParts(target), std::nullopt);
  }
  EXPECT_EQ(PathParts(std::string_view("/runs/a\0b", 9)), std::nullopt);
}

}  // namespace
}  // namespace ridgeline::serve
