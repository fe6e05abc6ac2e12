// Traces of PyTorch's profiler (Kineto), and others in Chrome's format: an object with
// "traceEvents", or only the array. https://docs.google.com/document/d/1CvAClvFfyA5R-
// PhYUmn5OOQtYMH4h6I0nSsKchNAySU describes the format, Kineto's output_json.cpp is what
// PyTorch writes.
#pragma once

#include <string_view>

#include "base/byte_source.h"
#include "base/result.h"
#include "results/trace_rows.h"

namespace ridgeline::profiles {

// Whether a file with these first bytes (some hundred, decompressed) may be such a trace:
// an object or an array of objects.
bool MayBeTorchTrace(std::string_view first_bytes);

// Reads the text as a stream, with a small part of it in memory. Text that is not JSON,
// that is truncated, or that has no traceEvents is an error that names the byte offset;
// there are no rows then. Dropped records are counted in the rows.
Result<results::TraceRows> ReadTorchTrace(ByteSource& text);

}  // namespace ridgeline::profiles
