#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "os/keeper.h"

namespace ridgeline::os {
namespace {

struct Process {
  pid_t pid = 0;
  pid_t parent = 0;
  bool descends = false;
};

// At most this many processes are seen per scan; callers scan again.
constexpr size_t kMaxProcesses = 16384;

// The kernel's format; libc's readdir allocates.
struct RawEntry {
  uint64_t inode;
  int64_t offset;
  uint16_t length;
  uint8_t type;
  char name[1];
};

pid_t NumberOf(const char* name) {
  pid_t number = 0;
  for (; *name != '\0'; ++name) {
    if (*name < '0' || *name > '9') return 0;
    number = number * 10 + (*name - '0');
  }
  return number;
}

// The parent in "1234 (a name) with) S 1 1234 ..."; 0 for zombies and exited processes.
pid_t LivingParent(int proc, const char* name) {
  char path[32] = {};
  const size_t length = std::min(std::strlen(name), sizeof path - sizeof "/stat");
  std::memcpy(path, name, length);
  std::memcpy(path + length, "/stat", sizeof "/stat");
  const int file = ::openat(proc, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  char text[512] = {};
  const ssize_t size = ::read(file, text, sizeof text - 1);
  ::close(file);
  if (size <= 0) return 0;
  // The name may contain anything, so use the last parenthesis.
  const char* after = std::strrchr(text, ')');
  if (after == nullptr || after[1] != ' ' || after[2] == 'Z' || after[3] != ' ') return 0;
  pid_t parent = 0;
  for (const char* c = after + 4; *c >= '0' && *c <= '9'; ++c) {
    parent = parent * 10 + (*c - '0');
  }
  return parent;
}

size_t ListAll(Process* processes) {
  const int proc = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (proc < 0) return 0;
  alignas(RawEntry) char buffer[8192];
  size_t count = 0;
  while (true) {
    const long bytes = ::syscall(SYS_getdents64, proc, buffer, sizeof buffer);
    if (bytes <= 0) break;
    for (long at = 0; at < bytes;) {
      const char* raw = buffer + at;
      uint16_t length = 0;
      std::memcpy(&length, raw + offsetof(RawEntry, length), sizeof length);
      const char* name = raw + offsetof(RawEntry, name);
      at += length;
      const pid_t pid = NumberOf(name);
      if (pid == 0 || count == kMaxProcesses) continue;
      const pid_t parent = LivingParent(proc, name);
      if (parent != 0) processes[count++] = {pid, parent, false};
    }
  }
  ::close(proc);
  return count;
}

// `processes` is sorted by pid.
bool IsMarked(const Process* processes, size_t count, pid_t pid) {
  const Process* end = processes + count;
  const Process* found = std::lower_bound(
      processes, end, pid, [](const Process& p, pid_t wanted) { return p.pid < wanted; });
  return found != end && found->pid == pid && found->descends;
}

}  // namespace

size_t ListDescendants(pid_t ancestor, pid_t* found, size_t capacity) {
  static Process processes[kMaxProcesses];  // Too large for a stack.
  const size_t count = ListAll(processes);
  std::sort(processes, processes + count,
            [](const Process& a, const Process& b) { return a.pid < b.pid; });
  bool grew = true;
  while (grew) {  // One pass per level of the tree.
    grew = false;
    for (size_t i = 0; i < count; ++i) {
      Process& process = processes[i];
      if (process.descends) continue;
      if (process.parent == ancestor || IsMarked(processes, count, process.parent)) {
        process.descends = true;
        grew = true;
      }
    }
  }
  size_t used = 0;
  for (size_t i = 0; i < count && used < capacity; ++i) {
    if (processes[i].descends) found[used++] = processes[i].pid;
  }
  return used;
}

}  // namespace ridgeline::os
