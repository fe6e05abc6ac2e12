#include "model_io/checkpoints/safetensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>
#include <tuple>

#include "model_io/checkpoints/strict_json.h"

namespace ridgeline::checkpoints {
namespace {

// The views are the bytes of the file, which are little-endian.
static_assert(std::endian::native == std::endian::little);

using Json = nlohmann::json;

constexpr std::string_view kMetadataKey = "__metadata__";

// A tensor with its claimed position, not checked yet.
struct Placed {
  TensorView tensor;
  uint64_t begin = 0;
  uint64_t end = 0;
};

struct Parts {
  std::string_view header;
  std::span<const std::byte> data;
};

Error Wrong(std::string what) { return {ErrorCode::kParse, std::move(what)}; }

std::string_view AsText(std::span<const std::byte> bytes) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes as characters.
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Result<Parts> Split(std::span<const std::byte> file) {
  // Present instead of the file in a clone without `git lfs`.
  if (AsText(file).starts_with("version https://git-lfs.github.com/")) {
    return Wrong("is a Git LFS pointer, not the file; run 'git lfs pull' there");
  }
  if (file.size() < kLengthBytes) {
    return Wrong(
        fmt::format("is too short for a safetensors file: {} bytes", file.size()));
  }
  uint64_t header_bytes = 0;
  std::memcpy(&header_bytes, file.data(), kLengthBytes);
  if (std::cmp_greater(header_bytes, kHeaderBytesMax)) {
    return Wrong(fmt::format(
        "is not a safetensors file: header of {} bytes, above the limit of {}",
        header_bytes, kHeaderBytesMax));
  }
  const std::span<const std::byte> rest = file.subspan(kLengthBytes);
  if (header_bytes > rest.size()) {
    return Wrong(fmt::format("is truncated inside the header: {} of {} bytes",
                             rest.size(), header_bytes));
  }
  const Parts parts = {.header = AsText(rest.first(header_bytes)),
                       .data = rest.subspan(header_bytes)};
  if (!parts.header.starts_with('{')) {
    return Wrong("is not a safetensors file: the header does not begin with '{'");
  }
  return parts;
}

Result<std::map<std::string, std::string>> ReadMetadata(const Json& node) {
  std::map<std::string, std::string> metadata;
  if (node.is_null()) return metadata;  // Same as absent.
  if (!node.is_object()) return Wrong("is not a mapping");
  for (const auto& [key, value] : node.items()) {
    if (!value.is_string()) return Wrong(fmt::format("{} is not a string", Quoted(key)));
    metadata[key] = value.get_ref<const std::string&>();
  }
  return metadata;
}

Result<DType> ReadDType(const Json& node) {
  const auto found = node.find("dtype");
  if (found == node.end() || !found->is_string()) return Wrong("has no dtype");
  const auto& word = found->get_ref<const std::string&>();
  const std::optional<DType> dtype = ParseDType(word);
  if (!dtype) {
    return Error(ErrorCode::kUnsupported,
                 fmt::format("has unsupported dtype {}", Quoted(word)));
  }
  return *dtype;
}

// Integers from 0 to the maximum of T.
template <typename T>
Result<std::vector<T>> ReadNumbers(const Json& node, std::string_view key) {
  const auto found = node.find(key);
  if (found == node.end() || !found->is_array()) {
    return Wrong(fmt::format("has no {}", key));
  }
  std::vector<T> numbers;
  for (const Json& item : *found) {
    if (!item.is_number_unsigned() || !std::in_range<T>(item.get<uint64_t>())) {
      return Wrong(fmt::format("has an invalid {}", key));
    }
    numbers.push_back(item.get<T>());
  }
  return numbers;
}

Result<Placed> ReadTensor(const Json& node, std::string_view name) {
  if (!node.is_object()) return Wrong("is not a mapping");
  Placed placed;
  placed.tensor.name = name;
  RIDGELINE_TRY(placed.tensor.dtype, ReadDType(node));
  RIDGELINE_TRY(placed.tensor.shape, ReadNumbers<int64_t>(node, "shape"));
  RIDGELINE_TRY(const std::vector<uint64_t> offsets,
                ReadNumbers<uint64_t>(node, "data_offsets"));
  if (offsets.size() != 2) {
    return Wrong(fmt::format("has {} data_offsets, expected 2", offsets.size()));
  }
  placed.begin = offsets[0];
  placed.end = offsets[1];
  return placed;
}

Status CheckPlace(const Placed& placed, size_t data_bytes) {
  const TensorView& tensor = placed.tensor;
  if (placed.begin > placed.end) {
    return Wrong(fmt::format("ends before it begins: data_offsets [{}, {}]", placed.begin,
                             placed.end));
  }
  if (placed.end > data_bytes) {
    return Wrong(
        fmt::format("has data_offsets [{}, {}], but the file has only {} bytes of data; "
                    "it may be truncated",
                    placed.begin, placed.end, data_bytes));
  }
  const std::optional<int64_t> size_bytes = SizeBytes(tensor.dtype, tensor.shape);
  if (!size_bytes) {
    return Wrong(
        fmt::format("has an impossibly large shape: {}", Quoted(ToText(tensor.shape))));
  }
  if (std::cmp_not_equal(*size_bytes, placed.end - placed.begin)) {
    return Wrong(fmt::format("needs {} bytes as {} {}, but has {}", *size_bytes,
                             ToText(tensor.dtype), Quoted(ToText(tensor.shape)),
                             placed.end - placed.begin));
  }
  return Ok();
}

// Checks that each byte belongs to exactly one tensor. Sorts by position.
Status CheckCoverage(std::vector<Placed>& placed, size_t data_bytes) {
  std::sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
    return std::tie(a.begin, a.end, a.tensor.name) <
           std::tie(b.begin, b.end, b.tensor.name);
  });
  uint64_t covered = 0;
  const Placed* last = nullptr;
  for (const Placed& next : placed) {
    if (next.begin < covered) {
      return Wrong(fmt::format("tensor {} begins at {}, inside tensor {}",
                               Quoted(next.tensor.name), next.begin,
                               Quoted(last->tensor.name)));
    }
    if (next.begin > covered) {
      return Wrong(
          fmt::format("bytes {} to {} of the data, before tensor {}, belong to "
                      "no tensor",
                      covered, next.begin, Quoted(next.tensor.name)));
    }
    covered = next.end;
    last = &next;
  }
  if (covered != data_bytes) {
    return Wrong(fmt::format("the last {} bytes of the data belong to no tensor",
                             data_bytes - covered));
  }
  return Ok();
}

