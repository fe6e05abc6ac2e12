#include <fmt/format.h>

#include <unordered_set>

#include "model_io/checkpoints/checkpoint.h"
#include "model_io/checkpoints/strict_json.h"

namespace ridgeline::checkpoints {
namespace {

// One kind of mismatch: the count, and the first lines.
class Mistakes {
 public:
  explicit Mistakes(std::string_view kind) : kind_(kind) {}

  void Add(std::string_view tensor, std::string_view what) {
    constexpr size_t kShown = 20;
    ++count_;
    if (count_ > kShown) {
      ++hidden_;
      return;
    }
    lines_ += fmt::format("\n  {}: {} {}", kind_, Quoted(tensor), what);
  }

  size_t count() const { return count_; }
  std::string Lines() const {
    if (hidden_ == 0) return lines_;
    return fmt::format("{}\n  {}: and {} more", lines_, kind_, hidden_);
  }

 private:
  std::string_view kind_;
  std::string lines_;
  size_t count_ = 0;
  size_t hidden_ = 0;
};

// Tables that PyTorch modules compute on construction, but which some checkpoints store
// anyway. They are not weights: the network computes its own.
bool IsDerivedBuffer(std::string_view name) {
  const std::string_view last = name.substr(name.rfind('.') + 1);
  return last == "position_ids" || last == "inv_freq";
}

}  // namespace

Status CheckInventory(std::span<const TensorView> tensors,
                      std::span<const ExpectedTensor> expected, std::string_view origin) {
  Mistakes missing("missing");
  Mistakes unexpected("unexpected");
  Mistakes misshapen("shape");
  std::unordered_set<std::string_view> known;
  for (const ExpectedTensor& wanted : expected) {
    known.insert(wanted.name);
    const TensorView* found = FindTensor(tensors, wanted.name);
    if (found == nullptr) {
      missing.Add(wanted.name, ToText(wanted.shape));
    } else if (found->shape != wanted.shape) {
      misshapen.Add(wanted.name, fmt::format("is {}, expected {}", ToText(found->shape),
                                             ToText(wanted.shape)));
    }
  }
  for (const TensorView& tensor : tensors) {
    if (known.contains(tensor.name) || IsDerivedBuffer(tensor.name)) continue;
    unexpected.Add(tensor.name, ToText(tensor.shape));
  }
  if (missing.count() + unexpected.count() + misshapen.count() == 0) return Ok();
  return Error(
      ErrorCode::kParse,
      fmt::format("{}: the weights do not match the model: {} missing, {} unexpected, {} "
                  "with a different shape, {} expected in total{}{}{}",
                  origin, missing.count(), unexpected.count(), misshapen.count(),
                  expected.size(), missing.Lines(), unexpected.Lines(),
                  misshapen.Lines()));
}

Status CheckInventory(const Checkpoint& checkpoint,
                      std::span<const ExpectedTensor> expected) {
  return CheckInventory(checkpoint.tensors(), expected, checkpoint.directory().string());
}

}  // namespace ridgeline::checkpoints
