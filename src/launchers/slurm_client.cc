#include "launchers/slurm_client.h"

#include <fmt/format.h>

#include <charconv>

#include "launchers/slurm_script.h"
#include "os/files.h"
#include "os/scratch_directory.h"

namespace ridgeline::launchers {
namespace {

// While a controller restarts, its clients wait; on their own they only give up after
// minutes.
constexpr double kAnswerTimeoutS = 30;
constexpr double kSubmitTimeoutS = 300;

// "sbatch: error: x\nsbatch: error: y\n" as "x; y".
std::string SlurmMessage(std::string_view text) {
  std::string message;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    constexpr std::string_view kError = "error: ";
    const size_t at = line.find(kError);
    if (at != std::string_view::npos && at < 16) line.remove_prefix(at + kError.size());
    if (line.empty()) continue;
    message += (message.empty() ? "" : "; ") + std::string(line);
  }
  return message;
}

std::string_view Word(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return "";
  text.remove_prefix(first);
  return text.substr(0, text.find_first_of(" \t\n"));
}

// "MaxArraySize            = 1001"
std::string_view ValueOf(std::string_view text, std::string_view key) {
  size_t at = text.find(key);
  while (at != std::string_view::npos) {
    const bool begins_line = at == 0 || text[at - 1] == '\n';
    const std::string_view rest = text.substr(at + key.size());
    if (begins_line && rest.starts_with(' ')) {
      return Word(rest.substr(std::min(rest.find('=') + 1, rest.size())));
    }
    at = text.find(key, at + 1);
  }
  return "";
}

int IntOf(std::string_view text, int otherwise) {
  int number = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

std::vector<SlurmPartition> ParsePartitions(std::string_view text) {
  std::vector<SlurmPartition> partitions;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    std::vector<std::string> fields;
    while (true) {
      const size_t bar = line.find('|');
      fields.emplace_back(line.substr(0, bar));
      if (bar == std::string_view::npos) break;
      line.remove_prefix(bar + 1);
    }
    if (fields.size() != 4 || fields[0].empty()) continue;
    SlurmPartition partition = {.name = fields[0],
                                .available = fields[1],
                                .time_limit = fields[2],
                                .nodes = IntOf(fields[3], 0)};
    partition.is_default = partition.name.ends_with('*');
    if (partition.is_default) partition.name.pop_back();
    partitions.push_back(std::move(partition));
  }
  return partitions;
}

SlurmLimits ParseLimits(std::string_view text) {
  SlurmLimits limits;
  limits.max_array_size = IntOf(ValueOf(text, "MaxArraySize"), limits.max_array_size);
  const std::string_view storage = ValueOf(text, "AccountingStorageType");
  limits.has_accounting = storage.ends_with("slurmdbd");
  limits.version = ValueOf(text, "SLURM_VERSION");
  return limits;
}

Result<SlurmClient::Answer> SlurmClient::Ask(const std::vector<std::string>& argv) {
  // stdout only: warnings are on stderr.
  RIDGELINE_TRY(const os::ScratchDirectory scratch,
                os::ScratchDirectory::Make("ridgeline-slurm"));
  os::Command command;
  command.argv = argv;
  command.environment["LC_ALL"] = "C";
  command.environment["SLURM_BITSTR_LEN"] = "0";  // sacct: list all tasks of an array.
  os::ProcessOptions options;
  options.output_file = scratch.path() / "output";
  options.timeout_s = argv[0] == "sbatch" ? kSubmitTimeoutS : kAnswerTimeoutS;
  options.grace_s = 1;
  RIDGELINE_TRY(const os::ProcessResult ran, processes_.Run(command, options));
  RIDGELINE_TRY(std::string output, os::ReadFile(options.output_file));
  Answer answer = {.ok = ran.ok(), .output = std::move(output), .error = ""};
  answer.error = SlurmMessage(ran.output);
  if (!answer.ok && answer.error.empty()) answer.error = os::Describe(ran);
  return answer;
}

Result<SlurmLimits> SlurmClient::Limits() {
  RIDGELINE_TRY(const Answer answer, Ask({"scontrol", "show", "config"}));
  if (!answer.ok) return Error(ErrorCode::kTool, "scontrol: " + answer.error);
  return ParseLimits(answer.output);
}

Result<std::vector<SlurmPartition>> SlurmClient::Partitions() {
  RIDGELINE_TRY(const Answer answer,
                Ask({"sinfo", "--noheader", "--format=%P|%a|%l|%D"}));
  if (!answer.ok) return Error(ErrorCode::kTool, "sinfo: " + answer.error);
  return ParsePartitions(answer.output);
}

Result<std::string> SlurmClient::Submit(
    const std::string& script, const std::string& array,
    const std::vector<std::string>& script_arguments) {
  std::vector<std::string> argv = {"sbatch", "--parsable", "--array=" + array, script};
  argv.insert(argv.end(), script_arguments.begin(), script_arguments.end());
  RIDGELINE_TRY(const Answer answer, Ask(argv));
  // "123" or "123;cluster"
  const std::string id = answer.output.substr(0, answer.output.find_first_of(";\n"));
  const bool is_id =
      !id.empty() && id.find_first_not_of("0123456789") == std::string::npos;
  if (answer.ok && is_id) return id;
  const std::string key = KeyOfMessage(answer.error);
  return Error(ErrorCode::kConfig,
               fmt::format("sbatch: {}{}", answer.error,
                           key.empty() ? "" : "\nhint: see hydra.launcher." + key));
}

Result<std::vector<SlurmTask>> SlurmClient::Queue(
    const std::vector<std::string>& array_ids) {
  std::vector<std::string> argv = {"squeue"};
  for (std::string& word : QueueArguments()) argv.push_back(std::move(word));
  argv.push_back("--jobs=" + fmt::format("{}", fmt::join(array_ids, ",")));
  RIDGELINE_TRY(const Answer answer, Ask(argv));
  // squeue's message for a single id that the controller has forgotten.
  const bool forgotten = answer.error.find("Invalid job id") != std::string::npos;
  if (!answer.ok && !forgotten) {
    return Error(ErrorCode::kTool, "squeue: " + answer.error);
  }
  return ParseQueue(answer.output);
}

Result<std::vector<SlurmTask>> SlurmClient::OwnQueue() {
  std::vector<std::string> argv = {"squeue"};
  for (std::string& word : QueueArguments()) argv.push_back(std::move(word));
  argv.emplace_back("--me");
  RIDGELINE_TRY(const Answer answer, Ask(argv));
  if (!answer.ok) return Error(ErrorCode::kTool, "squeue: " + answer.error);
  return ParseQueue(answer.output);
}

Result<std::vector<SlurmTask>> SlurmClient::Accounting(
    const std::vector<std::string>& array_ids) {
  std::vector<std::string> argv = {"sacct"};
  for (std::string& word : AccountingArguments(array_ids))
    argv.push_back(std::move(word));
  RIDGELINE_TRY(const Answer answer, Ask(argv));
  if (!answer.ok) return Error(ErrorCode::kTool, "sacct: " + answer.error);
  return ParseAccounting(answer.output);
}

Status SlurmClient::Cancel(const std::vector<std::string>& ids) {
  std::vector<std::string> argv = {"scancel"};
  argv.insert(argv.end(), ids.begin(), ids.end());
  RIDGELINE_TRY(const Answer answer, Ask(argv));
  if (!answer.ok) return Error(ErrorCode::kTool, "scancel: " + answer.error);
  return Ok();
}

Status SlurmClient::Requeue(const std::string& task_id) {
  RIDGELINE_TRY(const Answer answer, Ask({"scontrol", "requeue", task_id}));
  if (!answer.ok) return Error(ErrorCode::kTool, "scontrol requeue: " + answer.error);
  return Ok();
}

}  // namespace ridgeline::launchers
