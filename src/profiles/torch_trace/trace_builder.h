// TraceBuilder: events in, rows out.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "profiles/shared/decimal_time.h"
#include "profiles/torch_trace/event.h"
#include "results/trace_rows.h"

namespace ridgeline::profiles::torch_trace {

// What an event is, by its category. Names before 2022 differ from those since.
enum class EventClass : uint8_t {
  kOperator,        // cpu_op, Operator
  kAnnotation,      // user_annotation
  kRuntimeCall,     // cuda_runtime, cuda_driver, Runtime
  kKernel,          // kernel, Kernel
  kMemcpy,          // gpu_memcpy, Memcpy
  kMemset,          // gpu_memset, Memset
  kGpuAnnotation,   // gpu_user_annotation: names work, is none
  kPythonFunction,  // python_function
  kNotRead,
};

class TraceBuilder {
 public:
  void Add(const RawEvent& event);
  // An element of traceEvents that is not an object.
  void AddOther();

  // The last call. The header is still empty.
  results::TraceRows Finish();

 private:
  // A number, or the text of one that is none.
  struct Id {
    int64_t value = 0;
    bool is_text = false;

    bool operator==(const Id&) const = default;
  };
  struct IdPair {
    Id first;
    Id second;

    bool operator==(const IdPair&) const = default;
  };
  struct IdPairHash {
    size_t operator()(const IdPair& pair) const;
  };
  using Numbers = std::unordered_map<IdPair, uint32_t, IdPairHash>;

  struct Category {
    EventClass event_class = EventClass::kNotRead;
    int64_t count = 0;
    int64_t not_read = 0;  // Of complete events.
  };
  struct Times {
    int64_t start_ns = 0;
    int64_t duration_ns = 0;
  };

  void CountPhase(const RawEvent& event);
  Category& CategoryOf(const RawEvent& event);
  void AddComplete(const RawEvent& event, Category& category);
  void AddRow(const RawEvent& event, EventClass event_class, Times times);
  void AddOperator(const RawEvent& event, Times times);
  uint32_t InputsOf(const RawEvent& event, StringId name);
  void AddGpuActivity(const RawEvent& event, results::GpuActivityKind kind, Times times);
  void AddMemoryBytes(const RawEvent& event, const results::GpuActivity& activity);
  std::optional<Times> TimesOf(const RawEvent& event, const DecimalTime& start);

  StringId NameOf(const RawEvent& event);
  StringId Intern(std::string_view text);
  Id IdOf(const RawScalar& scalar);
  std::string TextOf(Id id) const;
  uint32_t ThreadOf(const RawEvent& event);
  std::optional<uint32_t> TrackOf(const RawEvent& event);
  uint32_t DeviceNumber(const std::string& label);

  results::TraceRows rows_;
  std::array<int64_t, 256> phases_ = {};  // Of one character, as nearly all.
  StringPool category_names_;
  std::vector<Category> categories_;   // By their numbers in category_names_.
  std::vector<StringId> shown_names_;  // By number: itself, or with U+FFFD.
  // By name: what is kept of the inputs of an operator.
  enum class Kept : uint8_t { kUndecided, kSizes, kTypes, kValues };
  std::vector<Kept> kept_inputs_;
  std::string inputs_text_;  // Reused.
  StringPool id_texts_;
  Numbers threads_;
  Numbers tracks_;
  std::unordered_map<std::string, uint32_t> devices_;  // By their labels.
  // Events of one thread or track come in rows.
  IdPair last_thread_;
  uint32_t last_thread_number_ = 0;
  IdPair last_track_;
  uint32_t last_track_number_ = 0;
};

// Keys of a trace other than its events.

// Whether the value of a top-level key is used.
bool IsHeaderKey(std::string_view key);

// `json` is the value of such a key, checked already. What is not of the expected kind,
// such as a rank that is null, is as if it were not there.
void ReadHeaderValue(std::string_view key, std::string_view json,
                     results::TraceHeader& header);

}  // namespace ridgeline::profiles::torch_trace
