#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model_io/checkpoints/checkpoint.h"

namespace ridgeline::checkpoints {
namespace {

std::vector<TensorView> Tensors(const std::vector<ExpectedTensor>& described) {
  std::vector<TensorView> tensors;
  for (const ExpectedTensor& tensor : described) {
    tensors.push_back({.name = tensor.name, .shape = tensor.shape});
  }
  return tensors;
}

TEST(InventoryTest, SaysEverythingThatDiffersAtOnce) {
  struct Case {
    const char* what;
    std::vector<ExpectedTensor> tensors;
    std::vector<ExpectedTensor> expected;
    const char* want;  // Empty: it matches.
  };
  const Case cases[] = {
      {"nothing", {}, {}, ""},
      {"the same in another order", {{"a", {2}}, {"b", {}}}, {{"b", {}}, {"a", {2}}}, ""},
      {"tables that the network computes itself are ignored",
       {{"a", {2}}, {"clip.embeddings.position_ids", {1, 257}}, {"rope.inv_freq", {64}}},
       {{"a", {2}}},
       ""},
      {"but not tensors with similar names",
       {{"a", {2}}, {"rope.inv_freq.weight", {64}}},
       {{"a", {2}}},
       "m: the weights do not match the model: 0 missing, 1 unexpected, 0 with a "
       "different shape, 1 expected in total\n"
       "  unexpected: 'rope.inv_freq.weight' [64]"},
      {"one missing",
       {{"a", {2}}},
       {{"a", {2}}, {"b", {3, 4}}},
       "m: the weights do not match the model: 1 missing, 0 unexpected, 0 with a "
       "different shape, 2 expected in total\n"
       "  missing: 'b' [3, 4]"},
      {"all kinds",
       {{"a", {2}}, {"b", {3, 4}}, {"c", {}}},
       {{"d", {1}}, {"b", {4, 3}}, {"a", {2, 1}}},
       "m: the weights do not match the model: 1 missing, 1 unexpected, 2 with a "
       "different shape, 3 expected in total\n"
       "  missing: 'd' [1]\n"
       "  unexpected: 'c' []\n"
       "  shape: 'b' is [3, 4], expected [4, 3]\n"
       "  shape: 'a' is [2], expected [2, 1]"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const Status checked = CheckInventory(Tensors(c.tensors), c.expected, "m");
    EXPECT_EQ(checked.ok() ? "" : checked.error().message(), c.want);
  }
}

TEST(InventoryTest, ShowsTwentyOfAKindAndCountsAll) {
  std::vector<ExpectedTensor> expected;
  for (int i = 0; i < 25; ++i) expected.push_back({fmt::format("layer.{:02}", i), {1}});
  const Status checked = CheckInventory({}, expected, "m");
  ASSERT_FALSE(checked.ok());
  const std::string& message = checked.error().message();
  EXPECT_THAT(message, ::testing::HasSubstr("25 missing, 0 unexpected"));
  EXPECT_THAT(message,
              ::testing::EndsWith("missing: 'layer.19' [1]\n  missing: and 5 more"));
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 21);
}

}  // namespace
}  // namespace ridgeline::checkpoints
