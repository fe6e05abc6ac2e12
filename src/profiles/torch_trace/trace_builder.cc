#include "profiles/torch_trace/trace_builder.h"

#include <bit>
#include <charconv>
#include <limits>
#include <utility>

#include "base/random.h"
#include "base/utf8.h"
#include "cost/operator_flops.h"
#include "profiles/torch_trace/operator_inputs.h"

namespace ridgeline::profiles::torch_trace {
namespace {

using results::DropReason;
using results::GpuActivityKind;
using Fault = DecimalTime::Fault;

struct CategoryName {
  std::string_view name;
  EventClass event_class;
};

constexpr CategoryName kCategoryNames[] = {
    {"cpu_op", EventClass::kOperator},
    {"Operator", EventClass::kOperator},
    {"user_annotation", EventClass::kAnnotation},
    {"cuda_runtime", EventClass::kRuntimeCall},
    {"cuda_driver", EventClass::kRuntimeCall},
    {"Runtime", EventClass::kRuntimeCall},
    {"kernel", EventClass::kKernel},
    {"Kernel", EventClass::kKernel},
    {"gpu_memcpy", EventClass::kMemcpy},
    {"Memcpy", EventClass::kMemcpy},
    {"gpu_memset", EventClass::kMemset},
    {"Memset", EventClass::kMemset},
    {"gpu_user_annotation", EventClass::kGpuAnnotation},
    {"python_function", EventClass::kPythonFunction},
};

EventClass ClassOf(std::string_view category) {
  for (const CategoryName& known : kCategoryNames) {
    if (known.name == category) return known.event_class;
  }
  return EventClass::kNotRead;
}

// Why an event that is not complete (phase X) is dropped.
DropReason CounterOfPhase(std::string_view phase) {
  if (phase == "M") return DropReason::kMetadataEvent;
  if (phase == "s" || phase == "t" || phase == "f") return DropReason::kFlowEvent;
  if (phase == "i" || phase == "I") return DropReason::kInstantEvent;
  return DropReason::kPhaseUnknown;
}

bool IsComplete(const RawEvent& event) {
  return event.phase.size == 1 && *event.phase.begin == 'X' && event.phase.is_string();
}

// PyTorch without Kineto, like Debian's, writes no categories: {"name": "aten::mm", "ph":
// "X", "ts": 12, "dur": 3, "tid": 1, "pid": "CPU functions", "args": {}}. Annotations
// cannot be distinguished from operators there.
bool IsOfLegacyProfiler(const RawEvent& event) {
  return event.category.kind == RawScalar::Kind::kAbsent &&
         event.pid.text() == "CPU functions";
}

std::string MeaningOf(const RawScalar& scalar) {
  return scalar.kind == RawScalar::Kind::kEscapedString ? Unescape(scalar.text())
                                                        : std::string(scalar.text());
}

// Numbers beyond INT64_MAX keep their bits: they only need to be distinct.
std::optional<int64_t> IntegerOf(std::string_view text) {
  const char* const end = text.data() + text.size();
  int64_t value = 0;
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec == std::errc() && parsed.ptr == end) return value;
  uint64_t large = 0;
  const auto again = std::from_chars(text.data(), end, large);
  if (again.ec == std::errc() && again.ptr == end) return std::bit_cast<int64_t>(large);
  return std::nullopt;
}

int64_t CorrelationOf(const RawScalar& scalar) {
  const bool may_be = scalar.kind == RawScalar::Kind::kNumber || scalar.is_string();
  if (!may_be) return results::kNoCorrelation;
  return IntegerOf(scalar.text()).value_or(results::kNoCorrelation);
}

}  // namespace

size_t TraceBuilder::IdPairHash::operator()(const IdPair& pair) const {
  const auto bits = [](const Id& id) {
    return MixBits(std::bit_cast<uint64_t>(id.value) + (id.is_text ? kSplitMixStep : 0));
  };
  return bits(pair.first) * 31 + bits(pair.second);
}

