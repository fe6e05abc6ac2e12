#include "profiles/operators/chrome_trace.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "profiles/shared/gzip.h"

namespace ridgeline::profiles {
namespace {

using Json = nlohmann::ordered_json;

// Text is passed to the compressor in chunks of this size.
constexpr size_t kPieceBytes = 1 << 18;

std::string Quoted(const std::string& text) { return DumpJson(Json(text)); }

std::vector<std::string> AllQuoted(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  quoted.reserve(texts.size());
  for (const std::string& text : texts) quoted.push_back(Quoted(text));
  return quoted;
}

// Writes the events of one recording.
class TraceText {
 public:
  TraceText(const Recording& recording, const TraceHeader& header)
      : recording_(recording),
        process_id_(header.process_id),
        names_(AllQuoted(recording.names)),
        scopes_(AllQuoted(recording.scopes)),
        stacks_(AllQuoted(recording.stacks)) {}

  void AddHeader(const TraceHeader& header) {
    const Json members = {{"schemaVersion", 1},
                          {"deviceProperties", Json::array()},
                          {"displayTimeUnit", "ms"},
                          {"baseTimeNanoseconds", recording_.begin_unix_ns},
                          {"distributedInfo", {{"rank", 0}, {"world_size", 1}}},
                          {"with_stack", recording_.has_stacks ? 1 : 0},
                          {"record_shapes", recording_.has_shapes ? 1 : 0},
                          {"profile_memory", recording_.has_memory ? 1 : 0},
                          {"recorder", header.recorder}};
    std::string text = DumpJson(members);
    text.back() = ',';  // Replaces the closing brace.
    Put(text + "\"traceEvents\":[\n");
    AddMetadata("process_name", process_id_, Quoted(header.process_name));
    for (const RecordedThread& thread : recording_.threads) {
      AddMetadata("thread_name", thread.id, Quoted(fmt::format("thread {}", thread.id)));
    }
  }

  void Add(const RecordedThread& thread) {
    thread.events.ForEach([&](const Event& event) { AddEvent(event, thread.id); });
    for (const MemoryEvent& event : thread.memory) AddMemory(event, thread.id);
  }

  Result<std::string> Finish() {
    Put("\n]}\n");
    gzip_.Add(piece_);
    piece_.clear();
    return gzip_.Finish();
  }

 private:
  void AddMetadata(std::string_view what, int64_t thread, const std::string& name) {
    Put(
        fmt::format("{}{{\"name\":\"{}\",\"ph\":\"M\",\"ts\":0.000,\"pid\":{},\"tid\":{},"
                    "\"args\":{{\"name\":{}}}}}",
                    Separator(), what, process_id_, thread, name));
  }

  void AddEvent(const Event& event, int64_t thread) {
    const bool is_operator = event.kind == EventKind::kOperator;
    auto out = std::back_inserter(piece_);
    fmt::format_to(out,
                   "{}{{\"ph\":\"X\",\"cat\":\"{}\",\"name\":{},\"pid\":{},\"tid\":{},"
                   "\"ts\":{}.{:03},\"dur\":{}.{:03},\"args\":{{\"External id\":{}",
                   Separator(), is_operator ? "cpu_op" : "user_annotation",
                   names_[event.name], process_id_, thread, event.start_ns / 1000,
                   event.start_ns % 1000, event.duration_ns / 1000,
                   event.duration_ns % 1000, ++external_id_);
    if (event.shapes != 0) {
      const InputShapes& shapes = recording_.shapes[event.shapes];
      fmt::format_to(out, ",\"Input Dims\":{},\"Input type\":{}", shapes.sizes,
                     shapes.types);
    }
    if (event.scope != 0) {
      fmt::format_to(out, ",\"Module Hierarchy\":{}", scopes_[event.scope]);
    }
    if (event.flops != 0) fmt::format_to(out, ",\"flops\":{}", event.flops);
    if (recording_.has_memory)
      fmt::format_to(out, ",\"Self Bytes\":{}", event.bytes_self);
    if (event.stack != 0) {
      fmt::format_to(out, ",\"Call stack\":{}", stacks_[event.stack]);
    }
    Put("}}");
  }

  void AddMemory(const MemoryEvent& event, int64_t thread) {
    constexpr int kCpu = 0;  // libtorch's id for this kind of device.
    fmt::format_to(std::back_inserter(piece_),
                   "{}{{\"ph\":\"i\",\"cat\":\"cpu_instant_event\",\"s\":\"t\","
                   "\"name\":\"[memory]\",\"pid\":{},\"tid\":{},\"ts\":{}.{:03},"
                   "\"args\":{{\"Total Allocated\":{},\"Device Type\":{},"
                   "\"Device Id\":-1,\"Addr\":{},\"Bytes\":{}",
                   Separator(), process_id_, thread, event.time_ns / 1000,
                   event.time_ns % 1000, event.allocated_bytes, kCpu, event.address,
                   event.bytes);
    Put("}}");
  }

  std::string_view Separator() {
    const bool is_first = is_first_;
    is_first_ = false;
    return is_first ? "" : ",\n";
  }

  void Put(std::string_view text) {
    piece_ += text;
    if (piece_.size() < kPieceBytes) return;
    gzip_.Add(piece_);
    piece_.clear();
  }

  const Recording& recording_;
  int64_t process_id_;
  // As JSON, converted once.
  std::vector<std::string> names_;
  std::vector<std::string> scopes_;
  std::vector<std::string> stacks_;
  Gzip gzip_;
  std::string piece_;
  int64_t external_id_ = 0;
  bool is_first_ = true;
};

}  // namespace

Result<std::string> ChromeTrace(const Recording& recording, const TraceHeader& header) {
  TraceText text(recording, header);
  text.AddHeader(header);
  for (const RecordedThread& thread : recording.threads) text.Add(thread);
  return text.Finish();
}

}  // namespace ridgeline::profiles
