// Advice on profiles of others holds what every reader takes for granted: shares of a
// whole, savings within the capture, no contradictions, no repetitions.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "cli/program.h"

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr uintmax_t kLargestFile = 12'000'000;

fs::path Shared() {
  const char* const shared = std::getenv("RIDGELINE_SHARED");
  return shared != nullptr ? shared : fs::path(RIDGELINE_SOURCE_DIR) / "../shared";
}

std::vector<fs::path> ProfilesBelow(const fs::path& directory) {
  std::vector<fs::path> profiles;
  if (!fs::is_directory(directory)) return profiles;
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    const bool is_profile = name.ends_with(".sqlite") || name.ends_with(".csv") ||
                            name.ends_with(".json") || name.ends_with(".json.gz");
    if (!entry.is_regular_file() || !is_profile) continue;
    if (entry.file_size() <= kLargestFile) profiles.push_back(entry.path());
  }
  std::sort(profiles.begin(), profiles.end());
  return profiles;
}

// metrics.json of a report of the files; null if one of them is not a profile.
Json ReportOf(const std::vector<fs::path>& files) {
  const fs::path directory =
      fs::path(testing::TempDir()) / ("advice_" + std::to_string(::getpid()));
  std::vector<std::string> arguments = {"report"};
  for (const fs::path& file : files) arguments.push_back(file.string());
  arguments.insert(arguments.end(), {"-o", directory.string()});
  const ProgramResult result = RunProgram(arguments);
  Json report;
  if (result.exit_code == 0) report = Json::parse(TextOf(directory / "metrics.json"));
  fs::remove_all(directory);
  return report;
}

std::set<std::string> RulesOf(const Json& report) {
  std::set<std::string> rules;
  for (const Json& advice : report["advice"]) rules.insert(advice["rule"]);
  return rules;
}

void ExpectSharesOfAWhole(const std::string& text) {
  static const std::regex percent(R"(([0-9.]+) %)");
  for (std::sregex_iterator it(text.begin(), text.end(), percent), end; it != end; ++it) {
    EXPECT_LE(std::stod(it->str(1)), 100) << text;
  }
}

double LongestSpan(const Json& report) {
  double longest = 0;
  for (const Json& device : report["devices"]) {
    longest = std::max(longest, device["span_s"].get<double>());
  }
  return longest;
}

// Rules that exclude each other in one source.
void ExpectNoContradiction(const Json& report) {
  if (report["sources"].size() > 1) return;
  const std::set<std::string> rules = RulesOf(report);
  for (const char* idle : {"device_idle", "launch_bound"}) {
    EXPECT_FALSE(rules.contains("long_queue_time") && rules.contains(idle)) << idle;
  }
  // Kernels are not the bottleneck of a GPU that mostly waits for copies or other ranks.
  if (!rules.contains("long_queue_time")) return;
  for (const Json& device : report["devices"]) {
    const double waiting_s = device["exposed_copy_s"].get<double>() +
                             device["exposed_communication_s"].get<double>();
    EXPECT_LT(waiting_s, 0.2 * device["span_s"].get<double>()) << device;
  }
}

// Words of our own model and configuration do not belong into reports of other programs.
void ExpectNoForeignWords(const std::string& text) {
  for (const char* word : {"page", "picture", "pipeline.", "run.repeats"}) {
    if (text.find("pageable") != text.npos) continue;
    EXPECT_EQ(text.find(word), text.npos) << text;
  }
}

// Doubts about the data come before everything that rests on it.
void ExpectDoubtsFirst(const Json& report) {
  bool is_doubt = true;
  for (const Json& advice : report["advice"]) {
    EXPECT_TRUE(is_doubt || !advice["doubt"].get<bool>()) << advice;
    is_doubt = advice["doubt"].get<bool>();
  }
}

void ExpectSoundAdvice(const Json& report) {
  ExpectDoubtsFirst(report);
  const double span_s = LongestSpan(report);
  std::set<std::string> verdicts;
  for (const Json& advice : report["advice"]) {
    const std::string verdict = advice["verdict"];
    EXPECT_TRUE(verdicts.insert(verdict).second) << verdict;
    ExpectSharesOfAWhole(verdict + " " + advice["action"].get<std::string>());
    ExpectNoForeignWords(verdict + " " + advice["action"].get<std::string>());
    if (advice["potential_saving_s"].is_number() && span_s > 0) {
      EXPECT_LE(advice["potential_saving_s"].get<double>(), span_s) << verdict;
    }
    if (report["sources"].size() > 1) {
      const bool names_a_file = std::any_of(
          report["sources"].begin(), report["sources"].end(), [&](const Json& source) {
            return verdict.find("'" + source["file"].get<std::string>() + "'") !=
                   verdict.npos;
          });
      EXPECT_TRUE(names_a_file) << verdict;
    }
  }
  ExpectNoContradiction(report);
}

size_t ExpectSoundAdviceBelow(const fs::path& directory) {
  size_t checked = 0;
  for (const fs::path& profile : ProfilesBelow(directory)) {
    SCOPED_TRACE(profile.string());
    const Json report = ReportOf({profile});
    if (report.is_null()) continue;
    ExpectSoundAdvice(report);
    ++checked;
  }
  return checked;
}

TEST(AdviceTest, IsSoundOnTheProfilesOfTheRepository) {
  const fs::path data = fs::path(RIDGELINE_SOURCE_DIR) / "tests/data";
  size_t checked = 0;
  for (const char* folder : {"ncu", "nsys", "torch_trace"}) {
    checked += ExpectSoundAdviceBelow(data / folder);
  }
  EXPECT_GT(checked, 3u);
}

class SharedAdviceTest : public testing::TestWithParam<const char*> {};

TEST_P(SharedAdviceTest, IsSound) {
  const fs::path directory = Shared() / "profiles" / GetParam();
  if (!fs::is_directory(directory)) GTEST_SKIP() << "no " << directory;
  EXPECT_GT(ExpectSoundAdviceBelow(directory), 0u);
}

INSTANTIATE_TEST_SUITE_P(Profiles, SharedAdviceTest,
                         testing::Values("nsys_sqlite", "nsys_csv", "torch",
                                         "ranks_and_pairs"));

// Four ranks of one job make one report.
TEST(AdviceTest, NamesTheFileAmongSeveralRanks) {
  std::vector<fs::path> ranks;
  for (const fs::path& profile : ProfilesBelow(Shared() / "profiles/ranks_and_pairs")) {
    if (profile.filename().string().starts_with("worker")) ranks.push_back(profile);
  }
  if (ranks.size() < 2) GTEST_SKIP() << "no traces of several ranks";
  const Json report = ReportOf(ranks);
  ASSERT_FALSE(report.is_null());
  EXPECT_FALSE(report["advice"].empty());
  ExpectSoundAdvice(report);
}

}  // namespace
}  // namespace ridgeline::cli
