#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "analysis/call_costs.h"
#include "analysis/call_order.h"
#include "analysis/intervals.h"
#include "analysis/trace_costs.h"
#include "profiles/torch_trace/operator_inputs.h"

namespace ridgeline::analysis {
namespace {

using profiles::EventKind;
using profiles::GroupBy;
using profiles::ModuleRow;
using profiles::OperatorRow;
using results::ThreadCall;
using results::TraceRows;

constexpr uint32_t kNoNode = std::numeric_limits<uint32_t>::max();

// Calls made by torch.profiler itself, which its tables omit.
bool IsOfProfiler(std::string_view name) {
  constexpr std::string_view kNames[] = {"profiler::_record_function_enter",
                                         "profiler::_record_function_enter_new",
                                         "profiler::_record_function_exit",
                                         "aten::is_leaf",
                                         "aten::output_nr",
                                         "aten::_version"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// A call in the call tree.
struct Node {
  ThreadCall call;
  uint32_t inputs = 0;
  EventKind kind = EventKind::kOperator;
  uint32_t parent = kNoNode;
  uint32_t children = 0;
  int64_t children_ns = 0;
  int64_t annotation = -1;  // Name of the innermost annotation around it; -1: none.
  uint64_t flops = 0;
  bool is_counted = false;  // It or an enclosing call has FLOPs.
  bool is_merged = false;   // Into its parent.
};

// Builds the tree thread by thread, parents before children.
class CallTree {
 public:
  explicit CallTree(const TraceRows& rows) : rows_(rows), costs_(rows) {
    is_left_out_.resize(rows.names.size());
    for (StringId name = 0; name < rows.names.size(); ++name) {
      is_left_out_[name] = IsOfProfiler(rows.names.text(name));
    }
    const CallOrder operators(rows.operators, rows.thread_count);
    const CallOrder annotations(rows.annotations, rows.thread_count);
    nodes_.reserve(rows.operators.size() + rows.annotations.size());
    for (uint32_t thread = 0; thread < rows.thread_count; ++thread) {
      AddThread(operators.OfThread(thread), annotations.OfThread(thread));
    }
    MergeOnlyChildren();
  }

  const std::vector<Node>& nodes() const { return nodes_; }

  // Whether it is nested in a call of the same name.
  bool IsWithinSameName(const Node& node) const {
    for (uint32_t up = node.parent; up != kNoNode; up = nodes_[up].parent) {
      if (!nodes_[up].is_merged && nodes_[up].call.name == node.call.name) return true;
    }
    return false;
  }

 private:
  void AddThread(std::span<const uint32_t> operators,
                 std::span<const uint32_t> annotations) {
    open_.clear();
    size_t op = 0;
    size_t annotation = 0;
    while (op < operators.size() || annotation < annotations.size()) {
      const bool is_annotation =
          annotation < annotations.size() &&
          (op == operators.size() ||
           !BeginsBefore(rows_.operators[operators[op]],
                         rows_.annotations[annotations[annotation]]));
      if (is_annotation) {
        Add(rows_.annotations[annotations[annotation++]], EventKind::kAnnotation,
            kNoNode);
      } else {
        Add(rows_.operators[operators[op]], EventKind::kOperator, operators[op]);
        ++op;
      }
    }
  }

  void Add(const ThreadCall& call, EventKind kind, uint32_t op) {
    if (is_left_out_[call.name]) return;
    const int64_t end_ns = SaturatingAdd(call.start_ns, call.duration_ns);
    const auto holds = [&](const Node& node) {
      const int64_t node_end_ns =
          SaturatingAdd(node.call.start_ns, node.call.duration_ns);
      return call.start_ns < node_end_ns && end_ns <= node_end_ns;
    };
    while (!open_.empty() && !holds(nodes_[open_.back()])) open_.pop_back();
    const auto number = static_cast<uint32_t>(nodes_.size());
    Node node = {.call = call, .kind = kind};
    if (!open_.empty()) {
      node.parent = open_.back();
      Node& parent = nodes_[node.parent];
      ++parent.children;
      parent.children_ns = SaturatingAdd(parent.children_ns, call.duration_ns);
      node.annotation = parent.kind == EventKind::kAnnotation
                            ? static_cast<int64_t>(parent.call.name)
                            : parent.annotation;
      node.is_counted = parent.is_counted;
    }
    if (kind == EventKind::kOperator) AddInputs(op, node);
    nodes_.push_back(node);
    open_.push_back(number);
  }

  void AddInputs(uint32_t op, Node& node) {
    if (rows_.operator_inputs.empty()) return;
    node.inputs = rows_.operator_inputs[op];
    const CallCost* const cost = node.is_counted ? nullptr : costs_.Find(op);
    if (cost == nullptr) return;
    node.is_counted = true;
    node.flops = cost->flops.value();
  }

  // Innermost first, so that chains collapse into one.
  void MergeOnlyChildren() {
    for (size_t i = nodes_.size(); i-- > 0;) {
      Node& node = nodes_[i];
      if (node.parent == kNoNode) continue;
      Node& parent = nodes_[node.parent];
      if (parent.children != 1 || parent.call.name != node.call.name) continue;
      node.is_merged = true;
      parent.children = node.children;
      parent.children_ns = node.children_ns;
      parent.flops = (Count(parent.flops) + Count(node.flops)).value();
    }
  }

  const TraceRows& rows_;
  CallCosts costs_;
  std::vector<bool> is_left_out_;  // By name.
  std::vector<Node> nodes_;
  std::vector<uint32_t> open_;
};

int64_t SelfTime(const Node& node) {
  return SaturatingSubtract(node.call.duration_ns, node.children_ns);
}

template <typename Row>
void SortBySelfTime(std::vector<Row>& rows, const auto& key) {
  std::sort(rows.begin(), rows.end(),
            [&](const Row& a, const Row& b) { return key(a) < key(b); });
}

void AddNode(const Node& node, bool is_within_same_name, profiles::OperatorTotal& total) {
  total.kind = node.kind;
  ++total.calls;
  total.self_ns = SaturatingAdd(total.self_ns, SelfTime(node));
  total.longest_ns = std::max(total.longest_ns, node.call.duration_ns);
  total.flops = (Count(total.flops) + Count(node.flops)).value();
  if (is_within_same_name) return;
  total.total_ns = SaturatingAdd(total.total_ns, node.call.duration_ns);
}

}  // namespace

TraceOperators OperatorProfileOf(const TraceRows& rows, GroupBy group_by) {
  const CallTree tree(rows);
  // Annotations and operators of the same name are separate rows.
  std::map<std::tuple<StringId, EventKind, uint32_t>, profiles::OperatorTotal> operators;
  std::map<int64_t, ModuleRow> modules;
  for (const Node& node : tree.nodes()) {
    if (node.is_merged) continue;
    const uint32_t inputs = group_by == GroupBy::kNameAndShapes ? node.inputs : 0;
    AddNode(node, tree.IsWithinSameName(node),
            operators[{node.call.name, node.kind, inputs}]);
    if (node.kind == EventKind::kAnnotation) continue;
    ModuleRow& row = modules[node.annotation];
    ++row.calls;
    row.self_ns = SaturatingAdd(row.self_ns, SelfTime(node));
    row.flops = (Count(row.flops) + Count(node.flops)).value();
  }

  // Inputs of different types may have the same shapes.
  std::map<std::tuple<std::string, EventKind, std::string>, profiles::OperatorTotal>
      by_shapes;
  for (const auto& [key, total] : operators) {
    const auto& [name, kind, inputs] = key;
    const std::string shapes =
        inputs == 0 ? "" : profiles::ShapesOf(rows.inputs.text(inputs));
    by_shapes[{std::string(rows.names.text(name)), kind, shapes}] += total;
  }
  TraceOperators table;
  for (const auto& [key, total] : by_shapes) {
    OperatorRow row = {.name = std::get<0>(key), .shapes = {}, .total = total};
    if (group_by == GroupBy::kNameAndShapes && std::get<1>(key) == EventKind::kOperator) {
      row.shapes = std::get<2>(key).empty() ? "[]" : std::get<2>(key);
    }
    table.operators.push_back(std::move(row));
  }
  for (auto& [annotation, row] : modules) {
    if (annotation >= 0) {
      row.module = rows.names.text(static_cast<StringId>(annotation));
    }
    table.modules.push_back(std::move(row));
  }
  SortBySelfTime(table.operators, [](const OperatorRow& row) {
    return std::tuple(-row.total.self_ns, row.name, row.shapes);
  });
  SortBySelfTime(table.modules, [](const ModuleRow& row) {
    return std::tuple(-row.self_ns, row.module);
  });
  return table;
}

}  // namespace ridgeline::analysis
