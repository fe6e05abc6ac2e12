// State of the library in the observed process. There is one instance, created by the
// first NVTX call and never destroyed, because threads may make calls until the very end.
#pragma once

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ridgeline::nvtx_injection {

// Ranges opened and closed by one thread. A log is used by one thread at a time and read
// by the one that writes the file; both lock its mutex. Logs are never destroyed: threads
// may outlive exit().

struct Domain {
  std::string name;    // Empty: the default domain.
  uint32_t index = 0;  // Of its stack in all logs.
};

struct Label {
  std::string_view text;
  size_t hash = 0;
  bool registered = false;
  bool wide = false;  // Passed as wchar_t.

  static Label Of(std::string_view text) {
    return {text, std::hash<std::string_view>()(text)};
  }
  static Label OfWide(std::string_view text) {
    return {.text = text, .hash = Of(text).hash, .wide = true};
  }
};

enum class Kind : uint8_t { kPushPop, kStartEnd, kMark };

// One label in one position: the same label inside another range is a different node.
struct Node {
  struct Counts {
    uint64_t opened = 0;
    uint64_t closed = 0;
    int64_t time_total_ns = 0;
    int64_t time_min_ns = 0;
    int64_t time_max_ns = 0;
    uint64_t threads = 0;
  };

  const Node* parent = nullptr;  // Enclosing push/pop range, or null.
  uint32_t index = 0;            // Index in the nodes of its log.
  uint32_t level = 0;            // Number of enclosing ranges.
  const Domain* domain = nullptr;
  std::string label;
  size_t hash = 0;
  Kind kind = Kind::kPushPop;
  bool registered = false;
  bool wide = false;
  Counts counts;
  uint64_t last_thread = 0;  // Already counted in `threads`.

  void Open(uint64_t thread);
  void Close(int64_t duration_ns);
};

// Maximum number of nodes per process: labels generated at run time ("step 4711") must
// not exhaust the memory.
inline constexpr uint32_t kMaxNodes = 1U << 16;

// Maximum nesting depth. Deeper ranges are listed at the last level: a program that
// forgets to pop must not create a path per call.
inline constexpr uint32_t kMaxLevels = 64;

class ThreadLog {
 public:
  std::timed_mutex mutex;
  ThreadLog* next = nullptr;       // In the list of all logs; never changes.
  std::atomic<bool> free = false;  // Its thread has ended: a new one may reuse it.

  // Begins a new thread; `thread` is its number in the process, from 1.
  void Begin(uint64_t thread);

  // Returns the depth of the new range in its domain, from 0.
  int Push(const Domain& domain, const Label& label, int64_t now_ns);
  // Returns the depth of the closed range; -1: none was open.
  int Pop(const Domain& domain, int64_t now_ns);
  // Opens a node outside the stack; null: too many nodes.
  Node* Open(const Domain& domain, const Label& label, Kind kind);

  // For a forked child: open ranges stay open, as parents of new ones, but their counts
  // belong to the parent process.
  void ForgetCounts();

  const std::deque<Node>& nodes() const { return nodes_; }
  uint64_t left_out() const { return left_out_; }
  uint64_t unmatched() const { return unmatched_; }
  uint64_t shortened() const { return shortened_; }
  uint64_t too_deep() const { return too_deep_; }

 private:
  struct Frame {
    Node* node = nullptr;         // Null: dropped.
    const Node* place = nullptr;  // Parent for ranges opened inside.
    int64_t start_ns = 0;
    bool inherited = false;  // Opened by the parent process.
  };
  using Stack = std::vector<Frame>;

  Stack& StackOf(const Domain& domain);
  Node* Find(const Node* parent, const Domain& domain, const Label& label, Kind kind);
  void Grow();

  uint64_t thread_ = 0;
  std::deque<Node> nodes_;     // Stable addresses.
  std::vector<Node*> table_;   // Hash table with linear probing; size is a power of two.
  std::vector<Stack> stacks_;  // By the domain's index.
  uint64_t left_out_ = 0;
  uint64_t unmatched_ = 0;
  uint64_t shortened_ = 0;
  uint64_t too_deep_ = 0;
};

struct RegisteredString {
  std::string text;
  Label label;  // Refers to the text.
};

class Recorder {
 public:
  // The instance of this process; null before Start().
  static Recorder* The();
  // Creates it once. False: no output directory is configured.
  static bool Start();

  const Domain& DomainNamed(std::string_view name);
  const Domain& default_domain() const { return default_domain_; }
  // `wide`: passed by the program as wchar_t.
  const RegisteredString& Register(std::string_view text, bool wide);

  // Calls `action` with the locked log of this thread. Returns `otherwise` if that is not
  // possible: inside another call of this thread (a signal handler, an allocator that has
  // its own ranges), or out of memory. Preserves errno.
  template <typename T, typename Action>
  T WithLog(T otherwise, Action action) noexcept;
  // The same for actions without a log.
  template <typename T, typename Action>
  T Guarded(T otherwise, Action action) noexcept;

  // A range that any thread may end. Called with the log of this thread locked.
  uint64_t StartRange(ThreadLog& log, Node* node, int64_t now_ns);
  void EndRange(uint64_t id, int64_t now_ns);

  enum class Moment { kMeanwhile, kAtExit };
  // Rewrites the file if there are new events.
  void WriteFile(Moment moment);

 private:
  struct OpenRange {
    ThreadLog* log = nullptr;
    Node* node = nullptr;
    int64_t start_ns = 0;
  };
  struct Snapshot;

  explicit Recorder(std::string directory);
  void NameFile();
  ThreadLog* LogOfThisThread();
  ThreadLog* TakeLog();
  void KeepWriting();
  bool TakeSnapshot(Snapshot& snapshot);
  std::string ToJson(const Snapshot& snapshot, Moment moment) const;

  std::array<std::timed_mutex*, 3> ForkMutexes() {
    return {&file_mutex_, &registry_mutex_, &ranges_mutex_};
  }
  static bool Make(const char* directory);
  static bool PrepareOnce();
  static void BeforeFork();
  static void AfterForkInParent();
  static void AfterForkInChild();

  const std::string directory_;
  std::string program_;
  std::string path_;
  int pid_ = 0;
  bool is_forked_ = false;

  // Lock order; the mutex of a log comes last.
  std::timed_mutex file_mutex_;
  std::timed_mutex registry_mutex_;  // For logs, domains and strings.
  std::timed_mutex ranges_mutex_;

  Domain default_domain_;
  std::unordered_map<std::string, std::unique_ptr<Domain>> domains_;
  using Strings = std::unordered_map<std::string, std::unique_ptr<RegisteredString>>;
  Strings strings_;
  Strings wide_strings_;
  std::unordered_map<uint64_t, OpenRange> ranges_;
  std::atomic<ThreadLog*> logs_ = nullptr;
  uint64_t threads_ = 0;            // Numbers assigned so far.
  uint64_t inherited_threads_ = 0;  // Assigned before a fork, by the parent process.
  uint64_t next_range_ = 1;
  uint64_t unmatched_ends_ = 0;
  std::atomic<uint64_t> reentrant_ = 0;
  std::atomic<bool> has_writer_ = false;
  uint64_t written_events_ = 0;
  bool is_written_ = false;
};

// State of this thread. Trivial, so that it is usable until the thread is gone.
struct ThreadSlot {
  ThreadLog* log = nullptr;
  std::atomic<bool> busy = false;
  int fork_locks = 0;  // Mutexes locked before a fork.
};
ThreadSlot& SlotOfThisThread();

template <typename T, typename Action>
T Recorder::Guarded(T otherwise, Action action) noexcept {
  const int error_before = errno;
  ThreadSlot& slot = SlotOfThisThread();
  if (slot.busy.load(std::memory_order_relaxed)) {
    reentrant_.fetch_add(1, std::memory_order_relaxed);
    return otherwise;
  }
  slot.busy.store(true, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  T answer = otherwise;
  try {
    if (!has_writer_.load(std::memory_order_relaxed)) KeepWriting();
    answer = action();
  } catch (...) {
    // Out of memory, or no lock: the observed program must not notice.
    reentrant_.fetch_add(1, std::memory_order_relaxed);
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);
  slot.busy.store(false, std::memory_order_relaxed);
  errno = error_before;
  return answer;
}

template <typename T, typename Action>
T Recorder::WithLog(T otherwise, Action action) noexcept {
  return Guarded(otherwise, [&] {
    ThreadLog* const log = LogOfThisThread();
    const std::lock_guard lock(log->mutex);
    return action(*log);
  });
}

}  // namespace ridgeline::nvtx_injection
