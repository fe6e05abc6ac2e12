#include "model_io/checkpoints/safetensors.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "model_io/checkpoints/testing/scratch_test.h"

namespace ridgeline::checkpoints {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::StartsWith;

using SafetensorsFileTest = ScratchTest;

Result<Safetensors> Parse(const std::string& file) {
  return ParseSafetensors(std::as_bytes(std::span(file)), "m.safetensors");
}

// A header with one tensor 't', and two bytes of data.
std::string OneTensor(std::string_view description) {
  return SafetensorsBytes("{\"t\":" + std::string(description) + "}", "ab");
}

TEST(SafetensorsTest, ReadsTensorsByName) {
  const std::string file =
      SafetensorsBytes(R"({"__metadata__":{"format":"pt"},)"
                       R"("b":{"dtype":"BF16","shape":[1,2],"data_offsets":[0,4]},)"
                       R"("a":{"dtype":"U8","shape":[3],"data_offsets":[4,7]}}   )",
                       "bbbbaaa");
  const Result<Safetensors> parsed = Parse(file);
  ASSERT_TRUE(parsed.ok()) << parsed.error().message();
  EXPECT_THAT(parsed.value().metadata, ElementsAre(Pair("format", "pt")));
  ASSERT_EQ(parsed.value().tensors.size(), 2U);

  const TensorView& a = parsed.value().tensors[0];
  EXPECT_EQ(a.name, "a");
  EXPECT_EQ(a.dtype, DType::kU8);
  EXPECT_THAT(a.shape, ElementsAre(3));
  EXPECT_EQ(AsText(a.bytes), "aaa");

  const TensorView& b = parsed.value().tensors[1];
  EXPECT_EQ(b.dtype, DType::kBf16);
  EXPECT_THAT(b.shape, ElementsAre(1, 2));
  EXPECT_EQ(AsText(b.bytes), "bbbb");
  EXPECT_EQ(AsText(b.bytes).data(), file.data() + file.size() - 7) << "not a copy";

  EXPECT_EQ(FindTensor(parsed.value().tensors, "b"), &b);
  EXPECT_EQ(FindTensor(parsed.value().tensors, "c"), nullptr);
  EXPECT_EQ(FindTensor(parsed.value().tensors, ""), nullptr);
}

TEST(SafetensorsTest, ReadsWhatIsUnusualButAllowed) {
  struct Case {
    const char* what;
    std::string header;
    std::string data;
    size_t tensors;
  };
  const Case cases[] = {
      {"no tensor", "{}", "", 0},
      {"only metadata", R"({"__metadata__":{}})", "", 0},
      {"metadata null", R"({"__metadata__":null})", "", 0},
      {"a single number", R"({"t":{"dtype":"I64","shape":[],"data_offsets":[0,8]}})",
       "12345678", 1},
      {"tensors without bytes",
       R"({"x":{"dtype":"F32","shape":[0],"data_offsets":[2,2]},)"
       R"("y":{"dtype":"I16","shape":[1],"data_offsets":[0,2]},)"
       R"("z":{"dtype":"F32","shape":[3,0],"data_offsets":[0,0]},)"
       R"("w":{"dtype":"F32","shape":[0],"data_offsets":[2,2]}})",
       "12", 4},
      {"a key that we do not know",
       R"({"t":{"dtype":"I8","shape":[1],"data_offsets":[0,1],"note":{"a":[1]}}})", "1",
       1},
      {"a tensor without a name",
       R"({"":{"dtype":"I8","shape":[1],"data_offsets":[0,1]}})", "1", 1},
      {"a tensor that is not aligned",
       R"({"a":{"dtype":"I8","shape":[1],"data_offsets":[0,1]},)"
       R"("b":{"dtype":"F32","shape":[1],"data_offsets":[1,5]}})",
       "12345", 2},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const std::string file = SafetensorsBytes(c.header, c.data);
    const Result<Safetensors> parsed = Parse(file);
    ASSERT_TRUE(parsed.ok()) << parsed.error().message();
    EXPECT_EQ(parsed.value().tensors.size(), c.tensors);
    EXPECT_THAT(parsed.value().metadata, IsEmpty());
  }
}

TEST(SafetensorsTest, RefusesFilesThatAreNone) {
  struct Case {
    const char* what;
    std::string file;
    const char* want;
  };
  const Case cases[] = {
      {"empty", "", "is too short for a safetensors file: 0 bytes"},
      {"short", "1234567", "is too short for a safetensors file: 7 bytes"},
      {"text", "This is a text, is it not?",
       "is not a safetensors file: header of 2338328219631577172 bytes, above the limit "
       "of 100000000"},
      {"length of all ones", std::string(16, '\xff'),
       "is not a safetensors file: header of 18446744073709551615 bytes, above the limit "
       "of 100000000"},
      {"Git LFS", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
       "is a Git LFS pointer, not the file; run 'git lfs pull' there"},
      {"cut in the header", SafetensorsBytes("{}      ", "").substr(0, 12),
       "is truncated inside the header: 4 of 8 bytes"},
      {"no header", SafetensorsBytes("", "data"),
       "is not a safetensors file: the header does not begin with '{'"},
      {"spaces before the header", SafetensorsBytes(" {}", ""),
       "is not a safetensors file: the header does not begin with '{'"},
      {"a list", SafetensorsBytes("[]", ""),
       "is not a safetensors file: the header does not begin with '{'"},
      {"not JSON", SafetensorsBytes("{]", ""), "header: is not JSON: parse error"},
      {"zeros behind the header", SafetensorsBytes(std::string("{}\0", 3), ""),
       "header: is not JSON: contains a NUL byte"},
      {"data that belongs to nobody", SafetensorsBytes("{}", "12"),
       "the last 2 bytes of the data belong to no tensor"},
      {"metadata is a list", SafetensorsBytes(R"({"__metadata__":[]})", ""),
       "__metadata__: is not a mapping"},
      {"metadata holds a number", SafetensorsBytes(R"({"__metadata__":{"a":1}})", ""),
       "__metadata__: 'a' is not a string"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Result<Safetensors> parsed = Parse(c.file);
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(parsed.error().code(), ErrorCode::kParse);
    EXPECT_THAT(parsed.error().message(),
                StartsWith(std::string("m.safetensors: ") + c.want));
  }
}

TEST(SafetensorsTest, NamesTheTensorThatIsWrong) {
  struct Case {
    const char* what;
    const char* description;
    const char* want;
  };
  const Case cases[] = {
      {"no mapping", "1", "is not a mapping"},
      {"no dtype", R"({"shape":[2],"data_offsets":[0,2]})", "has no dtype"},
      {"dtype no text", R"({"dtype":8,"shape":[2],"data_offsets":[0,2]})",
       "has no dtype"},
      {"no shape", R"({"dtype":"U8","data_offsets":[0,2]})", "has no shape"},
      {"no offsets", R"({"dtype":"U8","shape":[2]})", "has no data_offsets"},
      {"negative dimension", R"({"dtype":"U8","shape":[-2],"data_offsets":[0,2]})",
       "has an invalid shape"},
      {"fractional dimension", R"({"dtype":"U8","shape":[2.0],"data_offsets":[0,2]})",
       "has an invalid shape"},
      {"dimension beyond 63 bits",
       R"({"dtype":"U8","shape":[9223372036854775808],"data_offsets":[0,2]})",
       "has an invalid shape"},
      {"offset beyond 64 bits",
       R"({"dtype":"U8","shape":[2],"data_offsets":[0,18446744073709551616]})",
       "has an invalid data_offsets"},
      {"one offset", R"({"dtype":"U8","shape":[2],"data_offsets":[2]})",
       "has 1 data_offsets, expected 2"},
      {"three offsets", R"({"dtype":"U8","shape":[2],"data_offsets":[0,1,2]})",
       "has 3 data_offsets, expected 2"},
      {"backwards", R"({"dtype":"U8","shape":[2],"data_offsets":[2,0]})",
       "ends before it begins: data_offsets [2, 0]"},
      {"beyond the end", R"({"dtype":"U8","shape":[3],"data_offsets":[0,3]})",
       "has data_offsets [0, 3], but the file has only 2 bytes of data; it may be "
       "truncated"},
      {"far beyond the end",
       R"({"dtype":"U8","shape":[1],"data_offsets":[0,18446744073709551615]})",
       "has data_offsets [0, 18446744073709551615], but the file has only 2 bytes of "
       "data; it may be truncated"},
      {"too few bytes", R"({"dtype":"F32","shape":[1],"data_offsets":[0,2]})",
       "needs 4 bytes as F32 '[1]', but has 2"},
      {"too many bytes", R"({"dtype":"U8","shape":[1],"data_offsets":[0,2]})",
       "needs 1 bytes as U8 '[1]', but has 2"},
      {"product that wraps",
       R"({"dtype":"U8","shape":[4294967296,4294967296],"data_offsets":[0,0]})",
       "has an impossibly large shape: '[4294967296, 4294967296]'"},
      {"bytes that wrap",
       R"({"dtype":"F64","shape":[2305843009213693952],"data_offsets":[0,0]})",
       "has an impossibly large shape: '[2305843009213693952]'"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Result<Safetensors> parsed = Parse(OneTensor(c.description));
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(parsed.error().code(), ErrorCode::kParse);
    EXPECT_EQ(parsed.error().message(),
              std::string("m.safetensors: tensor 't': ") + c.want);
  }
}

TEST(SafetensorsTest, SaysThatADTypeIsNotSupported) {
  const Result<Safetensors> parsed =
      Parse(OneTensor(R"({"dtype":"F8_E4M3","shape":[2],"data_offsets":[0,2]})"));
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.error().code(), ErrorCode::kUnsupported);
  EXPECT_EQ(parsed.error().message(),
            "m.safetensors: tensor 't': has unsupported dtype 'F8_E4M3'");
}

TEST(SafetensorsTest, RefusesTensorsThatDoNotFillTheDataExactly) {
  struct Case {
    const char* what;
    const char* header;
    const char* want;
  };
  const Case cases[] = {
      {"overlap",
       R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},)"
       R"("b":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})",
       "tensor 'b' begins at 2, inside tensor 'a'"},
      {"the same bytes",
       R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
       R"("b":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})",
       "tensor 'b' begins at 0, inside tensor 'a'"},
      {"nothing inside something",
       R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
       R"("b":{"dtype":"U8","shape":[0],"data_offsets":[2,2]}})",
       "tensor 'b' begins at 2, inside tensor 'a'"},
      {"hole at the begin", R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[1,4]}})",
       "bytes 0 to 1 of the data, before tensor 'a', belong to no tensor"},
      {"hole between",
       R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
       R"("b":{"dtype":"U8","shape":[1],"data_offsets":[3,4]}})",
       "bytes 1 to 3 of the data, before tensor 'b', belong to no tensor"},
      {"hole at the end", R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}})",
       "the last 1 bytes of the data belong to no tensor"},
      {"a name twice",
       R"({"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},)"
       R"("a":{"dtype":"U8","shape":[2],"data_offsets":[2,4]}})",
       "header: has duplicate key 'a'"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Result<Safetensors> parsed = Parse(SafetensorsBytes(c.header, "1234"));
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(parsed.error().message(), std::string("m.safetensors: ") + c.want);
  }
}

