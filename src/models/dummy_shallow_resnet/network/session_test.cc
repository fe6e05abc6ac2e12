#include "models/dummy_shallow_resnet/network/session.h"

#include <gtest/gtest.h>

namespace ridgeline::networks::dummy_shallow_resnet {
namespace {

std::unique_ptr<inference::Session> Make(int64_t seed) {
  inference::SessionOptions options;
  options.create_seed = seed;
  options.preprocess.image_size = 64;
  return MakeSession(options).value();
}

images::Image Stripes() {
  images::Image page = images::Filled(90, 70, {10, 200, 30});
  for (int x = 0; x < 3 * 90; ++x) page.row(20)[x] = 255;
  return page;
}

TEST(DummyShallowResnet, AnswersWithOneClass) {
  const auto prediction = Make(3)->Read(Stripes(), 100).value();
  ASSERT_EQ(prediction.ids.size(), 1U);
  EXPECT_GE(prediction.ids[0], 0);
  EXPECT_LT(prediction.ids[0], 1000);
  EXPECT_EQ(prediction.text, "class " + std::to_string(prediction.ids[0]));
  EXPECT_GT(predictions::SecondsOf(prediction, "prefill").value(), 0);
}

TEST(DummyShallowResnet, TheSeedIsTheModel) {
  const auto answer = [](int64_t seed) {
    return Make(seed)->Read(Stripes(), 1).value().ids;
  };
  EXPECT_EQ(answer(3), answer(3));
  EXPECT_NE(answer(3), answer(4));
}

}  // namespace
}  // namespace ridgeline::networks::dummy_shallow_resnet
