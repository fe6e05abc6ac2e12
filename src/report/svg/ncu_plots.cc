#include "report/svg/ncu_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/utf8.h"
#include "report/svg/svg_plot.h"

namespace ridgeline::report {
namespace {

using analysis::Bottleneck;
using analysis::MemoryLevel;
using analysis::NcuFindings;
using analysis::NcuPoint;
using analysis::NcuPrecision;

constexpr double kWidth = 900;
constexpr PlotArea kArea = {.left = 70, .top = 40, .width = 560, .height = 420};
constexpr double kLegendLeft = kArea.left + kArea.width + 20;
constexpr double kLineHeight = 15;
// Number of kernels with a number and a line in the legend.
constexpr size_t kNumbered = 24;

std::string_view ColorOf(Bottleneck kernel_class) {
  switch (kernel_class) {
    case Bottleneck::kUnknown:
      return "#bbbbbb";
    case Bottleneck::kCompute:
      return "#d1495b";
    case Bottleneck::kMemory:
      return "#2e86ab";
    case Bottleneck::kLatency:
      return "#edae49";
    case Bottleneck::kBalanced:
      return "#66a182";
  }
  return "#bbbbbb";
}

Marker MarkerOf(NcuPrecision precision) {
  switch (precision) {
    case NcuPrecision::kTensor:
      return Marker::kDiamond;
    case NcuPrecision::kFp16:
      return Marker::kSquare;
    case NcuPrecision::kFp32:
      return Marker::kCircle;
    case NcuPrecision::kFp64:
      return Marker::kTriangle;
  }
  return Marker::kCircle;
}

// A point and its launch.
struct Placed {
  size_t launch = 0;
  NcuPoint point;
};

std::vector<Placed> PointsAt(const NcuFindings& findings, MemoryLevel level) {
  std::vector<Placed> placed;
  for (size_t i = 0; i < findings.launches.size(); ++i) {
    for (const NcuPoint& point : findings.launches[i].points) {
      if (point.level == level) placed.push_back({i, point});
    }
  }
  return placed;
}

bool HasPrecision(const std::vector<Placed>& points, NcuPrecision precision) {
  return std::any_of(points.begin(), points.end(),
                     [&](const Placed& p) { return p.point.precision == precision; });
}

// Full powers of ten around all values.
PlotAxis LogAxis(std::string title, const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  constexpr double kMost = 300;  // Close to the limit of double.
  const double begin = std::clamp(std::floor(std::log10(*low) - 0.05), -kMost, kMost - 1);
  const double end = std::clamp(std::ceil(std::log10(*high) + 0.05), begin + 1, kMost);
  return {std::move(title), Scale::kLog10, std::pow(10, begin), std::pow(10, end)};
}

void Say(std::string& body, double& y, std::string_view text, std::string_view style) {
  body += SvgText(kLegendLeft, y, text, style);
  y += kLineHeight;
}

// Colors of classes, then numbers of kernels.
std::string Legend(const NcuFindings& findings, const std::vector<std::string>& notes) {
  constexpr std::string_view kStyle = "font-size:11px;fill:#222";
  std::string body;
  double y = kArea.top + 10;
  for (const analysis::ClassCount& count : findings.classes) {
    body += fmt::format(
        "<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"9\" height=\"9\" fill=\"{}\"/>\n",
        kLegendLeft, y - 8, ColorOf(count.kernel_class));
    body += SvgText(kLegendLeft + 14, y,
                    fmt::format("{} ({})", NameOf(count.kernel_class), count.launches),
                    kStyle);
    y += kLineHeight;
  }
  for (const std::string& note : notes) Say(body, y, note, "font-size:10px;fill:#555");
  y += kLineHeight / 2;
  constexpr size_t kShown = 34;
  for (size_t i = 0; i < std::min(kNumbered, findings.launches.size()); ++i) {
    std::string name = findings.launches[i].identity.name;
    if (name.size() > kShown) {
      name = std::string(HeadOf(name, kShown - 3)) + "...";
    }
    Say(body, y, fmt::format("{}  {}", i + 1, name), "font-size:10px;fill:#222");
  }
  if (findings.launches.size() > kNumbered) {
    Say(body, y, fmt::format("and {} more", findings.launches.size() - kNumbered),
        "font-size:10px;fill:#555");
  }
  return body;
}

void AddNumber(Plot& plot, size_t launch, double x, double y) {
  if (launch >= kNumbered) return;
  plot.AddLabel({x, y}, {7, -5}, std::to_string(launch + 1), "font-size:9px;fill:#333");
}

double HeightFor(const NcuFindings& findings) {
  constexpr size_t kNotes = 5;  // Per GPU.
  const size_t lines = findings.classes.size() +
                       kNotes * std::max<size_t>(1, findings.devices.size()) +
                       std::min(kNumbered, findings.launches.size());
  return std::max(kArea.top + kArea.height + 50,
                  kArea.top + 30 + kLineHeight * static_cast<double>(lines));
}

std::string NoteOfShapes(const std::vector<Placed>& points) {
  std::string note;
  for (const NcuPrecision precision : analysis::kNcuPrecisions) {
    if (!HasPrecision(points, precision)) continue;
    constexpr std::string_view kShapes[] = {"diamond", "square", "circle", "triangle"};
    note += fmt::format("{}{}: {}", note.empty() ? "" : ", ",
                        kShapes[static_cast<size_t>(precision)], NameOf(precision));
  }
  return note;
}

const analysis::NcuCeilings& CeilingsOf(const NcuFindings& findings,
                                        const Placed& placed) {
  return findings.devices[findings.launches[placed.launch].device].ceilings;
}

// The GPUs of all launches, for titles.
std::string DeviceNames(const NcuFindings& findings) {
  std::string names;
  for (const analysis::NcuDevice& device : findings.devices) {
    if (!device.name.empty()) names += ", " + device.name;
  }
  return names;
}

// Prefix for text about one of several GPUs.
std::string DevicePrefix(const NcuFindings& findings, const analysis::NcuDevice& device) {
  if (findings.devices.size() < 2) return "";
  return (device.name.empty() ? "unknown GPU" : device.name) + ": ";
}

// A slope for memory, a ceiling for each precision with points.
void AddCeilings(const analysis::NcuDevice& device, const std::string& prefix,
                 const std::vector<Placed>& points, MemoryLevel level, const PlotAxis& x,
                 Plot& plot) {
  constexpr std::string_view kSlope = "stroke:#444;stroke-width:1.5";
  const auto& rate = device.ceilings.Of(level);
  double highest = 0;
  for (const NcuPrecision precision : analysis::kNcuPrecisions) {
    const auto& peak = device.ceilings.flops_per_s[precision];
    if (!peak || !HasPrecision(points, precision)) continue;
    highest = std::max(highest, *peak);
    const double begin = rate ? std::max(x.begin, *peak / *rate) : x.begin;
    plot.AddLine(begin, *peak, x.end, *peak, kSlope);
    plot.AddLabel({x.end, *peak}, {-4, -5}, prefix + std::string(NameOf(precision)),
                  "font-size:10px;fill:#444;text-anchor:end");
  }
  if (!rate) return;
  const double end = highest > 0 ? std::min(x.end, highest / *rate) : x.end;
  plot.AddLine(x.begin, *rate * x.begin, end, *rate * end, kSlope);
}

void AddPeakNotes(const analysis::NcuDevice& device, const std::string& prefix,
                  const std::vector<Placed>& points, MemoryLevel level,
                  std::vector<std::string>& notes) {
  for (const NcuPrecision precision : analysis::kNcuPrecisions) {
    const auto& peak = device.ceilings.flops_per_s[precision];
    if (!peak || !HasPrecision(points, precision)) continue;
    notes.push_back(fmt::format("{}peak {}: {}FLOP/s", prefix, NameOf(precision),
                                ShortNumber(*peak)));
  }
  if (const auto& rate = device.ceilings.Of(level)) {
    notes.push_back(
        fmt::format("{}peak {}: {}B/s", prefix, NameOf(level), ShortNumber(*rate)));
  }
}

std::optional<PlotFile> Physical(const NcuFindings& findings, MemoryLevel level) {
  const std::vector<Placed> points = PointsAt(findings, level);
  if (points.empty()) return {};
  std::vector<double> intensities;
  std::vector<double> rates;
  for (const Placed& placed : points) {
    intensities.push_back(placed.point.flops_per_byte);
    rates.push_back(placed.point.flops_per_s);
    const analysis::NcuCeilings& ceilings = CeilingsOf(findings, placed);
    const auto& peak = ceilings.flops_per_s[placed.point.precision];
    if (!peak) continue;
    rates.push_back(*peak);
    if (const auto& rate = ceilings.Of(level)) intensities.push_back(*peak / *rate);
  }
  const std::string name(NameOf(level));
  const PlotAxis x = LogAxis("arithmetic intensity, FLOP/byte of " + name, intensities);
  Plot plot(kArea, x, LogAxis("FLOP/s", rates));
  plot.AddTitle("Roofline, " + name + DeviceNames(findings));
  std::vector<std::string> notes = {NoteOfShapes(points)};
  for (const analysis::NcuDevice& device : findings.devices) {
    const std::string prefix = DevicePrefix(findings, device);
    AddCeilings(device, prefix, points, level, x, plot);
    AddPeakNotes(device, prefix, points, level, notes);
  }
  for (const Placed& placed : points) {
    plot.AddMarker(placed.point.flops_per_byte, placed.point.flops_per_s,
                   MarkerOf(placed.point.precision),
                   ColorOf(findings.launches[placed.launch].kernel_class));
    AddNumber(plot, placed.launch, placed.point.flops_per_byte, placed.point.flops_per_s);
  }
  const double height = HeightFor(findings);
  return PlotFile{"roofline_" + name + ".svg",
                  SvgDocument(kWidth, height, plot.Svg() + Legend(findings, notes))};
}

// Normalizes both axes by the ridge and the peak of each precision, so that all
// precisions and GPUs have the same ceiling.
std::optional<PlotFile> Normalised(const NcuFindings& findings, MemoryLevel level) {
  std::vector<Placed> points = PointsAt(findings, level);
  std::erase_if(points, [](const Placed& p) { return !p.point.share_of_ceiling; });
  if (points.empty()) return {};
  const auto place = [&](const Placed& placed) {
    const NcuPoint& point = placed.point;
    const auto ridge = RidgeOf(CeilingsOf(findings, placed), point.precision, level);
    return std::pair(point.flops_per_byte / *ridge, *point.share_of_peak);
  };
  std::vector<double> xs = {1};
  std::vector<double> ys = {1};
  for (const Placed& placed : points) {
    const auto [x, y] = place(placed);
    xs.push_back(x);
    ys.push_back(y);
  }
  const std::string name(NameOf(level));
  const PlotAxis x_axis = LogAxis("arithmetic intensity / ridge point, " + name, xs);
  Plot plot(kArea, x_axis, LogAxis("fraction of peak FLOP/s", ys));
  plot.AddTitle("Normalized roofline, " + name + DeviceNames(findings));
  constexpr std::string_view kCeilingStroke = "stroke:#444;stroke-width:1.5";
  plot.AddLine(x_axis.begin, x_axis.begin, 1, 1, kCeilingStroke);
  plot.AddLine(1, 1, x_axis.end, 1, kCeilingStroke);
  for (const Placed& placed : points) {
    const auto [x, y] = place(placed);
    plot.AddMarker(x, y, MarkerOf(placed.point.precision),
                   ColorOf(findings.launches[placed.launch].kernel_class));
    AddNumber(plot, placed.launch, x, y);
  }
  return PlotFile{"roofline_" + name + "_normalised.svg",
                  SvgDocument(kWidth, HeightFor(findings),
                              plot.Svg() + Legend(findings, {NoteOfShapes(points)}))};
}

std::optional<PlotFile> Throughputs(const NcuFindings& findings) {
  Plot plot(kArea, {"memory throughput, % of peak", Scale::kLinear, 0, 105},
            {"SM throughput, % of peak", Scale::kLinear, 0, 105});
  plot.AddTitle("Throughputs" + DeviceNames(findings));
  plot.AddLine(0, 0, 105, 105, "stroke:#999;stroke-dasharray:4 3");
  bool has_any = false;
  for (size_t i = 0; i < findings.launches.size(); ++i) {
    const analysis::NcuLaunchFinding& launch = findings.launches[i];
    const auto& sm = launch.kernel.sm_percent;
    const auto& memory = launch.kernel.memory_percent;
    if (!sm || !memory) continue;
    has_any = true;
    plot.AddMarker(*memory, *sm, Marker::kCircle, ColorOf(launch.kernel_class));
    AddNumber(plot, i, *memory, *sm);
  }
  if (!has_any) return {};
  return PlotFile{"throughputs.svg", SvgDocument(kWidth, HeightFor(findings),
                                                 plot.Svg() + Legend(findings, {}))};
}

}  // namespace

std::vector<PlotFile> NcuPlots(const NcuFindings& findings) {
  std::vector<PlotFile> plots;
  const auto add = [&](std::optional<PlotFile> plot) {
    if (plot) plots.push_back(std::move(*plot));
  };
  for (const MemoryLevel level : analysis::kMemoryLevels) {
    add(Physical(findings, level));
    add(Normalised(findings, level));
  }
  add(Throughputs(findings));
  if (std::string svg = NcuHistograms(findings); !svg.empty()) {
    plots.push_back({"histograms.svg", std::move(svg)});
  }
  return plots;
}

}  // namespace ridgeline::report
