#include <gtest/gtest.h>

#include "profiles/operators/operator_profile.h"

namespace ridgeline::profiles {
namespace {

TEST(ModuleTable, AddsUpOperatorsByTheirScope) {
  Recording recording;
  recording.names = {"aten::add"};
  recording.scopes = {"", "a", "b", "a"};  // Last: the same path from elsewhere.
  recording.threads.push_back(
      {.id = 1, .events = EventRing(0), .lost = {}, .memory = {}});
  const auto add = [&](Event event) { recording.threads[0].events.Append(event); };
  add({.self_ns = 1, .flops = 2, .scope = 1});
  add({.self_ns = 2, .bytes_self = 4, .scope = 3});
  add({.self_ns = 9, .scope = 2, .kind = EventKind::kAnnotation});
  add({.self_ns = 7});
  EXPECT_EQ(ModuleTable(recording),
            (std::vector<ModuleRow>{{"", 1, 7, 0, 0}, {"a", 2, 3, 4, 2}}));
}

}  // namespace
}  // namespace ridgeline::profiles
