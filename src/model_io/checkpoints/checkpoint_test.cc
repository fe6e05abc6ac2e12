#include "model_io/checkpoints/checkpoint.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_io/checkpoints/testing/scratch_test.h"

namespace ridgeline::checkpoints {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

// Tensors of one byte each: the first letter of the name.
std::string FileOf(const std::vector<std::string>& names) {
  std::string header;
  std::string data;
  for (const std::string& name : names) {
    header += fmt::format(R"({}"{}":{{"dtype":"U8","shape":[1],"data_offsets":[{},{}]}})",
                          header.empty() ? "{" : ",", name, data.size(), data.size() + 1);
    data += name.front();
  }
  return SafetensorsBytes(header + "}", data);
}

std::string IndexOf(const std::vector<std::pair<std::string, std::string>>& weight_map) {
  std::string json;
  for (const auto& [tensor, file] : weight_map) {
    json += fmt::format(R"({}"{}":"{}")", json.empty() ? "" : ",", tensor, file);
  }
  return R"({"metadata":{"total_size":0},"weight_map":{)" + json + "}}";
}

std::vector<std::string> Names(const Checkpoint& checkpoint) {
  std::vector<std::string> names;
  for (const TensorView& tensor : checkpoint.tensors()) names.push_back(tensor.name);
  return names;
}

class CheckpointTest : public ScratchTest {
 protected:
  void SetUp() override {
    ScratchTest::SetUp();
    Write("config.json", "{\"a\": 1}");
  }

  void ExpectError(ErrorCode code, const std::string& want) {
    const Result<Checkpoint> opened = Checkpoint::Open(dir());
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().code(), code);
    EXPECT_EQ(opened.error().message(), want);
  }
};

TEST_F(CheckpointTest, OpensTheOnlyFileWhateverItsNameIs) {
  for (const std::string name :
       {"model.safetensors", "model-00001-of-000001.safetensors",
        "model-00001-of-00001.safetensors", "x.safetensors", "best-of-all.safetensors"}) {
    SCOPED_TRACE(name);
    const fs::path path = Write(name, FileOf({"b", "a"}));
    Result<Checkpoint> opened = Checkpoint::Open(dir());
    ASSERT_TRUE(opened.ok()) << opened.error().message();
    const Checkpoint checkpoint = std::move(opened).value();
    EXPECT_THAT(Names(checkpoint), ElementsAre("a", "b"));
    EXPECT_EQ(AsText(checkpoint.Find("b")->bytes), "b");
    EXPECT_EQ(checkpoint.Find("c"), nullptr);
    EXPECT_EQ(checkpoint.directory(), dir());
    EXPECT_EQ(checkpoint.config_path(), dir() / "config.json");
    EXPECT_EQ(checkpoint.config_json(), "{\"a\": 1}");
    ASSERT_EQ(checkpoint.files().size(), 2U);
    EXPECT_EQ(checkpoint.files()[0].path, dir() / "config.json");
    EXPECT_EQ(checkpoint.files()[0].size_bytes, 8);
    EXPECT_EQ(checkpoint.files()[1].path, path);
    EXPECT_EQ(checkpoint.files()[1].size_bytes,
              static_cast<int64_t>(fs::file_size(path)));
    fs::remove(path);
  }
}

TEST_F(CheckpointTest, OpensTheFilesThatTheIndexNames) {
  Write("one.safetensors", FileOf({"a", "c"}));
  Write("two.safetensors", FileOf({"d", "b"}));
  Write("unused.safetensors", "not even a safetensors file");
  Write("model.safetensors.index.json", IndexOf({{"a", "one.safetensors"},
                                                 {"b", "two.safetensors"},
                                                 {"c", "one.safetensors"},
                                                 {"d", "two.safetensors"}}));
  const Result<Checkpoint> opened = Checkpoint::Open(dir());
  ASSERT_TRUE(opened.ok()) << opened.error().message();
  EXPECT_THAT(Names(opened.value()), ElementsAre("a", "b", "c", "d"));
  for (const TensorView& tensor : opened.value().tensors()) {
    EXPECT_EQ(AsText(tensor.bytes), tensor.name);
  }
  EXPECT_EQ(opened.value().files().size(), 4U);
}

