// Capabilities of the installed nsys, from its help: names of flags and reports differ
// between versions.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "pipeline/tool_answers.h"

namespace ridgeline::stages {

struct NsysFacts {
  std::string version;     // "2022.4.2.1-df9881f"; empty: unknown.
  std::string unanswered;  // Why the query failed; empty: it did not.
  // Flags of `nsys profile` ("--sample") and the values listed in their help. Empty: the
  // help could not be read, and everything counts as known.
  std::map<std::string, std::set<std::string>, std::less<>> flags;
  // Reports of `nsys stats`: "gpukernsum" or "cuda_gpu_kern_sum". Empty: unknown.
  std::set<std::string, std::less<>> reports;

  bool Knows(std::string_view flag) const {
    return flags.empty() || flags.find(flag) != flags.end();
  }
  // Whether the help lists this value of `flag`.
  bool Knows(std::string_view flag, std::string_view value) const;
  bool HasReport(std::string_view name) const {
    return reports.find(name) != reports.end();
  }
};

// From the output of `nsys --version`, `nsys profile --help` and `nsys stats
// --help-reports`.
NsysFacts ParseNsysFacts(std::string_view version, std::string_view profile_help,
                         std::string_view stats_help);

// Answers to failed queries stay empty.
NsysFacts AskNsys(pipeline::ToolAnswers& tools);

}  // namespace ridgeline::stages
