// Checks that kernels use the number of threads set in libtorch.
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include "inference/kernels/ops.h"

namespace ridgeline::inference::cpu {
namespace {

constexpr int kThreads = 2;

class ThreadsTest : public testing::Test {
 protected:
  void SetUp() override { at::set_num_threads(kThreads); }
  void TearDown() override { at::set_num_threads(before_); }

 private:
  const int before_ = at::get_num_threads();
};

std::set<std::filesystem::path> ThreadsOfThisProcess() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return {begin(tasks), end(tasks)};
}

// Number of threads started by `work`. Runs in a new thread, for which OpenMP has no idle
// threads yet; those of the previous one may still be exiting.
int64_t ThreadsStartedBy(const std::function<void()>& work) {
  int64_t started = 0;
  std::thread([&] {
    const c10::InferenceMode no_gradients;
    const std::set<std::filesystem::path> before = ThreadsOfThisProcess();
    work();
    for (const std::filesystem::path& thread : ThreadsOfThisProcess()) {
      started += before.contains(thread) ? 0 : 1;
    }
  }).join();
  return started;
}

TEST_F(ThreadsTest, ALoopRunsOnAllOfThem) {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  at::parallel_for(0, kThreads, 1, [&](int64_t, int64_t) {
    const std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(seen.size(), kThreads);
}

// The loop is header code: each calling file has its own instance.
TEST_F(ThreadsTest, EveryKernelRunsOnAllOfThem) {
  at::manual_seed(1);
  const at::Tensor row = at::randn({1, 1024});
  const at::Tensor weight = at::randn({1024, 1024}).to(at::kBFloat16);
  const at::Tensor rows = at::randn({512, 1024});
  const at::Tensor scale = at::ones({1024});
  const at::Tensor heads = at::randn({16, 512, 128});
  const at::Tensor angles = at::randn({512, 128});
  const at::Tensor query = at::randn({16, 1, 128});
  const at::Tensor share = at::ones({1});
  struct Case {
    const char* what;
    std::function<void()> work;
  };
  const Case cases[] = {
      {"linear", [&] { Linear(row, weight, {}); }},
      {"mixture", [&] { Mixture(row, share, {weight}, {weight}, {weight}); }},
      {"rms_norm", [&] { RmsNorm(rows, scale, 1e-6); }},
      {"rotate", [&] { Rotate(heads, angles, angles); }},
      {"attend_token", [&] { AttendToken(query, heads, heads, 0.25); }},
  };
  // An operator of libtorch, too small for more than one thread.
  EXPECT_EQ(ThreadsStartedBy([&] { at::add(row, 1); }), 0);
  for (const Case& c : cases) {
    EXPECT_GE(ThreadsStartedBy(c.work), kThreads - 1) << c.what;
  }
  EXPECT_EQ(ThreadsStartedBy([] {}), 0);
}

}  // namespace
}  // namespace ridgeline::inference::cpu
