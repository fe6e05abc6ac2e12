#include "model_io/checkpoints/checkpoint.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/plural.h"
#include "model_io/checkpoints/strict_json.h"
#include "os/files.h"

namespace ridgeline::checkpoints {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSingleName = "model.safetensors";

// File in the index -> tensors it must contain.
std::map<std::string, std::vector<std::string>> ByFile(const WeightMap& weight_map) {
  std::map<std::string, std::vector<std::string>> files;
  for (const auto& [tensor, file] : weight_map) files[file].push_back(tensor);
  return files;
}

// Whether the name implies further files: "model-00001-of-00002.safetensors".
bool IsOneOfSeveral(std::string_view name) {
  const size_t of = name.rfind("-of-");
  if (of == std::string_view::npos) return false;
  const std::string_view count = name.substr(of + 4, name.rfind('.') - of - 4);
  if (count.find_first_not_of("0123456789") != std::string_view::npos) return false;
  const size_t zeros = std::min(count.find_first_not_of('0'), count.size());
  return count.substr(zeros) != "1";
}

// The file to use in a directory without an index.
Result<std::string> FindSingle(const fs::path& directory) {
  RIDGELINE_TRY(const std::vector<os::DirectoryEntry> entries,
                os::ListDirectory(directory));
  std::vector<std::string> names;
  bool has_pickle = false;
  for (const os::DirectoryEntry& entry : entries) {
    if (entry.kind == os::FileKind::kDirectory) continue;
    // Includes broken links, which then give a better error message.
    if (entry.name.ends_with(".safetensors")) names.push_back(entry.name);
    if (entry.name.ends_with(".bin")) has_pickle = true;
  }
  if (names.size() == 1 && !IsOneOfSeveral(names.front())) return names.front();
  if (names.empty()) {
    return Error(
        ErrorCode::kNotFound,
        fmt::format("{}: not a checkpoint: no .safetensors file{}", directory.string(),
                    has_pickle ? "; weights in .bin files are not supported" : ""));
  }
  return Error(ErrorCode::kNotFound,
               fmt::format("{}: found {}, but no index {}", directory.string(),
                           fmt::join(names, ", "), kWeightIndexName));
}

void SortByName(std::vector<TensorView>& tensors) {
  std::sort(tensors.begin(), tensors.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
}

}  // namespace

Status Checkpoint::OpenConfig() {
  config_path_ = directory_ / "config.json";
  RIDGELINE_TRY(config_json_, os::ReadFile(config_path_));
  files_.push_back(
      {.path = config_path_, .size_bytes = static_cast<int64_t>(config_json_.size())});
  return Ok();
}

Status Checkpoint::OpenSingle(const std::string& name) {
  const fs::path path = directory_ / name;
  RIDGELINE_TRY(SafetensorsFile file, SafetensorsFile::Open(path));
  files_.push_back({.path = path, .size_bytes = file.size_bytes()});
  tensors_.assign(file.tensors().begin(), file.tensors().end());
  weights_.push_back(std::move(file));
  return Ok();
}

Status Checkpoint::OpenIndex() {
  const fs::path index_path = directory_ / kWeightIndexName;
  RIDGELINE_TRY(const std::string json, os::ReadFile(index_path));
  RIDGELINE_TRY(const WeightMap weight_map, ParseWeightIndex(json, index_path.string()));
  files_.push_back({.path = index_path, .size_bytes = static_cast<int64_t>(json.size())});

  std::string absent;  // One line each.
  for (const auto& [name, wanted] : ByFile(weight_map)) {
    const fs::path path = directory_ / name;
    if (!os::IsRegularFile(path)) {
      absent += fmt::format("\n  file {} with {}", Quoted(name),
                            Plural(wanted.size(), "tensor"));
      continue;
    }
    RIDGELINE_TRY(SafetensorsFile file, SafetensorsFile::Open(path));
    for (const std::string& tensor : wanted) {
      if (const TensorView* found = file.Find(tensor)) {
        tensors_.push_back(*found);
      } else {
        absent += fmt::format("\n  tensor {} in file {}", Quoted(tensor), Quoted(name));
      }
    }
    files_.push_back({.path = path, .size_bytes = file.size_bytes()});
    weights_.push_back(std::move(file));
  }
  if (!absent.empty()) {
    return Error(ErrorCode::kNotFound,
                 fmt::format("{}: refers to missing files or tensors:{}",
                             index_path.string(), absent));
  }
  SortByName(tensors_);
  return Ok();
}

Result<Checkpoint> Checkpoint::Open(const fs::path& path) {
  Checkpoint checkpoint;
  RIDGELINE_TRY(checkpoint.directory_, FindModelDirectory(path));
  RIDGELINE_RETURN_IF_ERROR(checkpoint.OpenConfig());
  // In the order of Hugging Face's own loader.
  if (os::Exists(checkpoint.directory_ / kSingleName)) {
    RIDGELINE_RETURN_IF_ERROR(checkpoint.OpenSingle(std::string(kSingleName)));
  } else if (os::Exists(checkpoint.directory_ / kWeightIndexName)) {
    RIDGELINE_RETURN_IF_ERROR(checkpoint.OpenIndex());
  } else {
    RIDGELINE_TRY(const std::string name, FindSingle(checkpoint.directory_));
    RIDGELINE_RETURN_IF_ERROR(checkpoint.OpenSingle(name));
  }
  return checkpoint;
}

const TensorView* Checkpoint::Find(std::string_view name) const {
  return FindTensor(tensors_, name);
}

}  // namespace ridgeline::checkpoints
