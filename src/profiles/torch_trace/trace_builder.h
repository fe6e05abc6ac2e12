// Converts events to rows.
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

// Class of an event, by its category. Categories were renamed in 2022.
enum class EventClass : uint8_t {
  kOperator,        // cpu_op, Operator
  kAnnotation,      // user_annotation
  kRuntimeCall,     // cuda_runtime, cuda_driver, Runtime
  kKernel,          // kernel, Kernel
  kMemcpy,          // gpu_memcpy, Memcpy
  kMemset,          // gpu_memset, Memset
  kGpuAnnotation,   // gpu_user_annotation: names work, but is not work
  kPythonFunction,  // python_function
  kNotRead,
};

class TraceBuilder {
 public:
  void Add(const RawEvent& event);
  // An element of traceEvents that is not an object.
  void AddOther();

  // Call last. The header is still empty.
  results::TraceRows Finish();

 private:
  // A number, or the text if it is not a number.
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
    int64_t not_read = 0;  // Among complete events.
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
  std::array<int64_t, 256> phases_ = {};  // By character, since nearly all have one.
  StringPool category_names_;
  std::vector<Category> categories_;   // By id in category_names_.
  std::vector<StringId> shown_names_;  // By id: itself, or with U+FFFD.
  // By name: which inputs of an operator are kept.
  enum class Kept : uint8_t { kUndecided, kSizes, kTypes, kValues };
  std::vector<Kept> kept_inputs_;
  std::string inputs_text_;  // Reused.
  StringPool id_texts_;
  Numbers threads_;
  Numbers tracks_;
  std::unordered_map<std::string, uint32_t> devices_;  // By label.
  // Events of the same thread or track are mostly consecutive.
  IdPair last_thread_;
  uint32_t last_thread_number_ = 0;
  IdPair last_track_;
  uint32_t last_track_number_ = 0;
};

// Keys of a trace other than its events.

// Whether the value of a top-level key is used.
bool IsHeaderKey(std::string_view key);

// `json` is the value of such a key, already validated. Values of an unexpected kind,
// such as a null rank, are ignored.
void ReadHeaderValue(std::string_view key, std::string_view json,
                     results::TraceHeader& header);

}  // namespace ridgeline::profiles::torch_trace
