// Plain data as in Python after loading YAML or parsing an override: no references, no
// parents, no interpolations. config/tree/ builds on it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "config/origin.h"
#include "config/value/integer.h"

namespace ridgeline::config {

struct Bytes {
  std::string data;
  friend bool operator==(const Bytes&, const Bytes&) = default;
};

// A Python object that YAML can create but a configuration cannot contain: !!set,
// !!timestamp. Kept so that the error can name its key.
struct Opaque {
  std::string type_name;  // "set", "date", "datetime".
  std::string text;
  friend bool operator==(const Opaque&, const Opaque&) = default;
};

using Null = std::monostate;
using Scalar = std::variant<Null, bool, Integer, double, std::string, Bytes, Opaque>;

// Python's ==: 1 == 1.0 == True; None, strings and bytes only equal their own kind.
bool PythonEqual(const Scalar& a, const Scalar& b);
// Equal scalars have equal hashes.
size_t PythonHash(const Scalar& scalar);

// An insertion-ordered map from scalars (Python's key equality). Lookups in
// large maps are O(1); replacing a value keeps the first key and its position.
template <typename T>
class OrderedMap {
 public:
  using Entry = std::pair<Scalar, T>;

  size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  auto begin() { return entries_.begin(); }
  auto end() { return entries_.end(); }
  auto begin() const { return entries_.begin(); }
  auto end() const { return entries_.end(); }

  T* Find(const Scalar& key) {
    const size_t index = IndexOf(key);
    return index == kNone ? nullptr : &entries_[index].second;
  }
  const T* Find(const Scalar& key) const {
    return const_cast<OrderedMap*>(this)->Find(key);
  }
  T* Find(std::string_view key) {
    const size_t index = IndexOf(key);
    return index == kNone ? nullptr : &entries_[index].second;
  }
  const T* Find(std::string_view key) const {
    return const_cast<OrderedMap*>(this)->Find(key);
  }
  T* Find(const std::string& key) { return Find(std::string_view(key)); }
  const T* Find(const std::string& key) const { return Find(std::string_view(key)); }
  T* Find(const char* key) { return Find(std::string_view(key)); }
  const T* Find(const char* key) const { return Find(std::string_view(key)); }

  // Adds, or replaces the value of an equal key; returns the stored value.
  T& Set(Scalar key, T value) {
    if (T* found = Find(key)) return *found = std::move(value);
    if (!index_.empty()) index_.emplace(key, entries_.size());
    entries_.emplace_back(std::move(key), std::move(value));
    if (index_.empty() && entries_.size() > kIndexFrom) BuildIndex();
    return entries_.back().second;
  }

  bool Erase(const Scalar& key) {
    const size_t index = IndexOf(key);
    if (index == kNone) return false;
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(index));
    index_.clear();
    if (entries_.size() > kIndexFrom) BuildIndex();
    return true;
  }

  void clear() {
    entries_.clear();
    index_.clear();
  }

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);
  // Below this a linear search is faster than hashing.
  static constexpr size_t kIndexFrom = 16;

  struct Hash {
    size_t operator()(const Scalar& key) const { return PythonHash(key); }
  };
  struct Equal {
    bool operator()(const Scalar& a, const Scalar& b) const { return PythonEqual(a, b); }
  };

  size_t IndexOf(const Scalar& key) const {
    if (!index_.empty()) {
      const auto found = index_.find(key);
      return found == index_.end() ? kNone : found->second;
    }
    for (size_t i = 0; i < entries_.size(); ++i) {
      if (PythonEqual(entries_[i].first, key)) return i;
    }
    return kNone;
  }
  size_t IndexOf(std::string_view key) const {
    if (!index_.empty()) return IndexOf(Scalar(std::string(key)));
    for (size_t i = 0; i < entries_.size(); ++i) {
      const std::string* text = std::get_if<std::string>(&entries_[i].first);
      if (text != nullptr && *text == key) return i;
    }
    return kNone;
  }
  void BuildIndex() {
    for (size_t i = 0; i < entries_.size(); ++i) index_.emplace(entries_[i].first, i);
  }

  std::vector<Entry> entries_;
  std::unordered_map<Scalar, size_t, Hash, Equal> index_;  // Empty while small.
};

class Value;
using List = std::vector<Value>;
using Dict = OrderedMap<Value>;

class Value {
 public:
  Value() = default;
  // Implicit on purpose: data is written as {"a", 1, true}.
  // NOLINTBEGIN(google-explicit-constructor)
  Value(Null) {}
  Value(bool value) : data_(Scalar(value)) {}
  Value(int value) : data_(Scalar(Integer(value))) {}
  Value(Integer value) : data_(Scalar(std::move(value))) {}
  Value(double value) : data_(Scalar(value)) {}
  Value(std::string value) : data_(Scalar(std::move(value))) {}
  Value(std::string_view value) : data_(Scalar(std::string(value))) {}
  Value(const char* value) : data_(Scalar(std::string(value))) {}
  Value(Bytes value) : data_(Scalar(std::move(value))) {}
  Value(Scalar value) : data_(std::move(value)) {}
  Value(List value) : data_(std::move(value)) {}
  Value(Dict value) : data_(std::move(value)) {}
  // NOLINTEND(google-explicit-constructor)

  bool is_scalar() const { return data_.index() == 0; }
  bool is_list() const { return data_.index() == 1; }
  bool is_dict() const { return data_.index() == 2; }
  bool is_null() const { return is_scalar() && scalar().index() == 0; }
  bool is_bool() const { return is_scalar() && std::holds_alternative<bool>(scalar()); }
  bool is_int() const { return is_scalar() && std::holds_alternative<Integer>(scalar()); }
  bool is_float() const {
    return is_scalar() && std::holds_alternative<double>(scalar());
  }
  bool is_string() const {
    return is_scalar() && std::holds_alternative<std::string>(scalar());
  }

  const Scalar& scalar() const { return std::get<0>(data_); }
  Scalar& scalar() { return std::get<0>(data_); }
  const std::string& string() const { return std::get<std::string>(scalar()); }
  const List& list() const { return std::get<1>(data_); }
  List& list() { return std::get<1>(data_); }
  const Dict& dict() const { return std::get<2>(data_); }
  Dict& dict() { return std::get<2>(data_); }

  // Location in the text, line and column only (the loader knows the file name). 0 if it
  // was not read from text.
  int line = 0;
  int column = 0;

 private:
  std::variant<Scalar, List, Dict> data_;
};

// Python's == on whole values (ignores dict order).
bool PythonEqual(const Value& a, const Value& b);

}  // namespace ridgeline::config
