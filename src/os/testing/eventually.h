// Waiting in tests: for another process or thread, and never for ever.
#pragma once

#include <chrono>
#include <thread>

namespace ridgeline::os {

// Asks until it is true. False after a minute, which no healthy machine needs, however
// busy: expect the result to be true.
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
