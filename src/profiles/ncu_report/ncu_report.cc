#include "profiles/ncu_report/ncu_report.h"

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "profiles/ncu_report/report_parts.h"
#include "profiles/whole_text.h"

namespace ridgeline::profiles {
namespace {

using results::DropReason;
using results::NcuForm;
using results::NcuLaunch;
using results::NcuMetric;
using results::NcuRows;
using results::NcuRule;
using results::NcuShape;

constexpr std::string_view kMagic{"NVR\0", 4};
// FileHeader.Version of all reports from 2021 to 2025.
constexpr uint64_t kNewestVersion = 7;
constexpr size_t kSizeBytes = 4;

// Fields of BlockHeader, in ProfilerReport.proto.
struct Block {
  uint64_t sources = 0;
  uint64_t results = 0;
  uint64_t ranges = 0;
  uint64_t payload_bytes = 0;
  int64_t process_id = 0;
  std::string_view host;
  std::string_view process;
  std::vector<std::string_view> strings;  // Not in any earlier block.
};

// Field numbers in ProfileResult and RangeResult.
struct ResultFields {
  uint32_t metrics;
  uint32_t rules;  // 0: none.
  uint32_t context;
};
constexpr ResultFields kKernelFields = {.metrics = 13, .rules = 19, .context = 22};
constexpr ResultFields kRangeFields = {.metrics = 4, .rules = 0, .context = 11};

uint32_t SizeAt(std::string_view bytes) {
  uint32_t size = 0;
  for (size_t i = 0; i < kSizeBytes; ++i) {
    size |= uint32_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  }
  return size;
}

// The name of a process without directories.
std::string_view FileName(std::string_view path) {
  const size_t slash = path.find_last_of("/\\");
  return slash == path.npos ? path : path.substr(slash + 1);
}

bool ReadProcess(std::string_view message, Block& block) {
  WireReader reader(message);
  for (WireField field; reader.Next(field);) {
    if (field.number == 1) block.process_id = static_cast<int64_t>(field.integer);
    if (field.number == 2) block.host = field.bytes;
    if (field.number == 3) block.process = FileName(field.bytes);
  }
  return !reader.is_faulty();
}

bool ReadStrings(std::string_view message, Block& block) {
  WireReader reader(message);
  for (WireField field; reader.Next(field);) {
    if (field.number == 1) block.strings.push_back(field.bytes);
  }
  return !reader.is_faulty();
}

std::optional<Block> ReadBlockHeader(std::string_view message) {
  Block block;
  bool is_good = true;
  WireReader reader(message);
  for (WireField field; is_good && reader.Next(field);) {
    switch (field.number) {
      case 1:
        block.sources = field.integer;
        break;
      case 2:
        block.results = field.integer;
        break;
      case 4:
        is_good = ReadStrings(field.bytes, block);
        break;
      case 5:
        block.payload_bytes = field.integer;
        break;
      case 6:
        is_good = ReadProcess(field.bytes, block);
        break;
      case 7:
        block.ranges = field.integer;
        break;
      default:
        break;  // Session details: the machine, the environment.
    }
  }
  if (!is_good || reader.is_faulty()) return {};
  return block;
}

std::optional<NcuShape> ReadShape(std::string_view message) {
  NcuShape shape = {};
  WireReader reader(message);
  for (WireField field; reader.Next(field);) {
    if (field.number >= 1 && field.number <= shape.size()) {
      shape[field.number - 1] = field.integer;
    }
  }
  if (reader.is_faulty()) return {};
  return shape;
}

class ReportReader {
 public:
  explicit ReportReader(std::string_view file) : file_(file) {
    rows_.form = NcuForm::kReport;
  }

  Result<NcuRows> Read() {
    at_ = kMagic.size();
    RIDGELINE_TRY(const std::string_view header, TakeSized());
    WireReader reader(header);
    uint64_t version = 0;
    for (WireField field; reader.Next(field);) {
      if (field.number == 1) version = field.integer;
    }
    if (reader.is_faulty()) return Nonsense();
    if (version > kNewestVersion) {
      return Error(ErrorCode::kUnsupported, "report format " + std::to_string(version) +
                                                ", newer than " +
                                                std::to_string(kNewestVersion) +
                                                "; export it with the ncu that wrote it: "
                                                "ncu --import FILE --page raw --csv "
                                                "--print-units base, with LC_ALL=C");
    }
    while (at_ < file_.size()) RIDGELINE_RETURN_IF_ERROR(ReadBlock());
    return std::move(rows_);
  }

