#include "report/advice/advice.h"

#include <gmock/gmock.h>

#include <functional>
#include <set>

#include "os/testing/golden.h"
#include "report/advice/rules.h"
#include "report/advice/words.h"
#include "report/sections/run_summary.h"
#include "report/testing/saved_report.h"

namespace ridgeline::report {
namespace {

using Json = nlohmann::ordered_json;
using testing::HasSubstr;

Json WithAdvice(const std::string& name) {
  Json report = SavedReport(name);
  report["advice"] = AdviceOf(report);
  return report;
}

// Everything that reads a report, with what it says looked through for mistakes. The
// report has a key `advice`, so that setting it moves nothing else.
void ExpectSaneAdvice(Json& report) {
  for (const AdviceRule& rule : AdviceRules()) {
    for (const Finding& finding : rule.find(Row(report))) {
      EXPECT_NE(finding.text, "") << rule.id;
      EXPECT_NE(finding.attempt, "") << rule.id;
      EXPECT_FALSE(finding.evidence.empty()) << rule.id;
      EXPECT_GE(finding.gain_s.value_or(0), 0) << rule.id;
      for (const std::string& pointer : finding.evidence) {
        EXPECT_TRUE(report.contains(Json::json_pointer(pointer)))
            << rule.id << ": " << pointer;
      }
    }
  }
  Json advice = AdviceOf(report);
  EXPECT_LE(advice.size(), kMostAdvice);
  if (report.contains("advice")) report["advice"] = std::move(advice);
  AdviceMarkdown(report);
  RunStakeholderMarkdown(report);
}

TEST(AdviceTest, ReadsWell) {
  const Json gpu = WithAdvice("gpu_run");
  os::ExpectGolden("reports/advice_gpu_run.json", gpu["advice"].dump(2) + "\n");
  os::ExpectGolden("reports/advice_gpu_run.md", AdviceMarkdown(gpu));
  os::ExpectGolden("reports/advice_cpu_run.md", AdviceMarkdown(WithAdvice("cpu_run")));
}

TEST(AdviceTest, IsTheSameForTheSameReport) {
  EXPECT_EQ(AdviceOf(SavedReport("gpu_run")).dump(),
            AdviceOf(SavedReport("gpu_run")).dump());
}

TEST(AdviceTest, EveryRuleFindsSomethingInOneOfTheReports) {
  const Json gpu = SavedReport("gpu_run");
  const Json cpu = SavedReport("cpu_run");
  std::set<std::string_view> ids;
  for (const AdviceRule& rule : AdviceRules()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_FALSE(rule.find(Row(gpu)).empty() && rule.find(Row(cpu)).empty()) << rule.id;
    EXPECT_TRUE(gpu.contains(rule.section)) << rule.id << ": " << rule.section;
  }
}

TEST(AdviceTest, RestsOnNumbersThatAreThere) {
  for (const char* name : {"gpu_run", "cpu_run"}) {
    Json report = WithAdvice(name);
    ExpectSaneAdvice(report);
  }
}

TEST(AdviceTest, SaysNothingOfAnEmptyReport) {
  for (const Json& report : {Json(), Json::object(), Json::array(), Json("text")}) {
    EXPECT_EQ(AdviceOf(report), Json::array());
    EXPECT_EQ(AdviceMarkdown(report), "");
  }
}

TEST(AdviceTest, DoubtsComeFirstThenWhatGainsMost) {
  Json report = SavedReport("gpu_run");
  report["verdict"]["valid"] = false;
  const Json advice = AdviceOf(report);
  ASSERT_EQ(advice.size(), kMostAdvice);
  EXPECT_EQ(advice[0]["rule"], "output_changed");
  EXPECT_EQ(advice[0]["gain_s"], Json());
  for (size_t i = 2; i < advice.size(); ++i) {
    const Json& before = advice[i - 1]["gain_s"];
    const Json& gain = advice[i]["gain_s"];
    if (gain.is_number()) {
      ASSERT_TRUE(before.is_number());
      EXPECT_GE(before.get<double>(), gain.get<double>());
    }
  }
}

// Each part of the document in turn, from the leaves to the roots; not `advice`, which is
// made anew at each step.
void VisitParts(Json& part, const std::function<void(Json&)>& visit) {
  for (const auto& [key, inner] : part.items()) {
    if (key == "advice") continue;
    if (inner.is_structured()) VisitParts(inner, visit);
    visit(inner);
  }
}

TEST(AdviceTest, ReadsReportsOfWhichAnyPartIsOfAnotherType) {
  Json report = WithAdvice("gpu_run");
  report["verdict"]["complete"] = false;
  const Json replacements[] = {Json("</script>\x01"), Json(-1e300), Json(true),
                               Json::array({1, "a"}), Json::object({{"a", 1}})};
  size_t next = 0;
  VisitParts(report, [&](Json& part) {
    const Json kept = part;
    for (const Json& replacement : {Json(), replacements[next]}) {
      part = replacement;
      ExpectSaneAdvice(report);
    }
    next = (next + 1) % std::size(replacements);
    part = kept;
  });
}

void RemoveEachKey(Json& part, Json& report) {
  if (part.is_object()) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : part.items()) keys.push_back(key);
    for (const std::string& key : keys) {
      const Json kept = part;
      part.erase(key);
      ExpectSaneAdvice(report);
      part = kept;
    }
  }
  for (const auto& [key, inner] : part.items()) {
    if (key == "advice") continue;
    if (inner.is_structured()) RemoveEachKey(inner, report);
  }
}

