#include "hostile/counters.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <string>

namespace ridgeline::hostile {
namespace {

constexpr std::array kHarms = {"lost", "lied", "leaked", "hung"};

struct Counters {
  int tried = 0;
  std::array<int, kHarms.size()> harm = {};
};

Counters& All() {
  static Counters counters;
  return counters;
}

// Fails the program, too, if anything was counted.
class Summary : public testing::Environment {
 public:
  void TearDown() override {
    std::cout << "tried " << All().tried;
    for (size_t i = 0; i < kHarms.size(); ++i) {
      std::cout << "  " << kHarms[i] << " " << All().harm[i];
      EXPECT_EQ(All().harm[i], 0) << kHarms[i];
    }
    std::cout << std::endl;
  }
};

testing::Environment* const kSummary = testing::AddGlobalTestEnvironment(new Summary);

}  // namespace

void Count(Harm harm) { ++All().harm[static_cast<size_t>(harm)]; }

Trial::Trial() { ++All().tried; }

int Rounds() {
  const char* rounds = std::getenv("HOSTILE_ROUNDS");
  return rounds == nullptr ? 1 : std::stoi(rounds);
}

}  // namespace ridgeline::hostile
