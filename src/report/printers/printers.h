// Prints a document as text. The same document gives the same bytes.
#pragma once

#include <string>
#include <vector>

#include "report/document.h"

namespace ridgeline::report {

// json.cc: metrics.json. Invalid UTF-8 becomes U+FFFD.
std::string ToJson(const Document& document, int indent = 2);

// report_markdown.cc: report.md.
std::string ToMarkdown(const Document& document);

// kernels.md; empty if there are none.
std::string KernelsMarkdown(const Document& document);

// advice_markdown.cc: the section "Advice" of report.md; empty if there is none.
std::string AdviceMarkdown(const Document& document);

// summary.cc: stakeholder_summary.md, one page for decision makers. Every sentence is
// based on a number of the document; missing measurements are listed.
std::string SummaryMarkdown(const Document& document);

// profile_text.cc: every source with its tables, for a terminal; `top` limits each list.
std::string ProfilesText(const Document& document, size_t top);

// The longest launches profiled by ncu, as a table.
std::string NcuLaunchesText(const std::vector<NcuRow>& launches, size_t top);

// "PyTorch trace", "nsys 2024.6.2.225 export"
std::string FormatText(const SourceRow& source);

// "Dropped records" with their reasons; empty if there are none.
std::string DroppedText(const std::vector<DroppedRow>& dropped);

// terminal.cc: a few lines; empty if nothing was measured.
std::string ToTerminal(const Document& document);

}  // namespace ridgeline::report