TEST(AdviceTest, ReadsReportsWithoutAnyOfTheirKeys) {
  for (const char* name : {"gpu_run", "cpu_run"}) {
    Json report = WithAdvice(name);
    RemoveEachKey(report, report);
  }
}

TEST(AdviceTest, CutsNamesBetweenCharacters) {
  Json report = WithAdvice("gpu_run");
  std::string name = "\xE2\x80\xAE</script>\n";
  for (int i = 0; i < 500; ++i) name += "\xC3\xA4";
  VisitParts(report, [&name](Json& part) {
    if (part.is_string()) part = name;
  });
  report["run"]["state"] = "failed";
  report["verdict"]["complete"] = false;
  ExpectSaneAdvice(report);
  EXPECT_NO_THROW(report.dump());
  for (const Json& advice : report["advice"]) {
    EXPECT_EQ(advice["text"].get<std::string>().find('\n'), std::string::npos);
  }
}

TEST(AdviceTest, ShowsWhatItRestsOnAsTablesDo) {
  const Json report = SavedReport("gpu_run");
  struct Case {
    const char* pointer;
    const char* want;
    const char* in_words;
  };
  const Case cases[] = {
      {"/ledger/phases/2/mbu", "5.7 %", "MBU of 'decode': 5.7 %"},
      {"/phases/0/mean_ci95_s/1", "1.02 s", "95 % CI of 'page': 1.02 s"},
      {"/phases/4/tokens_per_s", "85.3", "tokens/s of 'decode': 85.3"},
      {"/memory/machine_total_bytes", "16.0 GB", "machine total bytes: 16.0 GB"},
      {"/ledger/memory_bytes_per_s", "1.79 TB/s",
       "peak bandwidth of 'GeForce RTX 5090': 1.79 TB/s"},
      {"/ledger/phases/2/flops", "77.2 GFLOP", "FLOPs of 'decode': 77.2 GFLOP"},
      {"/ncu/0/sm_percent", "31 %", ""},
      {"/regions/2/launches", "62000", "launches of 'decode': 62000"},
      {"/verdict/valid", "true", "valid: true"},
      {"/environment", "unknown", "environment: unknown"},
      {"/regions", "5 rows", "regions: 5 rows"},
      {"/regions/99/path", "", nullptr},
      {"/regions/x", "", nullptr},
      {"/nowhere/at/all", "", nullptr},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.pointer);
    EXPECT_EQ(EvidenceValue(report, c.pointer), c.want);
    const std::string words = EvidenceInWords(report, c.pointer);
    EXPECT_THAT(words, HasSubstr(c.want));
    if (c.in_words == nullptr) {
      EXPECT_EQ(words, "");
    } else if (*c.in_words != '\0') {
      EXPECT_EQ(words, c.in_words);
    }
  }
}

}  // namespace
}  // namespace ridgeline::report