void TraceBuilder::AddOther() {
  ++rows_.counts.events;
  rows_.left_out.Add(DropReason::kElementNotAnObject);
}

void TraceBuilder::Add(const RawEvent& event) {
  ++rows_.counts.events;
  CountPhase(event);
  Category& category = CategoryOf(event);
  ++category.count;
  if (IsComplete(event)) {
    AddComplete(event, category);
  } else {
    rows_.left_out.Add(CounterOfPhase(event.phase.text()));
  }
}

void TraceBuilder::CountPhase(const RawEvent& event) {
  if (event.phase.size == 1) {
    ++phases_[static_cast<unsigned char>(*event.phase.begin)];
  } else {
    ++rows_.counts.by_phase[ReplaceBrokenUtf8(MeaningOf(event.phase))];
  }
}

TraceBuilder::Category& TraceBuilder::CategoryOf(const RawEvent& event) {
  const StringId id = event.category.kind == RawScalar::Kind::kEscapedString
                          ? category_names_.Intern(MeaningOf(event.category))
                          : category_names_.Intern(event.category.text());
  if (id == categories_.size()) {
    categories_.push_back({.event_class = ClassOf(category_names_.text(id))});
  }
  return categories_[id];
}

void TraceBuilder::AddComplete(const RawEvent& event, Category& category) {
  const EventClass event_class =
      IsOfLegacyProfiler(event) ? EventClass::kOperator : category.event_class;
  const bool has_start = event.ts.kind != RawScalar::Kind::kAbsent;
  const DecimalTime start = has_start ? MicrosecondsToNs(event.ts.text()) : DecimalTime();
  if (start.is_fractional) ++rows_.counts.complete_with_fractional_ts;
  if (!has_start || event.dur.kind == RawScalar::Kind::kAbsent) {
    rows_.left_out.Add(DropReason::kTimeMissing);
    return;
  }
  if (event_class == EventClass::kGpuAnnotation) {
    rows_.left_out.Add(DropReason::kGpuAnnotation);
  } else if (event_class == EventClass::kPythonFunction) {
    rows_.left_out.Add(DropReason::kPythonFunction);
  } else if (event_class == EventClass::kNotRead) {
    ++category.not_read;
    rows_.left_out.Add(DropReason::kCategoryNotRead);
  } else if (const std::optional<Times> times = TimesOf(event, start)) {
    AddRow(event, event_class, *times);
  }
}

std::optional<TraceBuilder::Times> TraceBuilder::TimesOf(const RawEvent& event,
                                                         const DecimalTime& start) {
  const DecimalTime duration = MicrosecondsToNs(event.dur.text());
  if (start.fault == Fault::kNotANumber || duration.fault == Fault::kNotANumber) {
    rows_.left_out.Add(DropReason::kTimeNotANumber);
    return std::nullopt;
  }
  if (start.fault != Fault::kNone || duration.fault != Fault::kNone) {
    rows_.left_out.Add(DropReason::kTimeOutOfRange);
    return std::nullopt;
  }
  if (duration.ns < 0) {
    rows_.left_out.Add(DropReason::kDurationNegative);
    return std::nullopt;
  }
  return Times{start.ns, duration.ns};
}

void TraceBuilder::AddRow(const RawEvent& event, EventClass event_class, Times times) {
  switch (event_class) {
    case EventClass::kOperator:
      return AddOperator(event, times);
    case EventClass::kAnnotation:
      rows_.annotations.push_back(
          {times.start_ns, times.duration_ns, NameOf(event), ThreadOf(event)});
      return;
    case EventClass::kRuntimeCall: {
      const int64_t correlation = CorrelationOf(event.correlation);
      if (correlation == results::kNoCorrelation) {
        rows_.left_out.Add(DropReason::kRuntimeCallWithoutCorrelation);
        return;
      }
      rows_.runtime_calls.push_back({times.start_ns, times.duration_ns, correlation});
      rows_.runtime_call_threads.push_back(ThreadOf(event));
      return;
    }
    case EventClass::kKernel:
      return AddGpuActivity(event, GpuActivityKind::kKernel, times);
    case EventClass::kMemcpy:
      return AddGpuActivity(event, GpuActivityKind::kMemcpy, times);
    case EventClass::kMemset:
      return AddGpuActivity(event, GpuActivityKind::kMemset, times);
    case EventClass::kGpuAnnotation:
    case EventClass::kPythonFunction:
    case EventClass::kNotRead:
      return;
  }
}

