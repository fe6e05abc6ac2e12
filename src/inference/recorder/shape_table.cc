#include <ATen/core/Tensor.h>
#include <c10/core/ScalarType.h>
#include <c10/util/typeid.h>

#include <algorithm>

#include "inference/recorder/thread_recorder.h"

namespace ridgeline::inference {
namespace {

// More unique inputs than any model has; further ones have no shape.
constexpr size_t kMaxEntries = size_t{1} << 20;

// An input is encoded as one word for its type and one word per dimension:
//   tensor: dtype << 8 | dimensions; other: kOther + its kind.
constexpr int64_t kTensor = 0;
constexpr int64_t kOther = 1 << 24;
enum Other : int64_t { kNothing, kScalar, kList, kUndefined };

constexpr int64_t kMaxDimensions = 255;

void EncodeTensor(const at::Tensor& tensor, std::vector<int64_t>& words) {
  if (!tensor.defined()) {
    words.push_back(kOther + kUndefined);
    return;
  }
  // Nested and sparse tensors have no sizes.
  if (tensor.layout() != c10::kStrided || tensor.dim() > kMaxDimensions) {
    words.push_back(kOther + kNothing);
    return;
  }
  const c10::IntArrayRef sizes = tensor.sizes();
  words.push_back(kTensor + (static_cast<int64_t>(tensor.scalar_type()) << 8) +
                  static_cast<int64_t>(sizes.size()));
  words.insert(words.end(), sizes.begin(), sizes.end());
}

void Encode(const c10::IValue& value, std::vector<int64_t>& words) {
  if (value.isTensor()) {
    EncodeTensor(value.unsafeToTensorImpl() == nullptr ? at::Tensor() : value.toTensor(),
                 words);
  } else if (value.isScalar() || value.isBool()) {
    words.push_back(kOther + kScalar);
  } else {
    words.push_back(kOther + (value.isList() ? kList : kNothing));
  }
}

uint64_t Hash(const std::vector<int64_t>& words) {
  uint64_t hash = words.size();
  for (const int64_t word : words) {
    hash = (hash ^ static_cast<uint64_t>(word)) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  }
  return hash;
}

// "float", "c10::BFloat16": the names in PyTorch's traces.
std::string TypeName(int64_t dtype) {
  return std::string(
      c10::scalarTypeToTypeMeta(static_cast<c10::ScalarType>(dtype)).name());
}

std::string OtherName(int64_t kind) {
  switch (kind) {
    case kScalar:
      return "Scalar";
    case kList:
      return "List";
    default:
      return "";
  }
}

profiles::InputShapes ToText(const int64_t* word, const int64_t* end) {
  profiles::InputShapes text{"[", "["};
  while (word != end) {
    if (text.sizes.size() > 1) {
      text.sizes += ',';
      text.types += ',';
    }
    const int64_t what = *word++;
    if (what >= kOther) {
      text.sizes += "[]";
      text.types += '"' + OtherName(what - kOther) + '"';
      continue;
    }
    text.sizes += '[';
    const int64_t dimensions = what & kMaxDimensions;
    for (int64_t i = 0; i < dimensions; ++i) {
      if (i > 0) text.sizes += ',';
      text.sizes += std::to_string(*word++);
    }
    text.sizes += ']';
    text.types += '"' + TypeName(what >> 8) + '"';
  }
  text.sizes += ']';
  text.types += ']';
  return text;
}

}  // namespace

uint32_t ShapeTable::Find(c10::ArrayRef<const c10::IValue> inputs) {
  inputs_.clear();
  for (const c10::IValue& input : inputs) Encode(input, inputs_);
  const uint64_t hash = Hash(inputs_);
  size_t slot = hash & (slots_.size() - 1);
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    const Entry& entry = entries_[slots_[slot]];
    if (entry.hash == hash && entry.size == inputs_.size() &&
        std::equal(inputs_.begin(), inputs_.end(), words_.begin() + entry.begin)) {
      return slots_[slot];
    }
  }
  return Insert(hash, slot);
}

uint32_t ShapeTable::Insert(uint64_t hash, size_t slot) {
  if (entries_.size() >= kMaxEntries) return 0;
  const auto place = static_cast<uint32_t>(entries_.size());
  entries_.push_back({hash, static_cast<uint32_t>(words_.size()),
                      static_cast<uint32_t>(inputs_.size())});
  words_.insert(words_.end(), inputs_.begin(), inputs_.end());
  slots_[slot] = place;
  if (entries_.size() * 2 > slots_.size()) Grow();
  return place;
}

void ShapeTable::Grow() {
  slots_.assign(slots_.size() * 2, 0);
  for (uint32_t place = 1; place < entries_.size(); ++place) {
    size_t slot = entries_[place].hash & (slots_.size() - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = place;
  }
}

std::vector<profiles::InputShapes> ShapeTable::shapes() const {
  std::vector<profiles::InputShapes> shapes = {{"[]", "[]"}};
  for (size_t i = 1; i < entries_.size(); ++i) {
    const int64_t* const begin = words_.data() + entries_[i].begin;
    shapes.push_back(ToText(begin, begin + entries_[i].size));
  }
  return shapes;
}

}  // namespace ridgeline::inference
