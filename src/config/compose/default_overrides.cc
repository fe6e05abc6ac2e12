#include "config/compose/default_overrides.h"

#include <string_view>
#include <utility>

#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

std::string Join(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

const std::string& KeyText(const Scalar& key) { return std::get<std::string>(key); }

}  // namespace

Result<DefaultOverrides> DefaultOverrides::Create(
    ConfigRepository& repository, const std::vector<Override>& overrides) {
  DefaultOverrides result;
  for (const Override& override : overrides) {
    if (override.IsSweep()) continue;
    const bool is_dict = override.value.As<ParsedDict>() != nullptr;
    if (is_dict || !repository.GroupExists(override.key_or_group)) {
      result.config_overrides_.push_back(override);
    } else {
      RIDGELINE_RETURN_IF_ERROR(result.AddFromCommandLine(override));
    }
  }
  return result;
}

Status DefaultOverrides::AddFromCommandLine(const Override& override) {
  if (override.type == OverrideType::kForceAdd) {
    return Error(
        ErrorKind::kConfigComposition,
        "force-add of config groups is not supported: '" + override.input_line + "'");
  }
  RIDGELINE_TRY(Value value, override.PlainValue());
  if (override.type == OverrideType::kDelete) return AddDeletion(override, value);
  if (!value.is_string() && !value.is_list()) {
    return Error(
        ErrorKind::kValue,
        "Config group override must be a string or a list. Got " + TypeName(value));
  }
  if (override.type == OverrideType::kAdd) {
    RIDGELINE_TRY(
        InputDefault entry,
        InputDefault::Group(override.key_or_group, std::move(value), override.package));
    entry.is_external_append = true;
    appended_.push_back(std::move(entry));
  } else {
    OverriddenOption overridden;
    overridden.option = std::move(value);
    options_.Set(override.KeyElement(), std::move(overridden));
  }
  return Ok();
}

Status DefaultOverrides::AddDeletion(const Override& override, const Value& value) {
  if (!value.is_null() && !value.is_string()) {
    return Error(ErrorKind::kValue,
                 "Config group override deletion value must be a string : '" +
                     override.input_line + "'");
  }
  Deletion deletion;
  if (value.is_string()) deletion.name = value.string();
  deletions_.Set(override.KeyElement().substr(1), std::move(deletion));
  return Ok();
}

void DefaultOverrides::Add(const std::string& parent, const InputDefault& entry) {
  std::string key = entry.OverrideKey();
  if (options_.Find(key) != nullptr) return;
  options_.Set(std::move(key), {.option = entry.option, .config = parent, .used = false});
}

void DefaultOverrides::Apply(InputDefault& entry) {
  if (!entry.is_group()) return;
  OverriddenOption* overridden = options_.Find(entry.OverrideKey());
  if (overridden == nullptr) return;
  entry.option = overridden->option;
  overridden->used = true;
}

bool DefaultOverrides::IsDeleted(const InputDefault& entry) const {
  if (!entry.is_group() || deletions_.empty()) return false;
  const Deletion* deletion = deletions_.Find(entry.OverrideKey());
  if (deletion == nullptr) return false;
  return !deletion->name.has_value() || deletion->name == entry.Name();
}

void DefaultOverrides::Delete(InputDefault& entry) {
  entry.deleted = true;
  if (Deletion* deletion = deletions_.Find(entry.OverrideKey())) deletion->used = true;
}

Status DefaultOverrides::SetChoice(const InputDefault& entry) {
  if (!entry.is_group()) return Ok();
  const std::string key = entry.OverrideKey();
  if (const std::optional<std::string>* chosen = choices_.Find(key)) {
    if (*chosen != entry.Name()) {
      return Error(ErrorKind::kConfigComposition,
                   "Multiple values for " + key + ". To override a value use 'override " +
                       key + ": " + chosen->value_or("None") + "'");
    }
  } else {
    choices_.Set(key, entry.Name());
  }
  keys_by_group_[entry.GroupPath()].insert(key);
  return Ok();
}

Choices DefaultOverrides::choices() const {
  Choices list;
  for (const auto& [key, option] : choices_) list.emplace_back(KeyText(key), option);
  return list;
}

Status DefaultOverrides::CheckOverridesUsed() const {
  for (const auto& [scalar_key, overridden] : options_) {
    if (overridden.used) continue;
    const std::string& key = KeyText(scalar_key);
    std::string message = "Could not override '" + key + "'.";
    const auto known = keys_by_group_.find(key.substr(0, key.find('@')));
    if (known == keys_by_group_.end()) {
      message += " No match in the defaults list.";
    } else {
      const bool several = known->second.size() > 1;
      message += std::string("\nDid you mean to override ") + (several ? "one of " : "") +
                 Join(known->second) + "?";
    }
    if (overridden.config.has_value()) {
      message = "In '" + *overridden.config + "': " + message;
    } else {
      message +=
          "\nTo append to your default list use +" + key + "=" + Str(overridden.option);
    }
    return Error(ErrorKind::kConfigComposition, std::move(message));
  }
  return Ok();
}

Status DefaultOverrides::CheckDeletionsUsed() const {
  for (const auto& [key, deletion] : deletions_) {
    if (deletion.used) continue;
    std::string what = KeyText(key);
    if (deletion.name.has_value()) what += "=" + *deletion.name;
    return Error(ErrorKind::kConfigComposition,
                 "Could not delete '" + what + "'. No match in the defaults list");
  }
  return Ok();
}

}  // namespace ridgeline::config
