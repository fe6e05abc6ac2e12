#include "ranks/local_launcher.h"

#include <fmt/format.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

#include "os/env.h"
#include "os/free_port.h"
#include "ranks/launcher.h"

namespace ridgeline::ranks {
namespace {

// The ranks get the grace period of the plan; their supervisors need a little longer to
// record the end.
constexpr double kGraceFactor = 1.5;

class LocalRanks {
 public:
  LocalRanks(const RankPlan& plan, os::ProcessRunner& processes,
             const std::function<void(std::string_view)>& print)
      : plan_(plan), processes_(processes), print_(print) {}

  void Run(const os::Command& command, int64_t rank) {
    os::ProcessOptions options;
    options.grace_s = plan_.grace_s * kGraceFactor;
    options.stop = [this] { return has_failed_.load(); };
    options.on_output = [this](std::string_view bytes) {
      const std::lock_guard lock(mutex_);
      print_(bytes);
    };
    const Result<os::ProcessResult> ran = processes_.Run(command, options);
    const std::lock_guard lock(mutex_);
    if (!ran.ok()) print_(fmt::format("rank {}: {}\n", rank, ran.error().message()));
    if (ran.ok() && ran.value().exit_code == 0) return;
    if (!has_failed_) first_failure_ = ran.ok() ? ran.value().exit_code : 1;
    has_failed_ = true;
  }

  int exit_code() const { return first_failure_; }

 private:
  const RankPlan& plan_;
  os::ProcessRunner& processes_;
  const std::function<void(std::string_view)>& print_;
  std::mutex mutex_;
  std::atomic<bool> has_failed_ = false;
  int first_failure_ = 0;
};

}  // namespace

Result<int> RunLocalRanks(const RankPlan& plan, const std::filesystem::path& plan_file,
                          os::ProcessRunner& processes,
                          const std::function<void(std::string_view)>& print) {
  RIDGELINE_TRY(const std::filesystem::path us, os::ExecutablePath());
  RIDGELINE_TRY(const int port, os::FreePort());
  LocalRanks ranks(plan, processes, print);
  std::vector<std::thread> threads;
  const auto count = std::ssize(plan.tasks);
  for (int64_t rank = 0; rank < count; ++rank) {
    const os::Command command = {.argv = {us.string(), "rank-exec", plan_file.string()},
                                 .environment = LocalVariables(rank, count, port),
                                 .directory = {}};
    threads.emplace_back([&ranks, command, rank] { ranks.Run(command, rank); });
  }
  for (std::thread& thread : threads) thread.join();
  return ranks.exit_code();
}

}  // namespace ridgeline::ranks
