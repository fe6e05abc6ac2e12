// inputs.yaml: the input files of a run, to detect later changes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridgeline::pipeline {

// Of a file that an argument of the workload names; the second if it turned out to be
// written during the run.
inline constexpr const char* kArgumentRole = "workload argument";
inline constexpr const char* kOutputRole = "workload output";

struct InputFile {
  std::string role;  // "workload program", "page", "weights"
  std::string path;  // Absolute; a byte that is not UTF-8 is written \xff.
  int64_t size_bytes = 0;
  std::string sha256;  // 64 hexadecimal digits.
  // So many bytes of it were hashed, in pieces from its begin to its end; 0: all.
  int64_t sampled_bytes = 0;

  bool operator==(const InputFile&) const = default;
};

struct InputPath {
  std::string role;
  std::filesystem::path path;
};

// In the order of `paths`. Reads each file once, in pieces; of what is larger than 256 MB
// only samples. The last part of a path may
// be a link and keeps its name, what is above it is resolved.
Result<std::vector<InputFile>> DescribeInputs(const std::vector<InputPath>& paths);

// The text of inputs.yaml:
//   schema_version: 1
//   files:
//   - role: page
//     path: /data/a.png
//     size_bytes: 120
//     sha256: 9f86d0...
std::string ToYaml(const std::vector<InputFile>& files);

// `origin` is named in errors. kParse: not an inputs.yaml; kUnsupported: written by a
// newer version.
Result<std::vector<InputFile>> ParseInputs(std::string_view yaml,
                                           std::string_view origin);

// The differences, one line per file: "/data/a.png: changed (120 bytes, now 130)",
// "...: removed", "...: added". Empty: none. Role, order and repetition are ignored.
std::vector<std::string> InputChanges(const std::vector<InputFile>& before,
                                      const std::vector<InputFile>& now);

}  // namespace ridgeline::pipeline
