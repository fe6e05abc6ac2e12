// Plots as SVG, without a library: the same numbers give the same bytes on every machine.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::report {

enum class Scale { kLinear, kLog10 };

struct PlotAxis {
  std::string title;  // "FLOP/byte"
  Scale scale = Scale::kLinear;
  double begin = 0;
  double end = 1;
};

// Pixels.
struct PlotArea {
  double left = 0;
  double top = 0;
  double width = 0;
  double height = 0;
};

// A position in a plot, by value.
struct PlotValue {
  double x = 0;
  double y = 0;
};

struct PixelOffset {
  double x = 0;
  double y = 0;
};

enum class Marker { kCircle, kSquare, kTriangle, kDiamond };

// Escaped for XML; characters that XML does not allow are replaced.
std::string XmlText(std::string_view text);

// "1.2 T", "350 G", "0.25": for ticks and ceilings.
std::string ShortNumber(double value);

// The document around `body`.
std::string SvgDocument(double width, double height, std::string_view body);

std::string SvgText(double x, double y, std::string_view text, std::string_view style);

// A rectangle with axes, ticks and a grid; items are positioned by value.
class Plot {
 public:
  Plot(PlotArea area, PlotAxis x, PlotAxis y);

  void AddTitle(std::string_view title);
  // Clipped to the area.
  void AddLine(double x1, double y1, double x2, double y2, std::string_view style);
  void AddMarker(double x, double y, Marker marker, std::string_view color);
  void AddBar(double x1, double x2, double height, std::string_view color);
  // Next to a position.
  void AddLabel(PlotValue at, PixelOffset offset, std::string_view text,
                std::string_view style);

  // Frame, grid and all items.
  std::string Svg() const;

 private:
  double X(double value) const;
  double Y(double value) const;
  std::string Axes() const;

  PlotArea area_;
  PlotAxis x_;
  PlotAxis y_;
  std::string title_;
  std::string behind_;  // Lines and bars.
  std::string inside_;  // Markers and labels.
};

}  // namespace ridgeline::report
