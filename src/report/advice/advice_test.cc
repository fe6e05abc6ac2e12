#include "report/advice/advice.h"

#include <gmock/gmock.h>

#include <functional>
#include <set>

#include "os/testing/golden.h"
#include "report/advice/rules.h"
#include "report/printers/advice_text.h"
#include "report/printers/printers.h"
#include "report/testing/saved_document.h"

namespace ridgeline::report {
namespace {

using Json = nlohmann::ordered_json;

Document WithAdvice(const Json& json) {
  Document document = DocumentOf(json);
  document.advice = AdviceOn(document);
  return document;
}

// Checks the output of every rule for plausibility.
void ExpectSaneAdvice(const Document& document) {
  for (const AdviceRule& rule : AdviceRules()) {
    for (const Advice& advice : rule.find(document)) {
      EXPECT_NE(advice.verdict, "") << rule.id;
      EXPECT_NE(advice.action, "") << rule.id;
      EXPECT_FALSE(advice.evidence.empty()) << rule.id;
      EXPECT_GE(advice.saving_s.value_or(0), 0) << rule.id;
    }
  }
}

TEST(AdviceTest, ReadsWell) {
  const Document gpu = WithAdvice(SavedJson("gpu_run"));
  os::ExpectGolden("reports/advice_gpu_run.json",
                   Json::parse(ToJson(gpu))["advice"].dump(2) + "\n");
  os::ExpectGolden("reports/advice_gpu_run.md", AdviceMarkdown(gpu));
  os::ExpectGolden("reports/advice_cpu_run.md",
                   AdviceMarkdown(WithAdvice(SavedJson("cpu_run"))));
}

TEST(AdviceTest, EveryRuleFindsSomethingInOneOfTheReports) {
  const Document gpu = SavedDocument("gpu_run");
  const Document cpu = SavedDocument("cpu_run");
  // Saved runs use bf16.
  Json in_fp32 = SavedJson("gpu_run");
  in_fp32["kernels"][3]["name"] = "ampere_sgemm_128x64_tn";
  in_fp32["devices"][1]["busy_kernels_s"] = 0;
  in_fp32["ledger"]["peak_rounds_ratio"] = 1.6;
  in_fp32["ledger"]["phases"][0]["mfu"] = 1.2;
  const Document fp32 = DocumentOf(in_fp32);
  const Json printed = Json::parse(ToJson(gpu));
  std::set<std::string_view> ids;
  for (const AdviceRule& rule : AdviceRules()) {
    EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
    EXPECT_FALSE(rule.find(gpu).empty() && rule.find(cpu).empty() &&
                 rule.find(fp32).empty())
        << rule.id;
    EXPECT_TRUE(printed.contains(rule.section)) << rule.id << ": " << rule.section;
  }
}

TEST(AdviceTest, RestsOnNumbersThatAreThere) {
  for (const char* name : {"gpu_run", "cpu_run"}) {
    const Document document = WithAdvice(SavedJson(name));
    ExpectSaneAdvice(document);
    const Json printed = Json::parse(ToJson(document));
    for (const AdviceRule& rule : AdviceRules()) {
      for (const Advice& advice : rule.find(document)) {
        for (const Cell& cell : advice.evidence) {
          EXPECT_TRUE(printed.contains(Json::json_pointer(PointerTo(cell))))
              << rule.id << ": " << PointerTo(cell);
        }
      }
    }
  }
}

TEST(AdviceTest, SaysNothingOfAnEmptyReport) {
  EXPECT_TRUE(AdviceOn({}).empty());
  EXPECT_EQ(AdviceMarkdown({}), "");
}

TEST(AdviceTest, DoubtsComeFirstThenWhatGainsMost) {
  Document report = SavedDocument("gpu_run");
  report.verdict.parity = artifacts::Parity::kFailed;
  const std::vector<Advice> advice = AdviceOn(report);
  ASSERT_EQ(advice.size(), kMaxAdvice);
  EXPECT_EQ(advice[0].rule, "parity_failed");
  EXPECT_EQ(advice[0].saving_s, std::nullopt);
  for (size_t i = 1; i < advice.size(); ++i) {
    EXPECT_TRUE(advice[i - 1].doubt || !advice[i].doubt) << advice[i].rule;
    if (!advice[i].saving_s || advice[i - 1].doubt) continue;
    ASSERT_TRUE(advice[i - 1].saving_s);
    EXPECT_GE(*advice[i - 1].saving_s, *advice[i].saving_s);
  }
}

// Visits each part of the report, from the leaves to the root.
void VisitParts(Json& part, const std::function<void(Json&)>& visit) {
  for (const auto& [key, inner] : part.items()) {
    if (inner.is_structured()) VisitParts(inner, visit);
    visit(inner);
  }
}

// Profiles may contain any value, or null: none may lead to advice without a number to
// back it up.
TEST(AdviceTest, BearsAnyNumberAnywhere) {
  Json report = SavedJson("gpu_run");
  report["verdict"]["complete"] = false;
  size_t next = 0;
  VisitParts(report, [&](Json& part) {
    const Json kept = part;
    std::vector<Json> others = {Json()};
    if (kept.is_number_integer()) others = {Json(), 0, 1 << 30};
    if (kept.is_number_float()) others = {Json(), 0.0, -1.0, 1e300};
    part = others[next++ % others.size()];
    ExpectSaneAdvice(DocumentOf(report));
    part = kept;
  });
}

TEST(AdviceTest, CutsNamesBetweenCharacters) {
  Json report = SavedJson("gpu_run");
  std::string name = "\xE2\x80\xAE</script>\n";
  for (int i = 0; i < 500; ++i) name += "\xC3\xA4";
  VisitParts(report, [&name](Json& part) {
    if (part.is_string()) part = name;
  });
  report["run"]["state"] = "failed";
  report["verdict"]["complete"] = false;
  const Document document = WithAdvice(report);
  ExpectSaneAdvice(document);
  for (const Advice& advice : document.advice) {
    EXPECT_EQ(advice.verdict.find('\n'), std::string::npos) << advice.verdict;
    EXPECT_NO_THROW(Json(advice.verdict).dump());
  }
}

TEST(AdviceTest, ShowsWhatItRestsOnAsTablesDo) {
  const Document report = SavedDocument("gpu_run");
  const LedgerPhaseRow& decode = report.ledger->phases[2];
  struct Case {
    Cell cell;
    const char* pointer;
    const char* words;
  };
  const Case cases[] = {
      {Cite(report.ledger->phases, decode, &LedgerPhaseRow::mbu), "/ledger/phases/2/mbu",
       "MBU of 'decode': 5.74 %"},
      {Cite(report.ledger->phases, decode, &LedgerPhaseRow::flops),
       "/ledger/phases/2/flops", "executed FLOPs of 'decode': 77.2 GFLOP"},
      {Cite(report.ledger->phases, report.ledger->phases[1], &LedgerPhaseRow::mfu),
       "/ledger/phases/1/mfu",
       "MFU (executed FLOPs) of 'prefill (excl. vision)': 93.0 %"},
      {Cite(report.phases, report.phases[3], &PhaseRow::samples), "/phases/3/samples",
       "n of 'prefill (incl. vision)' in 'direct_inference/metrics.json': 12"},
      {Cite(report.phases, report.phases[4], &PhaseRow::tokens_per_s),
       "/phases/4/tokens_per_s",
       "tokens/s of 'decode' in 'direct_inference/metrics.json': 85.3"},
      {Cite(report.memory, &MemoryRow::host_memory_bytes), "/memory/host_memory_bytes",
       "host memory bytes: 16.0 GB"},
      {Cite(*report.ledger, &LedgerRow::memory_bytes_per_s), "/ledger/memory_bytes_per_s",
       "peak bandwidth of 'GeForce RTX 5090': 1.79 TB/s"},
      {Cite(report.ncu, report.ncu[0], &NcuRow::sm_percent), "/ncu/0/sm_percent",
       nullptr},
      {Within(Cite(report.ncu, report.ncu[0], &NcuRow::rules),
              Cite(report.ncu[0].rules, report.ncu[0].rules[0], &NcuRuleRow::text)),
       "/ncu/0/rules/0/text", nullptr},
      {Cite(report.regions, report.regions[2], &RegionRow::launches),
       "/regions/2/launches", "launches of 'decode': 62,000"},
      {Cite(report.devices, report.devices[0], &DeviceRow::idle_gap_max_s),
       "/devices/0/idle_gap_max_s", "longest gap of 'GPU 0': 90.0 ms"},
      {Cite(report.verdict, &VerdictRow::parity), "/verdict/parity", "parity: passed"},
      {Cite(report.run, &RunRow::reason), "/run/reason", "reason: unknown"},
      {CiteAll(report.regions), "/regions", "regions: 5 rows"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.pointer);
    EXPECT_EQ(PointerTo(c.cell), c.pointer);
    if (c.words != nullptr) {
      EXPECT_EQ(EvidenceInWords(c.cell), c.words);
    }
  }
}

}  // namespace
}  // namespace ridgeline::report
