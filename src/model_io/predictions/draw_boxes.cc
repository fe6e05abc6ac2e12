#include <cairo.h>
#include <fmt/format.h>
#include <glib-object.h>
#include <pango/pangocairo.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include "base/utf8.h"
#include "model_io/predictions/label_colour.h"
#include "model_io/predictions/write_page.h"

namespace ridgeline::predictions {
namespace {

struct Release {
  void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
  void operator()(cairo_t* context) const { cairo_destroy(context); }
  void operator()(cairo_font_options_t* options) const {
    cairo_font_options_destroy(options);
  }
  void operator()(PangoLayout* layout) const { g_object_unref(layout); }
  void operator()(PangoFontDescription* font) const { pango_font_description_free(font); }
  void operator()(gchar* text) const { g_free(text); }
};
template <typename T>
using Owned = std::unique_ptr<T, Release>;

// A label is a word or two; longer text would cover the page.
constexpr size_t kLabelBytesMax = 60;

// For cairo's RGB24: a native 32-bit word, 0xXXRRGGBB.
uint32_t ToWord(const uint8_t* rgb) {
  return uint32_t{rgb[0]} << 16 | uint32_t{rgb[1]} << 8 | uint32_t{rgb[2]};
}

Result<Owned<cairo_surface_t>> ToSurface(const images::Image& page) {
  Owned<cairo_surface_t> surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, page.width, page.height));
  const cairo_status_t status = cairo_surface_status(surface.get());
  if (status != CAIRO_STATUS_SUCCESS) {
    return Error(ErrorCode::kUnsupported,
                 fmt::format("drawing on {}x{} pixels: {}", page.width, page.height,
                             cairo_status_to_string(status)));
  }
  unsigned char* rows = cairo_image_surface_get_data(surface.get());
  const int stride = cairo_image_surface_get_stride(surface.get());
  for (int y = 0; y < page.height; ++y) {
    unsigned char* row = rows + static_cast<ptrdiff_t>(y) * stride;
    for (int x = 0; x < page.width; ++x) {
      const uint32_t word = ToWord(page.row(y) + ptrdiff_t{3} * x);
      std::memcpy(row + ptrdiff_t{4} * x, &word, sizeof(word));
    }
  }
  cairo_surface_mark_dirty(surface.get());
  return surface;
}

images::Image ToImage(cairo_surface_t* surface) {
  cairo_surface_flush(surface);
  images::Image image = images::Filled(cairo_image_surface_get_width(surface),
                                       cairo_image_surface_get_height(surface), {});
  const unsigned char* rows = cairo_image_surface_get_data(surface);
  const int stride = cairo_image_surface_get_stride(surface);
  for (int y = 0; y < image.height; ++y) {
    const unsigned char* row = rows + static_cast<ptrdiff_t>(y) * stride;
    uint8_t* rgb = image.row(y);
    for (int x = 0; x < image.width; ++x, rgb += 3) {
      uint32_t word = 0;
      std::memcpy(&word, row + ptrdiff_t{4} * x, sizeof(word));
      rgb[0] = static_cast<uint8_t>(word >> 16);
      rgb[1] = static_cast<uint8_t>(word >> 8);
      rgb[2] = static_cast<uint8_t>(word);
    }
  }
  return image;
}

void SetColour(cairo_t* context, images::Colour colour, double opacity) {
  cairo_set_source_rgba(context, colour.red / 255.0, colour.green / 255.0,
                        colour.blue / 255.0, opacity);
}

void Fill(cairo_t* context, const images::Box& area) {
  cairo_rectangle(context, area.left, area.top, area.width, area.height);
  cairo_fill(context);
}

// Four bars instead of a stroke, half of which would be outside the box, and outside the
// page if the box is at its edge.
void Outline(cairo_t* context, const images::Box& area, int line) {
  const int across = std::min(line, area.width);
  const int down = std::min(line, area.height);
  Fill(context, {area.left, area.top, area.width, down});
  Fill(context, {area.left, area.top + area.height - down, area.width, down});
  Fill(context, {area.left, area.top, across, area.height});
  Fill(context, {area.left + area.width - across, area.top, across, area.height});
}

