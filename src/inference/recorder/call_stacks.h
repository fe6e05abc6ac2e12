// C++ call stacks, each different one kept once, turned into text at the end.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ridgeline::inference {

class CallStacks {
 public:
  // The place of the stack of the caller's caller.
  uint32_t Here();

  // Frames, the innermost first, with ';' between. The first is "none". A frame without a
  // symbol is "library+0x1234".
  std::vector<std::string> Names() const;

 private:
  std::map<std::vector<void*>, uint32_t> places_;
};

}  // namespace ridgeline::inference
