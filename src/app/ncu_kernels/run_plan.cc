#include "app/ncu_kernels/run_plan.h"

#include <numeric>
#include <utility>

namespace ridgeline::app {
namespace {

// Linux allows arguments of up to 128 KiB; ncu accepts them, but compiles the regular
// expression for every process it follows.
constexpr size_t kMaxPattern = size_t{64} << 10;

constexpr const char* kCountApart = "per-launch-config";

// Joining expressions would renumber its groups.
bool HasBackReference(std::string_view regex) {
  for (size_t i = 0; i + 1 < regex.size(); ++i) {
    if (regex[i] != '\\') continue;
    if (regex[i + 1] >= '1' && regex[i + 1] <= '9') return true;
    ++i;
  }
  return false;
}

std::vector<std::string> Filter(const std::string& pattern, const Launches& launches) {
  return {"--kernel-name-base", "demangled",
          "--kernel-name",      "regex:" + pattern,
          "--launch-skip",      std::to_string(launches.skip),
          "--launch-count",     std::to_string(launches.count)};
}

// Collects kernels that share runs.
class SharedRuns {
 public:
  SharedRuns(const std::vector<ChosenKernel>& kernels, const Launches& launches)
      : kernels_(kernels), launches_(launches) {}

  void Add(size_t index) {
    const std::string& pattern = kernels_[index].pattern;
    if (!members_.empty() && pattern_.size() + pattern.size() > kMaxPattern) Close();
    members_.push_back(index);
    pattern_ += (pattern_.empty() ? "(" : "|(") + pattern + ")";
  }

  std::vector<PlannedRun> Finish() {
    if (!members_.empty()) Close();
    return std::move(runs_);
  }

 private:
  void Close() {
    const bool is_alone = members_.size() == 1;
    PlannedRun run = {
        .kernels = members_,
        .filter = Filter(is_alone ? kernels_[members_[0]].pattern : pattern_, launches_)};
    if (!is_alone) run.filter.insert(run.filter.end(), {"--filter-mode", kCountApart});
    runs_.push_back(std::move(run));
    members_.clear();
    pattern_.clear();
  }

  const std::vector<ChosenKernel>& kernels_;
  const Launches& launches_;
  std::vector<PlannedRun> runs_;
  std::vector<size_t> members_;
  std::string pattern_;
};

}  // namespace

bool CanShareRuns(const stages::NcuFacts& facts) {
  // Unknown sections are not passed: ncu would reject the whole command.
  return facts.filter_modes.contains(kCountApart);
}

std::vector<size_t> EveryKernel(const std::vector<ChosenKernel>& kernels) {
  std::vector<size_t> places(kernels.size());
  std::iota(places.begin(), places.end(), size_t{0});
  return places;
}

std::vector<PlannedRun> PlanRuns(const std::vector<ChosenKernel>& kernels,
                                 std::span<const size_t> wanted, const Launches& launches,
                                 RunMode mode) {
  SharedRuns shared(kernels, launches);
  std::vector<PlannedRun> own;
  for (const size_t index : wanted) {
    const std::string& pattern = kernels[index].pattern;
    if (mode == RunMode::kOneRun && !HasBackReference(pattern)) {
      shared.Add(index);
    } else {
      own.push_back({.kernels = {index}, .filter = Filter(pattern, launches)});
    }
  }
  std::vector<PlannedRun> runs = shared.Finish();
  for (PlannedRun& run : own) runs.push_back(std::move(run));
  return runs;
}

std::vector<std::string> KnownSections(const std::vector<std::string>& sections,
                                       const stages::NcuFacts& facts,
                                       std::vector<std::string>& missing) {
  std::vector<std::string> known;
  for (const std::string& section : sections) {
    const bool is_known = stages::NcuFacts::Knows(facts.sections, section);
    (is_known ? known : missing).push_back(section);
  }
  return known;
}

os::Command CaptureCommand(const PlannedRun& run,
                           const std::vector<std::string>& sections,
                           const std::filesystem::path& report,
                           const std::vector<std::string>& application) {
  std::vector<std::string> argv = {"ncu", "--target-processes", "all"};
  argv.insert(argv.end(), run.filter.begin(), run.filter.end());
  for (const std::string& section : sections) {
    argv.insert(argv.end(), {"--section", section});
  }
  argv.insert(argv.end(), {"--export", report.string()});
  argv.insert(argv.end(), application.begin(), application.end());
  return {.argv = std::move(argv), .environment = {}, .directory = {}};
}

os::Command ImportCommand(const std::filesystem::path& report, const ChosenKernel& kernel,
                          const std::vector<std::string>& page) {
  std::vector<std::string> argv = {"ncu",
                                   "--import",
                                   report.string(),
                                   "--csv",
                                   "--print-units",
                                   "base",
                                   "--kernel-name-base",
                                   "demangled",
                                   "--kernel-name",
                                   "regex:" + kernel.pattern};
  argv.insert(argv.end(), page.begin(), page.end());
  // Decimal points, whatever the locale.
  return {.argv = std::move(argv), .environment = {{"LC_ALL", "C"}}, .directory = {}};
}

}  // namespace ridgeline::app
