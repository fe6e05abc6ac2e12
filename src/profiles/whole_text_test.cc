#include "profiles/whole_text.h"

#include <gtest/gtest.h>

namespace ridgeline::profiles {
namespace {

TEST(WholeText, TakesAsMuchAsItMay) {
  struct Case {
    size_t bytes;
    size_t most_bytes;
    bool is_read;
  };
  const Case cases[] = {
      {0, 0, true}, {1, 0, false}, {200'000, 200'000, true}, {200'001, 200'000, false}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.bytes);
    const std::string bytes(c.bytes, 'x');
    MemorySource source(bytes);
    const Result<std::string> text = WholeText(source, c.most_bytes, "is too much");
    ASSERT_EQ(text.ok(), c.is_read);
    if (c.is_read) {
      EXPECT_EQ(text.value(), bytes);
    } else {
      EXPECT_EQ(text.error().message(), "is too much");
    }
  }
}

}  // namespace
}  // namespace ridgeline::profiles
