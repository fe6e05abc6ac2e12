#include "report/svg/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace ridgeline::report {
namespace {

constexpr std::string_view kTickStyle = "font-size:10px;fill:#555";
constexpr std::string_view kTitleStyle = "font-size:12px;fill:#222";

// Two decimals, and never "-0.00".
std::string Pixel(double value) {
  const std::string text = fmt::format("{:.2f}", value);
  return text == "-0.00" ? "0.00" : text;
}

// 1, 2 or 5 times a power of ten, for about six ticks.
double StepOf(double span) {
  constexpr double kSteps = 6;
  const double raw = span / kSteps;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (power * factor >= raw * (1 - 1e-9)) return power * factor;
  }
  return power * 10;
}

std::vector<double> TicksOf(const PlotAxis& axis) {
  std::vector<double> ticks;
  if (axis.scale == Scale::kLog10) {
    const int first = static_cast<int>(std::ceil(std::log10(axis.begin) - 1e-9));
    const int last = static_cast<int>(std::floor(std::log10(axis.end) + 1e-9));
    for (int power = first; power <= last; ++power) ticks.push_back(std::pow(10, power));
    return ticks;
  }
  const double step = StepOf(axis.end - axis.begin);
  const double first = std::ceil(axis.begin / step - 1e-9);
  for (int i = 0; (first + i) * step <= axis.end + step * 1e-9; ++i) {
    ticks.push_back((first + i) * step);
  }
  return ticks;
}

// 0 at the start of the axis, 1 at its end.
double PlaceOf(const PlotAxis& axis, double value) {
  if (axis.scale == Scale::kLinear) return (value - axis.begin) / (axis.end - axis.begin);
  const double begin = std::log10(axis.begin);
  return (std::log10(value) - begin) / (std::log10(axis.end) - begin);
}

}  // namespace

std::string XmlText(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '&':
        escaped += "&amp;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return escaped;
}

std::string ShortNumber(double value) {
  struct Prefix {
    double factor;
    std::string_view letter;
  };
  constexpr std::array<Prefix, 5> kPrefixes = {
      {{1e15, " P"}, {1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}}};
  for (const Prefix& prefix : kPrefixes) {
    if (std::abs(value) >= prefix.factor * 0.9995) {
      return fmt::format("{:.3g}{}", value / prefix.factor, prefix.letter);
    }
  }
  return fmt::format("{:.3g}", value);
}

std::string SvgText(double x, double y, std::string_view text, std::string_view style) {
  return fmt::format("<text x=\"{}\" y=\"{}\" style=\"{}\">{}</text>\n", Pixel(x),
                     Pixel(y), style, XmlText(text));
}

std::string SvgDocument(double width, double height, std::string_view body) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"DejaVu Sans, Arial, sans-serif\">\n"
      "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#fff\"/>\n{2}</svg>\n",
      width, height, body);
}

Plot::Plot(PlotArea area, PlotAxis x, PlotAxis y)
    : area_(area), x_(std::move(x)), y_(std::move(y)) {}

double Plot::X(double value) const {
  return area_.left + PlaceOf(x_, value) * area_.width;
}

double Plot::Y(double value) const {
  return area_.top + (1 - PlaceOf(y_, value)) * area_.height;
}

void Plot::AddTitle(std::string_view title) { title_ = title; }

void Plot::AddLine(double x1, double y1, double x2, double y2, std::string_view style) {
  behind_ += fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" style=\"{}\"/>\n",
                         Pixel(X(x1)), Pixel(Y(y1)), Pixel(X(x2)), Pixel(Y(y2)), style);
}

void Plot::AddBar(double x1, double x2, double height, std::string_view color) {
  if (height <= 0) return;
  const double top = Y(height);
  behind_ += fmt::format(
      "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\" "
      "stroke=\"#fff\"/>\n",
      Pixel(X(x1)), Pixel(top), Pixel(X(x2) - X(x1)),
      Pixel(area_.top + area_.height - top), color);
}

