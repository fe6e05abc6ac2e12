
#include <gtest/gtest.h>

#include "os/files.h"
#include "os/scratch_directory.h"

namespace ridgeline::os {
namespace {

TEST(MakeLink, PointsFromWhereItIs) {
  const ScratchDirectory scratch = ScratchDirectory::Make("ridgeline-link").value();
  ASSERT_TRUE(CreateDirectories(scratch.path() / "below").ok());
  ASSERT_TRUE(WriteFileAtomically(scratch.path() / "file", "text").ok());
  ASSERT_TRUE(MakeLink("../file", scratch.path() / "below/link").ok());
  EXPECT_EQ(ReadFile(scratch.path() / "below/link").value(), "text");
  const Status again = MakeLink("../file", scratch.path() / "below/link");
  ASSERT_FALSE(again.ok());
  EXPECT_EQ(again.error().code(), ErrorCode::kIo);
}

TEST(IsLink, IsTrueOfTheLinkAlone) {
  const ScratchDirectory scratch = ScratchDirectory::Make("ridgeline-link").value();
  ASSERT_TRUE(MakeLink("nowhere", scratch.path() / "link").ok());
  EXPECT_TRUE(IsLink(scratch.path() / "link"));
  EXPECT_FALSE(IsLink(scratch.path()));
  EXPECT_FALSE(IsLink(scratch.path() / "nowhere"));
}

}  // namespace
}  // namespace ridgeline::os
