#include "artifacts/sha256.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/digest.h"
#include "os/files.h"

namespace ridgeline::artifacts {
namespace {

namespace fs = std::filesystem;

struct DigestCase {
  const char* what;
  std::string bytes;
  std::string want;  // From sha256sum.
};

std::vector<DigestCase> Cases() {
  return {
      {"nothing", "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {"FIPS 180-2, one block", "abc",
       "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
      {"FIPS 180-2, two blocks",
       "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
       "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
      {"any bytes", std::string("\0\xff\n", 3),
       "712450d3c4a79eea9509e75dc1dacdeff58034df538536cfae2da882bd8a0c50"},
      {"FIPS 180-2, a million", std::string(1'000'000, 'a'),
       "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
      {"more than one piece of a file", std::string((size_t{1} << 20) + 1, 'a'),
       "4a3f0c0c213adea174f9a3d4c13177315b588bdb2e9c1012d3d0bf0453ca0f6a"},
  };
}

TEST(Sha256, IsWhatSha256sumPrints) {
  for (const DigestCase& c : Cases()) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(Sha256(c.bytes), c.want);
  }
}

TEST(Sha256, IsTheSameForAFile) {
  const fs::path path =
      fs::path(::testing::TempDir()) / ("ridgeline-sha256-" + std::to_string(::getpid()));
  for (const DigestCase& c : Cases()) {
    SCOPED_TRACE(c.what);
    ASSERT_TRUE(os::WriteFileAtomically(path, c.bytes).ok());
    EXPECT_EQ(Sha256OfFile(path).value(), c.want);
  }
  fs::remove(path);
}

TEST(Sha256, SaysWhichFileIsMissing) {
  const Result<std::string> hash = Sha256OfFile("/absent/file");
  ASSERT_FALSE(hash.ok());
  EXPECT_EQ(hash.error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(hash.error().message(), "/absent/file: No such file or directory");
}

TEST(Sha256OfSamples, SeesTheEndsAndTheMiddle) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) /
                                     ("ridgeline-samples-" + std::to_string(::getpid()));
  const Samples samples{.count = 3, .piece_bytes = 4};
  std::string bytes(21, 'a');
  const auto hash = [&] {
    EXPECT_TRUE(os::WriteFileAtomically(path, bytes).ok());
    return Sha256OfSamples(path, samples).value();
  };
  const std::string before = hash();
  EXPECT_EQ(before, Sha256(std::string(12, 'a')));
  for (const size_t seen : {size_t{0}, size_t{3}, size_t{8}, size_t{11}, size_t{20}}) {
    bytes[seen] = 'b';
    EXPECT_NE(hash(), before) << seen;
    bytes[seen] = 'a';
  }
  bytes[5] = 'b';  // Between two samples.
  EXPECT_EQ(hash(), before);
  ASSERT_TRUE(os::RemoveAll(path).ok());
}

}  // namespace
}  // namespace ridgeline::artifacts
