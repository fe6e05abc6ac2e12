// Plots as SVG, made by ourselves: the same numbers are the same bytes, on every machine.
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

// A place in a plot, by its values.
struct PlotValue {
  double x = 0;
  double y = 0;
};

struct PixelOffset {
  double x = 0;
  double y = 0;
};

enum class Marker { kCircle, kSquare, kTriangle, kDiamond };

// Escaped for XML; what XML cannot hold is replaced.
std::string XmlText(std::string_view text);

// "1.2 T", "350 G", "0.25": for ticks and ceilings.
std::string ShortNumber(double value);

// The document around what was drawn.
std::string SvgDocument(double width, double height, std::string_view body);

std::string SvgText(double x, double y, std::string_view text, std::string_view style);

// A rectangle with axes, ticks and a grid, and things drawn into it by their values.
class Plot {
 public:
  Plot(PlotArea area, PlotAxis x, PlotAxis y);

  void AddTitle(std::string_view title);
  // What leaves the area is cut off.
  void AddLine(double x1, double y1, double x2, double y2, std::string_view style);
  void AddMarker(double x, double y, Marker marker, std::string_view color);
  void AddBar(double x1, double x2, double height, std::string_view color);
  // Next to a place.
  void AddLabel(PlotValue at, PixelOffset offset, std::string_view text,
                std::string_view style);

  // Frame, grid and everything that was added.
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
