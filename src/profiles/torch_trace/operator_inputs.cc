#include "profiles/torch_trace/operator_inputs.h"

#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/json.h"

namespace ridgeline::profiles {
namespace {

using InputJson = nlohmann::json;
using cost::NumberType;
using cost::OperatorInput;

struct TypeName {
  std::string_view name;
  int64_t bytes;
  NumberType type = NumberType::kOther;
};

constexpr TypeName kTypeNames[] = {
    {"float", 4, NumberType::kFp32},
    {"double", 8, NumberType::kFp64},
    {"c10::Half", 2, NumberType::kFp16},
    {"c10::BFloat16", 2, NumberType::kBf16},
    {"c10::Float8_e4m3fn", 1, NumberType::kFp8},
    {"c10::Float8_e5m2", 1, NumberType::kFp8},
    {"c10::Float8_e4m3fnuz", 1, NumberType::kFp8},
    {"c10::Float8_e5m2fnuz", 1, NumberType::kFp8},
    {"c10::Float8_e8m0fnu", 1},
    {"c10::Float4_e2m1fn_x2", 1, NumberType::kFp4},
    {"signed char", 1, NumberType::kInt8},
    {"unsigned char", 1},
    {"bool", 1},
    {"short", 2},
    {"short int", 2},
    {"int", 4},
    {"long", 8},
    {"long int", 8},
    {"c10::complex<float>", 8},
    {"c10::complex<double>", 16},
    {"c10::complex<c10::Half>", 4},
    {"c10::quint8", 1, NumberType::kInt8},
    {"c10::qint8", 1, NumberType::kInt8},
    {"c10::qint32", 4},
};

const TypeName* FindType(std::string_view name) {
  for (const TypeName& known : kTypeNames) {
    if (known.name == name) return &known;
  }
  return nullptr;
}

// The text up to the next separator; removes both.
std::string_view TakePart(std::string_view& text) {
  const size_t end = text.find(kInputsSeparator);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

std::optional<cost::Sizes> SizesOf(const InputJson& json) {
  cost::Sizes sizes;
  for (const InputJson& size : json) {
    // A size beyond 63 bits is invalid.
    if (!size.is_number_integer()) return std::nullopt;
    if (size.is_number_unsigned() && size.get<uint64_t>() > INT64_MAX) return {};
    sizes.push_back(size.get<int64_t>());
  }
  return sizes;
}

// [141, 512] is a tensor, [[1], [2]] a list of them. [] is a scalar tensor if its type is
// that of a tensor.
void AddTensors(const InputJson& json, bool has_type, OperatorInput& input) {
  if (!json.is_array()) return;
  const bool is_list = !json.empty() && json[0].is_array();
  if (!is_list) {
    const std::optional<cost::Sizes> sizes = SizesOf(json);
    if (sizes && (!sizes->empty() || has_type)) input.tensors.push_back(*sizes);
    return;
  }
  for (const InputJson& tensor : json) {
    const std::optional<cost::Sizes> sizes =
        tensor.is_array() ? SizesOf(tensor) : std::nullopt;
    if (!sizes) {
      input.tensors.clear();
      return;
    }
    input.tensors.push_back(*sizes);
  }
}

std::optional<int64_t> ValueOf(std::string_view word) {
  if (word == "True" || word == "true") return 1;
  if (word == "False" || word == "false") return 0;
  int64_t value = 0;
  const char* const end = word.data() + word.size();
  const auto parsed = std::from_chars(word.data(), end, value);
  if (word.empty() || parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return value;
}

// "[2, 2]", "False", "1"; nullopt: "", "0.125", "same".
std::optional<std::vector<int64_t>> ValuesOf(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']') && text.size() >= 2) {
    text = text.substr(1, text.size() - 2);
  }
  std::vector<int64_t> values;
  while (!text.empty()) {
    size_t end = text.find(',');
    if (end == std::string_view::npos) end = text.size();
    std::string_view word = text.substr(0, end);
    while (word.starts_with(' ')) word.remove_prefix(1);
    const std::optional<int64_t> value = ValueOf(word);
    if (!value) return std::nullopt;
    values.push_back(*value);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (values.empty()) return std::nullopt;
  return values;
}

}  // namespace

std::vector<cost::OperatorInput> ParseOperatorInputs(std::string_view text) {
  const InputJson dims = ParseJson<InputJson>(TakePart(text));
  const InputJson types = ParseJson<InputJson>(TakePart(text));
  const InputJson values = ParseJson<InputJson>(text);
  if (!dims.is_array()) return {};
  std::vector<OperatorInput> inputs(dims.size());
  for (size_t i = 0; i < inputs.size(); ++i) {
    const TypeName* type = nullptr;
    if (types.is_array() && i < types.size() && types[i].is_string()) {
      type = FindType(types[i].get_ref<const std::string&>());
    }
    if (type != nullptr) {
      inputs[i].element_bytes = type->bytes;
      inputs[i].type = type->type;
    }
    AddTensors(dims[i], type != nullptr, inputs[i]);
    if (values.is_array() && i < values.size() && values[i].is_string()) {
      inputs[i].value = ValuesOf(values[i].get_ref<const std::string&>());
    }
  }
  return inputs;
}

std::string ShapesOf(std::string_view text) {
  std::string shapes(TakePart(text));
  std::erase_if(shapes, [](char c) { return c == ' ' || c == '\n' || c == '\t'; });
  return shapes;
}

}  // namespace ridgeline::profiles
