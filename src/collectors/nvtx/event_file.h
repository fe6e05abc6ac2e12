// File format shared by the injection library (src/collectors/nvtx/injection) and its
// readers. The library writes one file per process:
//   {"schema_version": 2, "pid": 71, "parent_pid": 70, "program": "/opt/bin/serve",
//    "complete": true, "threads": 2,
//    "left_out": {"ranges": 0, "reentrant_calls": 0, "pops_without_push": 0,
//                 "ends_without_start": 0, "labels_shortened": 0, "ranges_too_deep": 0},
//    "ranges": [..., {"domain": "", "label": "sam", "kind": "push_pop",
//                "registered": true, "wide": false, "parent": 0, "opened": 2,
//                "closed": 2, "time_total_ns": 10400, "time_min_ns": 5100,
//                "time_max_ns": 5300, "threads": 1}]}
// "parent" is the index of the enclosing push/pop range, which comes earlier in the list;
// missing: none. Full paths would make the file grow with ranges times depth. A range may
// be listed several times, once per thread, and with "opened": 0 if the parent process
// opened it before a fork. Times are present only if a range was closed, and never for
// marks.
#pragma once

namespace ridgeline::nvtx {

// The directory for the files; absolute.
inline constexpr const char* kDirectoryVariable = "RIDGELINE_NVTX_DIR";
// Where NVTX looks for a library to load into 64-bit programs.
inline constexpr const char* kInjectionVariable = "NVTX_INJECTION64_PATH";

inline constexpr int kEventFileVersion = 2;
inline constexpr const char* kEventFileEnding = ".json";

inline constexpr const char* kPushPopWord = "push_pop";
inline constexpr const char* kStartEndWord = "start_end";
inline constexpr const char* kMarkWord = "mark";

}  // namespace ridgeline::nvtx
