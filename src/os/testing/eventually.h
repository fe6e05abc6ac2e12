// Waiting in tests for another process or thread, with a timeout.
#pragma once

#include <chrono>
#include <thread>

namespace ridgeline::os {

// Polls until true. False after a minute, more than any working machine needs under any
// load: expect the result to be true.
template <typename Predicate>
bool Eventually(Predicate is_true) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!is_true()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

}  // namespace ridgeline::os
