#include "model_io/checkpoints/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>

#include "model_io/checkpoints/checkpoint.h"
#include "model_io/checkpoints/safetensors.h"
#include "model_io/checkpoints/strict_json.h"
#include "os/atomic_file.h"
#include "os/files.h"

namespace ridgeline::checkpoints {
namespace {

static_assert(std::endian::native == std::endian::little);

namespace fs = std::filesystem;

// Large enough to make the call overhead negligible, small enough for the cache.
constexpr int64_t kChunkBytes = int64_t{1} << 20;

constexpr size_t kDataAlignment = 8;

// As a JSON string, escaped.
Result<std::string> JsonText(const std::string& text) {
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::exception&) {
    return Error(ErrorCode::kUnsupported, "name is not UTF-8");
  }
}

// `end_bytes`: the end of the previous tensor; updated to that of this one.
Result<std::string> HeaderEntry(const TensorSpec& tensor, int64_t& end_bytes) {
  RIDGELINE_TRY(const std::string name, JsonText(tensor.name));
  const std::optional<int64_t> size_bytes = SizeBytes(tensor.dtype, tensor.shape);
  const int64_t begin_bytes = end_bytes;
  if (!size_bytes || __builtin_add_overflow(begin_bytes, *size_bytes, &end_bytes)) {
    return Error(ErrorCode::kUnsupported,
                 "shape " + ToText(tensor.shape) + " is negative or too large");
  }
  return fmt::format(R"(,{}:{{"dtype":"{}","shape":{},"data_offsets":[{},{}]}})", name,
                     ToText(tensor.dtype), ToText(tensor.shape), begin_bytes, end_bytes);
}

int64_t DataBytes(std::span<const TensorSpec> tensors) {
  int64_t total_bytes = 0;
  for (const TensorSpec& tensor : tensors) {
    total_bytes += SizeBytes(tensor.dtype, tensor.shape).value_or(0);
  }
  return total_bytes;
}

Status WriteTensor(os::AtomicFile& file, const TensorSpec& tensor,
                   std::vector<std::byte>& buffer, const FillTensor& fill) {
  const int64_t size_bytes = SizeBytes(tensor.dtype, tensor.shape).value_or(0);
  for (int64_t offset_bytes = 0; offset_bytes < size_bytes;) {
    const int64_t chunk_bytes = std::min(kChunkBytes, size_bytes - offset_bytes);
    const auto chunk = std::span(buffer).first(static_cast<size_t>(chunk_bytes));
    Status filled = fill(tensor, offset_bytes, chunk);
    if (!filled.ok()) {
      return std::move(filled).error().While("tensor " + Quoted(tensor.name));
    }
    RIDGELINE_RETURN_IF_ERROR(file.Write(chunk));
    offset_bytes += chunk_bytes;
  }
  return Ok();
}

// In the given order, each file as full as the layout allows.
std::vector<std::vector<TensorSpec>> Distribute(std::vector<TensorSpec> tensors,
                                                const WeightsLayout& layout) {
  std::vector<std::vector<TensorSpec>> files(1);
  int64_t file_bytes = 0;
  for (TensorSpec& tensor : tensors) {
    const int64_t size_bytes = SizeBytes(tensor.dtype, tensor.shape).value_or(0);
    const bool full = layout.file_bytes_max && !files.back().empty() &&
                      size_bytes > *layout.file_bytes_max - file_bytes;
    if (full) {
      files.emplace_back();
      file_bytes = 0;
    }
    file_bytes += size_bytes;
    files.back().push_back(std::move(tensor));
  }
  return files;
}

}  // namespace

std::vector<TensorSpec> InFileOrder(std::vector<TensorSpec> tensors) {
  std::sort(tensors.begin(), tensors.end(), [](const auto& a, const auto& b) {
    return std::tuple(-SizeBytes(a.dtype), std::string_view(a.name)) <
           std::tuple(-SizeBytes(b.dtype), std::string_view(b.name));
  });
  return tensors;
}

