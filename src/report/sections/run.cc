#include <fmt/format.h>

#include "base/plural.h"
#include "report/sections/parts.h"
#include "report/sections/run_rows.h"
#include "report/sections/sections.h"

namespace ridgeline::report {
namespace {

using artifacts::State;

// Generated text may have any length.
constexpr size_t kMaxPages = 60;

Texts CutAll(const Texts& texts) {
  Texts cut;
  for (const std::string& text : texts) cut.push_back(CutText(text));
  return cut;
}

std::string Joined(const Texts& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

// ": cuda_sync (12), nvtx (3)"
std::string CategoriesText(const RunFacts& facts, const std::string& source) {
  constexpr size_t kShown = 8;
  const auto profile = facts.profiles.find(source);
  if (profile == facts.profiles.end()) return "";
  const std::vector<CategoryRow>& categories = profile->second.unsupported_categories;
  std::string text;
  for (size_t i = 0; i < std::min(kShown, categories.size()); ++i) {
    const std::string& name = categories[i].name;
    text += fmt::format("{} {} ({})", i == 0 ? ":" : ",", name.empty() ? "none" : name,
                        WithCommas(categories[i].events));
  }
  return text + (categories.size() > kShown ? ", ..." : "");
}

}  // namespace

RunRow MakeRun(const RunFacts& facts) {
  if (!facts.manifest) return {.ridgeline_version = facts.ridgeline_version};
  const artifacts::Manifest& run = *facts.manifest;
  return {.id = SomeText(run.run_id),
          .state = std::string(ToText(run.state)),
          .reason = SomeText(run.reason),
          .workload = SomeText(run.workload),
          .host = SomeText(run.host),
          .started = SomeText(run.started),
          .ended = SomeText(run.ended),
          .cwd = SomeText(run.cwd),
          .arguments = CutAll(run.arguments),
          .ridgeline_version = run.ridgeline_version};
}

std::vector<StageRow> MakeStages(const RunFacts& facts) {
  std::vector<StageRow> rows;
  if (!facts.manifest) return rows;
  for (const artifacts::StageRecord& stage : facts.manifest->stages) {
    if (stage.state == State::kDisabled) continue;
    rows.push_back({.name = stage.name,
                    .state = stage.state,
                    .outcome = SomeText(stage.outcome),
                    .reason = SomeText(stage.reason),
                    .wall_s = stage.wall_s,
                    .parity = stage.parity,
                    .parity_detail = SomeText(stage.parity_detail),
                    .notes = CutAll(stage.notes),
                    .retry_overrides = SomeText(Joined(stage.retry_overrides))});
  }
  return rows;
}

IfThere<std::vector<RankRow>> MakeRanks(const RunFacts& facts) {
  std::vector<RankRow> rows;
  if (!facts.manifest) return {};
  for (const artifacts::StageRecord& stage : facts.manifest->stages) {
    for (const artifacts::RankRecord& rank : stage.ranks) {
      rows.push_back({.stage = stage.name,
                      .rank = rank.rank,
                      .host = SomeText(rank.host),
                      .state = rank.state,
                      .outcome = SomeText(rank.outcome),
                      .profiled = rank.profiled,
                      .exit_code = rank.exit_code,
                      .signal = rank.signal,
                      .start_delay_s = rank.start_delay_s,
                      .wall_s = rank.wall_s,
                      .peak_rss_bytes = rank.peak_rss_bytes,
                      .last_line = SomeText(rank.last_line),
                      .files = CutAll(rank.files)});
    }
  }
  if (rows.empty()) return {};
  return rows;
}

VerdictRow MakeVerdict(const RunFacts& facts, const std::vector<StageRow>& stages) {
  if (!facts.manifest) return {};
  VerdictRow verdict = {.parity = facts.manifest->parity,
                        .complete = facts.manifest->state == State::kDone,
                        .notes = 0};
  for (const StageRow& stage : stages) {
    verdict.notes += static_cast<int64_t>(stage.notes.size());
    if (stage.state != State::kDone) verdict.complete = false;
  }
  return verdict;
}

std::vector<SourceRow> MakeSources(const RunFacts& facts) {
  std::vector<SourceRow> rows;
  for (const results::Source& source : facts.store.sources) {
    const auto profile = facts.profiles.find(source.file);
    rows.push_back({.file = CutText(source.file),
                    .format = source.format,
                    .tool = source.tool,
                    .events = source.event_count,
                    .file_bytes = source.file_bytes,
                    .text_bytes = source.text_bytes,
                    .rank = source.rank,
                    .world_size = source.world_size,
                    .profile = {}});
    if (profile != facts.profiles.end()) rows.back().profile = profile->second;
  }
  return rows;
}

std::vector<PredictionRow> MakePredictions(const RunFacts& facts) {
  std::vector<PredictionRow> rows;
  for (const PageFacts& page : facts.pages) {
    if (rows.size() == kMaxPages) break;
    std::string text = CutText(page.text);
    const bool is_cut = text != page.text;
    rows.push_back({.stage = page.stage,
                    .image = CutText(page.image),
                    .text = std::move(text),
                    .text_truncated = is_cut,
                    .generated_tokens = page.generated_tokens,
                    .boxes = page.boxes,
                    .thumbnail = SomeText(page.thumbnail)});
  }
  return rows;
}

std::vector<CommandRow> MakeCommands(const RunFacts& facts) {
  std::vector<CommandRow> rows;
  for (const CommandFacts& command : facts.commands) {
    // Never truncated: commands are meant to be run.
    rows.push_back({command.stage, command.file, command.text});
  }
  return rows;
}

std::vector<ConfigRow> MakeConfig(const RunFacts& facts) {
  std::vector<ConfigRow> rows;
  for (const ConfigValue& value : facts.config) {
    rows.push_back({CutText(value.key), CutText(value.value)});
  }
  return rows;
}

std::vector<DroppedRow> MakeDropped(const RunFacts& facts) {
  std::vector<DroppedRow> rows;
  for (const results::DropRow& row : facts.store.import_counters) {
    if (row.count == 0) continue;
    const std::string& source = FileOf(facts.store, row.source);
    std::string reason(results::TextOf(row.counter).sentence);
    if (row.counter == results::DropReason::kCategoryNotRead) {
      reason += CategoriesText(facts, source);
    }
    rows.push_back({.source = source,
                    .reason = CutText(reason),
                    .count = row.count,
                    .lost = results::TextOf(row.counter).is_loss});
  }
  for (const UnreadFile& unread : facts.unread) {
    rows.push_back({.source = CutText(unread.file),
                    .reason = CutText("file not read: " + unread.reason),
                    .count = 1,
                    .lost = true});
  }
  return rows;
}

}  // namespace ridgeline::report
