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

// Reads the text from begin to end and holds only a small part of it at a time. A text
// that is no JSON, that ends too early, or that has no traceEvents is an error which
// names the byte; there are no rows then. What is left out is counted in the rows.
Result<results::TraceRows> ReadTorchTrace(ByteSource& text);

}  // namespace ridgeline::profiles
