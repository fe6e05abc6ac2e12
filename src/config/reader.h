// Reads one section of a composed configuration into an options struct.
//
//   struct NsysOptions {
//     std::vector<std::string> trace;
//     std::optional<std::string> nvtx_capture;
//   };
//   config::Reader reader(workspace, node);
//   reader.Read("trace", options.trace);
//   reader.ReadOptional("nvtx_capture", options.nvtx_capture);
//   return reader.Finish();
//
// Reading continues after an error: Finish() reports all errors and every key of the
// section that was not read.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "config/error.h"
#include "config/tree/node.h"
#include "config/tree/workspace.h"

namespace ridgeline::config {

// "infer.max_new_tokens: expected an integer, got 2.5", with the location of `written`.
// `meant` is the resolved value; the same node if it is not an interpolation.
Error WrongValue(const Node& written, const Node& meant, std::string_view expected);

// "pipeline.nsys.tracee: no such key", with the closest match in `known`.
Error UnknownKey(const Node& node, const std::vector<std::string>& known);

// Combined into one error, one line each; `errors` must not be empty.
Error JoinErrors(const std::vector<Error>& errors);

class Reader {
 public:
  // Reads the keys of `section`, which may be an interpolation. Both must outlive the
  // reader. A section that is not a mapping is reported like any other error.
  Reader(Workspace& workspace, Node& section);

  // The key must exist and must not be null. `target` is one of bool, int64_t, double
  // (also accepts integers), std::string, std::vector<std::string>; a value of another
  // type is an error and leaves `target` unchanged.
  template <typename T>
  void Read(std::string_view key, T& target) {
    if (Node* node = Require(key)) Take(*node, target);
  }

  // The same, but a missing key leaves the default.
  template <typename T>
  void ReadOptional(std::string_view key, T& target) {
    if (Node* node = Find(key)) Take(*node, target);
  }

  // A missing or null key gives an empty optional.
  template <typename T>
  void ReadOptional(std::string_view key, std::optional<T>& target) {
    Node* node = Find(key);
    target.reset();
    if (node == nullptr || IsNull(*node)) return;
    T value{};
    if (Take(*node, value)) target = std::move(value);
  }

  // A nested mapping, which must exist.
  void ReadSection(std::string_view key, const std::function<void(Reader&)>& read);

  // This key is read elsewhere.
  void Ignore(std::string_view key);

  // Unknown keys of the section and its subsections are checked elsewhere: older trees
  // contain some that have no meaning here.
  void IgnoreOthers() { ignores_others_ = true; }

  // The node at `key`, unchecked; null if there is none. For values without a fixed
  // shape.
  Node* ReadNode(std::string_view key) { return Find(key); }

  // An error that only the caller can detect, reported at the key.
  void AddError(std::string_view key, std::string_view what);

  // Nothing may be read after this.
  Status Finish();
  std::vector<Error> FinishWithAll();

 private:
  Node* Find(std::string_view key);  // Also marks the key as read.
  Node* Require(std::string_view key);
  Node* Meant(Node& node);  // Null, and an error, if it cannot be resolved.
  bool IsNull(Node& node);

  bool Take(Node& node, bool& target);
  bool Take(Node& node, int64_t& target);
  bool Take(Node& node, double& target);
  bool Take(Node& node, std::string& target);
  bool Take(Node& node, std::vector<std::string>& target);

  Workspace& workspace_;
  Node& written_;
  Node* section_ = nullptr;  // Null: not a mapping.
  std::vector<std::string> asked_;
  bool ignores_others_ = false;
  std::vector<Error> errors_;
};

}  // namespace ridgeline::config
