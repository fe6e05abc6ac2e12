// One event of a trace, unparsed:
//
//   {"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 7,
//    "ts": 1695835572943613.125, "dur": 12.5,
//    "args": {"device": 0, "stream": 7, "correlation": 4711, ...}}
#pragma once

#include "profiles/shared/json_scan.h"

namespace ridgeline::profiles::torch_trace {

// Views into the scanned text. Of a duplicate key the last one counts.
struct RawEvent {
  RawScalar phase;
  RawScalar category;
  RawScalar name;
  RawScalar pid;
  RawScalar tid;
  RawScalar ts;
  RawScalar dur;
  // In "args".
  RawScalar device;
  RawScalar stream;
  RawScalar correlation;
  RawScalar bytes;
  RawScalar input_dims;    // [[141, 512], [512, 512], []]
  RawScalar input_types;   // ["c10::BFloat16", "c10::BFloat16", "Scalar"]
  RawScalar input_values;  // "Concrete Inputs": ["", "", "1"]
};

// `p` is at the brace. Like the functions of json_scan.h; fills `event`, which must be
// empty.
const char* ScanEvent(const char* p, RawEvent& event, ScanFault& fault);

}  // namespace ridgeline::profiles::torch_trace
