// The inputs of operators, each different one kept once.
#pragma once

#include <ATen/core/ivalue.h>

#include <cstdint>
#include <vector>

#include "profiles/operators/recording.h"

namespace ridgeline::inference {

class ShapeTable {
 public:
  // The place of these inputs in shapes(); 0 once the table is full.
  uint32_t Find(c10::ArrayRef<const c10::IValue> inputs);

  // As text. The first is "none".
  std::vector<profiles::InputShapes> shapes() const;

 private:
  // Where in words_ one of them is.
  struct Entry {
    uint64_t hash = 0;
    uint32_t begin = 0;
    uint32_t size = 0;
  };

  uint32_t Insert(uint64_t hash, size_t slot);
  void Grow();

  std::vector<int64_t> inputs_;  // The ones that are looked for, encoded.
  std::vector<int64_t> words_;   // All encodings, one after the other.
  std::vector<Entry> entries_ = {Entry{}};
  std::vector<uint32_t> slots_ = std::vector<uint32_t>(1024);  // Of entries; 0: free.
};

}  // namespace ridgeline::inference