 private:
  Error Nonsense() const {
    return {ErrorCode::kParse, "damaged or truncated at byte " + std::to_string(at_)};
  }

  Result<std::string_view> Take(uint64_t bytes) {
    if (bytes > file_.size() - at_) return Nonsense();
    const std::string_view taken = file_.substr(at_, bytes);
    at_ += bytes;
    return taken;
  }

  // A size of four bytes, followed by that many bytes.
  Result<std::string_view> TakeSized() {
    if (file_.size() - at_ < kSizeBytes) return Nonsense();
    const uint32_t size = SizeAt(file_.substr(at_));
    at_ += kSizeBytes;
    return Take(size);
  }

  Status ReadBlock() {
    RIDGELINE_TRY(const std::string_view header, TakeSized());
    const std::optional<Block> block = ReadBlockHeader(header);
    if (!block || block->payload_bytes > file_.size() - at_) return Nonsense();
    strings_.insert(strings_.end(), block->strings.begin(), block->strings.end());
    const size_t end = at_ + block->payload_bytes;
    for (uint64_t i = 0; i < block->sources && at_ < end; ++i) {
      RIDGELINE_RETURN_IF_ERROR(TakeSized());
    }
    for (uint64_t i = 0; i < block->results && at_ < end; ++i) {
      RIDGELINE_TRY(const std::string_view message, TakeSized());
      RIDGELINE_RETURN_IF_ERROR(ReadResult(message, kKernelFields, *block));
    }
    for (uint64_t i = 0; i < block->ranges && at_ < end; ++i) {
      RIDGELINE_TRY(const std::string_view message, TakeSized());
      RIDGELINE_RETURN_IF_ERROR(ReadResult(message, kRangeFields, *block));
    }
    if (at_ > end) return Nonsense();
    at_ = end;
    return Ok();
  }

  StringId Intern(std::string_view text) {
    if (IsValidUtf8(text)) return rows_.names.Intern(text);
    rows_.left_out.Add(DropReason::kNameNotUtf8);
    return rows_.names.Intern(ReplaceBrokenUtf8(text));
  }

  Status ReadResult(std::string_view message, const ResultFields& fields,
                    const Block& block) {
    NcuLaunch launch = {.id = static_cast<int64_t>(rows_.launches.size()),
                        .process_id = block.process_id};
    launch.process = Intern(block.process);
    launch.host = Intern(block.host);
    std::string_view function;
    std::string_view demangled;
    WireReader reader(message);
    for (WireField field; reader.Next(field);) {
      if (field.number == fields.metrics) {
        if (!ReadMetric(field.bytes, launch)) return Nonsense();
      } else if (field.number == fields.rules) {
        if (!ReadRule(field.bytes, launch)) return Nonsense();
      } else if (field.number == fields.context) {
        launch.context = Intern(std::to_string(field.integer));
      } else if (fields.rules != 0) {
        ReadLaunchField(field, launch);
        if (field.number == 6) function = field.bytes;
        if (field.number == 7) demangled = field.bytes;
      }
    }
    if (reader.is_faulty()) return Nonsense();
    // Kernels compiled at run time have no demangled name.
    const bool is_range = fields.rules == 0;
    launch.kernel = Intern(is_range ? "range" : demangled.empty() ? function : demangled);
    FinishLaunch(launch);
    rows_.launches.push_back(std::move(launch));
    return Ok();
  }

  static void ReadLaunchField(const WireField& field, NcuLaunch& launch) {
    if (field.number == 10) launch.grid = ReadShape(field.bytes);
    if (field.number == 11) launch.block = ReadShape(field.bytes);
  }

