// Reader: one part of a composed configuration into an options struct.
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
// Reading continues after a mistake: Finish() reports all of them, and every key of
// the section that was not read.
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

// "infer.max_new_tokens: expected an integer, got 2.5", with the place where
// `written` stands. `meant` is what it stands for, itself if no interpolation.
Error WrongValue(const Node& written, const Node& meant, std::string_view expected);

// "pipeline.nsys.tracee: no such key", with the nearest of `known`.
Error UnknownKey(const Node& node, const std::vector<std::string>& known);

// All of them as one, a line each; `errors` must not be empty.
Error JoinErrors(const std::vector<Error>& errors);

class Reader {
 public:
  // Reads the keys of `section`, which may be an interpolation. Both must outlive
  // the reader. A section that is not a mapping is a mistake like others.
  Reader(Workspace& workspace, Node& section);

  // The key must be there and not null. `target` is one of bool, int64_t, double
  // (also takes integers), std::string, std::vector<std::string>; a value of
  // another type is a mistake and leaves it as it was.
  template <typename T>
  void Read(std::string_view key, T& target) {
    if (Node* node = Require(key)) Take(*node, target);
  }

  // The same, but a key that is not there leaves the default.
  template <typename T>
  void ReadOptional(std::string_view key, T& target) {
    if (Node* node = Find(key)) Take(*node, target);
  }

  // A key that is not there, or null, is nothing.
  template <typename T>
  void ReadOptional(std::string_view key, std::optional<T>& target) {
    Node* node = Find(key);
    target.reset();
    if (node == nullptr || IsNull(*node)) return;
    T value{};
    if (Take(*node, value)) target = std::move(value);
  }

  // A mapping inside this one, which must be there.
  void ReadSection(std::string_view key, const std::function<void(Reader&)>& read);

  // Somebody else reads this key.
  void Ignore(std::string_view key);

  // Other keys of the section, and of sections in it, are checked elsewhere: trees of
  // earlier dates have some that mean nothing here.
  void IgnoreOthers() { ignores_others_ = true; }

  // The node below `key`, not looked at; null if there is none. For what has no
  // fixed shape.
  Node* ReadNode(std::string_view key) { return Find(key); }

  // A mistake that only the caller can see, reported at the key.
  void AddError(std::string_view key, std::string_view what);

  // From here on nothing more is read.
  Status Finish();
  std::vector<Error> FinishWithAll();

 private:
  Node* Find(std::string_view key);  // Also notes that it was asked for.
  Node* Require(std::string_view key);
  Node* Meant(Node& node);  // Null, and a mistake, if it cannot be resolved.
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