Result<std::string> SafetensorsHeader(std::span<const TensorSpec> tensors) {
  // Hugging Face's loader requires "format".
  std::string header(kLengthBytes, '\0');
  header += R"({"__metadata__":{"format":"pt"})";
  std::unordered_set<std::string_view> names = {"__metadata__"};
  int64_t end_bytes = 0;
  for (const TensorSpec& tensor : tensors) {
    if (!names.insert(tensor.name).second) {
      return Error(ErrorCode::kUnsupported,
                   fmt::format("tensor {}: duplicate name", Quoted(tensor.name)));
    }
    Result<std::string> entry = HeaderEntry(tensor, end_bytes);
    if (!entry.ok()) {
      return std::move(entry).error().While("tensor " + Quoted(tensor.name));
    }
    header += entry.value();
  }
  header += '}';
  header.resize((header.size() + kDataAlignment - 1) / kDataAlignment * kDataAlignment,
                ' ');
  const uint64_t header_bytes = header.size() - kLengthBytes;
  if (std::cmp_greater(header_bytes, kHeaderBytesMax)) {
    return Error(ErrorCode::kUnsupported,
                 fmt::format("too many tensors for one file: {}", tensors.size()));
  }
  std::memcpy(header.data(), &header_bytes, kLengthBytes);
  return header;
}

Status WriteSafetensors(const fs::path& path, std::vector<TensorSpec> tensors,
                        const FillTensor& fill) {
  tensors = InFileOrder(std::move(tensors));
  Result<std::string> header = SafetensorsHeader(tensors);
  if (!header.ok()) return std::move(header).error().While(path.string());
  const auto header_bytes = static_cast<int64_t>(header.value().size());
  RIDGELINE_TRY(os::AtomicFile file,
                os::AtomicFile::Create(path, header_bytes + DataBytes(tensors)));
  RIDGELINE_RETURN_IF_ERROR(file.Write(std::as_bytes(std::span(header.value()))));
  std::vector<std::byte> buffer(static_cast<size_t>(kChunkBytes));
  for (const TensorSpec& tensor : tensors) {
    RIDGELINE_RETURN_IF_ERROR(WriteTensor(file, tensor, buffer, fill));
  }
  return file.Commit();
}

Status CheckAbsent(const fs::path& path) {
  if (!os::Exists(path)) return Ok();
  return Error(ErrorCode::kConfig,
               path.string() + ": already exists; nothing was written");
}

Status WriteWeights(const fs::path& directory, std::vector<TensorSpec> tensors,
                    const WeightsLayout& layout, const FillTensor& fill) {
  tensors = InFileOrder(std::move(tensors));
  // Also detects names that would be in two files.
  Result<std::string> checked = SafetensorsHeader(tensors);
  if (!checked.ok()) return std::move(checked).error().While(directory.string());
  const int64_t total_bytes = DataBytes(tensors);
  const std::vector<std::vector<TensorSpec>> files =
      Distribute(std::move(tensors), layout);
  std::vector<std::string> names;
  for (size_t i = 0; i < files.size(); ++i) {
    // Six digits for the total, like the vendor of the first built-in model.
    names.push_back(fmt::format("model-{:05}-of-{:06}.safetensors", i + 1, files.size()));
    RIDGELINE_RETURN_IF_ERROR(CheckAbsent(directory / names.back()));
  }
  RIDGELINE_RETURN_IF_ERROR(CheckAbsent(directory / kWeightIndexName));
  WeightMap weight_map;
  for (size_t i = 0; i < files.size(); ++i) {
    const std::string& name = names[i];
    for (const TensorSpec& tensor : files[i]) weight_map[tensor.name] = name;
    RIDGELINE_RETURN_IF_ERROR(WriteSafetensors(directory / name, files[i], fill));
  }
  return os::WriteFileAtomically(directory / kWeightIndexName,
                                 ToWeightIndexJson(weight_map, total_bytes));
}

}  // namespace ridgeline::checkpoints
