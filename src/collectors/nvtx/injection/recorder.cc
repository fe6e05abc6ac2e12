#include "collectors/nvtx/injection/recorder.h"

#include <pthread.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <new>
#include <thread>

#include "collectors/nvtx/event_file.h"

namespace ridgeline::nvtx_injection {
namespace {

using namespace std::chrono_literals;

// A fork in a signal handler may find a mutex already locked by its own thread.
constexpr auto kMaxWait = 1s;

std::atomic<Recorder*> the_recorder = nullptr;
pthread_key_t thread_end_key;

// When a thread ends, a new one may reuse its log.
void EndThread(void* log) {
  SlotOfThisThread().log = nullptr;
  static_cast<ThreadLog*>(log)->free.store(true, std::memory_order_release);
}

std::string ProgramPath() {
  std::array<char, PATH_MAX> buffer = {};
  const ssize_t size = readlink("/proc/self/exe", buffer.data(), buffer.size());
  return size > 0 ? std::string(buffer.data(), static_cast<size_t>(size)) : "";
}

void MakeAnew(std::timed_mutex& mutex) { new (&mutex) std::timed_mutex(); }

}  // namespace

// In static TLS, which every thread has from its start. Otherwise the first use would
// take a lock of the dynamic linker; a fork at that moment would leave it locked in the
// child, which could then not start any threads.
ThreadSlot& SlotOfThisThread() {
  [[gnu::tls_model("initial-exec")]] static thread_local ThreadSlot slot;
  return slot;
}

Recorder* Recorder::The() { return the_recorder.load(std::memory_order_acquire); }

Recorder::Recorder(std::string directory) : directory_(std::move(directory)) {
  program_ = ProgramPath();
  mkdir(directory_.c_str(), 0700);  // May exist; ignores errors.
  NameFile();
}

// Runs last, so that ranges opened by other exit handlers and destructors are included.
__attribute__((destructor)) void WriteLast() {
  if (Recorder* const recorder = Recorder::The()) {
    recorder->WriteFile(Recorder::Moment::kAtExit);
  }
}

// A process may exec another program and keep its pid, so the name contains the time.
void Recorder::NameFile() {
  pid_ = getpid();
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  path_ = directory_ + "/" + std::to_string(pid_) + "-" +
          std::to_string(std::chrono::nanoseconds(now).count()) + nvtx::kEventFileEnding;
}

// NVTX may call this on several threads at once, and the program may fork meanwhile. A
// mutex would stay locked in such a child. Instead, the pid of the initializing process
// is stored: its threads wait for it, and a child, which has another pid, initializes
// itself. Flags, which a fork copies, record one-time steps.
bool Recorder::Start() {
  static std::atomic<pid_t> starter = 0;
  const char* const directory = std::getenv(nvtx::kDirectoryVariable);
  if (directory == nullptr || directory[0] != '/') return false;
  const pid_t here = getpid();
  while (The() == nullptr || The()->pid_ != here) {
    pid_t seen = starter.load();
    if (seen != here && starter.compare_exchange_strong(seen, here)) {
      const bool is_made = PrepareOnce() && Make(directory);
      if (!is_made) starter.store(0);
      return is_made;
    }
    sched_yield();
  }
  return true;
}

bool Recorder::Make(const char* directory) {
  try {
    // Never deleted. NOLINTNEXTLINE(cppcoreguidelines-owning-memory)
    the_recorder.store(new Recorder(directory), std::memory_order_release);
    return true;
  } catch (...) {
    return false;  // Out of memory. The observed program must not notice.
  }
}

// Runs once per process, even if the process was forked meanwhile.
bool Recorder::PrepareOnce() {
  static std::atomic<bool> has_key = false;
  static std::atomic<bool> has_handlers = false;
  if (!has_key.exchange(true) && pthread_key_create(&thread_end_key, EndThread) != 0) {
    return false;
  }
  if (has_handlers.load()) return true;
  pthread_atfork(BeforeFork, AfterForkInParent, AfterForkInChild);
  std::atexit(WriteLast);
  std::at_quick_exit(WriteLast);
  has_handlers.store(true);
  return true;
}

const Domain& Recorder::DomainNamed(std::string_view name) {
  if (name.empty()) return default_domain_;
  const std::lock_guard lock(registry_mutex_);
  std::unique_ptr<Domain>& domain = domains_[std::string(name)];
  if (domain == nullptr) {
    domain = std::make_unique<Domain>(
        Domain{std::string(name), static_cast<uint32_t>(domains_.size())});
  }
  return *domain;
}

const RegisteredString& Recorder::Register(std::string_view text, bool wide) {
  const std::lock_guard lock(registry_mutex_);
  std::unique_ptr<RegisteredString>& string =
      (wide ? wide_strings_ : strings_)[std::string(text)];
  if (string == nullptr) {
    string = std::make_unique<RegisteredString>();
    string->text = text;
    string->label = wide ? Label::OfWide(string->text) : Label::Of(string->text);
    string->label.registered = true;
  }
  return *string;
}

ThreadLog* Recorder::LogOfThisThread() {
  ThreadSlot& slot = SlotOfThisThread();
  if (slot.log == nullptr) {
    slot.log = TakeLog();
    pthread_setspecific(thread_end_key, slot.log);
  }
  return slot.log;
}

ThreadLog* Recorder::TakeLog() {
  const std::lock_guard lock(registry_mutex_);
  ThreadLog* log = logs_.load(std::memory_order_relaxed);
  while (log != nullptr && !log->free.load(std::memory_order_acquire)) log = log->next;
  if (log == nullptr) {
    // Never deleted. NOLINTNEXTLINE(cppcoreguidelines-owning-memory)
    log = new ThreadLog();
    log->next = logs_.load(std::memory_order_relaxed);
    logs_.store(log, std::memory_order_relaxed);
  }
  log->free.store(false, std::memory_order_relaxed);
  log->Begin(++threads_);
  return log;
}

uint64_t Recorder::StartRange(ThreadLog& log, Node* node, int64_t now_ns) {
  const std::lock_guard lock(ranges_mutex_);
  const uint64_t id = next_range_++;
  ranges_[id] = {&log, node, now_ns};
  return id;
}

void Recorder::EndRange(uint64_t id, int64_t now_ns) {
  OpenRange range;
  {
    const std::lock_guard lock(ranges_mutex_);
    const auto found = ranges_.find(id);
    if (found == ranges_.end()) {
      ++unmatched_ends_;
      return;
    }
    range = found->second;
    ranges_.erase(found);
  }
  if (range.node == nullptr) return;
  const std::lock_guard lock(range.log->mutex);
  range.node->Close(now_ns - range.start_ns);
}

// Starts a thread that writes the file periodically, so that little is lost if the
// program is killed or calls _exit(). It blocks all signals.
void Recorder::KeepWriting() {
  if (has_writer_.exchange(true)) return;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const auto work = [](void*) -> void* {
    // Calls made by this thread are not recorded.
    SlotOfThisThread().busy.store(true);
    pthread_setname_np(pthread_self(), "ridgeline-nvtx");
    // Short at first, for children that do one thing and _exit().
    std::chrono::nanoseconds pause = 1ms;
    while (true) {
      std::this_thread::sleep_for(pause);
      const auto begin = std::chrono::steady_clock::now();
      The()->WriteFile(Moment::kMeanwhile);
      // At most 5 % of a core, however many labels there are.
      pause = std::max(std::min<std::chrono::nanoseconds>(2 * pause, 100ms),
                       20 * (std::chrono::steady_clock::now() - begin));
    }
  };
  pthread_t thread = {};
  pthread_create(&thread, &attributes, work, nullptr);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
}

// State copied by a fork must be consistent. A mutex that cannot be taken is
// reinitialized in the child.
void Recorder::BeforeFork() {
  int& locks = SlotOfThisThread().fork_locks;
  if (The() == nullptr || locks > 0) return;
  Recorder& recorder = *The();
  const int error_before = errno;
  for (std::timed_mutex* mutex : recorder.ForkMutexes()) {
    if (!mutex->try_lock_for(kMaxWait)) break;
    ++locks;
  }
  errno = error_before;
}

void Recorder::AfterForkInParent() {
  int& locks = SlotOfThisThread().fork_locks;
  if (locks == 0) return;
  const auto mutexes = The()->ForkMutexes();
  for (; locks > 0; --locks) mutexes[static_cast<size_t>(locks) - 1]->unlock();
}

// Only the forking thread exists in the child. Logs of other threads may be half written:
// they are abandoned, along with all earlier counts.
void Recorder::AfterForkInChild() {
  SlotOfThisThread().fork_locks = 0;
  if (The() == nullptr) return;
  Recorder& recorder = *The();
  for (std::timed_mutex* mutex : recorder.ForkMutexes()) MakeAnew(*mutex);
  ThreadSlot& slot = SlotOfThisThread();
  if (slot.busy.load()) slot.log = nullptr;
  if (slot.log != nullptr) {
    MakeAnew(slot.log->mutex);
    slot.log->next = nullptr;
    slot.log->ForgetCounts();
  }
  recorder.logs_.store(slot.log);
  recorder.ranges_.clear();
  recorder.inherited_threads_ = recorder.threads_ - (slot.log != nullptr ? 1 : 0);
  recorder.unmatched_ends_ = 0;
  recorder.reentrant_.store(0);
  recorder.has_writer_.store(false);
  recorder.written_events_ = 0;
  recorder.is_written_ = false;
  recorder.is_forked_ = true;
  recorder.NameFile();
}

}  // namespace ridgeline::nvtx_injection
