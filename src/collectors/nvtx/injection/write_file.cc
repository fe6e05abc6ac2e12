// Writes the file of a process; see nvtx/event_file.h for an example.
#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <vector>

#include "collectors/nvtx/event_file.h"
#include "collectors/nvtx/injection/recorder.h"
#include "collectors/nvtx/injection/text.h"

namespace ridgeline::nvtx_injection {
namespace {

using namespace std::chrono_literals;

// A thread that was stopped inside a call must not prevent the program from exiting.
constexpr auto kMaxWait = 1s;

struct Entry {
  const Node* node = nullptr;
  Node::Counts counts;
  size_t first = 0;  // Of its log's entries.
};

const char* WordOf(Kind kind) {
  switch (kind) {
    case Kind::kPushPop:
      return nvtx::kPushPopWord;
    case Kind::kStartEnd:
      return nvtx::kStartEndWord;
    case Kind::kMark:
      return nvtx::kMarkWord;
  }
  return "";
}

void AppendNumber(std::string& json, const char* name, uint64_t value) {
  json += ", \"";
  json += name;
  json += "\": " + std::to_string(value);
}

void AppendEntry(std::string& json, const Entry& entry) {
  const Node& node = *entry.node;
  const Node::Counts& counts = entry.counts;
  json += "{\"domain\": ";
  AppendQuoted(json, node.domain->name);
  json += ", \"label\": ";
  AppendQuoted(json, node.label);
  json += ", \"kind\": \"" + std::string(WordOf(node.kind));
  json += node.registered ? "\", \"registered\": true" : "\", \"registered\": false";
  json += node.wide ? ", \"wide\": true" : ", \"wide\": false";
  if (node.parent != nullptr) {
    AppendNumber(json, "parent", entry.first + node.parent->index);
  }
  AppendNumber(json, "opened", counts.opened);
  if (node.kind != Kind::kMark) AppendNumber(json, "closed", counts.closed);
  if (counts.closed > 0) {
    AppendNumber(json, "time_total_ns", static_cast<uint64_t>(counts.time_total_ns));
    AppendNumber(json, "time_min_ns", static_cast<uint64_t>(counts.time_min_ns));
    AppendNumber(json, "time_max_ns", static_cast<uint64_t>(counts.time_max_ns));
  }
  AppendNumber(json, "threads", counts.threads);
  json += "}";
}

bool WriteAll(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// Via a temporary name, so that readers never see a partial file.
bool Replace(const std::string& path, std::string_view bytes) {
  const std::string unfinished = path + ".unfinished";
  const int file =
      open(unfinished.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) return false;
  const bool written = WriteAll(file, bytes);
  close(file);
  if (written && rename(unfinished.c_str(), path.c_str()) == 0) return true;
  unlink(unfinished.c_str());
  return false;
}

}  // namespace

struct Recorder::Snapshot {
  std::vector<Entry> entries;
  uint64_t threads = 0;
  uint64_t events = 0;
  uint64_t left_out = 0;
  uint64_t unmatched_pops = 0;
  uint64_t unmatched_ends = 0;
  uint64_t shortened = 0;
  uint64_t too_deep = 0;
  bool is_whole = true;  // False: a log could not be read.
};

// Copying counts is quick; names and parents never change.
bool Recorder::TakeSnapshot(Snapshot& snapshot) {
  const std::unique_lock registry(registry_mutex_, kMaxWait);
  if (!registry.owns_lock()) return false;
  for (ThreadLog* log = logs_.load(); log != nullptr; log = log->next) {
    const std::unique_lock lock(log->mutex, kMaxWait);
    if (!lock.owns_lock()) {
      snapshot.is_whole = false;
      continue;
    }
    const size_t first = snapshot.entries.size();
    for (const Node& node : log->nodes()) {
      snapshot.entries.push_back({&node, node.counts, first});
      snapshot.events += node.counts.opened + node.counts.closed;
    }
    snapshot.left_out += log->left_out();
    snapshot.unmatched_pops += log->unmatched();
    snapshot.shortened += log->shortened();
    snapshot.too_deep += log->too_deep();
  }
  snapshot.threads = threads_ - inherited_threads_;
  const std::unique_lock ranges(ranges_mutex_, kMaxWait);
  snapshot.unmatched_ends = unmatched_ends_;
  snapshot.events += snapshot.left_out + snapshot.unmatched_pops + unmatched_ends_;
  return true;
}

std::string Recorder::ToJson(const Snapshot& snapshot, Moment moment) const {
  std::string json = "{\"schema_version\": " + std::to_string(nvtx::kEventFileVersion);
  AppendNumber(json, "pid", static_cast<uint64_t>(pid_));
  AppendNumber(json, "parent_pid", static_cast<uint64_t>(getppid()));
  json += ", \"program\": ";
  AppendQuoted(json, program_);
  const bool complete = moment == Moment::kAtExit && snapshot.is_whole;
  json += complete ? ", \"complete\": true" : ", \"complete\": false";
  AppendNumber(json, "threads", snapshot.threads);
  json += ",\n\"left_out\": {\"ranges\": " + std::to_string(snapshot.left_out);
  AppendNumber(json, "reentrant_calls", reentrant_.load());
  AppendNumber(json, "pops_without_push", snapshot.unmatched_pops);
  AppendNumber(json, "ends_without_start", snapshot.unmatched_ends);
  AppendNumber(json, "labels_shortened", snapshot.shortened);
  AppendNumber(json, "ranges_too_deep", snapshot.too_deep);
  json += "},\n\"ranges\": [";
  const char* separator = "\n";
  for (const Entry& entry : snapshot.entries) {
    json += separator;
    AppendEntry(json, entry);
    separator = ",\n";
  }
  json += "]}\n";
  return json;
}

void Recorder::WriteFile(Moment moment) {
  // A child created without fork() shares the counts of its parent.
  if (getpid() != pid_) return;
  const int error_before = errno;
  try {
    const std::unique_lock file(file_mutex_, kMaxWait);
    Snapshot snapshot;
    if (file.owns_lock() && TakeSnapshot(snapshot)) {
      const bool is_news = snapshot.events != written_events_ || !is_written_;
      const bool is_idle_child = is_forked_ && snapshot.events == 0;
      if ((is_news || moment == Moment::kAtExit) && !is_idle_child &&
          Replace(path_, ToJson(snapshot, moment))) {
        written_events_ = snapshot.events;
        is_written_ = true;
      }
    }
  } catch (...) {
    // Out of memory: keep the previous file. The observed program must not notice.
  }
  errno = error_before;
}

}  // namespace ridgeline::nvtx_injection
