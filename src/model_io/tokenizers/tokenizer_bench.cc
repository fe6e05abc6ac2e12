// Benchmarks the official tokenizer of DeepSeek-OCR (128,827 tokens), found below
// RIDGELINE_SHARED: load time, and bytes of text encoded and decoded per second on one
// core.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "model_io/tokenizers/tokenizer.h"
#include "os/env.h"

namespace {

using namespace ridgeline;  // NOLINT(google-build-using-namespace)

std::filesystem::path TokenizerPath() {
  const std::filesystem::path shared =
      os::GetEnv("RIDGELINE_SHARED").value_or(RIDGELINE_SOURCE_DIR "/../shared");
  return shared / "golden/deepseek_ocr/official/tokenizer.json";
}

// The most frequent words, which make up half of a text, and others of all lengths.
constexpr std::string_view kFrequent[] = {"the",  "of",  "and", "to", "in",  "a",    "is",
                                          "that", "for", "it",  "as", "was", "with", "be",
                                          "by",   "on",  "not", "he", "I",   "this"};
constexpr std::string_view kOthers[] = {
    "are",        "profile",          "kernel",     "language",      "document",
    "because",    "attention",        "University", "measurement",   "throughput",
    "between",    "quickly",          "results",    "page",          "table",
    "memory",     "European",         "although",   "something",     "bandwidth",
    "scheduling", "Cambridge",        "inference",  "tokenization",  "don't",
    "it's",       "state-of-the-art", "e.g.",       "approximately", "children"};

// Like English in the lengths of words and sentences: words are randomly invented, so
// that there are as many unique words as in a real text of that size, with numbers and
// paragraphs.
std::string EnglishText(size_t size_bytes) {
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same text each time.
  constexpr std::array<std::string_view, 8> kSyllables = {"ta", "ren", "mo",  "lis",
                                                          "ke", "ver", "con", "dal"};
  std::string text;
  for (size_t words = 1; text.size() < size_bytes; ++words) {
    const auto dice = random() % 100;
    if (dice < 50) {
      text += kFrequent[random() % std::size(kFrequent)];
    } else if (dice < 90) {
      text += kOthers[random() % std::size(kOthers)];
    } else if (dice < 97) {
      for (auto i = 2 + random() % 3; i > 0; --i) {
        text += kSyllables[random() % kSyllables.size()];
      }
    } else {
      text += std::to_string(random() % 10'000);
    }
    const bool ends_sentence = words % 17 == 0;
    text += ends_sentence ? ". " : words % 9 == 0 ? ", " : " ";
    if (words % 170 == 0) text += "\n\n";
  }
  return text;
}

std::optional<tokenizers::Tokenizer> Official(benchmark::State& state) {
  Result<tokenizers::Tokenizer> tokenizer = tokenizers::Tokenizer::Load(TokenizerPath());
  if (tokenizer.ok()) return std::move(tokenizer).value();
  state.SkipWithError(tokenizer.error().message().c_str());
  return std::nullopt;
}

void LoadOfficialTokenizer(benchmark::State& state) {
  for (auto _ : state) {
    auto tokenizer = Official(state);
    if (!tokenizer) return;
    benchmark::DoNotOptimize(tokenizer->size());
  }
}
BENCHMARK(LoadOfficialTokenizer)->Unit(benchmark::kMillisecond);

void Encode(benchmark::State& state, const std::string& text) {
  const auto tokenizer = Official(state);
  if (!tokenizer) return;
  size_t id_count = 0;
  for (auto _ : state) id_count = tokenizer->Encode(text).size();
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
  state.counters["bytes_per_token"] =
      static_cast<double>(text.size()) / static_cast<double>(id_count);
}

void EncodeEnglish(benchmark::State& state) {
  Encode(state, EnglishText(static_cast<size_t>(state.range(0))));
}
BENCHMARK(EncodeEnglish)->Arg(100)->Arg(10'000'000)->Unit(benchmark::kMicrosecond);

// Worst case for the cache: no word is repeated.
void EncodeNovelWords(benchmark::State& state) {
  std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same text each time.
  std::string text;
  while (text.size() < 1'000'000) {
    for (uint32_t i = 4 + random() % 8; i > 0; --i) {
      text += static_cast<char>('a' + random() % 26);
    }
    text += ' ';
  }
  Encode(state, text);
}
BENCHMARK(EncodeNovelWords)->Unit(benchmark::kMillisecond);

void DecodeEnglish(benchmark::State& state) {
  const auto tokenizer = Official(state);
  if (!tokenizer) return;
  const std::string text = EnglishText(1'000'000);
  const std::vector<int32_t> ids = tokenizer->Encode(text);
  for (auto _ : state) benchmark::DoNotOptimize(tokenizer->Decode(ids));
  state.SetBytesProcessed(state.iterations() * static_cast<int64_t>(text.size()));
}
BENCHMARK(DecodeEnglish)->Unit(benchmark::kMillisecond);

}  // namespace
