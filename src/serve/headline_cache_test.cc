#include "serve/headline_cache.h"

#include <gmock/gmock.h>

#include "os/files.h"
#include "os/scratch_directory.h"

namespace ridgeline::serve {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class HeadlineCacheTest : public testing::Test {
 protected:
  void Write(const std::string& text) {
    ASSERT_TRUE(os::WriteFileAtomically(run_.metrics_json(), text).ok());
  }

  os::ScratchDirectory scratch_ = os::ScratchDirectory::Make("headlines").value();
  artifacts::RunDir run_{scratch_.path()};
  HeadlineCache cache_;
};

TEST_F(HeadlineCacheTest, FollowsTheFile) {
  EXPECT_THAT(cache_.Of(run_).problems, IsEmpty());
  EXPECT_EQ(cache_.Of(run_).values["kernel"], nullptr);
  for (const char* name : {"gemm", "gemv", "softmax"}) {
    Write(R"({"kernels": [{"name": ")" + std::string(name) + R"(", "total_s": 1}]})");
    for (int i = 0; i < 2; ++i) {
      EXPECT_EQ(cache_.Of(run_).values["kernel"]["name"], name);
    }
  }
  Write("{");
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(cache_.Of(run_).values["kernel"], nullptr);
    EXPECT_THAT(cache_.Of(run_).problems, ElementsAre(HasSubstr("not JSON")));
  }
}

}  // namespace
}  // namespace ridgeline::serve
