#include "models/deepseek_ocr/grounding.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace ridgeline::models::deepseek_ocr {
namespace {

constexpr int kCoordinateMax = 1'000'000;

// The four marks of a tag, in their required order.
constexpr std::array<std::string_view, 4> kMarks = {"<|ref|>", "<|/ref|>", "<|det|>",
                                                    "<|/det|>"};

struct Mark {
  size_t kind = 0;  // Index into kMarks.
  size_t begin = 0;
  size_t end = 0;
};

std::optional<Mark> MarkAt(std::string_view text, size_t begin) {
  for (size_t kind = 0; kind < kMarks.size(); ++kind) {
    if (!text.substr(begin).starts_with(kMarks[kind])) continue;
    return Mark{kind, begin, begin + kMarks[kind].size()};
  }
  return std::nullopt;
}

std::vector<Mark> FindMarks(std::string_view text) {
  std::vector<Mark> marks;
  size_t at = text.find("<|");
  while (at != std::string_view::npos) {
    const std::optional<Mark> mark = MarkAt(text, at);
    if (mark) marks.push_back(*mark);
    at = text.find("<|", mark ? mark->end : at + 1);
  }
  return marks;
}

// Reads "[[12, 34, 560, 780], [0, 0, 999, 999]]". Blanks are allowed between all parts.
class BoxListReader {
 public:
  explicit BoxListReader(std::string_view text) : rest_(text) {}

  // nullopt unless the whole text is such a list. The list may be empty.
  std::optional<std::vector<ModelBox>> Read() {
    std::vector<ModelBox> boxes;
    if (!Take('[')) return std::nullopt;
    if (!Take(']')) {
      do {
        const std::optional<ModelBox> box = ReadBox();
        if (!box) return std::nullopt;
        boxes.push_back(*box);
      } while (Take(','));
      if (!Take(']')) return std::nullopt;
    }
    SkipBlanks();
    if (!rest_.empty()) return std::nullopt;
    return boxes;
  }

 private:
  std::optional<ModelBox> ReadBox() {
    std::array<int, 4> values = {};
    for (size_t i = 0; i < values.size(); ++i) {
      if (!Take(i == 0 ? '[' : ',')) return std::nullopt;
      const std::optional<int> value = ReadInteger();
      if (!value) return std::nullopt;
      values.at(i) = *value;
    }
    if (!Take(']')) return std::nullopt;
    return ModelBox{values[0], values[1], values[2], values[3]};
  }

  std::optional<int> ReadInteger() {
    const bool negative = Take('-');
    if (!negative) SkipBlanks();
    if (!AtDigit()) return std::nullopt;
    int value = 0;
    for (; AtDigit(); rest_.remove_prefix(1)) {
      value = std::min(10 * value + (rest_.front() - '0'), kCoordinateMax);
    }
    return negative ? -value : value;
  }

  bool AtDigit() const {
    return !rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9';
  }

  bool Take(char wanted) {
    SkipBlanks();
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  void SkipBlanks() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
  }

  std::string_view rest_;
};

// Number of related marks from `first` on: each is of the next kind, and a box list
// directly follows its label.
size_t CountTogether(const std::vector<Mark>& marks, size_t first) {
  size_t next = first + 1;
  while (next < marks.size() && marks[next].kind == marks[next - 1].kind + 1) {
    const bool apart = marks[next].kind == 2 && marks[next].begin != marks[next - 1].end;
    if (apart) break;
    ++next;
  }
  return next - first;
}

std::optional<Grounding> GroundingOf(std::string_view text, const Mark* marks) {
  const auto between = [&](const Mark& left, const Mark& right) {
    return text.substr(left.end, right.begin - left.end);
  };
  std::optional<std::vector<ModelBox>> boxes =
      BoxListReader(between(marks[2], marks[3])).Read();
  if (!boxes) return std::nullopt;
  return Grounding{.label = std::string(between(marks[0], marks[1])),
                   .boxes = std::move(*boxes),
                   .begin = marks[0].begin,
                   .end = marks[3].end};
}

}  // namespace

GroundedText ParseGroundings(std::string_view text) {
  GroundedText grounded;
  const std::vector<Mark> marks = FindMarks(text);
  for (size_t first = 0; first < marks.size();) {
    const size_t together = CountTogether(marks, first);
    std::optional<Grounding> grounding;
    if (together == kMarks.size()) grounding = GroundingOf(text, &marks[first]);
    if (grounding) {
      grounded.groundings.push_back(std::move(*grounding));
    } else {
      ++grounded.tags_malformed;
    }
    first += together;
  }
  return grounded;
}

}  // namespace ridgeline::models::deepseek_ocr
