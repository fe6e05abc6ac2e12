#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <array>
#include <string>

#include "profiles/shared/gzip.h"

namespace ridgeline::profiles {
namespace {

std::string Gzip(std::string text) {
  z_stream zlib = {};
  EXPECT_EQ(deflateInit2(&zlib, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&zlib, text.size()) + 64, '\0');
  zlib.next_in = reinterpret_cast<Bytef*>(text.data());
  zlib.avail_in = static_cast<uInt>(text.size());
  zlib.next_out = reinterpret_cast<Bytef*>(packed.data());
  zlib.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&zlib, Z_FINISH), Z_STREAM_END);
  packed.resize(zlib.total_out);
  deflateEnd(&zlib);
  return packed;
}

// The text, or "error: ...".
std::string Gunzip(std::string_view packed) {
  MemorySource memory(packed);
  auto source = GunzipSource::Create(memory);
  if (!source.ok()) return "error: " + source.error().message();
  std::string text;
  std::array<char, 1000> piece = {};
  while (true) {
    const Result<size_t> count = source.value()->Read(piece);
    if (!count.ok()) return "error: " + count.error().message();
    if (count.value() == 0) return text;
    text.append(piece.data(), count.value());
  }
}

TEST(GunzipTest, GivesBackWhatWasPacked) {
  std::string text;
  for (int i = 0; i < 200000; ++i) text += std::to_string(i * 7919);
  EXPECT_EQ(Gunzip(Gzip(text)), text);
  EXPECT_EQ(Gunzip(Gzip("")), "");
}

TEST(GunzipTest, JoinsMembers) {
  EXPECT_EQ(Gunzip(Gzip("ridge") + Gzip("") + Gzip("line")), "ridgeline");
}

TEST(GunzipTest, IgnoresPaddingWithZeros) {
  const std::string zeros(300'000, '\0');
  EXPECT_EQ(Gunzip(Gzip("ridge") + zeros), "ridge");
  EXPECT_EQ(Gunzip(Gzip("ridge") + zeros + Gzip("line") + '\0'), "ridgeline");
  EXPECT_THAT(Gunzip(zeros + Gzip("ridge")), testing::HasSubstr("byte"));
  EXPECT_THAT(Gunzip(Gzip("ridge") + zeros + "x"), testing::HasSubstr("byte"));
}

TEST(GunzipTest, RefusesWhatIsDamaged) {
  const std::string packed = Gzip("ridgeline");
  for (size_t size = 0; size < packed.size(); ++size) {
    EXPECT_THAT(Gunzip(packed.substr(0, size)),
                testing::HasSubstr("unexpected end of file"))
        << size;
  }
  std::string flipped = packed;
  flipped[flipped.size() - 6] ^= 1;  // In the checksum.
  EXPECT_THAT(Gunzip(flipped), testing::HasSubstr("of the compressed file"));
  EXPECT_THAT(Gunzip(packed + "x and more"), testing::HasSubstr("byte"));
}

TEST(GunzipTest, KnowsItByItsBeginning) {
  EXPECT_TRUE(IsGzip(Gzip("a")));
  EXPECT_FALSE(IsGzip("{"));
  EXPECT_FALSE(IsGzip(""));
}

}  // namespace
}  // namespace ridgeline::profiles
