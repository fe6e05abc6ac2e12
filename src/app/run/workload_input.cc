#include "app/run/workload_input.h"

#include <algorithm>
#include <ostream>
#include <string_view>

#include "artifacts/run_dir.h"
#include "os/standard_input.h"

namespace ridgeline::app {
namespace {

constexpr std::string_view kInputKey = "pipeline.workload.stdin=";
constexpr size_t kMaxInputBytes = size_t{256} << 20;
// A pipe whose writers have not closed it by then counts as open.
constexpr double kWaitForWritersS = 1;

// The copy in the run directory, whose path is not known yet.
std::string CopyOverride() {
  return std::string(kInputKey) + "${hydra:runtime.output_dir}/" +
         artifacts::RunDir::kPipedInput;
}

void AddOverride(const std::string& text, RunOptions& options) {
  options.arguments.insert(
      std::find(options.arguments.begin(), options.arguments.end(), "--"), text);
  options.hydra.overrides.push_back(text);
}

// The kind of standard input, and how to make it available to the workload.
std::string WhyNotPassed(os::InputKind kind) {
  switch (kind) {
    case os::InputKind::kFile:
      return "is the rest of a file, too large for a copy, and is not passed to the "
             "program; redirect a whole file (<FILE)";
    case os::InputKind::kPipe:
      return "is a pipe that is still open, and is not passed to the program; "
             "pipeline.workload.stdin=- reads it to its end first";
    case os::InputKind::kSocket:
      return "is a socket, and is not passed to the program; pipeline.workload.stdin=- "
             "reads it to its end first";
    case os::InputKind::kDevice:
      return "is a device, and is not passed to the program; redirect a file (<FILE)";
  }
  return "";
}

template <typename Change>
void ForEachList(RunOptions& options, const Change& change) {
  change(options.hydra.overrides);
  change(options.arguments);
}

}  // namespace

void FindInput(RunOptions& options) {
  const std::string all = std::string(kInputKey) + "-";
  for (const std::string& text : options.hydra.overrides) {
    if (!text.starts_with(kInputKey)) continue;
    if (text != all) return;
    options.input.reads_all = true;
    ForEachList(options, [&all](std::vector<std::string>& words) {
      std::replace(words.begin(), words.end(), all, CopyOverride());
    });
    return;
  }
  if (!options.has_command) return;
  if (const auto file = os::InputFile()) {
    AddOverride(std::string(kInputKey) + QuotedWord(file->string()), options);
    return;
  }
  const std::optional<os::PeekedInput> peeked =
      os::PeekInput({.wait_s = kWaitForWritersS, .bytes = kMaxInputBytes});
  if (!peeked) return;
  if (peeked->is_waiting && !peeked->text) {
    options.input.not_passed = WhyNotPassed(peeked->kind);
  }
  if (!peeked->text || peeked->text->empty()) return;
  options.input.text = peeked->text;
  AddOverride(CopyOverride(), options);
}

Result<std::optional<std::string>> TakeInput(const RunOptions& options,
                                             const Streams& streams) {
  const bool talks = options.verbosity != RunOptions::Verbosity::kQuiet;
  if (!options.input.not_passed.empty() && talks) {
    streams.err << "ridgeline: note: standard input " << options.input.not_passed << "\n";
  }
  if (!options.input.reads_all) return options.input.text;
  RIDGELINE_TRY(std::string text, os::ReadInput(kMaxInputBytes, [&] {
                  if (talks) streams.err << "ridgeline: reading standard input\n";
                }));
  return std::optional<std::string>(std::move(text));
}

RunOptions WithoutPipedInput(RunOptions options, const Streams& streams) {
  const RunOptions::Input& input = options.input;
  if (!input.reads_all && !input.text && input.not_passed.empty()) return options;
  streams.err
      << "ridgeline: note: standard input is not passed to the jobs of a sweep unless it "
         "is a whole file (<FILE)\n";
  options.input = {};
  ForEachList(options,
              [](std::vector<std::string>& words) { std::erase(words, CopyOverride()); });
  return options;
}

}  // namespace ridgeline::app
