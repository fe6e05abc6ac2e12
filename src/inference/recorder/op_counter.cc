#include "inference/recorder/op_counter.h"

#include <c10/util/Exception.h>

#include "inference/recorder/op_flops.h"

namespace ridgeline::inference {
namespace {

// The counter of this thread.
thread_local OpCounter* counter = nullptr;

// Cost class of a matrix product, by scope and operator.
std::string_view ClassOf(std::string_view scope, std::string_view op) {
  constexpr std::pair<std::string_view, std::string_view> kByName[] = {
      {"scores", "attention_scores"},
      {"values", "attention_values"},
      {"rel_pos", "relative_positions"},
      {"router", "routing"},
      {"lm_head", "lm_head"},
  };
  const std::string_view last = scope.substr(scope.rfind('.') + 1);
  for (const auto& [name, cost_class] : kByName) {
    if (last == name) return cost_class;
  }
  return op.find("conv") != std::string_view::npos ? "convolution" : "gemm";
}

}  // namespace

struct OpCounterCallbacks {
  static std::unique_ptr<at::ObserverContext> Begin(const at::RecordFunction& op) {
    if (counter != nullptr) counter->Begin(op);
    return nullptr;
  }
  static void End(const at::RecordFunction&, at::ObserverContext*) {
    if (counter != nullptr) counter->End();
  }
};

OpCounter::OpCounter()
    : callback_(at::addThreadLocalCallback(
          at::RecordFunctionCallback(OpCounterCallbacks::Begin, OpCounterCallbacks::End)
              .needsInputs(true)
              .scopes({at::RecordScope::FUNCTION}))) {
  TORCH_INTERNAL_ASSERT(counter == nullptr);
  counter = this;
}

OpCounter::~OpCounter() {
  at::removeCallback(callback_);
  counter = nullptr;
}

void OpCounter::Begin(const at::RecordFunction& op) {
  if (depth_ > 0) {
    ++depth_;  // Nested in a counted operator.
    return;
  }
  const auto parts = MatrixFlops(op);
  // Counted operators hide nested ones; others get an entry in open_.
  if (!parts) {
    open_.push_back({.counted_before = counted_});
    const bool is_unknown =
        cost::HasRule(op.name()) || cost::LooksLikeMatrixWork(op.name());
    if (is_unknown) open_.back().unknown = op.name();
    return;
  }
  depth_ = 1;
  ++counted_;
  for (const cost::FlopPart& part : *parts) {
    Add(std::string(part.name), op.name(), part.flops.executed.value());
  }
}

void OpCounter::End() {
  if (depth_ > 0) {
    --depth_;
    return;
  }
  if (open_.empty()) return;  // Began before counting.
  const Open open = open_.back();
  open_.pop_back();
  // Of nested unknown operators, only the innermost counts.
  if (open.unknown == nullptr || open.counted_before != counted_) return;
  ++counted_;
  ++unknown_[open.unknown];
}

void OpCounter::Add(const std::string& part, std::string_view op, uint64_t flops) {
  std::string scope = scopes_.paths()[scopes_.current()];
  if (!part.empty()) scope += (scope.empty() ? "" : ".") + part;
  const std::string cost_class(ClassOf(scope, op));
  flops_[{std::move(scope), cost_class}] += flops;
}

std::vector<CountedOps> OpCounter::rows() const {
  std::vector<CountedOps> rows;
  for (const auto& [key, flops] : flops_) rows.push_back({key.first, key.second, flops});
  return rows;
}

}  // namespace ridgeline::inference
