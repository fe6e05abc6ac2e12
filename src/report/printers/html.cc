#include "report/printers/html.h"

#include <nettle/base64.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "report/pages/pages.h"
#include "report/printers/printers.h"
#include "report/sections/parts.h"
#include "report/sweep/sweep_report.h"

namespace ridgeline::report {
namespace {

using Json = nlohmann::ordered_json;

// By column instead of row: adjacent similar numbers compress well, and field names are
// not repeated sixty thousand times.
Json LaneJson(const analysis::TimelineLane& lane) {
  Json start = Json::array();
  Json duration = Json::array();
  Json name = Json::array();
  Json count = Json::array();
  Json busy = Json::array();
  int64_t before_ns = 0;
  bool has_merged = false;
  for (const analysis::TimelineBlock& block : lane.blocks) {
    start.push_back(block.start_ns - before_ns);
    before_ns = block.start_ns;
    duration.push_back(block.duration_ns);
    name.push_back(block.name);
    count.push_back(block.count);
    busy.push_back(block.busy_ns);
    has_merged = has_merged || block.count > 1;
  }
  Json json = {{"group", NameOf(lane.group)},
               {"title", CutText(lane.title)},
               {"depth", lane.depth},
               {"start", std::move(start)},
               {"duration", std::move(duration)},
               {"name", std::move(name)}};
  if (has_merged) {
    json["count"] = std::move(count);
    json["busy"] = std::move(busy);
  }
  return json;
}

Json TimelinesJson(std::span<const SourceTimeline> timelines) {
  Json list = Json::array();
  for (const SourceTimeline& source : timelines) {
    const analysis::Timeline& timeline = source.timeline;
    if (timeline.lanes.empty()) continue;
    Json lanes = Json::array();
    for (const analysis::TimelineLane& lane : timeline.lanes) {
      lanes.push_back(LaneJson(lane));
    }
    list.push_back({{"source", source.source},
                    {"span_ns", timeline.span_ns},
                    {"events", timeline.events},
                    {"merged", timeline.merged},
                    {"dropped", timeline.left_out},
                    {"resolution_ns", timeline.resolution_ns},
                    {"names", timeline.names},
                    {"kinds", timeline.kinds},
                    {"lanes", std::move(lanes)}});
  }
  return {{"timelines", std::move(list)}};
}

std::string Base64(std::string_view bytes) {
  std::string text(BASE64_ENCODE_RAW_LENGTH(bytes.size()), '\0');
  base64_encode_raw(text.data(), bytes.size(),
                    reinterpret_cast<const uint8_t*>(bytes.data()));
  return text;
}

// As many as fit.
Json PicturesJson(std::span<const Picture> pictures) {
  Json json = Json::object();
  size_t room = kMaxPictureBytes;
  for (const Picture& picture : pictures) {
    if (picture.bytes.size() > room) continue;
    room -= picture.bytes.size();
    json[picture.file] = "data:image/jpeg;base64," + Base64(picture.bytes);
  }
  return json;
}

std::string Block(std::string_view id, std::string_view json) {
  std::string text =
      "<script type=\"application/json\" id=\"data-" + std::string(id) + "\">";
  text.reserve(text.size() + json.size());
  // Without a `<`, no text can end the script element.
  for (const char byte : json) {
    if (byte == '<') {
      text += "\\u003c";
    } else {
      text += byte;
    }
  }
  return text + "</script>\n";
}

}  // namespace

std::string ReportPage(const Document& document,
                       std::span<const SourceTimeline> timelines,
                       std::span<const Picture> pictures) {
  const std::string_view page = pages::ReportPage();
  const size_t mark = page.find(pages::kDataMark);
  std::string text(page.substr(0, mark));
  text += Block("metrics", ToJson(document, /*indent=*/-1));
  text += Block("timeline", DumpJson(TimelinesJson(timelines)));
  text += Block("pictures", DumpJson(PicturesJson(pictures)));
  text += page.substr(mark + pages::kDataMark.size());
  return text;
}

std::string SweepPage(const SweepDocument& document) {
  const std::string_view page = pages::SweepPage();
  const size_t mark = page.find(pages::kDataMark);
  std::string text(page.substr(0, mark));
  text += Block("sweep", ToJson(document, /*indent=*/-1));
  text += page.substr(mark + pages::kDataMark.size());
  return text;
}

}  // namespace ridgeline::report
