// Formats values for people: three significant digits and a unit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/plural.h"
#include "report/document.h"

namespace ridgeline::report {

// "29.1 ms", "12 %", "1.20x"; an integer without a unit has all its digits,
// with commas. Booleans are "yes" and "no"; no value is empty.
std::string TextOf(const Value& value, Unit unit);

std::string Number(double value, Unit unit);
inline std::string Time(double seconds) { return Number(seconds, Unit::kSeconds); }
inline std::string Ratio(double value) { return Number(value, Unit::kNone); }

// "1 launch", "4 launches"
inline std::string Launches(int64_t count) { return Plural(count, "launch"); }

// Below this share of the peak, overhead takes the time, not the roofline.
inline constexpr double kOverheadBound = 0.10;

// "below the noise" if the profiled work was not slower, otherwise "1.29x".
std::string OverheadText(double factor);

// Of a peak: "3.3 %", and "0.13 %", where one decimal would be one digit.
std::string PeakShare(double share);

// Three significant digits: "0.0361 %", "32.4 %".
std::string PreciseShare(double share);

// "memory-bound"
std::string ClassText(analysis::Bottleneck kernel_class);

// Untrusted text within a sentence: without control characters, truncated in the middle
// between UTF-8 characters.
std::string Shortened(std::string_view text, size_t most);

// The same for texts below each other: different ones stay different.
std::vector<std::string> ShortenedApart(const std::vector<std::string>& texts,
                                        size_t most);

inline constexpr size_t kMaxName = 80;

// The same for names, in quotes.
std::string Quoted(std::string_view name);

// Names for phases of samples, and of the ledger: "prefill" of a model with vision
// includes it in the former and excludes it in the latter, and the name shows that.
std::string TimedPhaseName(std::string_view phase, bool has_vision);
std::string CostedPhaseName(std::string_view phase, bool has_vision);
std::string PhaseName(const Document& document, const PhaseRow& phase);
// Unit of a sample of the phase: "page", "call" of a Python program, or "run".
std::string_view SampleUnit(const Document& document, const PhaseRow& phase);
// "end_to_end (per call)", "wall (per run)"; pages need no unit.
std::string PhaseWithUnit(const Document& document, const PhaseRow& phase);
std::string PhaseName(const LedgerRow& ledger, const LedgerPhaseRow& phase);

// "6 samples"
std::string Samples(int64_t count);

// Short readable name of a kernel: "GEMM 256x128x32 (BF16, tensor cores)".
std::string KernelName(std::string_view name);

// For sentences: the name that nsys and ncu show, and what it means if that says more:
// "'ampere_sgemm_128x64_tn' (GEMM 128x64, FP32)".
std::string KernelInText(std::string_view name);

}  // namespace ridgeline::report
