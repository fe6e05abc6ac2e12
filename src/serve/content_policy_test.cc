#include "serve/content_policy.h"

#include <gmock/gmock.h>

namespace ridgeline::serve {
namespace {

using testing::HasSubstr;

// The hashes are from `openssl dgst -sha256 -binary | base64`.
TEST(ContentPolicyTest, AllowsTheScriptAndTheStyleOfThePageAndNoOther) {
  const std::string policy = PolicyOfPage("<style>p{}</style><script>alert(1)</script>");
  EXPECT_THAT(policy, HasSubstr("default-src 'none'"));
  EXPECT_THAT(
      policy,
      HasSubstr("script-src 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=';"));
  EXPECT_THAT(
      policy,
      HasSubstr("style-src 'sha256-gG2yISYereRMiG2lMXrbiUgi0Ubw9p7QCeWcroOvy9Y=';"));
}

TEST(ContentPolicyTest, WithoutScriptNoneIsAllowed) {
  EXPECT_THAT(PolicyOfPage("<p>"), HasSubstr("script-src 'none';"));
}

}  // namespace
}  // namespace ridgeline::serve
