#include "model_io/tokenizers/vocabulary.h"

#include <fmt/format.h>

#include <functional>
#include <limits>
#include <utility>

namespace ridgeline::tokenizers {
namespace {

constexpr int32_t kFree = -1;
constexpr size_t kSlotsAtFirst = 1024;

Error Problem(std::string message) { return {ErrorCode::kParse, std::move(message)}; }

}  // namespace

size_t Vocabulary::SlotOf(std::string_view token) const {
  const size_t mask = slots_.size() - 1;
  size_t slot = std::hash<std::string_view>()(token) & mask;
  while (slots_[slot] != kFree &&
         TextOf(entries_[static_cast<size_t>(slots_[slot])]) != token) {
    slot = (slot + 1) & mask;
  }
  return slot;
}

// Keeps the table at most half full, so that searches are short.
void Vocabulary::GrowIfNeeded() {
  if (2 * (size_ + 1) <= slots_.size()) return;
  slots_.assign(slots_.empty() ? kSlotsAtFirst : 2 * slots_.size(), kFree);
  for (size_t id = 0; id < entries_.size(); ++id) {
    if (!entries_[id].exists) continue;
    slots_[SlotOf(TextOf(entries_[id]))] = static_cast<int32_t>(id);
  }
}

Status Vocabulary::AddNew(std::string_view token, int64_t id, TokenOrigin origin) {
  const auto index = static_cast<size_t>(id);
  if (index < entries_.size() && entries_[index].exists) {
    return Problem(fmt::format("tokens '{}' and '{}' have the same id {}",
                               TextOf(entries_[index]), token, id));
  }
  if (text_.size() + token.size() > std::numeric_limits<uint32_t>::max()) {
    return Problem("the tokens are too long");
  }
  if (index >= entries_.size()) entries_.resize(index + 1);
  GrowIfNeeded();
  slots_[SlotOf(token)] = static_cast<int32_t>(id);
  entries_[index] = {.offset = static_cast<uint32_t>(text_.size()),
                     .length = static_cast<uint32_t>(token.size()),
                     .exists = true,
                     .is_in_model = origin == TokenOrigin::kModel,
                     .is_special = origin == TokenOrigin::kSpecial};
  text_ += token;
  ++size_;
  return Ok();
}

Status Vocabulary::Add(std::string_view token, int64_t id, TokenOrigin origin) {
  if (id < 0 || id >= kIdLimit) {
    return Problem(
        fmt::format("token '{}': id {} is not in 0..{}", token, id, kIdLimit - 1));
  }
  const std::optional<int32_t> known = IdOf(token);
  if (!known) return AddNew(token, id, origin);
  if (*known != id) {
    return Problem(fmt::format("token '{}' has the ids {} and {}", token, *known, id));
  }
  Entry& entry = entries_[static_cast<size_t>(id)];
  if (origin == TokenOrigin::kModel) {
    return Problem(fmt::format("duplicate token '{}'", token));
  }
  entry.is_special = origin == TokenOrigin::kSpecial;
  return Ok();
}

std::optional<int32_t> Vocabulary::IdOf(std::string_view token) const {
  if (slots_.empty()) return std::nullopt;
  const int32_t id = slots_[SlotOf(token)];
  return id == kFree ? std::nullopt : std::optional(id);
}

std::optional<int32_t> Vocabulary::IdInModel(std::string_view token) const {
  const std::optional<int32_t> id = IdOf(token);
  const bool is_in_model = id && entries_[static_cast<size_t>(*id)].is_in_model;
  return is_in_model ? id : std::nullopt;
}

std::optional<std::string_view> Vocabulary::TokenOf(int32_t id) const {
  if (id < 0 || static_cast<size_t>(id) >= entries_.size()) return std::nullopt;
  const Entry& entry = entries_[static_cast<size_t>(id)];
  return entry.exists ? std::optional(TextOf(entry)) : std::nullopt;
}

bool Vocabulary::IsSpecial(int32_t id) const {
  return id >= 0 && static_cast<size_t>(id) < entries_.size() &&
         entries_[static_cast<size_t>(id)].is_special;
}

}  // namespace ridgeline::tokenizers
