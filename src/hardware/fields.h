// Lines such as "MemTotal:       24682416 kB", in which the kernel answers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ridgeline::hardware {

std::string_view Trimmed(std::string_view text);

std::vector<std::string_view> Lines(std::string_view text);

// Split at runs of blanks.
std::vector<std::string_view> Words(std::string_view text);

// What follows `key` and `separator` in the first line that begins with both; blanks
// around are no part of it. Nothing if there is no such line.
std::optional<std::string_view> Field(std::string_view text, std::string_view key,
                                      char separator = ':');

// The whole text must be a number that fits.
std::optional<int64_t> ParseInteger(std::string_view text, int base = 10);

// How many numbers a list such as "0-3,8,10-11" names; nothing if it is none.
std::optional<int> CountList(std::string_view list);

}  // namespace ridgeline::hardware