void Plot::AddMarker(double x, double y, Marker marker, std::string_view color) {
  const double px = X(x);
  const double py = Y(y);
  const std::string paint =
      fmt::format("fill=\"{}\" fill-opacity=\"0.75\" stroke=\"#333\"", color);
  const auto polygon = [&](const std::vector<std::pair<double, double>>& corners) {
    std::string points;
    for (const auto& [dx, dy] : corners) {
      points += (points.empty() ? "" : " ") + Pixel(px + dx) + "," + Pixel(py + dy);
    }
    return fmt::format("<polygon points=\"{}\" {}/>\n", points, paint);
  };
  switch (marker) {
    case Marker::kCircle:
      inside_ += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"5\" {}/>\n", Pixel(px),
                             Pixel(py), paint);
      return;
    case Marker::kSquare:
      inside_ += polygon({{-4.5, -4.5}, {4.5, -4.5}, {4.5, 4.5}, {-4.5, 4.5}});
      return;
    case Marker::kTriangle:
      inside_ += polygon({{0, -6}, {5.5, 4.5}, {-5.5, 4.5}});
      return;
    case Marker::kDiamond:
      inside_ += polygon({{0, -6}, {6, 0}, {0, 6}, {-6, 0}});
      return;
  }
}

void Plot::AddLabel(PlotValue at, PixelOffset offset, std::string_view text,
                    std::string_view style) {
  inside_ += SvgText(X(at.x) + offset.x, Y(at.y) + offset.y, text, style);
}

std::string Plot::Axes() const {
  std::string svg;
  const double right = area_.left + area_.width;
  const double bottom = area_.top + area_.height;
  for (const double tick : TicksOf(x_)) {
    const std::string x = Pixel(X(tick));
    svg += fmt::format(
        "<line x1=\"{0}\" y1=\"{1}\" x2=\"{0}\" y2=\"{2}\" stroke=\"#e4e4e4\"/>\n", x,
        Pixel(area_.top), Pixel(bottom));
    svg += SvgText(X(tick), bottom + 14, ShortNumber(tick),
                   std::string(kTickStyle) + ";text-anchor:middle");
  }
  for (const double tick : TicksOf(y_)) {
    const std::string y = Pixel(Y(tick));
    svg += fmt::format(
        "<line x1=\"{1}\" y1=\"{0}\" x2=\"{2}\" y2=\"{0}\" stroke=\"#e4e4e4\"/>\n", y,
        Pixel(area_.left), Pixel(right));
    svg += SvgText(area_.left - 6, Y(tick) + 3.5, ShortNumber(tick),
                   std::string(kTickStyle) + ";text-anchor:end");
  }
  svg += SvgText(area_.left + area_.width / 2, bottom + 30, x_.title,
                 std::string(kTitleStyle) + ";text-anchor:middle");
  const double title_x = area_.left - 44;
  const double title_y = area_.top + area_.height / 2;
  if (!y_.title.empty()) {
    svg += fmt::format("<g transform=\"rotate(-90 {0} {1})\">\n{2}</g>\n", Pixel(title_x),
                       Pixel(title_y),
                       SvgText(title_x, title_y, y_.title,
                               std::string(kTitleStyle) + ";text-anchor:middle"));
  }
  return svg;
}

std::string Plot::Svg() const {
  const std::string clip = fmt::format("clip-{:.0f}-{:.0f}", area_.left, area_.top);
  const std::string rectangle =
      fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", Pixel(area_.left),
                  Pixel(area_.top), Pixel(area_.width), Pixel(area_.height));
  std::string svg =
      fmt::format("<clipPath id=\"{}\"><rect {}/></clipPath>\n", clip, rectangle);
  if (!title_.empty()) {
    svg += SvgText(area_.left, area_.top - 8, title_, "font-size:13px;fill:#111");
  }
  svg += Axes();
  svg += fmt::format("<g clip-path=\"url(#{})\">\n{}</g>\n", clip, behind_);
  svg += fmt::format("<rect {} fill=\"none\" stroke=\"#888\"/>\n", rectangle);
  return svg + inside_;
}

}  // namespace ridgeline::report
