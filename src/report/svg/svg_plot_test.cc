#include "report/svg/svg_plot.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ridgeline::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(SvgPlotTest, WritesNumbersThatPeopleRead) {
  EXPECT_EQ(ShortNumber(0.25), "0.25");
  EXPECT_EQ(ShortNumber(209.5e12), "210 T");
  EXPECT_EQ(ShortNumber(1e3), "1 k");
  EXPECT_EQ(ShortNumber(999.9), "1 k");
  EXPECT_EQ(ShortNumber(0), "0");
}

TEST(SvgPlotTest, EscapesWhatXmlDoesNotHold) {
  EXPECT_EQ(XmlText("k<a & \"b\">\x01"), "k&lt;a &amp; &quot;b&quot;&gt; ");
}

TEST(SvgPlotTest, PlacesValuesByTheirAxes) {
  Plot plot({.left = 10, .top = 20, .width = 100, .height = 200},
            {"x", Scale::kLog10, 1, 100}, {"y", Scale::kLinear, 0, 10});
  plot.AddMarker(10, 5, Marker::kCircle, "#123456");
  plot.AddBar(1, 10, 10, "#654321");
  const std::string svg = plot.Svg();
  EXPECT_THAT(svg, HasSubstr("<circle cx=\"60.00\" cy=\"120.00\""));
  EXPECT_THAT(svg, HasSubstr("<rect x=\"10.00\" y=\"20.00\" width=\"50.00\" "
                             "height=\"200.00\" fill=\"#654321\""));
  EXPECT_THAT(svg, Not(HasSubstr("nan")));
}

}  // namespace
}  // namespace ridgeline::report