// One short line of valid text for Pango.
Owned<gchar> Drawable(std::string_view label) {
  std::string line(HeadOf(label, kLabelBytesMax));
  if (line.size() < label.size()) line += "...";
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = ' ';
  }
  return Owned<gchar>(g_utf8_make_valid(line.data(), static_cast<gssize>(line.size())));
}

int FontPixels(const images::Image& page) {
  return std::clamp(std::min(page.width, page.height) / 60, 9, 48);
}

Owned<PangoLayout> MakeLayout(cairo_t* context, int font_pixels) {
  Owned<PangoLayout> layout(pango_cairo_create_layout(context));
  const Owned<PangoFontDescription> font(pango_font_description_new());
  pango_font_description_set_family(font.get(), "DejaVu Sans, sans-serif");
  pango_font_description_set_absolute_size(font.get(), double{PANGO_SCALE} * font_pixels);
  pango_layout_set_font_description(layout.get(), font.get());
  pango_layout_set_single_paragraph_mode(layout.get(), TRUE);
  // Independent of the user's desktop settings.
  const Owned<cairo_font_options_t> options(cairo_font_options_create());
  cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
  cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_ON);
  pango_cairo_context_set_font_options(pango_layout_get_context(layout.get()),
                                       options.get());
  pango_layout_context_changed(layout.get());
  return layout;
}

// Black or white, whichever has more contrast (weights of ITU-R BT.601).
images::Colour InkOn(images::Colour colour) {
  const double light = 0.299 * colour.red + 0.587 * colour.green + 0.114 * colour.blue;
  return light > 140 ? images::Colour{0, 0, 0} : images::Colour{255, 255, 255};
}

// On a patch above the upper left corner of the box, or inside the box if there is no
// space above; within the right edge of the page unless the label is wider than the page.
void DrawLabel(cairo_t* context, PangoLayout* layout, const images::Image& page,
               const PageBox& box) {
  constexpr int kMargin = 2;
  const Owned<gchar> text = Drawable(box.label);
  if (*text == '\0') return;
  pango_layout_set_text(layout, text.get(), -1);
  int width = 0;
  int height = 0;
  pango_layout_get_pixel_size(layout, &width, &height);
  images::Box patch{box.pixels.x1, box.pixels.y1 - height, width + 2 * kMargin, height};
  if (patch.top < 0) patch.top = box.pixels.y1;
  patch.left = std::max(0, std::min(patch.left, page.width - patch.width));

  const images::Colour colour = LabelColour(box.label);
  SetColour(context, colour, 1);
  Fill(context, patch);
  SetColour(context, InkOn(colour), 1);
  cairo_move_to(context, patch.left + kMargin, patch.top);
  pango_cairo_show_layout(context, layout);
}

void DrawAll(cairo_t* context, const images::Image& page,
             std::span<const PageBox> boxes) {
  cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE);  // Boxes are aligned to pixels.
  const int line = OutlineWidth(page.width, page.height);
  for (const PageBox& box : boxes) {
    if (box.pixels.degenerate()) continue;
    SetColour(context, LabelColour(box.label), kFillOpacity);
    Fill(context, box.pixels.area());
  }
  for (const PageBox& box : boxes) {
    if (box.pixels.degenerate()) continue;
    SetColour(context, LabelColour(box.label), 1);
    Outline(context, box.pixels.area(), line);
  }
  const Owned<PangoLayout> layout = MakeLayout(context, FontPixels(page));
  for (const PageBox& box : boxes) {
    if (!box.pixels.degenerate()) DrawLabel(context, layout.get(), page, box);
  }
}

}  // namespace

int OutlineWidth(int page_width, int page_height) {
  return std::max(2, std::min(page_width, page_height) / 400);
}

Result<images::Image> DrawBoxes(const images::Image& page,
                                std::span<const PageBox> boxes) {
  RIDGELINE_TRY(const Owned<cairo_surface_t> surface, ToSurface(page));
  const Owned<cairo_t> context(cairo_create(surface.get()));
  DrawAll(context.get(), page, boxes);
  const cairo_status_t status = cairo_status(context.get());
  if (status != CAIRO_STATUS_SUCCESS) {
    return Error(ErrorCode::kUnsupported,
                 fmt::format("drawing boxes: {}", cairo_status_to_string(status)));
  }
  return ToImage(surface.get());
}

}  // namespace ridgeline::predictions
