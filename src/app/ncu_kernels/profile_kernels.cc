#include "app/ncu_kernels/profile_kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>

#include "app/ncu_kernels/capture_end.h"
#include "base/plural.h"
#include "os/files.h"
#include "os/owned_directory.h"
#include "profiles/formats.h"

namespace ridgeline::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kReportSuffix = ".ncu-rep";

// Reading a report takes a second or two; with thousands of launches, a minute.
constexpr double kImportTimeoutS = 600;

// One run of the application, with the path of its report.
class Capture {
 public:
  // `number`: number of the run, from 1.
  Capture(const KernelsJob& job, PlannedRun run, size_t number)
      : job_(job), run_(std::move(run)), number_(number) {}

  const std::vector<size_t>& kernels() const { return run_.kernels; }
  bool is_shared() const { return run_.kernels.size() > 1; }

  // Without the suffix.
  fs::path ReportBase() const {
    if (is_shared()) return job_.directory / fmt::format("run_{}", number_);
    return KernelDirectory(run_.kernels[0]) / "ncu";
  }
  fs::path Report() const { return ReportBase().string() + kReportSuffix; }

  // Contains everything the job writes.
  os::OwnedDirectory owned() const { return os::OwnedDirectory(job_.directory); }

  fs::path KernelDirectory(size_t kernel) const {
    return job_.directory / DirectoryName(job_.kernels, kernel);
  }

  os::Command Command() const {
    return CaptureCommand(run_, job_.sections, ReportBase(), job_.application);
  }

 private:
  const KernelsJob& job_;
  PlannedRun run_;
  size_t number_;
};

struct Page {
  std::string file;
  std::vector<std::string> flags;
};

std::vector<Page> PagesOf(const std::vector<std::string>& sections) {
  std::vector<Page> pages = {{"ncu.details.csv", {"--page", "details"}},
                             {"ncu.raw.csv", {"--page", "raw"}}};
  for (const std::string& section : sections) {
    pages.push_back(
        {"ncu.section_" + section + ".csv", {"--page", "details", "--section", section}});
  }
  return pages;
}

// For kernels and sections that are not in a report, ncu prints nothing or only a header.
// Rows begin with the number of a launch; that of the row of units is empty.
Result<bool> HasRows(const fs::path& csv) {
  RIDGELINE_TRY(const std::string text, os::ReadFile(csv));
  for (size_t at = text.find("\n\""); at != std::string::npos;
       at = text.find("\n\"", at + 1)) {
    const char first = at + 2 < text.size() ? text[at + 2] : '\0';
    if (first >= '0' && first <= '9') return true;
  }
  return false;
}

// False: the report has no such rows, and the file is useless.
Result<bool> WritePage(const os::Command& command, const fs::path& csv,
                       os::ProcessRunner& processes) {
  os::ProcessOptions options;
  options.output_file = csv;
  options.timeout_s = kImportTimeoutS;
  RIDGELINE_TRY(const os::ProcessResult ran, processes.Run(command, options));
  if (!ran.ok()) {
    RIDGELINE_TRY(const std::string printed, os::ReadFile(csv));
    const std::string words = printed.substr(0, printed.find('\n'));
    return Error(ErrorCode::kTool,
                 "ncu cannot read its report (" + os::Describe(ran) + "): " + words);
  }
  RIDGELINE_TRY(const bool has_rows, HasRows(csv));
  return has_rows;
}

// ncu exits with 0 and prints nothing both for a kernel that is not in a report and for
// an unreadable report. Formats newer than our reader are left to ncu.
Status CheckReport(const fs::path& report) {
  Result<profiles::Profile> read =
      profiles::OpenProfile(report, {}, {profiles::Tool::kNcu});
  if (read.ok() || read.error().code() == ErrorCode::kUnsupported) return Ok();
  return std::move(read).error().While("UnreadableReport");
}

