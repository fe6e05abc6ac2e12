#include "pipeline/inputs.h"

#include <fmt/format.h>

#include <optional>
#include <unordered_map>
#include <utility>

#include "artifacts/sha256.h"
#include "config/value/unicode.h"
#include "config/value/value.h"
#include "config/value/yaml_dump.h"
#include "config/value/yaml_load.h"
#include "os/files.h"

namespace ridgeline::pipeline {
namespace {

namespace fs = std::filesystem;

constexpr int kInputsVersion = 1;

// A file name is bytes, YAML is text. Characters that would not survive the round trip
// are escaped, so that different names stay different; so is NEL, a line break in YAML
// 1.1.
std::string AsText(const fs::path& path) {
  constexpr char32_t kNextLine = 0x85;
  const std::string& bytes = path.native();
  std::string text;
  for (size_t at = 0; at < bytes.size();) {
    const config::Utf8Character character = config::DecodeUtf8(bytes, at);
    if (character.valid && character.code != kNextLine) {
      text.append(bytes, at, character.length);
    } else {
      text += fmt::format("\\x{:02x}", static_cast<unsigned>(character.code));
    }
    at += character.length;
  }
  return text;
}

// The path with its directory resolved. A link as the last component keeps its name:
// users know the file by it, and it still exists when it points elsewhere.
Result<fs::path> RealPlaceOf(const fs::path& path) {
  RIDGELINE_TRY(
      const fs::path directory,
      os::RealPath(path.has_parent_path() ? path.parent_path() : fs::path(".")));
  return directory / path.filename();
}

Result<InputFile> DescribeInput(const fs::path& path) {
  RIDGELINE_TRY(const int64_t size_bytes, os::FileSize(path));
  // A pipe or device has no contents to compare later, and may be endless.
  if (!os::IsRegularFile(path)) {
    return Error(ErrorCode::kUnsupported, path.string() + ": not a regular file");
  }
  RIDGELINE_TRY(const fs::path place, RealPlaceOf(path));
  // Weights have many gigabytes, and hashing them may take longer than the run.
  constexpr int64_t kLarge = int64_t{256} << 20;
  const artifacts::Samples samples;
  const bool is_large = size_bytes > kLarge;
  RIDGELINE_TRY(std::string sha256, is_large ? artifacts::Sha256OfSamples(path, samples)
                                             : artifacts::Sha256OfFile(path));
  return InputFile{.role = "",
                   .path = AsText(place),
                   .size_bytes = size_bytes,
                   .sha256 = std::move(sha256),
                   .sampled_bytes = is_large ? static_cast<int64_t>(samples.total()) : 0};
}

bool IsSha256(std::string_view text) {
  constexpr size_t kDigits = 64;
  return text.size() == kDigits &&
         text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// The number at `key`, if it is a non-negative number.
std::optional<int64_t> NumberAt(const config::Dict& dict, std::string_view key) {
  const config::Value* value = dict.Find(key);
  if (value == nullptr || !value->is_int()) return std::nullopt;
  const auto& number = std::get<config::Integer>(value->scalar());
  if (!number.fits_int64() || number.IsNegative()) return std::nullopt;
  return number.AsInt64();
}

std::optional<std::string> TextAt(const config::Dict& dict, std::string_view key) {
  const config::Value* value = dict.Find(key);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return value->string();
}

Result<InputFile> ReadFileEntry(const config::Value& value) {
  const auto wrong = [&value](std::string_view what) {
    return Error(ErrorCode::kParse, fmt::format("line {}: {}", value.line, what));
  };
  if (!value.is_dict()) return wrong("expected role, path, size_bytes and sha256");
  std::optional<std::string> role = TextAt(value.dict(), "role");
  if (!role) return wrong("'role' is not a string");
  std::optional<std::string> path = TextAt(value.dict(), "path");
  if (!path) return wrong("'path' is not a string");
  const std::optional<int64_t> size_bytes = NumberAt(value.dict(), "size_bytes");
  if (!size_bytes) return wrong("'size_bytes' is not a size");
  std::optional<std::string> sha256 = TextAt(value.dict(), "sha256");
  if (!sha256 || !IsSha256(*sha256))
    return wrong("'sha256' is not 64 hexadecimal digits");
  return InputFile{.role = *std::move(role),
                   .path = *std::move(path),
                   .size_bytes = *size_bytes,
                   .sha256 = *std::move(sha256),
                   .sampled_bytes = NumberAt(value.dict(), "sampled_bytes").value_or(0)};
}

Result<std::vector<InputFile>> ReadDocument(const config::Value& document) {
  const std::optional<int64_t> version =
      document.is_dict() ? NumberAt(document.dict(), "schema_version") : std::nullopt;
  if (version && *version > kInputsVersion) {
    return Error(
        ErrorCode::kUnsupported,
        fmt::format(
            "schema_version {} was written by a newer ridgeline; this version reads {}",
            *version, kInputsVersion));
  }
  const config::Value* entries =
      document.is_dict() ? document.dict().Find("files") : nullptr;
  if (version != kInputsVersion || entries == nullptr || !entries->is_list()) {
    return Error(ErrorCode::kParse, "not a list of run inputs");
  }
  std::vector<InputFile> files;
  files.reserve(entries->list().size());
  for (const config::Value& entry : entries->list()) {
    RIDGELINE_TRY(InputFile file, ReadFileEntry(entry));
    files.push_back(std::move(file));
  }
  return files;
}

// How a file has changed; empty: unchanged.
std::string ChangeOf(const InputFile& before, const InputFile& now) {
  if (before.size_bytes != now.size_bytes) {
    return fmt::format("{}: changed ({} bytes, now {})", now.path, before.size_bytes,
                       now.size_bytes);
  }
  if (before.sha256 != now.sha256) {
    return fmt::format("{}: changed (same size, {} bytes)", now.path, now.size_bytes);
  }
  return "";
}

// The first file of each path.
std::unordered_map<std::string_view, const InputFile*> ByPath(
    const std::vector<InputFile>& files) {
  std::unordered_map<std::string_view, const InputFile*> by_path;
  for (const InputFile& file : files) by_path.emplace(file.path, &file);
  return by_path;
}

}  // namespace

Result<std::vector<InputFile>> DescribeInputs(const std::vector<InputPath>& paths) {
  std::unordered_map<std::string, InputFile> known;  // By path as given.
  std::vector<InputFile> files;
  files.reserve(paths.size());
  for (const InputPath& input : paths) {
    auto found = known.find(input.path.native());
    if (found == known.end()) {
      Result<InputFile> file = DescribeInput(input.path);
      if (!file.ok()) return std::move(file).error().While(input.role);
      found = known.emplace(input.path.native(), std::move(file).value()).first;
    }
    files.push_back(found->second);
    files.back().role = input.role;
  }
  return files;
}

std::string ToYaml(const std::vector<InputFile>& files) {
  config::List entries;
  entries.reserve(files.size());
  for (const InputFile& file : files) {
    config::Dict entry;
    entry.Set("role", file.role);
    entry.Set("path", file.path);
    entry.Set("size_bytes", config::Integer(file.size_bytes));
    entry.Set("sha256", file.sha256);
    if (file.sampled_bytes > 0) {
      entry.Set("sampled_bytes", config::Integer(file.sampled_bytes));
    }
    entries.emplace_back(std::move(entry));
  }
  config::Dict document;
  document.Set("schema_version", kInputsVersion);
  document.Set("files", std::move(entries));
  return config::DumpYaml(std::move(document));
}

Result<std::vector<InputFile>> ParseInputs(std::string_view yaml,
                                           std::string_view origin) {
  const config::Result<config::Value> document =
      config::LoadYaml(yaml, std::string(origin));
  if (!document.ok()) {
    return Error(ErrorCode::kParse, config::Describe(document.error()));
  }
  Result<std::vector<InputFile>> files = ReadDocument(document.value());
  if (!files.ok()) return std::move(files).error().While(origin);
  return files;
}

std::vector<std::string> InputChanges(const std::vector<InputFile>& before,
                                      const std::vector<InputFile>& now) {
  const auto now_by_path = ByPath(now);
  const auto before_by_path = ByPath(before);
  std::vector<std::string> changes;
  for (const InputFile& file : before) {
    if (before_by_path.at(file.path) != &file) continue;  // Named twice.
    const auto found = now_by_path.find(file.path);
    std::string change = found == now_by_path.end() ? file.path + ": removed"
                                                    : ChangeOf(file, *found->second);
    if (!change.empty()) changes.push_back(std::move(change));
  }
  for (const InputFile& file : now) {
    const bool first = now_by_path.at(file.path) == &file;
    if (first && !before_by_path.contains(file.path)) {
      changes.push_back(file.path + ": added");
    }
  }
  return changes;
}

}  // namespace ridgeline::pipeline
