#include "model_io/predictions/parity.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "base/digest.h"

namespace ridgeline::predictions {
namespace {

using Page = const Prediction*;
// One side: path of the image -> its predictions by epoch.
using PagesByPath = std::map<std::string, std::vector<Page>>;

PagesByPath GroupByPath(std::span<const Prediction> predictions) {
  PagesByPath pages;
  for (const Prediction& prediction : predictions) {
    pages[prediction.image.string()].push_back(&prediction);
  }
  for (auto& [path, same] : pages) {
    std::stable_sort(same.begin(), same.end(),
                     [](Page a, Page b) { return a->epoch < b->epoch; });
  }
  return pages;
}

// File name -> its only path; empty if there are several.
std::map<std::string, std::string> UniqueNames(const PagesByPath& pages) {
  std::map<std::string, std::string> names;
  for (const auto& [path, same] : pages) {
    const auto [place, is_new] =
        names.try_emplace(same.front()->image.filename().string(), path);
    if (!is_new) place->second.clear();
  }
  return names;
}

// Our path -> path in the reference.
std::map<std::string, std::string> PairPaths(const PagesByPath& reference,
                                             const PagesByPath& ours) {
  std::map<std::string, std::string> pairs;
  const auto their_names = UniqueNames(reference);
  const auto our_names = UniqueNames(ours);
  for (const auto& [path, same] : ours) {
    if (reference.contains(path)) {
      pairs[path] = path;
      continue;
    }
    const std::string name = same.front()->image.filename().string();
    const auto theirs = their_names.find(name);
    const bool unique = theirs != their_names.end() && !theirs->second.empty() &&
                        our_names.at(name) == path;
    if (unique) pairs[path] = theirs->second;
  }
  return pairs;
}

struct Pairing {
  std::map<Page, Page> reference_of;  // For those of our pages that have one.
  std::vector<std::string> missing;
  std::vector<std::string> extra;
};

void AddPaths(const std::vector<Page>& pages, size_t first,
              std::vector<std::string>& paths) {
  for (size_t i = first; i < pages.size(); ++i) paths.push_back(pages[i]->image.string());
}

Pairing PairPages(PagesByPath reference, const PagesByPath& ours) {
  Pairing pairing;
  const std::map<std::string, std::string> paths = PairPaths(reference, ours);
  for (const auto& [path, same] : ours) {
    const auto pair = paths.find(path);
    if (pair == paths.end()) {
      AddPaths(same, 0, pairing.extra);
      continue;
    }
    const std::vector<Page> theirs = std::move(reference.extract(pair->second).mapped());
    const size_t both = std::min(same.size(), theirs.size());
    for (size_t i = 0; i < both; ++i) pairing.reference_of[same[i]] = theirs[i];
    AddPaths(same, both, pairing.extra);
    AddPaths(theirs, both, pairing.missing);
  }
  for (const auto& [path, rest] : reference) AddPaths(rest, 0, pairing.missing);
  return pairing;
}

// Whether `ours` was truncated by the limit of a capture and matches up to there.
bool IsTruncated(const std::vector<int64_t>& theirs, const std::vector<int64_t>& ours,
                 const ParityScope& scope) {
  return scope.capture_tokens && std::ssize(ours) == *scope.capture_tokens &&
         ours.size() < theirs.size() &&
         std::equal(ours.begin(), ours.end(), theirs.begin());
}

void CompareIds(const Prediction& theirs, const Prediction& ours,
                const ParityScope& scope, Parity& parity) {
  const size_t both = std::min(theirs.ids.size(), ours.ids.size());
  parity.tokens_compared += both;
  if (theirs.ids == ours.ids) return;
  if (IsTruncated(theirs.ids, ours.ids, scope)) {
    ++parity.pages_truncated;
    return;
  }
  ++parity.samples_mismatched;
  if (parity.first_difference) return;
  const auto end = ours.ids.begin() + static_cast<ptrdiff_t>(both);
  const auto differs = std::mismatch(ours.ids.begin(), end, theirs.ids.begin()).first;
  const auto index = static_cast<size_t>(differs - ours.ids.begin());
  const auto at = [index](const std::vector<int64_t>& ids) {
    return index < ids.size() ? std::optional(ids[index]) : std::nullopt;
  };
  parity.first_difference = {.image = ours.image.string(),
                             .epoch = ours.epoch,
                             .index = index,
                             .candidate = at(ours.ids),
                             .reference = at(theirs.ids)};
}

void CompareRows(const std::vector<double>& theirs, const std::vector<double>& ours,
                 const std::string& image, LogitsComparison& logits) {
  const size_t both = std::min(theirs.size(), ours.size());
  for (size_t i = 0; i < both; ++i) {
    const double difference = std::abs(ours[i] - theirs[i]);
    ++logits.values_compared;
    // Written so that a NaN is kept as the maximum.
    if (difference <= logits.difference_max || std::isnan(logits.difference_max))
      continue;
    logits.difference_max = difference;
    logits.difference_max_image = image;
  }
}

void CompareLogits(const Prediction& theirs, const Prediction& ours, double tolerance,
                   Parity& parity) {
  if (!theirs.logits || !ours.logits) return;
  if (!parity.logits) parity.logits = LogitsComparison{.tolerance = tolerance};
  LogitsComparison& logits = *parity.logits;
  ++logits.pages_compared;
  const std::string image = ours.image.string();
  bool same_shape = theirs.logits->size() == ours.logits->size();
  const size_t both = std::min(theirs.logits->size(), ours.logits->size());
  for (size_t i = 0; i < both; ++i) {
    const std::vector<double>& their_row = (*theirs.logits)[i];
    const std::vector<double>& our_row = (*ours.logits)[i];
    same_shape = same_shape && their_row.size() == our_row.size();
    CompareRows(their_row, our_row, image, logits);
  }
  if (!same_shape) logits.logits_shape_mismatches.push_back(image);
}

}  // namespace

bool Parity::failed() const {
  return pages_compared == 0 || samples_mismatched > 0 || !pages_missing.empty() ||
         !pages_extra.empty() || (logits && !logits->passed()) ||
         !passes_mismatched.empty();
}

Parity Compare(std::span<const Prediction> reference, std::span<const Prediction> ours,
               const ParityScope& scope) {
  Pairing pairing = PairPages(GroupByPath(reference), GroupByPath(ours));
  Parity parity;
  for (const Prediction& prediction : ours) {
    const auto theirs = pairing.reference_of.find(&prediction);
    if (theirs == pairing.reference_of.end()) continue;
    ++parity.pages_compared;
    CompareIds(*theirs->second, prediction, scope, parity);
    if (!scope.capture_tokens) {
      CompareLogits(*theirs->second, prediction, scope.logits_tolerance, parity);
    }
  }
  if (!scope.capture_tokens) parity.pages_missing = std::move(pairing.missing);
  parity.pages_extra = std::move(pairing.extra);
  return parity;
}

std::string TokensDigest(std::span<const int64_t> ids) {
  return Md5(fmt::format("{}", fmt::join(ids, " ")));
}

namespace {

void ComparePass(const std::string& pass, const profiles::ModelSample& sample, bool equal,
                 Parity& parity) {
  std::vector<std::string>& compared = parity.passes_compared;
  if (compared.empty() || compared.back() != pass) compared.push_back(pass);
  if (equal) return;
  parity.passes_mismatched.push_back(
      fmt::format("{} of {} (epoch {})", pass, sample.image, sample.epoch));
}

}  // namespace

void ComparePasses(const profiles::PageJournal& journal,
                   std::span<const Prediction> first, Parity& parity) {
  using PageOfEpoch = std::pair<std::string, int64_t>;
  std::map<PageOfEpoch, const Prediction*> pages;
  for (const Prediction& page : first) pages[{page.image.string(), page.epoch}] = &page;
  const auto find = [&](const profiles::ModelSample& sample) -> const Prediction* {
    const auto found = pages.find({sample.image, sample.epoch});
    return found == pages.end() ? nullptr : found->second;
  };
  const std::vector<profiles::ModelSample>& samples = journal.metrics.samples;
  for (size_t i = 0; i < samples.size(); ++i) {
    const Prediction* const page = find(samples[i]);
    // Journals of earlier versions have no digests.
    if (samples[i].repeat == 0 || page == nullptr || journal.tokens[i].empty()) continue;
    ComparePass(fmt::format("pass {}", samples[i].repeat + 1), samples[i],
                journal.tokens[i] == TokensDigest(page->ids), parity);
  }
  const std::optional<profiles::ModelSample>& profiled = journal.metrics.profiled;
  const Prediction* const page = profiled ? find(*profiled) : nullptr;
  if (page == nullptr || journal.profiled_tokens.empty()) return;
  const auto length = static_cast<size_t>(profiled->generated_tokens.value_or(0));
  const std::span<const int64_t> ids = page->ids;
  ComparePass(
      "the profiled pass", *profiled,
      journal.profiled_tokens == TokensDigest(ids.first(std::min(length, ids.size()))),
      parity);
}

}  // namespace ridgeline::predictions
