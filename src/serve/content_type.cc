#include "serve/content_type.h"

namespace ridgeline::serve {
namespace {

struct Ending {
  std::string_view end;
  std::string_view type;
};

constexpr Ending kShown[] = {
    {".html", kHtml},       {".md", kText},
    {".mmd", kText},        {".txt", kText},
    {".log", kText},        {".yaml", kText},
    {".yml", kText},        {".jsonl", kText},
    {".json", kJson},       {".csv", "text/csv; charset=utf-8"},
    {".jpg", "image/jpeg"}, {".jpeg", "image/jpeg"},
    {".png", "image/png"},  {".webp", "image/webp"},
};

}  // namespace

ContentType ContentTypeOf(std::string_view file_name) {
  for (const Ending& ending : kShown) {
    if (file_name.ends_with(ending.end)) return {ending.type, true};
  }
  return {"application/octet-stream", false};
}

}  // namespace ridgeline::serve
