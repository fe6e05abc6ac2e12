// What one thread has opened and closed. A log is used by one thread at a time and read
// by the one that writes the file; both hold its mutex. Logs are never destroyed: a
// program's threads may outlive its exit().
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::nvtx_injection {

struct Domain {
  std::string name;    // Empty: the default domain.
  uint32_t index = 0;  // Of its stack in every log.
};

struct Label {
  std::string_view text;
  size_t hash = 0;
  bool registered = false;
  bool wide = false;  // Handed over as wchar_t.

  static Label Of(std::string_view text) {
    return {text, std::hash<std::string_view>()(text)};
  }
  static Label OfWide(std::string_view text) {
    return {.text = text, .hash = Of(text).hash, .wide = true};
  }
};

enum class Kind : uint8_t { kPushPop, kStartEnd, kMark };

// One label in one place: the same label inside another range is another node.
struct Node {
  struct Counts {
    uint64_t opened = 0;
    uint64_t closed = 0;
    int64_t time_total_ns = 0;
    int64_t time_min_ns = 0;
    int64_t time_max_ns = 0;
    uint64_t threads = 0;
  };

  const Node* parent = nullptr;  // The push/pop range around it; null: none.
  const Domain* domain = nullptr;
  std::string label;
  size_t hash = 0;
  Kind kind = Kind::kPushPop;
  bool registered = false;
  bool wide = false;
  Counts counts;
  uint64_t last_thread = 0;  // Counted in `threads` already.

  void Open(uint64_t thread);
  void Close(int64_t duration_ns);
};

// How many nodes a process may have; labels that are made up as the program goes on
// ("step 4711") must not eat its memory.
inline constexpr uint32_t kMostNodes = 1U << 16;

class ThreadLog {
 public:
  std::timed_mutex mutex;
  ThreadLog* next = nullptr;       // In the list of all logs; fixed once it is there.
  std::atomic<bool> free = false;  // Its thread has ended: the next one may have it.

  // A new thread, by its number in the process, from 1.
  void Begin(uint64_t thread);

  // The depth of the new range in its domain, from 0.
  int Push(const Domain& domain, const Label& label, int64_t now_ns);
  // The depth of the closed range; -1: none was open.
  int Pop(const Domain& domain, int64_t now_ns);
  // Opens a node that is no part of the stack; null: there are too many.
  Node* Open(const Domain& domain, const Label& label, Kind kind);

  // In a forked child: what is open stays open, as the place of what follows, but what
  // was counted was counted by the parent.
  void ForgetCounts();

  const std::deque<Node>& nodes() const { return nodes_; }
  uint64_t left_out() const { return left_out_; }
  uint64_t unmatched() const { return unmatched_; }
  uint64_t shortened() const { return shortened_; }

 private:
  struct Frame {
    Node* node = nullptr;  // Null: left out.
    int64_t start_ns = 0;
    bool inherited = false;  // The parent process opened it.
  };
  using Stack = std::vector<Frame>;

  Stack& StackOf(const Domain& domain);
  Node* Find(const Node* parent, const Domain& domain, const Label& label, Kind kind);
  void Grow();

  uint64_t thread_ = 0;
  std::deque<Node> nodes_;     // Addresses are kept.
  std::vector<Node*> table_;   // By hash, the next free place; a power of two.
  std::vector<Stack> stacks_;  // By the domain's index.
  uint64_t left_out_ = 0;
  uint64_t unmatched_ = 0;
  uint64_t shortened_ = 0;
};

}  // namespace ridgeline::nvtx_injection
