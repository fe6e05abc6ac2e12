#include "report/sweep/sweep_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace ridgeline::report {
namespace {

using artifacts::Parity;
using artifacts::State;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A finished job that measured `x`, with half the width of its 95 % CI; 0: none.
SweepJobFacts DoneJob(int number, const std::string& override_text, double value,
                      double half = 0) {
  SweepJobFacts facts;
  facts.job.number = number;
  facts.job.overrides = {override_text};
  facts.job.directory = "/sweep/" + std::to_string(number);
  facts.job.state = State::kDone;
  facts.measured["x"] = {.value = value, .ci95 = {}, .samples = kMinSamplesForBest};
  if (half > 0) facts.measured["x"].ci95 = {value - half, value + half};
  return facts;
}

SweepFacts FactsOf(std::vector<SweepJobFacts> jobs, Better better = Better::kLower) {
  SweepFacts facts;
  facts.sweep.directory = "/sweep";
  facts.metrics = {{"x", "X", Unit::kSeconds, better}};
  facts.jobs = std::move(jobs);
  return facts;
}

TEST(SweepReport, ClaimsABestJobOnlyWhereTheIntervalsSayIt) {
  struct Case {
    const char* what;
    std::vector<SweepJobFacts> jobs;
    Better better;
    BestVerdict verdict;
    std::vector<int64_t> best;
    Rank rank;  // Of the first one.
  };
  SweepJobFacts failed = DoneJob(0, "a=0", 0.1, 0.01);
  failed.job.state = State::kFailed;
  SweepJobFacts wrong = DoneJob(0, "a=0", 0.1, 0.01);
  wrong.parity = Parity::kFailed;
  const SweepJobFacts one = DoneJob(1, "a=1", 1, 0.1);
  const SweepJobFacts two = DoneJob(2, "a=2", 2, 0.1);
  const SweepJobFacts near_one = DoneJob(3, "a=3", 1.15, 0.1);
  const SweepJobFacts unknown = DoneJob(4, "a=4", 3);
  SweepJobFacts of_three = DoneJob(5, "a=5", 5, 0.1);
  of_three.measured["x"].samples = 3;
  using enum BestVerdict;
  const Case cases[] = {
      {"apart", {one, two}, Better::kLower, kBest, {1}, Rank::kBest},
      {"n=3", {one, of_three}, Better::kLower, kNoCi, {1}, Rank::kExtreme},
      {"n=3, overlapping",
       {of_three, of_three},
       Better::kLower,
       kTied,
       {5, 5},
       Rank::kTied},
      {"higher is better", {one, two}, Better::kHigher, kBest, {2}, Rank::kBest},
      {"overlapping", {two, near_one, one}, Better::kLower, kTied, {1, 3}, Rank::kTied},
      {"touching",
       {one, DoneJob(5, "a=5", 1.2, 0.1)},
       Better::kLower,
       kTied,
       {1, 5},
       Rank::kTied},
      {"no interval of another",
       {one, unknown},
       Better::kLower,
       kNoCi,
       {1},
       Rank::kExtreme},
      {"no interval of the best",
       {one, unknown},
       Better::kHigher,
       kNoCi,
       {4},
       Rank::kExtreme},
      {"equal without intervals",
       {unknown, DoneJob(6, "a=6", 3)},
       Better::kLower,
       kTied,
       {4, 6},
       Rank::kTied},
      {"a failed one does not count",
       {failed, one, two},
       Better::kLower,
       kBest,
       {1},
       Rank::kBest},
      {"a wrong output does not count",
       {wrong, one, two},
       Better::kLower,
       kBest,
       {1},
       Rank::kBest},
      {"one alone is not compared",
       {one, failed},
       Better::kLower,
       kSingle,
       {1},
       Rank::kNone},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    const SweepDocument document = MakeSweepReport(FactsOf(c.jobs, c.better));
    ASSERT_EQ(document.metrics.size(), 1U);
    EXPECT_EQ(document.metrics[0].verdict, c.verdict);
    EXPECT_EQ(document.metrics[0].best_jobs, c.best);
    for (const SweepJobRow& job : document.jobs) {
      const bool is_best =
          std::find(c.best.begin(), c.best.end(), job.job) != c.best.end();
      EXPECT_EQ(job.metrics[0].rank, is_best ? c.rank : Rank::kNone) << job.job;
    }
  }
  EXPECT_EQ(MakeSweepReport(FactsOf({failed})).metrics[0].verdict, kNone);
  EXPECT_THAT(MakeSweepReport(FactsOf({})).jobs, IsEmpty());
}

TEST(SweepReport, HasNoConfidenceIntervalOfTooFewSamples) {
  SweepJobFacts of_four = DoneJob(1, "a=1", 1, 0.1);
  of_four.measured["x"].samples = 4;
  const SweepDocument document =
      MakeSweepReport(FactsOf({of_four, DoneJob(2, "a=2", 2, 0.1)}));
  EXPECT_FALSE(document.jobs[0].metrics[0].ci95);
  EXPECT_TRUE(document.jobs[1].metrics[0].ci95);
}

TEST(SweepReport, HasOneColumnForEachKeyThatWasVaried) {
  SweepJobFacts first = DoneJob(0, "model.batch=1", 1);
  first.job.overrides = {"model.batch=1", "+dtype=bf16", "a=1", "a=2"};
  SweepJobFacts second = DoneJob(1, "model.batch=2.5e1", 2);
  second.job.overrides = {"model.batch=2.5e1", "~old", "note=a=b, c"};
  const SweepDocument document = MakeSweepReport(FactsOf({first, second}));
  std::vector<std::string> keys;
  for (const SweepParameterRow& row : document.parameters) {
    keys.push_back(row.key + (row.numeric ? " numeric " : " ") +
                   std::to_string(row.values));
  }
  EXPECT_THAT(keys, ElementsAre("model.batch numeric 2", "dtype 1", "a numeric 1",
                                "~old 1", "note 1"));
  const auto& cells = document.jobs[1].parameters;
  EXPECT_EQ(cells[0].number, 25);
  EXPECT_FALSE(cells[1].value.has_value());
  EXPECT_EQ(cells[3].value, "");
  EXPECT_EQ(cells[4].value, "a=b, c");
  EXPECT_EQ(document.jobs[0].parameters[2].value, "2");  // The last one counts.
  EXPECT_EQ(document.jobs[0].directory, "0");
}

TEST(SweepReport, HasHostileTextsAsTexts) {
  const std::string hostile =
      "k=</script><img src=x onerror=alert(1)>\"',;\x1b[31m\n|" + std::string(5000, 'x');
  SweepJobFacts job = DoneJob(0, hostile, 1);
  job.job.reason = hostile;
  job.job.state = State::kFailed;
  SweepJobFacts formula = DoneJob(1, "k=@SUM(A1)", 1);
  const SweepDocument document = MakeSweepReport(FactsOf({job, formula}));
  const std::string page = SweepPage(document);
  EXPECT_THAT(page.substr(page.find("data-sweep")), Not(HasSubstr("<img")));
  EXPECT_THAT(ToMarkdown(document), Not(HasSubstr("<img")));
  for (const std::string& text : {ToTerminal(document), ToMarkdown(document)}) {
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_LT(text.size(), 4000U);
  }
  EXPECT_THAT(ToCsv(document), HasSubstr(", @SUM(A1),"));
  EXPECT_THAT(ToCsv(document), HasSubstr("onerror=alert(1)>\"\"',;"));
  EXPECT_TRUE(nlohmann::json::accept(ToJson(document)));
}

TEST(SweepReport, Holds500Jobs) {
  std::vector<SweepJobFacts> jobs;
  for (int i = 0; i < 500; ++i) {
    jobs.push_back(DoneJob(i, "a=" + std::to_string(i), 1 + i, 0.1));
  }
  const SweepDocument document = MakeSweepReport(FactsOf(std::move(jobs)));
  EXPECT_EQ(document.metrics[0].verdict, BestVerdict::kBest);
  EXPECT_EQ(document.counts[0].jobs, 500);
  const size_t empty = SweepPage(MakeSweepReport(FactsOf({}))).size();
  EXPECT_LT(SweepPage(document).size() - empty, 500'000U);
}

}  // namespace
}  // namespace ridgeline::report
