#include "model_io/checkpoints/writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model_io/checkpoints/checkpoint.h"
#include "model_io/checkpoints/testing/scratch_test.h"

namespace ridgeline::checkpoints {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

using WriterTest = ScratchTest;

// A byte that depends on the tensor and the position.
std::byte ByteAt(const std::string& name, size_t offset) {
  return static_cast<std::byte>(name.size() * 31 + offset % 251);
}

Status FillByPlace(const TensorSpec& tensor, int64_t offset_bytes,
                   std::span<std::byte> chunk) {
  for (size_t i = 0; i < chunk.size(); ++i) {
    chunk[i] = ByteAt(tensor.name, static_cast<size_t>(offset_bytes) + i);
  }
  return Ok();
}

void ExpectFilledByPlace(const TensorView& tensor) {
  for (size_t i = 0; i < tensor.bytes.size(); ++i) {
    ASSERT_EQ(tensor.bytes[i], ByteAt(tensor.name, i)) << tensor.name << " " << i;
  }
}

std::vector<TensorSpec> Specs() {
  return {
      {"bytes", DType::kU8, {3}},
      {"large", DType::kF32, {1000, 1001}},  // More than three chunks.
      {"a \"name\" \u00fc", DType::kBf16, {5}},
      {"number", DType::kF64, {}},
      {"nothing", DType::kF32, {0, 7}},
  };
}

std::vector<std::string> FileNames(const fs::path& directory) {
  std::vector<std::string> names;
  const std::vector<os::DirectoryEntry> entries = os::ListDirectory(directory).value();
  for (const os::DirectoryEntry& entry : entries) names.push_back(entry.name);
  return names;
}

TEST_F(WriterTest, WritesWhatTheReaderReads) {
  const fs::path path = dir() / "model.safetensors";
  const Status written = WriteSafetensors(path, Specs(), FillByPlace);
  ASSERT_TRUE(written.ok()) << written.error().message();
  const Result<SafetensorsFile> file = SafetensorsFile::Open(path);
  ASSERT_TRUE(file.ok()) << file.error().message();
  EXPECT_THAT(file.value().metadata(), ElementsAre(Pair("format", "pt")));
  const std::vector<TensorSpec> specs = Specs();
  ASSERT_EQ(file.value().tensors().size(), specs.size());
  for (const TensorSpec& spec : specs) {
    SCOPED_TRACE(spec.name);
    const TensorView* tensor = file.value().Find(spec.name);
    ASSERT_NE(tensor, nullptr);
    EXPECT_EQ(tensor->dtype, spec.dtype);
    EXPECT_EQ(tensor->shape, spec.shape);
    EXPECT_EQ((tensor->bytes.data() - file.value().memory().bytes().data()) %
                  SizeBytes(spec.dtype),
              0)
        << "not aligned";
    ExpectFilledByPlace(*tensor);
  }
}

TEST_F(WriterTest, WritesTheSameFileForEveryOrderOfTensors) {
  std::vector<TensorSpec> specs = Specs();
  ASSERT_TRUE(WriteSafetensors(dir() / "a", specs, FillByPlace).ok());
  std::reverse(specs.begin(), specs.end());
  ASSERT_TRUE(WriteSafetensors(dir() / "b", specs, FillByPlace).ok());
  EXPECT_EQ(os::ReadFile(dir() / "a").value(), os::ReadFile(dir() / "b").value());
}

TEST_F(WriterTest, AsksForChunksFromBeginToEnd) {
  int64_t next_bytes = 0;
  size_t largest_bytes = 0;
  const auto fill = [&](const TensorSpec&, int64_t offset_bytes,
                        std::span<std::byte> chunk) -> Status {
    EXPECT_EQ(offset_bytes, next_bytes);
    EXPECT_EQ(offset_bytes % 4, 0);
    next_bytes += static_cast<int64_t>(chunk.size());
    largest_bytes = std::max(largest_bytes, chunk.size());
    return Ok();
  };
  ASSERT_TRUE(
      WriteSafetensors(dir() / "a", {{"large", DType::kF32, {3'000'001}}}, fill).ok());
  EXPECT_EQ(next_bytes, 12'000'004);
  EXPECT_LE(largest_bytes, size_t{4} << 20);
}

TEST_F(WriterTest, StartsTheDataAtAMultipleOfEight) {
  for (size_t length = 1; length <= 16; ++length) {
    const TensorSpec spec = {std::string(length, 'n'), DType::kU8, {1}};
    const std::string header = SafetensorsHeader(std::span(&spec, 1)).value();
    EXPECT_EQ(header.size() % 8, 0U);
    EXPECT_EQ(header.find_last_not_of(' '), header.rfind('}'));
  }
}

TEST_F(WriterTest, LeavesWhatWasThereWhenFillingFails) {
  const fs::path path = Write("model.safetensors", "old");
  const auto fail = [](const TensorSpec&, int64_t, std::span<std::byte>) -> Status {
    return Error(ErrorCode::kUnsupported, "cannot");
  };
  const Status written = WriteSafetensors(path, {{"t", DType::kU8, {1}}}, fail);
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().message(), "tensor 't': cannot");
  EXPECT_EQ(os::ReadFile(path).value(), "old");
  EXPECT_THAT(FileNames(dir()), ElementsAre("model.safetensors"));
}

