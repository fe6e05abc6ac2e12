// Markdown tables. Numbers are scaled only here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "report/document.h"

namespace ridgeline::report {

enum class Align { kLeft, kRight };

// Code: names with characters that mean something in Markdown, such as those of kernels.
enum class CellText { kProse, kCode };

struct Column {
  std::string title;
  Align align = Align::kRight;
  CellText text = CellText::kProse;
};

// Cells are escaped; long ones are truncated, so that different cells of a column stay
// different.
std::string Table(const std::vector<Column>& columns,
                  const std::vector<std::vector<std::string>>& rows);

// Escapes `|`, `<`, `*`, `_`, `` ` `` and the like where they have a meaning.
std::string Escaped(std::string_view text);

// A code span in a cell of a table; empty for an empty text.
std::string CodeSpan(std::string_view text);

// Of conf/config.yaml.
inline constexpr std::string_view kDefaultExperiment = "stage1";

// The run for a title: "20261118-140322", "job 2" of a sweep.
std::string RunInTitle(const Document& document);

// " (demo)", the run's `experiment` for a title; empty if it has the default or none.
std::string ExperimentInTitle(const Document& document);

std::string Percent(double share);      // "12 %", "3.3 %"
std::string Milliseconds(double ns);    // "12.345 ms"
std::string SignedBytes(double bytes);  // "-1.50 MB"

}  // namespace ridgeline::report
