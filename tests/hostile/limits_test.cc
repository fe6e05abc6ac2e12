// Runs without space, memory or file descriptors: they fail, say so, and can be resumed
// when there is enough again.
#include <sys/resource.h>

#include <algorithm>

#include "hostile/hostile.h"

namespace ridgeline::hostile {
namespace {

struct Limit {
  const char* name;
  decltype(RLIMIT_FSIZE) resource;
  int least;
  int most;
  rlim_t unit;
};

// A limit on the size of files acts as a full disk does, in every process.
const Limit kLimits[] = {
    {"file_size", RLIMIT_FSIZE, 0, 64, 1 << 10},
    {"memory", RLIMIT_AS, 16, 160, 1 << 20},
    {"files", RLIMIT_NOFILE, 3, 24, 1},
};

// For programs that are started while it exists.
class Limited {
 public:
  Limited(const Limit& limit, rlim_t value) : resource_(limit.resource) {
    ::getrlimit(resource_, &before_);
    const rlimit lower = {value, before_.rlim_max};
    ::setrlimit(resource_, &lower);
  }
  ~Limited() { ::setrlimit(resource_, &before_); }
  Limited(const Limited&) = delete;
  Limited& operator=(const Limited&) = delete;

 private:
  decltype(RLIMIT_FSIZE) resource_;
  rlimit before_ = {};
};

class Limits : public Hostile, public testing::WithParamInterface<Limit> {
 protected:
  // In a run that has failed, no stage is still to come.
  bool HasPendingStage(const std::string& run) {
    if (!std::filesystem::exists(directory() / run / "manifest.json")) return false;
    const artifacts::Manifest manifest = ManifestOf(directory() / run);
    return manifest.state == artifacts::State::kFailed &&
           std::any_of(manifest.stages.begin(), manifest.stages.end(),
                       [](const artifacts::StageRecord& stage) {
                         return stage.state == artifacts::State::kPending;
                       });
  }
};

TEST_P(Limits, OfResourcesFailARunThatCanBeResumed) {
  const Limit& limit = GetParam();
  std::mt19937 random(1);
  for (int round = 0; round < Rounds(); ++round) {
    const Trial trial;
    const int value = limit.least + Random(random, limit.most - limit.least);
    const std::string out = std::string(limit.name) + std::to_string(round);
    const std::vector<std::string> arguments = Arguments("hydra.run.dir=" + out);
    pid_t program = -1;
    {
      const Limited limited(limit, static_cast<rlim_t>(value) * limit.unit);
      program = Start(arguments);
    }
    const run::ProgramEnd end = End(program);
    CountLeaks();
    SCOPED_TRACE(std::string(limit.name) + " " + std::to_string(value));
    const bool is_done =
        std::filesystem::exists(directory() / out / "manifest.json") &&
        ReadFile(directory() / out / "manifest.json").find("\"state\": \"done\"") !=
            std::string::npos &&
        ManifestOf(directory() / out).state == artifacts::State::kDone;
    if (is_done != (end.exit_code == 0)) {
      ADD_FAILURE() << "exit code " << end.exit_code << ", done: " << is_done << end.err;
      Count(Harm::kLied);
    }
    if (end.err.find("internal error") != std::string::npos || HasPendingStage(out)) {
      ADD_FAILURE() << end.err;
      Count(Harm::kLied);
    }
    CheckRun(directory() / out);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Limits, testing::ValuesIn(kLimits),
                         [](const auto& named) { return named.param.name; });

}  // namespace
}  // namespace ridgeline::hostile