TEST_F(WriterTest, RefusesWhatNoReaderWouldTake) {
  struct Case {
    const char* what;
    std::vector<TensorSpec> tensors;
    const char* want;
  };
  const Case cases[] = {
      {"a name twice",
       {{"a", DType::kU8, {1}}, {"a", DType::kF32, {1}}},
       "tensor 'a': duplicate name"},
      {"the name of the metadata",
       {{"__metadata__", DType::kU8, {1}}},
       "tensor '__metadata__': duplicate name"},
      {"a name that is not UTF-8",
       {{"\xff", DType::kU8, {1}}},
       "tensor '\xff': name is not UTF-8"},
      {"negative",
       {{"a", DType::kU8, {-1}}},
       "tensor 'a': shape [-1] is negative or too large"},
      {"too large in all",
       {{"a", DType::kU8, {int64_t{1} << 62}}, {"b", DType::kU8, {int64_t{1} << 62}}},
       "tensor 'b': shape [4611686018427387904] is negative or too large"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Status file = WriteSafetensors(dir() / "x", c.tensors, FillByPlace);
    ASSERT_FALSE(file.ok());
    EXPECT_EQ(file.error().message(), (dir() / "x").string() + ": " + c.want);
    const Status weights =
        WriteWeights(dir(), c.tensors, {.file_bytes_max = 1}, FillByPlace);
    ASSERT_FALSE(weights.ok());
    EXPECT_EQ(weights.error().message(), dir().string() + ": " + c.want);
  }
}

TEST_F(WriterTest, LaysWeightsOutAsHuggingFaceDoes) {
  struct Case {
    const char* what;
    std::optional<int64_t> file_bytes_max;
    std::vector<std::string> want;
  };
  const Case cases[] = {
      {"one file",
       std::nullopt,
       {"config.json", "model-00001-of-000001.safetensors",
        "model.safetensors.index.json"}},
      {"a file for the large one and files around it",
       1000,
       {"config.json", "model-00001-of-000003.safetensors",
        "model-00002-of-000003.safetensors", "model-00003-of-000003.safetensors",
        "model.safetensors.index.json"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    fs::remove_all(dir());
    Write("config.json", "{}");
    const Status written =
        WriteWeights(dir(), Specs(), {.file_bytes_max = c.file_bytes_max}, FillByPlace);
    ASSERT_TRUE(written.ok()) << written.error().message();
    EXPECT_EQ(FileNames(dir()), c.want);
    EXPECT_THAT(os::ReadFile(dir() / "model.safetensors.index.json").value(),
                HasSubstr("\"total_size\": 4004021\n"));
    const Result<Checkpoint> checkpoint = Checkpoint::Open(dir());
    ASSERT_TRUE(checkpoint.ok()) << checkpoint.error().message();
    EXPECT_EQ(checkpoint.value().tensors().size(), Specs().size());
    for (const TensorView& tensor : checkpoint.value().tensors()) {
      ExpectFilledByPlace(tensor);
    }
  }
}

TEST_F(WriterTest, ReplacesNoFile) {
  const std::vector<std::string> names = {"model-00001-of-000001.safetensors",
                                          "model.safetensors.index.json"};
  for (const std::string& name : names) {
    SCOPED_TRACE(name);
    Write(name, "of the user");
    const Status written = WriteWeights(dir(), Specs(), {}, FillByPlace);
    ASSERT_FALSE(written.ok());
    EXPECT_THAT(written.error().message(), testing::HasSubstr(name + ": already exists"));
    EXPECT_EQ(os::ReadFile(dir() / name).value(), "of the user");
    std::filesystem::remove(dir() / name);
    EXPECT_TRUE(std::filesystem::is_empty(dir()));
  }
}

TEST_F(WriterTest, LeavesNoIndexOfHalfTheWeights) {
  Write("config.json", "{}");
  const auto fail_late = [](const TensorSpec& tensor, int64_t offset_bytes,
                            std::span<std::byte> chunk) -> Status {
    if (tensor.name == "bytes") return Error(ErrorCode::kUnsupported, "cannot");
    return FillByPlace(tensor, offset_bytes, chunk);
  };
  ASSERT_FALSE(WriteWeights(dir(), Specs(), {.file_bytes_max = 1000}, fail_late).ok());
  EXPECT_FALSE(os::Exists(dir() / "model.safetensors.index.json"));
  EXPECT_FALSE(Checkpoint::Open(dir()).ok());
}

}  // namespace
}  // namespace ridgeline::checkpoints
