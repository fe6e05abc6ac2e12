// The small files in which the system describes itself: /proc, /sys, /etc.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ridgeline::hardware {

// Reads them below another root than "/", so that tests can describe a machine.
class SystemFiles {
 public:
  SystemFiles() : SystemFiles("/") {}
  explicit SystemFiles(std::filesystem::path root) : root_(std::move(root)) {}

  // `path` is absolute, as on a real machine.
  std::filesystem::path At(std::string_view path) const;

  // What cannot be read is not known.
  std::optional<std::string> Read(std::string_view path) const;
  // Without the line end that such files have.
  std::optional<std::string> ReadLine(std::string_view path) const;
  bool Exists(std::string_view path) const;
  // Names in a directory, sorted; none if there is no such directory.
  std::vector<std::string> List(std::string_view directory) const;

 private:
  std::filesystem::path root_;
};

}  // namespace ridgeline::hardware
