#include "profiles/torch_trace/event.h"

#include <cstring>
#include <string_view>

namespace ridgeline::profiles::torch_trace {
namespace {

// The length is part of the type, so the comparison becomes one or two instructions.
template <size_t kSize>
bool Is(const RawScalar& key, const char (&word)[kSize]) {
  return std::memcmp(key.begin, word, kSize - 1) == 0;
}

// "Input Dims", "Input type"; the case of the second word varies.
RawScalar* InputField(const RawScalar& key, RawEvent& event) {
  const std::string_view rest = key.text().substr(7);
  if (rest == "ims") return &event.input_dims;
  return rest == "ype" ? &event.input_types : nullptr;
}

RawScalar* FieldOfArgs(const RawScalar& key, RawEvent& event) {
  if (key.size == 5 && Is(key, "bytes")) return &event.bytes;
  if (key.size == 6) {
    if (Is(key, "device")) return &event.device;
    if (Is(key, "stream")) return &event.stream;
  }
  if (key.size == 11 && Is(key, "correlation")) return &event.correlation;
  if (key.size == 10 && Is(key, "Input ")) return InputField(key, event);
  if (key.size == 15 && Is(key, "Concrete Inputs")) return &event.input_values;
  return nullptr;
}

const char* ScanArgs(const char* p, RawEvent& event, ScanFault& fault) {
  if (*p != '{') return SkipValue(p, 1, fault);  // null, in some traces.
  return ScanObject(p, fault, [&](const RawScalar& key, const char* value) {
    RawScalar* const field = FieldOfArgs(key, event);
    return field != nullptr ? ScanValue(value, *field, fault)
                            : SkipValue(value, 2, fault);
  });
}

RawScalar* FieldOf(const RawScalar& key, RawEvent& event) {
  switch (key.size) {
    case 2:
      if (Is(key, "ph")) return &event.phase;
      if (Is(key, "ts")) return &event.ts;
      return nullptr;
    case 3:
      if (Is(key, "cat")) return &event.category;
      if (Is(key, "pid")) return &event.pid;
      if (Is(key, "tid")) return &event.tid;
      if (Is(key, "dur")) return &event.dur;
      return nullptr;
    case 4:
      return Is(key, "name") ? &event.name : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

const char* ScanEvent(const char* p, RawEvent& event, ScanFault& fault) {
  return ScanObject(p, fault, [&](const RawScalar& key, const char* value) {
    if (RawScalar* const field = FieldOf(key, event)) {
      return ScanValue(value, *field, fault);
    }
    if (key.size == 4 && Is(key, "args")) return ScanArgs(value, event, fault);
    return SkipValue(value, 1, fault);
  });
}

}  // namespace ridgeline::profiles::torch_trace
