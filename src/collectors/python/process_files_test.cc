#include "collectors/python/process_files.h"

#include <gtest/gtest.h>

#include "os/files.h"
#include "os/scratch_directory.h"

namespace ridgeline::python {
namespace {

constexpr std::string_view kStart =
    R"({"event": "start", "schema_version": 1, "pid": 7, "ppid": 1, "time_unix_ns": 5, )"
    R"("python": "3.11.2", "argv": ["gpt.py"], "rank": 2})"
    "\n";

TEST(ProcessFile, HasEverythingThatTheAgentSaw) {
  const std::string text =
      std::string(kStart) +
      R"({"event": "torch", "version": "2.13.0", "cuda": null, "hooked": true, "reason": null}
{"event": "model", "root": 1, "class": "GPT", "config": {"layers": 2}, "modules": [{"path": "", "class": "GPT"}, {"path": "mlp", "class": "MLP"}], "tensors": [{"name": "w", "kind": "parameter", "shape": [2, 3], "dtype": "float32", "device": "cpu", "numel": 6, "bytes": 24, "tied_to": null}]}
{"event": "call", "index": 1, "kind": "generate", "name": "GPT.generate", "start_unix_ns": 10, "duration_ns": 20, "profiled": true, "error": null, "prompt_tokens": 5, "generated_tokens": 3, "forwards": 3, "prefill_ns": 8, "ttft_ns": 9, "decode_ns": 11, "decode_step_ns": [5, 6]}
{"event": "rank", "rank": 3, "local_rank": 1, "world_size": 4}
{"event": "call", "index": 2, "kind": "forward", "name": "GPT.forward", "duration_ns": 4, "error": "ValueError"}
{"event": "profile", "call": 1, "trace": "trace-7.json", "stop_ns": 99}
{"event": "problem", "name": "RegionNotFound", "text": "no x"}
{"event": "of a later version"}
{"event": "end", "outermost_calls": 12, "compiled": ["mlp"]}
)";
  const auto parsed = ParseProcessFile(text, "process-7.jsonl");
  ASSERT_TRUE(parsed.ok()) << parsed.error().message();
  ASSERT_EQ(parsed.value().size(), 1u);
  const Process& process = parsed.value()[0];
  EXPECT_EQ(process.pid, 7);
  EXPECT_EQ(process.rank, 3);  // The last one wins.
  EXPECT_EQ(process.local_rank, 1);
  EXPECT_EQ(process.world_size, 4);
  EXPECT_EQ(process.torch, "2.13.0");
  EXPECT_TRUE(process.hooked);
  ASSERT_EQ(process.models.size(), 1u);
  EXPECT_EQ(process.models[0].config_json, R"({"layers":2})");
  EXPECT_EQ(process.models[0].modules[1], (Module{"mlp", "MLP"}));
  EXPECT_EQ(process.models[0].tensors[0].shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(process.models[0].tensors[0].tied_to, "");
  ASSERT_EQ(process.calls.size(), 2u);
  EXPECT_TRUE(process.calls[0].profiled);
  EXPECT_EQ(process.calls[0].generated_tokens, 3);
  EXPECT_EQ(process.calls[0].decode_step_ns, (std::vector<int64_t>{5, 6}));
  EXPECT_EQ(process.calls[1].error, "ValueError");
  EXPECT_EQ(process.calls[1].prompt_tokens, std::nullopt);
  EXPECT_EQ(process.trace, (Trace{1, "trace-7.json", 99}));
  EXPECT_EQ(process.problems[0], (Problem{"RegionNotFound", "no x"}));
  EXPECT_TRUE(process.ended);
  EXPECT_EQ(process.outermost_calls, 12);
  EXPECT_EQ(process.compiled, std::vector<std::string>{"mlp"});
}

TEST(ProcessFile, OfAKilledProcessEndsWithItsLastWholeLine) {
  const std::string text = std::string(kStart) +
                           R"({"event": "call", "index": 1, "kind": "forward"})" + "\n" +
                           R"({"event": "call", "index": 2, "ki)";
  const auto parsed = ParseProcessFile(text, "p");
  ASSERT_TRUE(parsed.ok());
  ASSERT_EQ(parsed.value().size(), 1u);
  EXPECT_EQ(parsed.value()[0].calls.size(), 1u);
  EXPECT_FALSE(parsed.value()[0].ended);
}

TEST(ProcessFile, HasOneProcessPerProgramThatTookThePlaceOfAnother) {
  const auto parsed = ParseProcessFile(std::string(kStart) + std::string(kStart), "p");
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed.value().size(), 2u);
}

TEST(ProcessFile, IsRefusedWithItsLineIfItIsNotWhatTheAgentWrites) {
  const struct {
    std::string text;
    std::string_view message;
  } cases[] = {
      {std::string(kStart) + "nonsense\n", "p:2: expected a JSON object"},
      {"[1]\n", "p:1: expected a JSON object"},
      {R"({"event": "start", "schema_version": 2})"
       "\n",
       "p: not of version 1 of the Python agent"},
  };
  for (const auto& c : cases) {
    const auto parsed = ParseProcessFile(c.text, "p");
    ASSERT_FALSE(parsed.ok()) << c.text;
    EXPECT_EQ(parsed.error().message(), c.message);
  }
}

TEST(ProcessFiles, AreReadInTheOrderInWhichProcessesStarted) {
  auto scratch = os::ScratchDirectory::Make("process-files");
  ASSERT_TRUE(scratch.ok());
  const std::filesystem::path directory = scratch.value().path();
  const auto write = [&](const char* name, std::string_view start_unix_ns) {
    return os::WriteFile(directory / name,
                         R"({"event": "start", "schema_version": 1, "time_unix_ns": )" +
                             std::string(start_unix_ns) +
                             ", \"pid\": " + std::string(start_unix_ns) + "}\n");
  };
  ASSERT_TRUE(write("process-10.jsonl", "30").ok());
  ASSERT_TRUE(write("process-11.jsonl", "20").ok());
  ASSERT_TRUE(os::WriteFile(directory / "trace-10.json", "{").ok());
  const auto read = ReadProcessFiles(directory);
  ASSERT_TRUE(read.ok()) << read.error().message();
  ASSERT_EQ(read.value().size(), 2u);
  EXPECT_EQ(read.value()[0].pid, 20);
  ASSERT_TRUE(os::CreateDirectories(directory / "rank3").ok());
  ASSERT_TRUE(write("rank3/process-10.jsonl", "25").ok());
  const auto ranks = ReadProcessFiles(directory);
  ASSERT_TRUE(ranks.ok()) << ranks.error().message();
  ASSERT_EQ(ranks.value().size(), 3u);
  EXPECT_EQ(ranks.value()[1].pid, 25);
  EXPECT_EQ(ranks.value()[1].rank, 3);
  const auto none = ReadProcessFiles(directory / "absent");
  ASSERT_TRUE(none.ok());
  EXPECT_TRUE(none.value().empty());
}

}  // namespace
}  // namespace ridgeline::python
