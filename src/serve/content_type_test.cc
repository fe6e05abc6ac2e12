#include "serve/content_type.h"

#include <gtest/gtest.h>

namespace ridgeline::serve {
namespace {

TEST(ContentTypeTest, IsThatOfTheNamesEnd) {
  struct Case {
    std::string_view name;
    std::string_view want;
    bool is_shown;
  };
  const Case cases[] = {
      {"report.html", "text/html; charset=utf-8", true},
      {"report.md", "text/plain; charset=utf-8", true},
      {"nsys.log", "text/plain; charset=utf-8", true},
      {"metrics.json", "application/json", true},
      {"summary.csv", "text/csv; charset=utf-8", true},
      {"thumbnail.jpg", "image/jpeg", true},
      {"page.png", "image/png", true},
      {"run.nsys-rep", "application/octet-stream", false},
      {"results.sqlite", "application/octet-stream", false},
      {"trace.json.gz", "application/octet-stream", false},
      {"picture.svg", "application/octet-stream", false},
      {"script.js", "application/octet-stream", false},
      {"page.xhtml", "application/octet-stream", false},
      {"html", "application/octet-stream", false},
      {"", "application/octet-stream", false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(ContentTypeOf(c.name).name, c.want);
    EXPECT_EQ(ContentTypeOf(c.name).is_shown, c.is_shown);
  }
}

}  // namespace
}  // namespace ridgeline::serve
