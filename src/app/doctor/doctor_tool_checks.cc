#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/doctor/doctor_checks.h"
#include "base/plural.h"
#include "os/command.h"

namespace ridgeline::app {
namespace {

namespace fs = std::filesystem;
using hardware::Tool;
using hardware::Tools;

struct ProfilerRule {
  const char* name;
  std::vector<int> oldest;  // Oldest supported version, with the reason.
  const char* oldest_why;
  std::vector<int> newest_tried;
};

const std::vector<ProfilerRule>& ProfilerRules() {
  static const std::vector<ProfilerRule> rules = {
      {"nsys", {2021, 4}, "older versions write a different report format", {2022, 4}},
      {"ncu", {2021, 1}, "older versions lack required options", {2022, 3}},
  };
  return rules;
}

constexpr const char* kInstallNsight =
    "scripts/setup.sh nsight; by hand on Debian: add the component non-free to the apt "
    "sources, then apt-get update && apt-get install --no-install-recommends "
    "nsight-systems nsight-compute";

// Truncated to the length of `limit`: 2022.4.2 is neither older nor newer than 2022.4.
std::vector<int> Cut(const std::vector<int>& numbers, const std::vector<int>& limit) {
  return {numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(
                                                 std::min(numbers.size(), limit.size()))};
}

std::string Dotted(const std::vector<int>& numbers) {
  return fmt::format("{}", fmt::join(numbers, "."));
}

// "2022.4.2.1-df9881f (/usr/bin/nsys)"
std::string VersionAndPath(const Tool& tool) {
  return fmt::format("{} ({})", tool.version.value_or("version unknown"),
                     tool.path->string());
}

Check NotUsable(const Tool& tool, std::string_view without) {
  Check check = {.subject = tool.name, .verdict = Verdict::kFail};
  if (!tool.elsewhere.empty()) {
    const fs::path& place = tool.elsewhere.front();
    check.finding =
        fmt::format("installed as {}, but not in PATH; {}", place.string(), without);
    check.fix = fmt::format("export PATH={}:\"$PATH\"",
                            os::ShellQuoted(place.parent_path().string()));
    return check;
  }
  check.finding = fmt::format("{}; {}", tool.reason, without);
  return check;
}

Check CheckProfiler(const Tool& tool, const ProfilerRule& rule) {
  if (!tool.works()) {
    Check check = NotUsable(tool, fmt::format("the {} stage will be skipped", tool.name));
    if (check.fix.empty()) check.fix = kInstallNsight;
    return check;
  }
  Check check = {.subject = tool.name, .finding = VersionAndPath(tool)};
  if (tool.version_numbers.empty()) {
    check.verdict = Verdict::kWarn;
    check.fix = fmt::format("check the output of {} --version; {} or newer is required",
                            os::ShellQuoted(tool.path->string()), Dotted(rule.oldest));
    return check;
  }
  if (Cut(tool.version_numbers, rule.oldest) < rule.oldest) {
    check.verdict = Verdict::kFail;
    check.finding += fmt::format(": too old, {}", rule.oldest_why);
    check.fix =
        fmt::format("install {} or newer: {}", Dotted(rule.oldest), kInstallNsight);
    return check;
  }
  if (Cut(tool.version_numbers, rule.newest_tried) > rule.newest_tried) {
    check.finding += fmt::format("; newer than {}, the newest tested version",
                                 Dotted(rule.newest_tried));
  }
  return check;
}

Check CheckImporter(const Tools& tools) {
  Check check = {.subject = "nsys importer", .verdict = Verdict::kSkip};
  if (!tools.nsys_importer) {
    check.finding = "no nsys";
    return check;
  }
  const hardware::NsysImporter& importer = *tools.nsys_importer;
  if (!importer.expected) {
    check.finding = "unknown: nsys is a wrapper script here";
    return check;
  }
  const fs::path expected = importer.expected->parent_path();
  if (importer.is_in_place) {
    check.verdict = Verdict::kOk;
    check.finding = importer.expected->string();
    return check;
  }
  if (importer.elsewhere) {
    const fs::path actual = importer.elsewhere->parent_path();
    check.verdict = Verdict::kWarn;
    check.finding = fmt::format(
        "found in {}, but nsys looks in {}: nsys alone writes only a .qdstrm file, which "
        "ridgeline then imports",
        actual.string(), expected.string());
    check.fix = fmt::format("sudo ln -s {} {}", os::ShellQuoted(actual.string()),
                            os::ShellQuoted(expected.string()));
    return check;
  }
  check.verdict = Verdict::kFail;
  check.finding = fmt::format("{} not found: nsys would write only a .qdstrm file",
                              importer.expected->string());
  check.fix =
      "install the full Nsight Systems package, not only the target CLI; on Debian: "
      "apt-get install --no-install-recommends nsight-systems";
  return check;
}

}  // namespace

std::vector<Check> CheckProfilers(const Tools& tools) {
  std::vector<Check> checks;
  for (const ProfilerRule& rule : ProfilerRules()) {
    if (const Tool* tool = tools.Find(rule.name)) {
      checks.push_back(CheckProfiler(*tool, rule));
    }
    if (std::string_view(rule.name) == "nsys") checks.push_back(CheckImporter(tools));
  }
  return checks;
}

Check CheckGit(const Tools& tools) {
  const Tool& git = *tools.Find("git");
  if (git.works()) return {.subject = "git", .finding = VersionAndPath(git)};
  Check check = NotUsable(git, "runs will not record the git commit");
  check.verdict = Verdict::kWarn;
  if (check.fix.empty()) check.fix = "apt-get install git";
  return check;
}

// "partitions cpu (default, 2 nodes), gpu (16 nodes, at most 1-00:00:00)"
std::string PartitionsText(const std::vector<launchers::SlurmPartition>& partitions) {
  std::string text;
  for (const launchers::SlurmPartition& partition : partitions) {
    text += fmt::format(
        "{}{} ({}{}{}{})", text.empty() ? "" : ", ", partition.name,
        partition.is_default ? "default, " : "", Plural(partition.nodes, "node"),
        partition.available == "up" ? "" : ", " + partition.available,
        partition.time_limit == "infinite" ? "" : ", at most " + partition.time_limit);
  }
  return text;
}

Check CheckSlurm(const DoctorFacts& facts) {
  const Tool& sbatch = *facts.found.tools.Find("sbatch");
  Check check = {.subject = "slurm"};
  constexpr std::string_view kNotConfigured =
      "no cluster is configured (no slurm.conf); needed only to submit jobs";
  constexpr std::string_view kNoConfiguration = "configuration source";  // Slurm's words.
  if (!sbatch.works() || !facts.slurm) {
    check.verdict = Verdict::kSkip;
    if (sbatch.reason.find(kNoConfiguration) != std::string::npos) {
      check.finding = kNotConfigured;
      return check;
    }
    // The subject is not the name of the program.
    check.finding =
        (sbatch.path ? "sbatch " : "") + sbatch.reason + "; needed only to submit jobs";
    return check;
  }
  check.finding = VersionAndPath(sbatch);
  const SlurmFacts& slurm = *facts.slurm;
  if (slurm.problem.find(kNoConfiguration) != std::string::npos) {
    check.verdict = Verdict::kSkip;
    check.finding += fmt::format("; {}", kNotConfigured);
  } else if (!slurm.problem.empty()) {
    check.verdict = Verdict::kWarn;
    check.finding += "; the controller does not answer: " + slurm.problem;
    check.fix = "see scontrol ping, and SLURM_CONF";
  } else if (slurm.partitions.empty()) {
    check.verdict = Verdict::kWarn;
    check.finding += "; no partition that you may use";
    check.fix = "see sinfo, and ask for an account";
  } else {
    check.finding += fmt::format(
        "; partitions {}; arrays of at most {}; {}", PartitionsText(slurm.partitions),
        Plural(slurm.limits.max_array_size, "job"),
        slurm.limits.has_accounting ? "accounting" : "no accounting (sacct)");
  }
  return check;
}

}  // namespace ridgeline::app
