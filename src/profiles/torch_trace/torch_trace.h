// Traces of PyTorch's profiler (Kineto), and others in Chrome's format: an object with
// "traceEvents", or only the array. For the format see
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU, for
// PyTorch's output Kineto's output_json.cpp.
#pragma once

#include <string_view>

#include "base/byte_source.h"
#include "base/result.h"
#include "results/trace_rows.h"

namespace ridgeline::profiles {

// Whether a file with these first bytes (a few hundred, decompressed) may be such a
// trace: an object or an array of objects.
bool MayBeTorchTrace(std::string_view first_bytes);

// Streams the text, with only a small part of it in memory. Fails, with the byte offset,
// if the text is not JSON, is truncated, or has no traceEvents. Dropped records are
// counted in the rows.
Result<results::TraceRows> ReadTorchTrace(ByteSource& text);

}  // namespace ridgeline::profiles
