#include "base/digest.h"

#include <gtest/gtest.h>

namespace ridgeline {
namespace {

// From RFC 1321, appendix A.5.
TEST(Md5, IsThatOfTheStandard) {
  EXPECT_EQ(Md5(""), "d41d8cd98f00b204e9800998ecf8427e");
  EXPECT_EQ(Md5("abc"), "900150983cd24fb0d6963f7d28e17f72");
  EXPECT_EQ(Md5("message digest"), "f96b697d7cb7938d525a2f31aaf161d0");
}

TEST(Sha256, OfPiecesIsThatOfTheWhole) {
  Sha256Sum sum;
  sum.Add("a");
  sum.Add("");
  sum.Add("bc");
  EXPECT_EQ(sum.ToHex(), Sha256("abc"));
}

}  // namespace
}  // namespace ridgeline
