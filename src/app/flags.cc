#include "app/flags.h"

#include <fmt/format.h>

#include <algorithm>

#include "config/tree/suggest.h"

namespace ridgeline::app {
namespace {

// --top limits lists; --topk is an alias used in scripts.
Result<const Flag*> FindFlag(std::span<const Flag> flags, const std::string& written) {
  const std::string name = written == "--topk" ? "--top" : written;
  std::vector<const Flag*> beginnings;
  std::vector<std::string> names;
  for (const Flag& flag : flags) {
    if (name == flag.name || name == flag.short_name) return &flag;
    const bool is_long = name.size() > 2 && name.starts_with("--");
    if (is_long && flag.name.starts_with(name)) beginnings.push_back(&flag);
    names.emplace_back(flag.name);
  }
  if (beginnings.size() == 1) return beginnings.front();
  if (beginnings.size() > 1) {
    std::string text = "flag " + name + " is ambiguous:";
    for (const Flag* flag : beginnings) text += " " + std::string(flag->name);
    return UsageError(text);
  }
  const std::string nearest = config::Nearest(name, names);
  return UsageError("unknown flag " + name +
                    (nearest.empty() ? "" : "\nhint: did you mean " + nearest + "?"));
}

Status CheckChoice(const Flag& flag, const std::string& value) {
  if (flag.choices.empty() ||
      std::find(flag.choices.begin(), flag.choices.end(), value) != flag.choices.end()) {
    return Ok();
  }
  std::string choices;
  for (std::string_view choice : flag.choices) {
    choices += (choices.empty() ? "" : ", ") + std::string(choice);
  }
  return UsageError("flag " + std::string(flag.name) + ": expected one of " + choices +
                    "; got '" + value + "'");
}

using Takes = Flag::Takes;

bool IsFlag(const std::string& argument) {
  return argument.size() >= 2 && argument[0] == '-';
}

// The arguments after the flag at `at` that are its value; moves `at` to the last of
// them.
Result<std::vector<std::string>> TakeValues(const Flag& flag,
                                            std::span<const std::string> arguments,
                                            size_t& at) {
  std::vector<std::string> values;
  switch (flag.takes) {
    case Takes::kNothing:
      return values;
    case Takes::kOptionalValue: {
      // The next word is the value if it is one of the choices; an override is not.
      const bool has_value = at + 1 < arguments.size() &&
                             !arguments[at + 1].starts_with('-') &&
                             arguments[at + 1].find('=') == std::string::npos;
      values.push_back(has_value ? arguments[++at] : std::string(flag.when_omitted));
      return values;
    }
    case Takes::kValue:
    case Takes::kValueEachTime:
      if (at + 1 < arguments.size()) values.push_back(arguments[++at]);
      break;
    case Takes::kValues:
      while (at + 1 < arguments.size() && !IsFlag(arguments[at + 1])) {
        values.push_back(arguments[++at]);
      }
      break;
  }
  if (values.empty())
    return UsageError("flag " + std::string(flag.name) + " needs a value");
  return values;
}

}  // namespace

std::string ParsedFlags::Get(std::string_view name) const {
  const auto found = values.find(name);
  return found == values.end() ? "" : found->second;
}

std::vector<std::string> ParsedFlags::GetAll(std::string_view name) const {
  const auto found = lists.find(name);
  return found == lists.end() ? std::vector<std::string>() : found->second;
}

Result<ParsedFlags> ParseFlags(std::span<const Flag> flags,
                               std::span<const std::string> arguments) {
  ParsedFlags parsed;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (argument == "--") {
      parsed.words.insert(parsed.words.end(),
                          arguments.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                          arguments.end());
      break;
    }
    if (!IsFlag(argument)) {
      parsed.words.push_back(argument);
      continue;
    }
    const size_t equals = argument.find('=');
    RIDGELINE_TRY(const Flag* flag, FindFlag(flags, argument.substr(0, equals)));
    std::vector<std::string> values;
    if (equals == std::string::npos) {
      RIDGELINE_TRY(values, TakeValues(*flag, arguments, i));
    } else if (flag->takes == Takes::kNothing) {
      return UsageError("flag " + std::string(flag->name) + " takes no value");
    } else {
      values.push_back(argument.substr(equals + 1));
    }
    for (const std::string& value : values) {
      RIDGELINE_RETURN_IF_ERROR(CheckChoice(*flag, value));
    }
    parsed.values[flag->name] = values.empty() ? "" : values.back();
    if (flag->takes == Takes::kValueEachTime || flag->takes == Takes::kValues) {
      std::vector<std::string>& list = parsed.lists[flag->name];
      list.insert(list.end(), values.begin(), values.end());
    }
  }
  return parsed;
}

std::string FlagsHelp(std::span<const Flag> flags) {
  size_t width = 28;
  std::vector<std::string> names;
  for (const Flag& flag : flags) {
    std::string name = "  " + std::string(flag.name);
    if (!flag.short_name.empty()) name += ", " + std::string(flag.short_name);
    if (flag.takes == Takes::kOptionalValue) {
      name += fmt::format(" [{}]", flag.value_name);
    } else if (flag.takes != Takes::kNothing) {
      name += fmt::format(" {}{}", flag.value_name,
                          flag.takes == Takes::kValues ? "..." : "");
    }
    width = std::max(width, name.size());
    names.push_back(std::move(name));
  }
  std::string text;
  for (size_t i = 0; i < flags.size(); ++i) {
    text += fmt::format("{:<{}}  {}\n", names[i], width, flags[i].help);
  }
  return text;
}

}  // namespace ridgeline::app
