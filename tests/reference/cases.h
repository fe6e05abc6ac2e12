// The frame of a program that holds files against recorded answers:
//   PROGRAM DIR [PART_OF_A_NAME]
// It prints a line for each case, and ends with 1 if anything differs, with 2 if there is
// nothing to compare.
#pragma once

#include <filesystem>
#include <string>

#include "tests/reference/compare.h"

namespace ridgeline::reference {

// DIR/reference/<name>; an empty object where there is none. NaN, which JSON does not
// have, is null.
Json Answers(const std::filesystem::path& folder, const std::string& name);

// Counts cases and tells each.
class Tally {
 public:
  explicit Tally(std::string part) : part_(std::move(part)) {}

  // Whether the user asked for the case of this name.
  bool Wants(const std::string& name) const {
    return name.find(part_) != std::string::npos;
  }
  void Add(const std::string& name, const Comparison& comparison);
  // Tells the sum. What the program ends with.
  int End() const;

 private:
  std::string part_;
  int cases_ = 0;
  int equal_ = 0;
  int checks_ = 0;
};

struct Program {
  const char* name;
  const char* needs;  // What DIR has to have for users: "reference/ and torch/".
  void (*check)(const std::filesystem::path& folder, Tally& tally);
};

int Main(int argc, char** argv, const Program& program);

}  // namespace ridgeline::reference