Result<std::vector<Placed>> ReadTensors(const Json& header, size_t data_bytes) {
  std::vector<Placed> placed;
  for (const auto& [name, node] : header.items()) {
    if (name == kMetadataKey) continue;
    Result<Placed> tensor = ReadTensor(node, name);
    if (!tensor.ok()) return std::move(tensor).error().While("tensor " + Quoted(name));
    Status fits = CheckPlace(tensor.value(), data_bytes);
    if (!fits.ok()) return std::move(fits).error().While("tensor " + Quoted(name));
    placed.push_back(std::move(tensor).value());
  }
  RIDGELINE_RETURN_IF_ERROR(CheckCoverage(placed, data_bytes));
  return placed;
}

Result<Safetensors> Parse(std::span<const std::byte> file) {
  RIDGELINE_TRY(const Parts parts, Split(file));
  Result<Json> header = ParseStrictJson(parts.header);
  if (!header.ok()) return std::move(header).error().While("header");
  Safetensors content;
  if (const auto found = header.value().find(kMetadataKey);
      found != header.value().end()) {
    auto metadata = ReadMetadata(*found);
    if (!metadata.ok()) return std::move(metadata).error().While(kMetadataKey);
    content.metadata = std::move(metadata).value();
  }
  RIDGELINE_TRY(std::vector<Placed> placed,
                ReadTensors(header.value(), parts.data.size()));
  for (Placed& item : placed) {
    item.tensor.bytes = parts.data.subspan(item.begin, item.end - item.begin);
    content.tensors.push_back(std::move(item.tensor));
  }
  std::sort(content.tensors.begin(), content.tensors.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return content;
}

}  // namespace

Result<Safetensors> ParseSafetensors(std::span<const std::byte> file,
                                     std::string_view origin) {
  Result<Safetensors> content = Parse(file);
  if (!content.ok()) return std::move(content).error().While(origin);
  return content;
}

Result<SafetensorsFile> SafetensorsFile::Open(const std::filesystem::path& path) {
  RIDGELINE_TRY(os::MappedFile file, os::MappedFile::Open(path));
  RIDGELINE_TRY(Safetensors content, ParseSafetensors(file.bytes(), path.string()));
  return SafetensorsFile(std::move(file), std::move(content));
}

const TensorView* SafetensorsFile::Find(std::string_view name) const {
  return FindTensor(content_.tensors, name);
}

const TensorView* FindTensor(std::span<const TensorView> tensors, std::string_view name) {
  const auto found =
      std::lower_bound(tensors.begin(), tensors.end(), name,
                       [](const TensorView& tensor, std::string_view wanted) {
                         return tensor.name < wanted;
                       });
  return found != tensors.end() && found->name == name ? &*found : nullptr;
}

}  // namespace ridgeline::checkpoints