TEST_F(CheckpointTest, HasOnlyWhatTheIndexNames) {
  Write("one.safetensors", FileOf({"a", "b", "c"}));
  Write("two.safetensors", FileOf({"b", "d"}));
  Write("model.safetensors.index.json",
        IndexOf({{"a", "one.safetensors"}, {"b", "two.safetensors"}}));
  const Result<Checkpoint> opened = Checkpoint::Open(dir());
  ASSERT_TRUE(opened.ok()) << opened.error().message();
  EXPECT_THAT(Names(opened.value()), ElementsAre("a", "b"));
}

TEST_F(CheckpointTest, PrefersTheSingleFileAsHuggingFaceDoes) {
  Write("model.safetensors", FileOf({"a"}));
  Write("consolidated.safetensors", FileOf({"b"}));
  Write("model.safetensors.index.json", IndexOf({{"b", "consolidated.safetensors"}}));
  EXPECT_THAT(Names(Checkpoint::Open(dir()).value()), ElementsAre("a"));
}

TEST_F(CheckpointTest, FollowsTheLinksOfTheCache) {
  const fs::path cache = dir() / "models--org--name";
  const fs::path snapshot = cache / "snapshots" / "abc";
  Write("models--org--name/refs/main", "abc");
  Write("models--org--name/blobs/1", "{}");
  Write("models--org--name/blobs/2", FileOf({"a"}));
  fs::create_directories(snapshot);
  fs::create_symlink("../../blobs/1", snapshot / "config.json");
  fs::create_symlink("../../blobs/2", snapshot / "model-00001-of-000001.safetensors");
  for (const fs::path& path : {cache, snapshot}) {
    SCOPED_TRACE(path);
    const Result<Checkpoint> opened = Checkpoint::Open(path);
    ASSERT_TRUE(opened.ok()) << opened.error().message();
    EXPECT_THAT(Names(opened.value()), ElementsAre("a"));
    EXPECT_EQ(opened.value().directory(), snapshot);
    EXPECT_EQ(opened.value().config_json(), "{}");
  }
}

TEST_F(CheckpointTest, ListsAllThatTheIndexNamesAndIsNotThere) {
  Write("one.safetensors", FileOf({"a"}));
  fs::create_symlink("../../blobs/gone", dir() / "link.safetensors");
  const fs::path index =
      Write("model.safetensors.index.json", IndexOf({{"a", "one.safetensors"},
                                                     {"b", "one.safetensors"},
                                                     {"c", "two.safetensors"},
                                                     {"d", "one.safetensors"},
                                                     {"e", "two.safetensors"},
                                                     {"f", "link.safetensors"}}));
  ExpectError(ErrorCode::kNotFound, index.string() +
                                        ": refers to missing files or tensors:\n"
                                        "  file 'link.safetensors' with 1 tensor\n"
                                        "  tensor 'b' in file 'one.safetensors'\n"
                                        "  tensor 'd' in file 'one.safetensors'\n"
                                        "  file 'two.safetensors' with 2 tensors");
}

TEST_F(CheckpointTest, SaysWhatItDidNotFind) {
  ExpectError(ErrorCode::kNotFound,
              dir().string() + ": not a checkpoint: no .safetensors file");
  Write("pytorch_model.bin", "");
  ExpectError(ErrorCode::kNotFound,
              dir().string() +
                  ": not a checkpoint: no .safetensors file; weights in .bin files "
                  "are not supported");
  const fs::path second = Write("model-00002-of-00002.safetensors", FileOf({"b"}));
  ExpectError(ErrorCode::kNotFound, dir().string() +
                                        ": found model-00002-of-00002.safetensors, but "
                                        "no index model.safetensors.index.json");
  Write("model-00001-of-00002.safetensors", FileOf({"a"}));
  ExpectError(
      ErrorCode::kNotFound,
      dir().string() +
          ": found model-00001-of-00002.safetensors, model-00002-of-00002.safetensors, "
          "but no index model.safetensors.index.json");
  fs::remove(dir() / "config.json");
  ExpectError(ErrorCode::kNotFound,
              (dir() / "config.json").string() + ": No such file or directory");
}

TEST_F(CheckpointTest, NamesTheFileThatIsBroken) {
  const fs::path path = Write("model.safetensors", "");
  ExpectError(ErrorCode::kParse,
              path.string() + ": is too short for a safetensors file: 0 bytes");
  fs::remove(path);
  fs::create_symlink("../../blobs/gone", path);
  ExpectError(ErrorCode::kNotFound, path.string() + ": No such file or directory");
  fs::remove(path);
  const fs::path index = Write("model.safetensors.index.json", "{}");
  ExpectError(ErrorCode::kParse, index.string() + ": has no weight_map");
}

}  // namespace
}  // namespace ridgeline::checkpoints
