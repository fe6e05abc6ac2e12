#include "parity/setting.h"

#include <map>
#include <vector>

namespace ridgeline::parity {
namespace {

using config::Error;
using config::ErrorKind;

constexpr const char* kConfigDirectory = "/srv/app/conf";
constexpr const char* kWorkingDirectory = "/srv/app";

// Texts that are ANTLR's, PyYAML's or Python's own: nobody is held to them.
bool IsForeignText(const Error& error) {
  switch (error.kind) {
    case ErrorKind::kConfigComposition:
      return error.cause != nullptr && error.cause->kind == ErrorKind::kGrammarParse;
    case ErrorKind::kOverrideParse:
      return error.message.find("Error parsing override") == std::string::npos;
    case ErrorKind::kYamlScanner:
    case ErrorKind::kYamlParser:
    case ErrorKind::kYamlComposer:
    case ErrorKind::kYamlConstructor:
    case ErrorKind::kYamlReader:
    case ErrorKind::kType:
    case ErrorKind::kKey:
    case ErrorKind::kAttribute:
    case ErrorKind::kAssertion:
    case ErrorKind::kOs:
    case ErrorKind::kLimit:
      return true;
    default:
      return false;
  }
}

bool IsCompact(ErrorKind kind) {
  return kind == ErrorKind::kConfigComposition || kind == ErrorKind::kMissingConfig ||
         kind == ErrorKind::kSearchPath || kind == ErrorKind::kOverrideParse;
}

}  // namespace

Json ErrorJson(const Error& error, const std::string& stage) {
  Json json = {{"stage", stage},
               {"class", config::ClassName(error.kind)},
               {"message", error.message}};
  if (error.cause != nullptr) {
    json["cause_class"] = config::ClassName(error.cause->kind);
    json["cause_message"] = error.cause->message;
  }
  // "ValueError while evaluating 'choice()': ...": Python chains that exception.
  if (const size_t end = error.message.find(" while evaluating '");
      error.kind == ErrorKind::kOverrideParse && end != std::string::npos) {
    const size_t start = error.message.rfind('\n', end) + 1;
    json["cause_class"] = error.message.substr(start, end - start);
  }
  if (IsCompact(error.kind)) {
    std::string text = error.message + "\n";
    if (error.cause != nullptr) text += error.cause->message + "\n";
    json["stderr"] = text;
  }
  if (const size_t tail = error.message.find("\nConfig search path:");
      tail != std::string::npos) {
    json["message_core"] = error.message.substr(0, tail);
  }
  json["match"] = IsForeignText(error) ? "reject" : "message";
  return json;
}

void FillSetting(const Json& test_case, Setting& setting) {
  for (const auto& [path, text] : test_case.at("files").items()) {
    setting.files.Add(config::JoinPath(kConfigDirectory, path), text);
  }
  config::ComposeRequest& request = setting.request;
  request.files = &setting.files;
  request.config_path = kConfigDirectory;
  request.working_directory = kWorkingDirectory;
  if (const auto dir = test_case.find("config_dir_arg");
      dir != test_case.end() && dir->is_string()) {
    request.config_dir = config::NormalizePath(
        config::JoinPath(kWorkingDirectory, dir->get<std::string>()));
  }
  if (!test_case.at("config_name").is_null()) {
    request.config_name = test_case.at("config_name").get<std::string>();
  }
  request.overrides = test_case.at("overrides").get<std::vector<std::string>>();
  if (const auto env = test_case.find("env"); env != test_case.end()) {
    setting.world.environment = env->get<std::map<std::string, std::string>>();
  }
  setting.world.now = os::ParseLocalTime("2024-03-05T14:07:09.123456").value();
}

}  // namespace ridgeline::parity