void TraceBuilder::AddOperator(const RawEvent& event, Times times) {
  const StringId name = NameOf(event);
  const results::ThreadCall call = {times.start_ns, times.duration_ns, name,
                                    ThreadOf(event)};
  // Traces of 2021, and of PyTorch without Kineto, have steps as operators.
  if (rows_.names.text(name).starts_with(results::kProfilerStep)) {
    ++rows_.counts.steps_called_operators;
    rows_.annotations.push_back(call);
    return;
  }
  rows_.operators.push_back(call);
  const bool has_inputs = event.input_dims.kind == RawScalar::Kind::kOther;
  if (!has_inputs && rows_.operator_inputs.empty()) return;
  if (rows_.operator_inputs.empty()) {
    rows_.inputs.Intern("");  // For operators without inputs.
    rows_.operator_inputs.resize(rows_.operators.size() - 1);
  }
  rows_.operator_inputs.push_back(has_inputs ? InputsOf(event, name) : 0);
}

// Sizes group calls and are always kept; types and values only if a FLOP rule reads them,
// because values may differ in every call.
uint32_t TraceBuilder::InputsOf(const RawEvent& event, StringId name) {
  if (name >= kept_inputs_.size()) kept_inputs_.resize(rows_.names.size());
  Kept& kept = kept_inputs_[name];
  if (kept == Kept::kUndecided) {
    const std::string_view text = rows_.names.text(name);
    kept = !cost::HasRule(text)
               ? Kept::kSizes
               : (cost::RuleReadsValues(text) ? Kept::kValues : Kept::kTypes);
  }
  if (kept == Kept::kSizes) return rows_.inputs.Intern(event.input_dims.text());
  inputs_text_ = event.input_dims.text();
  inputs_text_ += kInputsSeparator;
  inputs_text_ += event.input_types.text();
  if (kept == Kept::kValues) {
    inputs_text_ += kInputsSeparator;
    inputs_text_ += event.input_values.text();
  }
  return rows_.inputs.Intern(inputs_text_);
}

void TraceBuilder::AddGpuActivity(const RawEvent& event, GpuActivityKind kind,
                                  Times times) {
  const std::optional<uint32_t> track = TrackOf(event);
  if (!track) {
    rows_.left_out.Add(DropReason::kTooManyStreams);
    return;
  }
  results::GpuActivity activity;
  activity.start_ns = times.start_ns;
  activity.duration_ns = times.duration_ns;
  activity.correlation = CorrelationOf(event.correlation);
  activity.name = NameOf(event);
  activity.track = *track & results::kMaxTrack;
  activity.kind = kind;
  rows_.gpu_activities.push_back(activity);
  if (kind == GpuActivityKind::kKernel) return;
  AddMemoryBytes(event, activity);
}

void TraceBuilder::AddMemoryBytes(const RawEvent& event,
                                  const results::GpuActivity& activity) {
  if (event.bytes.kind != RawScalar::Kind::kNumber) return;
  const std::optional<int64_t> bytes = IntegerOf(event.bytes.text());
  int64_t& sum = rows_.memory_bytes[{activity.track, activity.name}];
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  if (bytes && *bytes > 0) sum = *bytes > kMost - sum ? kMost : sum + *bytes;
}

StringId TraceBuilder::NameOf(const RawEvent& event) {
  if (event.name.kind == RawScalar::Kind::kAbsent) {
    rows_.left_out.Add(DropReason::kNameMissing);
  }
  return event.name.kind == RawScalar::Kind::kEscapedString
             ? Intern(Unescape(event.name.text()))
             : Intern(event.name.text());
}

