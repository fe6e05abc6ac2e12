// inputs.yaml: the input files of a run, to detect later changes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace ridgeline::pipeline {

// For a file named by an argument of the workload; the second if it turned out to be
// written during the run.
inline constexpr const char* kArgumentRole = "workload argument";
inline constexpr const char* kOutputRole = "workload output";

struct InputFile {
  std::string role;  // "workload program", "page", "weights"
  std::string path;  // Absolute; a byte that is not UTF-8 is written \xff.
  int64_t size_bytes = 0;
  std::string sha256;  // 64 hexadecimal digits.
  // Number of bytes hashed, in pieces from start to end; 0: all.
  int64_t sampled_bytes = 0;

  bool operator==(const InputFile&) const = default;
};

struct InputPath {
  std::string role;
  std::filesystem::path path;
};

// In the order of `paths`. Reads each file once, in pieces; files larger than 256 MB are
// sampled. If the last component of a path is a link it keeps its name; everything above
// is resolved.
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
