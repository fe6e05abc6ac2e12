// The small files that describe the system: /proc, /sys, /etc.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ridgeline::hardware {

// Reads them below a configurable root instead of "/", so that tests can simulate a
// machine.
class SystemFiles {
 public:
  SystemFiles() : SystemFiles("/") {}
  explicit SystemFiles(std::filesystem::path root) : root_(std::move(root)) {}

  // `path` is absolute, as on a real machine.
  std::filesystem::path At(std::string_view path) const;

  // Empty if it cannot be read.
  std::optional<std::string> Read(std::string_view path) const;
  // Without the trailing newline.
  std::optional<std::string> ReadLine(std::string_view path) const;
  bool Exists(std::string_view path) const;
  // Sorted entry names; empty if there is no such directory.
  std::vector<std::string> List(std::string_view directory) const;

 private:
  std::filesystem::path root_;
};

// Parsing of the kernel's text files: lines such as "MemTotal:       24682416 kB".

std::string_view Trimmed(std::string_view text);

std::vector<std::string_view> Lines(std::string_view text);

// Splits at runs of blanks.
std::vector<std::string_view> Words(std::string_view text);

// The text after `key` and `separator` in the first line that begins with both, without
// surrounding blanks. Empty if there is no such line.
std::optional<std::string_view> Field(std::string_view text, std::string_view key,
                                      char separator = ':');

// The whole text must be a number in range.
std::optional<int64_t> ParseInteger(std::string_view text, int base = 10);

// The count of numbers in a list such as "0-3,8,10-11"; empty if malformed.
std::optional<int> CountList(std::string_view list);

}  // namespace ridgeline::hardware
