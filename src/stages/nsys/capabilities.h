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
  std::string unanswered;  // Why it could not be queried; empty: it was.
  // Flags of `nsys profile` ("--sample") and the values that their help names. Empty: its
  // help could not be read, and everything is taken for known.
  std::map<std::string, std::set<std::string>, std::less<>> flags;
  // Of `nsys stats`: "gpukernsum" or "cuda_gpu_kern_sum". Empty: unknown.
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

// From what `nsys --version`, `nsys profile --help` and `nsys stats --help-reports`
// print.
NsysFacts ParseNsysFacts(std::string_view version, std::string_view profile_help,
                         std::string_view stats_help);

// What cannot be queried stays empty.
NsysFacts AskNsys(pipeline::ToolAnswers& tools);

}  // namespace ridgeline::stages