TEST_F(SafetensorsFileTest, KeepsTheMemoryThatItsTensorsShow) {
  const std::filesystem::path path =
      Write("model.safetensors",
            SafetensorsBytes(R"({"t":{"dtype":"U8","shape":[3],"data_offsets":[0,3]}})",
                             "abc"));
  Result<SafetensorsFile> opened = SafetensorsFile::Open(path);
  ASSERT_TRUE(opened.ok()) << opened.error().message();
  const SafetensorsFile file = std::move(opened).value();
  ASSERT_NE(file.Find("t"), nullptr);
  EXPECT_EQ(AsText(file.Find("t")->bytes), "abc");
  EXPECT_EQ(file.Find("u"), nullptr);
  EXPECT_EQ(file.size_bytes(), static_cast<int64_t>(std::filesystem::file_size(path)));
}

TEST_F(SafetensorsFileTest, NamesTheFileThatIsWrong) {
  const std::filesystem::path path = Write("model.safetensors", "");
  EXPECT_EQ(SafetensorsFile::Open(path).error().message(),
            path.string() + ": is too short for a safetensors file: 0 bytes");
  EXPECT_EQ(SafetensorsFile::Open(dir() / "absent").error().message(),
            (dir() / "absent").string() + ": No such file or directory");
}

}  // namespace
}  // namespace ridgeline::checkpoints
