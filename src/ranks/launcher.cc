#include "ranks/launcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>

#include "base/secrets.h"

namespace ridgeline::ranks {
namespace {

struct LauncherSpec {
  Launcher launcher;
  std::string_view name;
  // The first one that is set is used.
  std::vector<std::string_view> rank;
  std::vector<std::string_view> local_rank;
  std::vector<std::string_view> world_size;
};

// Variables of the requested launcher only: mpirun in a Slurm allocation sees
// SLURM_PROCID of the batch script, which is 0 in every rank.
const std::vector<LauncherSpec>& Specs() {
  static const std::vector<LauncherSpec> specs = {
      {Launcher::kLocal, "local", {"RANK"}, {"LOCAL_RANK"}, {"WORLD_SIZE"}},
      {Launcher::kTorchrun, "torchrun", {"RANK"}, {"LOCAL_RANK"}, {"WORLD_SIZE"}},
      {Launcher::kSrun,
       "srun",
       {"SLURM_PROCID"},
       {"SLURM_LOCALID"},
       {"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"}},
      {Launcher::kMpirun,
       "mpirun",
       {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"},
       {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID"},
       {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}},
  };
  return specs;
}

const LauncherSpec& SpecOf(Launcher launcher) {
  return *std::find_if(Specs().begin(), Specs().end(), [launcher](const auto& spec) {
    return spec.launcher == launcher;
  });
}

std::optional<int64_t> NumberIn(const std::map<std::string, std::string>& environment,
                                std::span<const std::string_view> names) {
  for (const std::string_view name : names) {
    const auto found = environment.find(std::string(name));
    if (found == environment.end()) continue;
    int64_t number = 0;
    const char* const end = found->second.data() + found->second.size();
    const auto [stop, error] = std::from_chars(found->second.data(), end, number);
    if (error == std::errc() && stop == end && number >= 0) return number;
  }
  return std::nullopt;
}

// The user then chooses the rendezvous.
bool NamesRendezvous(const std::vector<std::string>& args) {
  return std::any_of(args.begin(), args.end(), [](const std::string& word) {
    return word.starts_with("--rdzv") || word.starts_with("--nnodes") ||
           word.starts_with("--master") || word == "--standalone";
  });
}

std::vector<std::string> WordsBefore(const RankOptions& options) {
  const std::string count = std::to_string(options.count);
  switch (options.launcher) {
    case Launcher::kLocal:
      return {};
    case Launcher::kTorchrun: {
      // Underscores: the option names before PyTorch 2.
      std::vector<std::string> words = {options.python, "-m", "torch.distributed.run",
                                        "--nproc_per_node=" + count, "--no_python"};
      if (!NamesRendezvous(options.args)) words.emplace_back("--standalone");
      return words;
    }
    case Launcher::kSrun: {
      std::vector<std::string> words = {"srun", "--ntasks=" + count,
                                        "--kill-on-bad-exit=1"};
      if (options.nodes) words.push_back(fmt::format("--nodes={}", *options.nodes));
      return words;
    }
    case Launcher::kMpirun:
      return {"mpirun", "-n", count};
  }
  return {};
}

}  // namespace

std::string_view ToText(Launcher launcher) { return SpecOf(launcher).name; }

std::optional<Launcher> LauncherOf(std::string_view text) {
  for (const LauncherSpec& spec : Specs()) {
    if (spec.name == text) return spec.launcher;
  }
  return std::nullopt;
}

std::string ProgramOf(const RankOptions& options) {
  const std::vector<std::string> words = WordsBefore(options);
  return words.empty() ? "" : words.front();
}

os::Command LauncherCommand(const RankOptions& options,
                            const std::filesystem::path& ridgeline,
                            const std::filesystem::path& plan) {
  os::Command command = {
      .argv = WordsBefore(options), .environment = {}, .directory = {}};
  std::vector<std::string>& argv = command.argv;
  argv.insert(argv.end(), options.args.begin(), options.args.end());
  argv.insert(argv.end(), {ridgeline.string(), "rank-exec"});
  if (options.launcher == Launcher::kLocal) argv.emplace_back("--all");
  argv.push_back(plan.string());
  return command;
}

Result<RankIdentity> IdentityOf(Launcher launcher,
                                const std::map<std::string, std::string>& environment) {
  const LauncherSpec& spec = SpecOf(launcher);
  const std::optional<int64_t> rank = NumberIn(environment, spec.rank);
  if (!rank) {
    return Error(ErrorCode::kConfig,
                 fmt::format("no rank in the environment: {} sets {}", spec.name,
                             fmt::join(spec.rank, " or ")));
  }
  return RankIdentity{*rank, NumberIn(environment, spec.local_rank),
                      NumberIn(environment, spec.world_size)};
}

std::map<std::string, std::string> LocalVariables(int64_t rank, int64_t count,
                                                  int master_port) {
  return {{"RANK", std::to_string(rank)},
          {"LOCAL_RANK", std::to_string(rank)},
          {"WORLD_SIZE", std::to_string(count)},
          {"LOCAL_WORLD_SIZE", std::to_string(count)},
          {"GROUP_RANK", "0"},
          {"MASTER_ADDR", "127.0.0.1"},
          {"MASTER_PORT", std::to_string(master_port)}};
}

std::map<std::string, std::string> RankVariables(
    const std::map<std::string, std::string>& environment) {
  constexpr std::string_view kNames[] = {"RANK",
                                         "LOCAL_RANK",
                                         "WORLD_SIZE",
                                         "LOCAL_WORLD_SIZE",
                                         "GROUP_RANK",
                                         "MASTER_ADDR",
                                         "MASTER_PORT",
                                         "CUDA_VISIBLE_DEVICES",
                                         "SLURM_JOB_ID",
                                         "SLURM_STEP_ID",
                                         "SLURM_PROCID",
                                         "SLURM_LOCALID",
                                         "SLURM_NODEID",
                                         "SLURM_NTASKS",
                                         "SLURMD_NODENAME",
                                         "SLURM_CPUS_ON_NODE",
                                         "SLURM_CPUS_PER_TASK",
                                         "SLURM_CPU_BIND",
                                         "PMI_RANK",
                                         "PMI_SIZE"};
  constexpr std::string_view kPrefixes[] = {
      "NCCL_", "GLOO_", "UCX_",        "OMP_",
      "MKL_",  "KMP_",  "TORCH_NCCL_", "OMPI_COMM_WORLD_"};
  std::map<std::string, std::string> kept;
  for (const auto& [name, value] : environment) {
    const bool is_kept =
        std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames) ||
        std::any_of(
            std::begin(kPrefixes), std::end(kPrefixes),
            [&name](std::string_view prefix) { return name.starts_with(prefix); });
    if (is_kept) kept[name] = ValueWithoutSecrets(name, value);
  }
  return kept;
}

std::string RankName(int64_t rank) { return fmt::format("rank{}", rank); }

bool IsOfRank(std::string_view path, int64_t rank) {
  const std::string name = RankName(rank);
  const auto ends_word = [path](size_t at) {
    return at >= path.size() || path[at] == '.' || path[at] == '/';
  };
  for (size_t at = path.find(name); at != path.npos; at = path.find(name, at + 1)) {
    const bool begins = at == 0 || ends_word(at - 1);
    if (begins && ends_word(at + name.size())) return true;
  }
  return false;
}

std::string RankFile(const std::string& name, int64_t rank) {
  const std::filesystem::path path = name;
  return (path.parent_path() / path.stem()).string() + "." + RankName(rank) +
         path.extension().string();
}

}  // namespace ridgeline::ranks
