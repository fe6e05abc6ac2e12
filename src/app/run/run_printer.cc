#include "app/run/run_printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "base/printable.h"
#include "base/printable_stream.h"
#include "base/utf8.h"
#include "os/command.h"
#include "pipeline/legacy_keys.h"

namespace ridgeline::app {
namespace {

using artifacts::State;

std::string EndText(const artifacts::StageRecord& stage, std::string_view summary) {
  const bool is_done = stage.state == State::kDone && stage.wall_s;
  std::string text = fmt::format(
      "{:<17} {}", stage.name,
      is_done ? DurationText(*stage.wall_s) : std::string(ToText(stage.state)));
  if (!is_done && stage.state != State::kSkipped && stage.wall_s) {
    text += fmt::format(" after {}", DurationText(*stage.wall_s));
  }
  if (!summary.empty()) text += fmt::format("  {}", summary);
  if (!stage.reason.empty()) text += ": " + stage.reason;
  return text;
}

// "+pipeline.nsys.trace=cuda" -> "pipeline.nsys.trace", also under its earlier names.
std::string KeyOf(std::string_view override) {
  override.remove_prefix(std::min(override.find_first_not_of("+~"), override.size()));
  const std::string_view key = override.substr(0, override.find('='));
  const std::string now = pipeline::NewNameOf(key);
  return now.empty() ? std::string(key) : now;
}

// Shell command for the same run with these overrides instead of others of their keys.
std::string AgainText(const std::vector<std::string>& arguments,
                      const std::vector<std::string>& overrides) {
  // Words after "--" belong to the program.
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  std::vector<std::string> words(arguments.begin(), end);
  std::erase_if(words, [&overrides](const std::string& word) {
    return !word.starts_with('-') &&
           std::any_of(overrides.begin(), overrides.end(),
                       [&](const auto& given) { return KeyOf(given) == KeyOf(word); });
  });
  words.insert(words.end(), overrides.begin(), overrides.end());
  words.insert(words.end(), end, arguments.end());
  std::string line = "ridgeline run";
  for (const std::string& word : words) line += " " + os::ShellQuoted(word);
  return line;
}

// Stages that are done when a run starts: it was resumed, or adds to another run.
std::string DoneStages(const artifacts::Manifest& manifest) {
  std::vector<std::string> names;
  for (const artifacts::StageRecord& stage : manifest.stages) {
    if (stage.state == State::kDone) names.push_back(stage.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

std::string ProgressLine::Text(double elapsed_s,
                               const std::optional<pipeline::Progress>& progress) {
  std::string text = DurationText(elapsed_s);
  if (!progress) return text;
  const std::string unit = progress->unit.empty() ? "" : " " + progress->unit;
  text += progress->total
              ? fmt::format("  {:g}/{:g}{}", progress->done, *progress->total, unit)
              : fmt::format("  {:g}{}", progress->done, unit);
  // Another program of the stage starts over.
  if (!start_ || progress->done < start_->done) start_ = {elapsed_s, progress->done};
  if (progress->done <= start_->done || elapsed_s <= start_->elapsed_s) return text;
  const double rate = (progress->done - start_->done) / (elapsed_s - start_->elapsed_s);
  text += fmt::format("  {:.2g}{}/s", rate, unit.empty() ? "" : unit);
  if (progress->total && *progress->total > progress->done) {
    text += fmt::format("  {} left",
                        DurationText((*progress->total - progress->done) / rate));
  }
  return text;
}

void RunPrinter::ClearLine() {
  if (line_is_drawn_) EraseLine(out_);
  line_is_drawn_ = false;
}

void RunPrinter::RunStarted(const artifacts::Manifest& manifest) {
  if (style_.verbosity == RunOptions::Verbosity::kQuiet) return;
  out_ << fmt::format("ridgeline: run {}\nridgeline: workload {}\n", manifest.directory,
                      manifest.workload);
  if (const std::string kept = DoneStages(manifest); !kept.empty()) {
    out_ << "ridgeline: keeping the results of " << kept << '\n';
  }
  out_ << std::flush;
}

void RunPrinter::PrintSkipped() {
  if (skipped_.empty()) return;
  out_ << fmt::format("ridgeline: {:<17} skipped: {}\n",
                      fmt::format("{}", fmt::join(skipped_, ", ")), skip_reason_)
       << std::flush;
  skipped_.clear();
}

void RunPrinter::StageStarted(const artifacts::StageRecord& stage) {
  PrintSkipped();
  progress_ = {};
  last_progress_s_ = 0;
  if (style_.verbosity == RunOptions::Verbosity::kQuiet || IsLive()) return;
  out_ << fmt::format("ridgeline: {:<17} started\n", stage.name) << std::flush;
}

void RunPrinter::CommandStarted(std::string_view stage, std::string_view purpose,
                                const os::Command& command) {
  if (style_.verbosity != RunOptions::Verbosity::kVerbose) return;
  out_ << fmt::format("ridgeline: {}: {}: {}\n", stage, purpose, command.ToShellString())
       << std::flush;
}

void RunPrinter::CommandOutput(std::string_view bytes) {
  if (style_.verbosity != RunOptions::Verbosity::kVerbose) return;
  // Progress bars rewrite their line with \r; print each state on a separate line.
  std::string lines(bytes);
  std::replace(lines.begin(), lines.end(), '\r', '\n');
  out_ << lines << std::flush;
}

void RunPrinter::StageProgress(std::string_view stage, double elapsed_s,
                               const std::optional<pipeline::Progress>& progress) {
  const std::string text = progress_.Text(elapsed_s, progress);
  std::string line = fmt::format("ridgeline: {:<17} {}", stage, text);
  if (!IsLive()) {
    // Logs get a line only once in a while.
    constexpr double kIntervalS = 60;
    const bool is_quiet = style_.verbosity == RunOptions::Verbosity::kQuiet;
    if (is_quiet || !progress || elapsed_s < last_progress_s_ + kIntervalS) return;
    last_progress_s_ = elapsed_s;
    out_ << Printable(line) << '\n' << std::flush;
    return;
  }
  // A line that wraps cannot be redrawn.
  line = HeadOf(Printable(line), static_cast<size_t>(style_.live_columns - 1));
  EraseLine(out_);
  out_ << line << std::flush;
  line_is_drawn_ = true;
}

void RunPrinter::StageEnded(const artifacts::StageRecord& stage,
                            std::string_view summary) {
  ClearLine();
  const bool is_bad = stage.state == State::kFailed || stage.state == State::kInterrupted;
  if (style_.verbosity == RunOptions::Verbosity::kQuiet && !is_bad) return;
  const bool is_plain = stage.state == State::kSkipped && summary.empty() &&
                        stage.parity_detail.empty() && stage.notes.empty();
  if (!is_plain || stage.reason != skip_reason_) PrintSkipped();
  if (is_plain) {
    skipped_.push_back(stage.name);
    skip_reason_ = stage.reason;
    return;
  }
  out_ << "ridgeline: " << EndText(stage, summary) << '\n';
  if (!stage.parity_detail.empty()) {
    out_ << "ridgeline:   parity " << stage.parity_detail << '\n';
  }
  for (const std::string& note : stage.notes) out_ << "ridgeline:   " << note << '\n';
  out_ << std::flush;
}

void RunPrinter::RunEnded(const artifacts::Manifest& manifest) {
  PrintSkipped();
  if (style_.verbosity == RunOptions::Verbosity::kQuiet && manifest.reason.empty())
    return;
  out_ << fmt::format("ridgeline: run {}{}{}\n", ToText(manifest.state),
                      manifest.reason.empty() ? "" : ": ", manifest.reason);
  std::vector<std::string> overrides;
  for (const artifacts::StageRecord& stage : manifest.stages) {
    if (stage.state != State::kFailed) continue;
    overrides.insert(overrides.end(), stage.retry_overrides.begin(),
                     stage.retry_overrides.end());
  }
  if (!overrides.empty()) {
    out_ << "ridgeline: hint: rerun with: " << AgainText(manifest.arguments, overrides)
         << '\n';
  }
  if (manifest.state == State::kInterrupted) {
    out_ << "ridgeline: hint: resume with: ridgeline run --resume "
         << os::ShellQuoted(manifest.directory) << '\n';
  }
  out_ << std::flush;
}

}  // namespace ridgeline::app