// False: the report has no launch of this kernel.
Result<bool> SortOut(const KernelsJob& job, const Capture& capture, size_t kernel,
                     os::ProcessRunner& processes) {
  const fs::path directory = capture.KernelDirectory(kernel);
  RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(directory));
  for (const Page& page : PagesOf(job.sections)) {
    const os::Command command =
        ImportCommand(capture.Report(), job.kernels[kernel], page.flags);
    RIDGELINE_TRY(const bool written,
                  WritePage(command, directory / page.file, processes));
    if (written) continue;
    const bool is_absent = page.file == "ncu.details.csv";
    if (is_absent) RIDGELINE_RETURN_IF_ERROR(CheckReport(capture.Report()));
    RIDGELINE_RETURN_IF_ERROR(
        capture.owned().Remove(is_absent ? directory : directory / page.file));
    if (is_absent) return false;
  }
  if (capture.is_shared()) {
    RIDGELINE_RETURN_IF_ERROR(
        os::MakeLink(fs::path("..") / capture.Report().filename(),
                     directory / (std::string("ncu") + kReportSuffix)));
  }
  return true;
}

Result<CaptureOutcome> RunCapture(const Capture& capture, os::ProcessRunner& processes,
                                  std::ostream& talk, ProfiledKernels& profiled) {
  if (!capture.is_shared()) {
    RIDGELINE_RETURN_IF_ERROR(os::CreateDirectories(capture.ReportBase().parent_path()));
  }
  NcuLog ncu_talk;
  os::ProcessOptions options;
  options.on_output = [&](std::string_view bytes) {
    talk << bytes;
    ncu_talk.Add(bytes);
  };
  RIDGELINE_TRY(const os::ProcessResult ran, processes.Run(capture.Command(), options));
  profiled.interrupted_by = ran.interrupted_by;
  if (ran.interrupted_by) return CaptureOutcome{};
  ncu_talk.Add("\n");  // Ends an unterminated last line.
  return ReadCaptureEnd(ran, ncu_talk, os::Exists(capture.Report()));
}

Status SortOutRun(const KernelsJob& job, const Capture& capture,
                  const CaptureOutcome& end, os::ProcessRunner& processes,
                  ProfiledKernels& profiled) {
  for (const size_t kernel : capture.kernels()) {
    if (end.has_report) {
      RIDGELINE_TRY(const bool found, SortOut(job, capture, kernel, processes));
      profiled.is_profiled[kernel] = found;
    } else {
      RIDGELINE_RETURN_IF_ERROR(capture.owned().Remove(capture.KernelDirectory(kernel)));
    }
  }
  return Ok();
}

// The runs of one round; `wanted` keeps the kernels that another round may find.
Status RunRound(const KernelsJob& job, os::ProcessRunner& processes, std::ostream& talk,
                std::vector<size_t>& wanted, ProfiledKernels& profiled) {
  std::vector<size_t> left;
  for (PlannedRun& run : PlanRuns(job.kernels, wanted, job.launches, job.mode)) {
    const Capture capture(job, std::move(run), profiled.capture_commands.size() + 1);
    profiled.capture_commands.push_back(capture.Command().ToShellString());
    RIDGELINE_TRY(const CaptureOutcome end,
                  RunCapture(capture, processes, talk, profiled));
    if (profiled.interrupted_by) return Ok();
    if (!profiled.application_exit_code) {
      profiled.application_exit_code = end.application_exit_code;
    }
    RIDGELINE_RETURN_IF_ERROR(SortOutRun(job, capture, end, processes, profiled));
    size_t found = 0;
    for (const size_t kernel : capture.kernels()) {
      found += profiled.is_profiled[kernel] ? 1 : 0;
    }
    if (found == 0) continue;  // Another round would not find any either.
    for (const size_t kernel : capture.kernels()) {
      if (!profiled.is_profiled[kernel]) left.push_back(kernel);
    }
  }
  wanted = std::move(left);
  return Ok();
}

}  // namespace

size_t ProfiledKernels::Count() const {
  return static_cast<size_t>(std::count(is_profiled.begin(), is_profiled.end(), true));
}

Result<ProfiledKernels> ProfileKernels(const KernelsJob& job,
                                       os::ProcessRunner& processes, std::ostream& talk) {
  ProfiledKernels profiled;
  profiled.is_profiled.resize(job.kernels.size());
  std::vector<size_t> wanted = EveryKernel(job.kernels);
  while (true) {
    RIDGELINE_RETURN_IF_ERROR(RunRound(job, processes, talk, wanted, profiled));
    const bool is_over = profiled.interrupted_by || profiled.application_exit_code;
    if (is_over || wanted.empty()) return profiled;
    talk << fmt::format(
        "ridgeline: note: {} not among the profiled launches; rerunning the "
        "application\n",
        Plural(wanted.size(), "kernel") + (wanted.size() == 1 ? " was" : " were"));
  }
}

}  // namespace ridgeline::app
