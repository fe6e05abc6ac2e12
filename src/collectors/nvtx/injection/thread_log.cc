#include <algorithm>

#include "collectors/nvtx/injection/recorder.h"
#include "collectors/nvtx/injection/text.h"

namespace ridgeline::nvtx_injection {
namespace {

std::atomic<uint32_t> node_count = 0;

size_t HashOf(const Node* parent, const Domain& domain, size_t label_hash, Kind kind) {
  // Multiplying by odd constants avoids collisions.
  return label_hash ^ (std::hash<const Node*>()(parent) >> 4) * 0x9E3779B97F4A7C15ULL ^
         (domain.index * 4 + static_cast<size_t>(kind)) * 0xC2B2AE3D27D4EB4FULL;
}

}  // namespace

void Node::Open(uint64_t thread) {
  ++counts.opened;
  if (last_thread == thread) return;
  last_thread = thread;
  ++counts.threads;
}

void Node::Close(int64_t duration_ns) {
  counts.time_total_ns += duration_ns;
  counts.time_min_ns =
      counts.closed == 0 ? duration_ns : std::min(counts.time_min_ns, duration_ns);
  counts.time_max_ns = std::max(counts.time_max_ns, duration_ns);
  ++counts.closed;
}

void ThreadLog::Begin(uint64_t thread) {
  thread_ = thread;
  for (Stack& stack : stacks_) stack.clear();
}

ThreadLog::Stack& ThreadLog::StackOf(const Domain& domain) {
  if (domain.index >= stacks_.size()) stacks_.resize(domain.index + 1);
  return stacks_[domain.index];
}

void ThreadLog::Grow() {
  std::vector<Node*> larger(std::max<size_t>(64, table_.size() * 2));
  for (Node* node : table_) {
    if (node == nullptr) continue;
    size_t at = node->hash;
    while (larger[at & (larger.size() - 1)] != nullptr) ++at;
    larger[at & (larger.size() - 1)] = node;
  }
  table_.swap(larger);
}

Node* ThreadLog::Find(const Node* parent, const Domain& domain, const Label& label,
                      Kind kind) {
  if ((nodes_.size() + 1) * 2 > table_.size()) Grow();
  const std::string_view text = label.text.substr(0, kMaxLabel);
  const size_t hash = HashOf(parent, domain, label.hash, kind);
  size_t at = hash;
  for (; table_[at & (table_.size() - 1)] != nullptr; ++at) {
    Node* const node = table_[at & (table_.size() - 1)];
    const bool same = node->hash == hash && node->parent == parent &&
                      node->domain == &domain && node->kind == kind &&
                      node->registered == label.registered && node->wide == label.wide &&
                      node->label == text;
    if (same) return node;
  }
  if (node_count.fetch_add(1, std::memory_order_relaxed) >= kMaxNodes) {
    node_count.fetch_sub(1, std::memory_order_relaxed);
    return nullptr;
  }
  if (text.size() < label.text.size()) ++shortened_;
  nodes_.push_back({.parent = parent,
                    .index = static_cast<uint32_t>(nodes_.size()),
                    .level = parent == nullptr ? 0 : parent->level + 1,
                    .domain = &domain,
                    .label = std::string(text),
                    .hash = hash,
                    .kind = kind,
                    .registered = label.registered,
                    .wide = label.wide,
                    .counts = {}});
  return table_[at & (table_.size() - 1)] = &nodes_.back();
}

Node* ThreadLog::Open(const Domain& domain, const Label& label, Kind kind) {
  const Stack& stack = StackOf(domain);
  Node* const node =
      Find(stack.empty() ? nullptr : stack.back().place, domain, label, kind);
  if (stack.size() >= kMaxLevels) ++too_deep_;
  if (node == nullptr) {
    ++left_out_;
  } else {
    node->Open(thread_);
  }
  return node;
}

int ThreadLog::Push(const Domain& domain, const Label& label, int64_t now_ns) {
  Node* const node = Open(domain, label, Kind::kPushPop);
  Stack& stack = StackOf(domain);
  // If a range was dropped or is at the last level, ranges inside it get its parent.
  const bool has_room = node != nullptr && node->level + 1 < kMaxLevels;
  const Node* const around = stack.empty() ? nullptr : stack.back().place;
  stack.push_back({.node = node, .place = has_room ? node : around, .start_ns = now_ns});
  return static_cast<int>(stack.size()) - 1;
}

int ThreadLog::Pop(const Domain& domain, int64_t now_ns) {
  Stack& stack = StackOf(domain);
  if (stack.empty()) {
    ++unmatched_;
    return -1;
  }
  const Frame frame = stack.back();
  stack.pop_back();
  if (frame.node != nullptr && !frame.inherited) {
    frame.node->Close(now_ns - frame.start_ns);
  }
  return static_cast<int>(stack.size());
}

void ThreadLog::ForgetCounts() {
  for (Node& node : nodes_) {
    node.counts = {};
    node.last_thread = 0;
  }
  for (Stack& stack : stacks_) {
    for (Frame& frame : stack) frame.inherited = true;
  }
  left_out_ = unmatched_ = shortened_ = too_deep_ = 0;
}

}  // namespace ridgeline::nvtx_injection
