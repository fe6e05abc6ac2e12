// The small files in which the system describes itself: /proc, /sys, /etc.
#pragma once

#include <cstdint>
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

// Lines such as "MemTotal:       24682416 kB", in which the kernel answers.

std::string_view Trimmed(std::string_view text);

std::vector<std::string_view> Lines(std::string_view text);

// Split at runs of blanks.
std::vector<std::string_view> Words(std::string_view text);

// The text after `key` and `separator` in the first line that begins with both, without
// surrounding blanks. Nothing if there is no such line.
std::optional<std::string_view> Field(std::string_view text, std::string_view key,
                                      char separator = ':');

// The whole text must be a number that fits.
std::optional<int64_t> ParseInteger(std::string_view text, int base = 10);

// How many numbers a list such as "0-3,8,10-11" names; nothing if it is none.
std::optional<int> CountList(std::string_view list);

}  // namespace ridgeline::hardware
