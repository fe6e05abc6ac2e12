#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "analysis/trace_costs.h"
#include "profiles/formats.h"

namespace ridgeline::analysis {
namespace {

using profiles::GroupBy;
using testing::ElementsAre;

struct TracedCall {
  const char* name;
  int64_t start_ns;
  int64_t end_ns;
  const char* inputs = "";
};

results::TraceRows RowsOf(const std::vector<TracedCall>& operators,
                          const std::vector<TracedCall>& annotations = {}) {
  results::TraceRows rows;
  rows.thread_count = 1;
  rows.inputs.Intern("");
  for (const TracedCall& call : operators) {
    rows.operators.push_back(
        {call.start_ns, call.end_ns - call.start_ns, rows.names.Intern(call.name), 0});
    rows.operator_inputs.push_back(rows.inputs.Intern(call.inputs));
  }
  for (const TracedCall& call : annotations) {
    rows.annotations.push_back(
        {call.start_ns, call.end_ns - call.start_ns, rows.names.Intern(call.name), 0});
  }
  return rows;
}

// "aten::mm [[3,5],[5,7]]: 2 calls, self 5, total 7, 420 flops"
std::vector<std::string> Lines(const TraceOperators& table) {
  std::vector<std::string> lines;
  for (const profiles::OperatorRow& row : table.operators) {
    lines.push_back(row.name + (row.shapes ? " " + *row.shapes : "") + ": " +
                    std::to_string(row.total.calls) + " calls, self " +
                    std::to_string(row.total.self_ns) + ", total " +
                    std::to_string(row.total.total_ns) + ", " +
                    std::to_string(row.total.flops) + " flops");
  }
  return lines;
}

constexpr const char* kProduct = "[[3, 5], [5, 7]]";

TEST(TraceOperators, AreTheTableOfTheProfiler) {
  const results::TraceRows rows = RowsOf({{"aten::linear", 10, 30},
                                          {"aten::mm", 12, 20, kProduct},
                                          {"aten::mm", 40, 44, kProduct},
                                          {"profiler::_record_function_exit", 46, 48},
                                          // The second is the only child of the first.
                                          {"aten::to", 60, 70},
                                          {"aten::to", 61, 69},
                                          {"aten::copy_", 62, 65}},
                                         {{"layer", 5, 50}});
  const TraceOperators table = OperatorProfileOf(rows, GroupBy::kName);
  EXPECT_THAT(Lines(table),
              ElementsAre("layer: 1 calls, self 21, total 45, 0 flops",
                          "aten::linear: 1 calls, self 12, total 20, 0 flops",
                          "aten::mm: 2 calls, self 12, total 12, 420 flops",
                          "aten::to: 1 calls, self 7, total 10, 0 flops",
                          "aten::copy_: 1 calls, self 3, total 3, 0 flops"));
  EXPECT_EQ(table.operators[0].total.kind, profiles::EventKind::kAnnotation);
  ASSERT_EQ(table.modules.size(), 2U);
  EXPECT_EQ(table.modules[0].module, "layer");
  EXPECT_EQ(table.modules[0].calls, 3);
  EXPECT_EQ(table.modules[0].self_ns, 24);
  EXPECT_EQ(table.modules[0].flops, 420U);
  EXPECT_EQ(table.modules[1].module, "");
}

TEST(TraceOperators, AreToldApartByShapesWhenAsked) {
  using namespace std::string_literals;
  static const std::string half = kProduct + "\0[\"c10::Half\",\"c10::Half\"]"s;
  results::TraceRows rows = RowsOf({{"aten::mm", 0, 4, kProduct},
                                    {"aten::mm", 10, 11, "[[1, 5], [5, 7]]"},
                                    {"aten::empty", 20, 22}});
  // The same sizes with another type.
  rows.operators.push_back({30, 3, rows.names.Intern("aten::mm"), 0});
  rows.operator_inputs.push_back(rows.inputs.Intern(half));
  EXPECT_THAT(Lines(OperatorProfileOf(rows, GroupBy::kNameAndShapes)),
              ElementsAre("aten::mm [[3,5],[5,7]]: 2 calls, self 7, total 7, 420 flops",
                          "aten::empty []: 1 calls, self 2, total 2, 0 flops",
                          "aten::mm [[1,5],[5,7]]: 1 calls, self 1, total 1, 70 flops"));
}

// "name, calls, self time in ns, shapes", as written by tests/python/record_operators.py.
std::vector<std::string> Answers(const std::string& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// key_averages() has no shapes for operators without inputs, and "[]" for lists of
// tensors.
std::string ShapesInAnswers(const std::string& shapes) {
  std::string text;
  bool is_list = false;
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (shapes.compare(i, 2, "[[") == 0 && i > 0) is_list = true;
    if (!is_list) text += shapes[i];
    if (is_list && shapes.compare(i, 2, "]]") == 0) {
      text += "[]";
      is_list = false;
      ++i;
    }
  }
  return text == "[]" ? "" : text;
}

std::vector<std::string> AnswersOf(const TraceOperators& table) {
  std::vector<std::string> lines;
  for (const profiles::OperatorRow& row : table.operators) {
    lines.push_back(row.name + "\t" + std::to_string(row.total.calls) + "\t" +
                    std::to_string(row.total.self_ns) + "\t" +
                    ShapesInAnswers(row.shapes.value_or("")));
  }
  return lines;
}

// Traces and tables of the same recordings. Without Kineto (Debian's 1.13), traces have
// no shapes.
TEST(TraceOperators, EqualKeyAveragesOfRecordedTraces) {
  const struct {
    const char* recording;
    GroupBy group_by;
    const char* answers;
  } cases[] = {
      {"torch_1_13", GroupBy::kName, ".by_name.tsv"},
      {"torch_2_13", GroupBy::kName, ".by_name.tsv"},
      {"torch_2_13", GroupBy::kNameAndShapes, ".by_shapes.tsv"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(std::string(c.recording) + c.answers);
    const std::string base =
        std::string(RIDGELINE_TESTS_DIR) + "/data/torch_trace/" + c.recording;
    const auto profile = profiles::OpenProfile(base + ".json.gz");
    ASSERT_TRUE(profile.ok()) << profile.error().message();
    const auto& rows = std::get<results::TraceRows>(profile.value().rows);
    const std::vector<std::string> answers = Answers(base + c.answers);
    ASSERT_FALSE(answers.empty());
    EXPECT_THAT(AnswersOf(OperatorProfileOf(rows, c.group_by)),
                testing::UnorderedElementsAreArray(answers));
  }
}

}  // namespace
}  // namespace ridgeline::analysis