  // Values that pages show in separate columns are among the metrics.
  void FinishLaunch(NcuLaunch& launch) {
    std::string capability;
    for (const NcuMetric& metric : launch.metrics) {
      const std::string_view name = rows_.names.text(metric.name);
      if (!metric.value || !std::isfinite(*metric.value)) continue;
      const std::string number = std::to_string(std::llround(*metric.value));
      if (name == "launch__stream_id") launch.stream = Intern(number);
      if (name == "launch__device_id") launch.device = Intern(number);
      if (name == "device__attribute_compute_capability_major") {
        capability = number + capability;
      }
      if (name == "device__attribute_compute_capability_minor")
        capability += "." + number;
    }
    launch.capability = Intern(capability);
  }

  bool ReadMetric(std::string_view message, NcuLaunch& launch) {
    uint64_t name_id = strings_.size();
    std::string_view value;
    WireReader reader(message);
    for (WireField field; reader.Next(field);) {
      if (field.number == 1) name_id = field.integer;
      if (field.number == 2) value = field.bytes;
    }
    if (reader.is_faulty() || name_id >= strings_.size()) return false;
    const std::string_view name = strings_[name_id];
    NcuMetric metric = {.section = Intern(""), .item = Intern(""), .name = Intern(name)};
    std::string_view text;
    WireReader values(value);
    for (WireField field; values.Next(field);) {
      if (field.number == 1) text = field.bytes;
      if (field.number == 2 || field.number == 3) metric.value = field.AsDouble();
      if (field.number == 4 || field.number == 5) {
        metric.value = static_cast<double>(field.integer);
      }
    }
    if (values.is_faulty()) return false;
    if (metric.value && !std::isfinite(*metric.value)) metric.value.reset();
    if (!metric.value && text.empty()) {
      rows_.left_out.Add(DropReason::kMetricWithoutValue);
    }
    metric.text = Intern(text);
    metric.unit = Intern(BaseUnitOf(name));
    launch.metrics.push_back(metric);
    return true;
  }

  // RuleResult, in RuleResults.proto: an identifier, and messages in its body.
  bool ReadRule(std::string_view message, NcuLaunch& launch) {
    std::string_view identifier;
    std::string_view section;
    std::string_view body;
    WireReader reader(message);
    for (WireField field; reader.Next(field);) {
      if (field.number == 1) identifier = field.bytes;
      if (field.number == 3) body = field.bytes;
      if (field.number == 4) section = field.bytes;
    }
    if (reader.is_faulty()) return false;
    WireReader items(body);
    for (WireField item; items.Next(item);) {
      WireReader parts(item.bytes);
      for (WireField part; parts.Next(part);) {
        if (part.number != 1) continue;  // Tables, charts.
        NcuRule rule = {.section = Intern(section), .name = Intern(identifier)};
        if (!ReadRuleMessage(part.bytes, rule)) return false;
        launch.rules.push_back(rule);
      }
      if (parts.is_faulty()) return false;
    }
    return !items.is_faulty();
  }

  bool ReadRuleMessage(std::string_view message, NcuRule& rule) {
    static constexpr std::string_view kKinds[] = {"INF", "INF", "WRN", "ERR", "OPT"};
    uint64_t kind = 0;
    WireReader reader(message);
    for (WireField field; reader.Next(field);) {
      if (field.number == 1) rule.text = Intern(field.bytes);
      if (field.number == 2) kind = field.integer;
    }
    rule.kind = Intern(kind < std::size(kKinds) ? kKinds[kind] : "");
    return !reader.is_faulty();
  }

  std::string_view file_;
  size_t at_ = 0;
  std::vector<std::string_view> strings_;  // Of all blocks; metrics refer to them.
  NcuRows rows_;
};

}  // namespace

bool IsNcuReport(std::string_view first_bytes) { return first_bytes.starts_with(kMagic); }

Result<NcuRows> ReadNcuReport(ByteSource& source) {
  constexpr size_t kMaxBytes = size_t{2} << 30;
  RIDGELINE_TRY(
      const std::string file,
      WholeText(source, kMaxBytes, "larger than 2 GiB; export it with ncu --import"));
  if (!IsNcuReport(file)) {
    return Error(ErrorCode::kParse, "not an ncu report: does not start with NVR");
  }
  return ReportReader(file).Read();
}

}  // namespace ridgeline::profiles
