// Three checkpoints of one small model, written by Hugging Face's libraries: F32 in one
// file, F32 in two, BF16. They are not part of the repository.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "model_io/checkpoints/checkpoint.h"
#include "model_io/checkpoints/dtype.h"
#include "model_io/checkpoints/testing/scratch_test.h"

namespace ridgeline::checkpoints {
namespace {

namespace fs = std::filesystem;

fs::path Root() {
  const char* shared = std::getenv("RIDGELINE_SHARED");
  const fs::path directory =
      shared != nullptr ? shared : fs::path(RIDGELINE_SOURCE_DIR) / ".." / "shared";
  return directory / "golden" / "deepseek_ocr";
}

class SharedCheckpointsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!fs::is_directory(Root() / "tiny")) {
      GTEST_SKIP() << "no checkpoints in " << Root() << "; set RIDGELINE_SHARED";
    }
  }

  static Checkpoint Open(const std::string& name) {
    Result<Checkpoint> opened = Checkpoint::Open(Root() / name);
    EXPECT_TRUE(opened.ok()) << opened.error().message();
    return std::move(opened).value();
  }
};

std::vector<ExpectedTensor> InventoryOf(const Checkpoint& checkpoint) {
  std::vector<ExpectedTensor> inventory;
  for (const TensorView& tensor : checkpoint.tensors()) {
    inventory.push_back({tensor.name, tensor.shape});
  }
  return inventory;
}

TEST_F(SharedCheckpointsTest, HoldTheSameTensors) {
  const std::vector<ExpectedTensor> inventory = InventoryOf(Open("tiny"));
  EXPECT_EQ(inventory.size(), 238U);
  for (const char* name : {"tiny-bf16", "tiny-sharded"}) {
    const Status checked = CheckInventory(Open(name), inventory);
    EXPECT_TRUE(checked.ok()) << checked.error().message();
  }
}

TEST_F(SharedCheckpointsTest, NameTheirFiles) {
  struct Case {
    std::string name;
    size_t files;
  };
  const Case cases[] = {{"tiny", 3}, {"tiny-bf16", 3}, {"tiny-sharded", 4}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const Checkpoint checkpoint = Open(c.name);
    EXPECT_EQ(checkpoint.files().size(), c.files);
    EXPECT_THAT(checkpoint.config_json(), ::testing::HasSubstr("DeepseekOCR"));
  }
}

TEST_F(SharedCheckpointsTest, HaveTheSameBytesInOneFileAndInTwo) {
  const Checkpoint whole = Open("tiny");
  const Checkpoint sharded = Open("tiny-sharded");
  for (const TensorView& tensor : whole.tensors()) {
    SCOPED_TRACE(tensor.name);
    const TensorView* other = sharded.Find(tensor.name);
    ASSERT_NE(other, nullptr);
    EXPECT_EQ(other->dtype, tensor.dtype);
    EXPECT_EQ(AsText(other->bytes), AsText(tensor.bytes));
  }
}

TEST_F(SharedCheckpointsTest, HaveTheRoundedNumbersAsBf16) {
  const Checkpoint wide = Open("tiny");
  const Checkpoint narrow = Open("tiny-bf16");
  for (const TensorView& tensor : wide.tensors()) {
    SCOPED_TRACE(tensor.name);
    ASSERT_EQ(tensor.dtype, DType::kF32);
    const TensorView* other = narrow.Find(tensor.name);
    ASSERT_NE(other, nullptr);
    ASSERT_EQ(other->dtype, DType::kBf16);
    std::vector<float> floats(tensor.bytes.size() / sizeof(float));
    std::memcpy(floats.data(), tensor.bytes.data(), tensor.bytes.size());
    std::vector<uint16_t> want(floats.size());
    std::transform(floats.begin(), floats.end(), want.begin(), FloatToBf16);
    EXPECT_EQ(AsText(other->bytes), AsText(std::as_bytes(std::span(want))));
  }
}

}  // namespace
}  // namespace ridgeline::checkpoints