StringId TraceBuilder::Intern(std::string_view text) {
  const StringId id = rows_.names.Intern(text);
  if (id < shown_names_.size()) return shown_names_[id];
  shown_names_.push_back(id);
  if (IsValidUtf8(text)) return id;
  rows_.left_out.Add(DropReason::kNameNotUtf8);
  const StringId shown = Intern(ReplaceBrokenUtf8(text));
  shown_names_[id] = shown;
  return shown;
}

TraceBuilder::Id TraceBuilder::IdOf(const RawScalar& scalar) {
  if (scalar.kind == RawScalar::Kind::kNumber) {
    if (const std::optional<int64_t> number = IntegerOf(scalar.text())) {
      return {.value = *number};
    }
  }
  const StringId text = id_texts_.Intern(ReplaceBrokenUtf8(MeaningOf(scalar)));
  return {.value = text, .is_text = true};
}

// In normalized form: the thread of a GPU activity is "stream 7" in old traces.
std::string TraceBuilder::TextOf(Id id) const {
  if (!id.is_text) return std::to_string(id.value);
  std::string_view text = id_texts_.text(static_cast<StringId>(id.value));
  constexpr std::string_view kStream = "stream ";
  if (text.starts_with(kStream)) text.remove_prefix(kStream.size());
  return std::string(text);
}

uint32_t TraceBuilder::ThreadOf(const RawEvent& event) {
  const IdPair key = {IdOf(event.pid), IdOf(event.tid)};
  if (rows_.thread_count > 0 && key == last_thread_) return last_thread_number_;
  const auto [place, is_new] = threads_.try_emplace(key, rows_.thread_count);
  if (is_new) ++rows_.thread_count;
  last_thread_ = key;
  last_thread_number_ = place->second;
  return place->second;
}

std::optional<uint32_t> TraceBuilder::TrackOf(const RawEvent& event) {
  const auto given = [](const RawScalar& in_args, const RawScalar& otherwise) {
    return in_args.kind == RawScalar::Kind::kAbsent ? otherwise : in_args;
  };
  const IdPair key = {IdOf(given(event.device, event.pid)),
                      IdOf(given(event.stream, event.tid))};
  if (!rows_.tracks.empty() && key == last_track_) return last_track_number_;
  const auto next = static_cast<uint32_t>(rows_.tracks.size());
  const auto found = tracks_.find(key);
  if (found == tracks_.end() && next > results::kMaxTrack) return std::nullopt;
  if (found == tracks_.end()) {
    rows_.tracks.push_back({DeviceNumber(TextOf(key.first)), TextOf(key.second)});
    tracks_.emplace(key, next);
  }
  last_track_ = key;
  last_track_number_ = found == tracks_.end() ? next : found->second;
  return last_track_number_;
}

uint32_t TraceBuilder::DeviceNumber(const std::string& label) {
  const auto next = static_cast<uint32_t>(rows_.devices.size());
  const auto [place, is_new] = devices_.try_emplace(label, next);
  if (is_new) rows_.devices.push_back(label);
  return place->second;
}

results::TraceRows TraceBuilder::Finish() {
  for (size_t c = 0; c < phases_.size(); ++c) {
    if (phases_[c] == 0) continue;
    rows_.counts.by_phase[ReplaceBrokenUtf8(std::string(1, static_cast<char>(c)))] +=
        phases_[c];
  }
  for (StringId id = 0; id < categories_.size(); ++id) {
    const std::string name = ReplaceBrokenUtf8(category_names_.text(id));
    rows_.counts.by_category[name] += categories_[id].count;
    if (categories_[id].not_read == 0) continue;
    rows_.counts.categories_not_read[name] += categories_[id].not_read;
  }
  return std::move(rows_);
}

}  // namespace ridgeline::profiles::torch_trace
