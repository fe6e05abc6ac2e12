#include "model_io/predictions/gallery.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/plural.h"
#include "base/units.h"
#include "model_io/images/resize.h"
#include "model_io/predictions/write_page.h"

namespace ridgeline::predictions {
namespace {

std::string CountLine(size_t shown, size_t total) {
  if (shown == total) {
    return Plural(total, "page") + ".\n";
  }
  return fmt::format("{} of {} pages; {} omitted (`max_images` is {}).\n", shown, total,
                     total - shown, shown);
}

std::string Pictures(const GalleryPage& page, const std::string& name) {
  if (page.folder.empty()) {
    return fmt::format(
        "No image: {}\n"
        "\n",
        EscapeMarkdown(page.problem));
  }
  const auto link = [&page](std::string_view path) {
    return fmt::format("{}/{}", page.folder, path);
  };
  return fmt::format(
      "[![{0}]({1})]({2})\n"
      "\n"
      "- Files: [image with boxes]({2}), [result.mmd]({3}), [info.json]({4})\n"
      "- Boxes: {5}\n",
      name, link(kThumbnailPath), link(kPicturePath), link(kMarkdownPath),
      link(kInfoPath), page.boxes);
}

std::string Tokens(const Prediction& prediction) {
  const std::string prompt =
      prediction.prompt_tokens
          ? fmt::format("{} in the prompt, ", *prediction.prompt_tokens)
          : "";
  return fmt::format("{}{} generated, {}", prompt, prediction.ids.size(),
                     prediction.reached_end ? "ended by the end-of-text token"
                                            : "stopped at the token limit");
}

std::string Times(const Prediction& prediction) {
  std::vector<std::string> times;
  if (prediction.preprocess_s) {
    times.push_back("preprocess " + units::Seconds(*prediction.preprocess_s));
  }
  for (const PhaseTime& phase : prediction.phases) {
    times.push_back(EscapeMarkdown(phase.name) + " " + units::Seconds(phase.seconds));
  }
  return times.empty() ? "not measured" : fmt::format("{}", fmt::join(times, ", "));
}

}  // namespace

std::string GalleryHead(size_t pages_shown, size_t pages_planned) {
  return "# Predictions\n\n" + CountLine(pages_shown, pages_planned);
}

std::string GallerySection(const GalleryPage& page, size_t number) {
  const Prediction& prediction = page.prediction;
  const std::string name = EscapeMarkdown(prediction.image.filename().string());
  return fmt::format(
      "\n## {}. {}\n\n{}- Image: {}, epoch {}\n- Tokens: {}\n- Times: {}\n\n{}", number,
      name, Pictures(page, name), EscapeMarkdown(prediction.image.string()),
      prediction.epoch, Tokens(prediction), Times(prediction), FencedBlock(page.text));
}

std::string GalleryFailures(std::span<const std::string> reasons) {
  if (reasons.empty()) return "";
  std::string markdown =
      fmt::format("\n## Pages that could not be read: {}\n\n", reasons.size());
  for (const std::string& reason : reasons) {
    markdown += fmt::format("- {}\n", EscapeMarkdown(reason));
  }
  return markdown;
}

images::Image Thumbnail(const images::Image& picture, int width) {
  if (picture.width <= width) return picture;
  const double height = static_cast<double>(picture.height) * width / picture.width + 0.5;
  return images::ResizeBicubic(picture, width, std::max(1, static_cast<int>(height)));
}

}  // namespace ridgeline::predictions
