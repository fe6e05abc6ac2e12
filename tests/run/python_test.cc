// All stages on a Python program that uses PyTorch, unchanged: our own example GPT under
// Debian's python3-torch, and programs without PyTorch.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "run/playground.h"

namespace ridgeline::run {
namespace {

namespace fs = std::filesystem;
using artifacts::StageRecord;
using artifacts::State;
using Json = nlohmann::json;
using testing::Contains;
using testing::HasSubstr;

constexpr const char* kPython = "/usr/bin/python3";

// Once per test program: importing torch takes a second.
bool HasTorch() {
  static const bool has =
      std::system("/usr/bin/python3 -c 'import torch' >/dev/null 2>&1") == 0;
  return has;
}

class PythonProgram : public Playground {
 protected:
  void SetUp() override {
    if (!fs::exists(kPython)) GTEST_SKIP() << "no /usr/bin/python3";
  }

  // Only `stages` are on.
  ProgramEnd Run(const std::vector<std::string>& stages,
                 const std::vector<std::string>& command,
                 const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments = {"run",
                                          "device=cpu",
                                          "hydra.run.dir=run",
                                          "run.repeats=1",
                                          "hardware.peak_tflops=0.1",
                                          "hardware.peak_gbps=20",
                                          "pipeline.static_analysis.enable=false",
                                          "pipeline.torch_profiler.enable=false"};
    for (const std::string& stage : stages) {
      arguments.push_back("pipeline." + stage + ".enable=true");
    }
    arguments.insert(arguments.end(), more.begin(), more.end());
    arguments.push_back("--");
    arguments.insert(arguments.end(), command.begin(), command.end());
    return Ridgeline(arguments);
  }
  static std::vector<std::string> Gpt() {
    return {kPython, std::string(RIDGELINE_SOURCE_DIR) + "/examples/python/generate.py",
            "6"};
  }
  Json Read(const char* name) const {
    return Json::parse(ReadFile(directory() / "run" / name));
  }
  StageRecord Stage(const std::string& name) {
    const artifacts::Manifest manifest = ManifestOf(directory() / "run");
    for (const StageRecord& stage : manifest.stages) {
      if (stage.name == name) return stage;
    }
    return {};
  }
};

// FLOPs of one forward of examples/python/gpt.py over n tokens: 4 layers of width 128
// (qkv, projection, MLP of 512; scores and values), and the head of 512 tokens.
int64_t ForwardFlops(int64_t n) {
  const int64_t layer = 2 * n * (128 * 384 + 128 * 128 + 2 * 128 * 512) + 4 * n * n * 128;
  return 4 * layer + 2 * n * 128 * 512;
}

TEST_F(PythonProgram, HasItsParametersAndTheFlopsOfACallCounted) {
  if (!HasTorch()) GTEST_SKIP() << "no python3-torch";
  // A call that does not exist leaves the usual ones.
  const ProgramEnd end =
      Run({"static_analysis"}, Gpt(),
          {R"(pipeline.workload.python.regions=[{target: "gpt:GPT.gone", call: true}])"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_THAT(Stage("static_analysis").notes,
              Contains(HasSubstr("no function with call: true was found")));
  const Json summary = Read("static_analysis/model_summary.json");
  EXPECT_EQ(summary["model"], "GPT");
  // Embeddings, positions, 4 layers with biases, the last norm; the head is tied.
  const int64_t layer =
      128 * 384 + 384 + 128 * 128 + 128 + 128 * 512 + 512 + 512 * 128 + 128 + 4 * 128;
  EXPECT_EQ(summary["parameters"]["total"], 512 * 128 + 128 * 128 + 4 * layer + 256);
  EXPECT_EQ(summary["parameters"]["tied"], 512 * 128);
  EXPECT_EQ(summary["call"]["name"], "GPT.forward");
  EXPECT_EQ(summary["call"]["flops"], ForwardFlops(16));
  EXPECT_THAT(ReadFile(directory() / "run/static_analysis/model_summary.md"),
              HasSubstr("blocks.3"));
}

TEST_F(PythonProgram, HasItsOperatorsProfiledAndItsCallsTimed) {
  if (!HasTorch()) GTEST_SKIP() << "no python3-torch";
  const ProgramEnd end = Run({"torch_profiler", "direct_inference"}, Gpt(),
                             {"pipeline.torch_profiler.record_shapes=true",
                              "pipeline.torch_profiler.warmup_rounds=2"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  const Json metrics = Read("torch_profiler/metrics.json");
  EXPECT_EQ(metrics["sample_unit"], "call");
  EXPECT_EQ(metrics["samples"].size(), 4u);  // Six forwards, two of them warm-up.
  const Json profile = Read("torch_profiler/operator_profile.json");
  std::map<std::string, int64_t> calls;
  for (const Json& row : profile["operators"]) calls[row["name"]] = row["calls"];
  EXPECT_EQ(calls["aten::addmm"], 16);  // Four linear layers with a bias in four blocks.
  EXPECT_EQ(calls["aten::softmax"], 4);
  std::vector<std::string> modules;
  for (const Json& row : profile["modules"]) modules.push_back(row["module"]);
  EXPECT_THAT(modules, Contains("blocks.2.attn"));
  EXPECT_EQ(Read("direct_inference/metrics.json")["samples"].size(), 4u);
  EXPECT_THAT(end.err, HasSubstr("per call"));
  EXPECT_THAT(end.err, testing::Not(HasSubstr("per page")));
  EXPECT_TRUE(fs::exists(directory() / "run/torch_profiler/trace.json.gz"));
  EXPECT_THAT(ReadFile(directory() / "run/report.md"), HasSubstr("aten::addmm"));
  const Json ledger = Read("metrics.json")["ledger"];
  EXPECT_EQ(ledger["flops_source"], "operator_shapes");
  EXPECT_EQ(ledger["phases"][0]["name"], "end_to_end");
  EXPECT_EQ(ledger["phases"][0]["flops"], ForwardFlops(18));  // The third call.
  EXPECT_GT(ledger["phases"][0]["mfu"].get<double>(), 0);
}

TEST_F(PythonProgram, HasCallsOfOneProcessPerRunInItsStatistics) {
  if (!HasTorch()) GTEST_SKIP() << "no python3-torch";
  WriteFile(directory() / "pair.py",
            "import subprocess, sys, time, torch\n"
            "class Slow(torch.nn.Linear):\n"
            "    def forward(self, x):\n"
            "        time.sleep(0.05)\n"
            "        return super().forward(x)\n"
            "child = len(sys.argv) > 1\n"
            "module = torch.nn.Linear(2, 2) if child else Slow(2, 2)\n"
            "for i in range(20 if child else 4): module(torch.ones(1, 2))\n"
            "if not child: subprocess.run([sys.executable, __file__, 'child'])\n");
  const ProgramEnd end =
      Run({"direct_inference"}, {kPython, "pair.py"}, {"run.repeats=2"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  const Json metrics = Read("direct_inference/metrics.json");
  EXPECT_EQ(metrics["model"], "Slow.forward");
  EXPECT_EQ(metrics["samples"].size(), 4u);  // Two runs of four calls, two warm-up each.
  EXPECT_EQ(metrics["repeats"], 2);
  EXPECT_GE(metrics["statistics"]["end_to_end_s"]["min"].get<double>(), 0.05);
  EXPECT_THAT(Stage("direct_inference").notes,
              Contains(HasSubstr("20 calls of other functions or processes")));
}

// The first run spends more time in the large model, the second one in the small one.
TEST_F(PythonProgram, ComparesCallsOfOneProcessOnly) {
  if (!HasTorch()) GTEST_SKIP() << "no python3-torch";
  WriteFile(directory() / "two.py",
            "import multiprocessing, os, sys, time, torch\n"
            "class Net(torch.nn.Linear):\n"
            "    def forward(self, x):\n"
            "        if self.is_slow: time.sleep(0.05)\n"
            "        return super().forward(x)\n"
            "def work(n, is_slow, calls):\n"
            "    net = Net(n, n)\n"
            "    net.is_slow = is_slow\n"
            "    for _ in range(calls): net(torch.ones(1, n))\n"
            "is_first = not os.path.exists('second')\n"
            "open('second', 'w').close()\n"
            "calls = 4 if is_first else int(sys.argv[1])\n"
            "for n, is_slow in (512, is_first), (8, not is_first):\n"
            "    child = multiprocessing.Process(target=work, args=(n, is_slow, calls))\n"
            "    child.start()\n"
            "    child.join()\n"
            "    calls = 4\n");
  for (const char* calls : {"4", "0"}) {
    SCOPED_TRACE(calls);
    fs::remove_all(directory() / "run");
    fs::remove(directory() / "second");
    const ProgramEnd end = Run({"torch_profiler"}, {kPython, "two.py", calls},
                               {"pipeline.torch_profiler.record_shapes=true"});
    ASSERT_EQ(end.exit_code, 0) << end.err;
    const Json metrics = Read("torch_profiler/metrics.json");
    EXPECT_GE(metrics["statistics"]["end_to_end_s"]["min"].get<double>(), 0.05);
    const bool is_there = std::string_view(calls) == "4";
    EXPECT_EQ(metrics.contains("utilization"), is_there);
    EXPECT_EQ(metrics.contains("profiled"), is_there);
    if (is_there) {
      EXPECT_EQ(metrics["utilization"]["phases"][0]["flops"], 2 * 512 * 512);
      continue;
    }
    EXPECT_THAT(Stage("torch_profiler").notes,
                Contains(HasSubstr("no profiling overhead and no MFU of the profiled "
                                   "call: the times are of Net.forward in a process")));
    EXPECT_THAT(end.err, testing::Not(HasSubstr("overhead below")));
    EXPECT_THAT(ReadFile(directory() / "run/torch_profiler/report.md"),
                HasSubstr("unprofiled time unknown"));
  }
}

TEST_F(PythonProgram, IsNotJudgedByACallThatRaised) {
  if (!HasTorch()) GTEST_SKIP() << "no python3-torch";
  WriteFile(directory() / "raises.py",
            "import sys, torch\n"
            "net = torch.nn.Linear(2, 2)\n"
            "for i in range(3):\n"
            "    try: net(torch.ones(1, 2 if i < int(sys.argv[1]) else 3))\n"
            "    except RuntimeError: pass\n");
  const struct {
    const char* good;
    const char* profiled;
    bool is_compared;
  } cases[] = {{"2", "call 2 of Linear.forward", true},
               {"0", "call 1 of Linear.forward", false}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.good);
    fs::remove_all(directory() / "run");
    const ProgramEnd end = Run({"torch_profiler"}, {kPython, "raises.py", c.good});
    ASSERT_EQ(end.exit_code, 0) << end.err;
    EXPECT_EQ(Read("torch_profiler/operator_profile.json")["image"], c.profiled);
    EXPECT_EQ(Read("torch_profiler/metrics.json").contains("profiled"), c.is_compared);
    if (c.is_compared) continue;
    EXPECT_THAT(Stage("torch_profiler").notes,
                Contains(HasSubstr("it raised RuntimeError, and no call succeeded")));
  }
}

TEST_F(PythonProgram, NamesAModelThatIsCompiledAsAWhole) {
  if (!HasTorch()) GTEST_SKIP() << "no python3-torch";
  WriteFile(directory() / "script.py",
            "import torch\n"
            "net = torch.jit.script(torch.nn.Linear(2, 2))\n"
            "for i in range(4): net(torch.ones(1, 2))\n");
  const ProgramEnd end = Run({"direct_inference"}, {kPython, "script.py"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_THAT(Stage("direct_inference").notes,
              Contains(HasSubstr("without layers inside: the whole model")));
}

TEST_F(PythonProgram, HasItsLayersAsNvtxRanges) {
  if (!HasTorch() || *kProbe == '\0') GTEST_SKIP() << "no python3-torch or no NVTX";
  std::vector<std::string> arguments = {
      "nvtx-list", "--json", "pipeline.workload.python.ranges.exclude=[attn]",
      R"(pipeline.workload.python.regions=[{target: "gpt:GPT.generate", name: all}])",
      "--"};
  for (const std::string& word : Gpt()) arguments.push_back(word);
  const ProgramEnd end = Ridgeline(arguments);
  ASSERT_EQ(end.exit_code, 0) << end.err;
  const Json listed = Json::parse(end.out);
  std::map<std::string, int64_t> opened;
  for (const Json& range : listed["ranges"]) {
    opened[range["label"]] += range["opened"].get<int64_t>();
    EXPECT_TRUE(range["registered"].get<bool>()) << range["label"];
  }
  EXPECT_EQ(opened["forward"], 6);
  EXPECT_EQ(opened["blocks.0.mlp.down"], 6);
  EXPECT_EQ(opened["lm_head"], 6);
  EXPECT_EQ(opened["all"], 1);
  EXPECT_FALSE(opened.contains("blocks.0.attn"));
}

TEST_F(PythonProgram, ThatProfilesItselfHasItsCallsTimed) {
  if (!HasTorch()) GTEST_SKIP() << "no python3-torch";
  WriteFile(directory() / "own.py",
            "import torch\n"
            "net = torch.nn.Linear(2, 2)\n"
            "with torch.profiler.profile():\n"
            "    for i in range(4): net(torch.ones(1, 2))\n");
  const ProgramEnd end = Run({"torch_profiler"}, {kPython, "own.py"});
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_THAT(end.err, HasSubstr("n=2, not profiled: ProfilerBusy"));
  EXPECT_EQ(Stage("torch_profiler").state, State::kDone);
  EXPECT_EQ(Stage("torch_profiler").outcome, "ProfilerBusy");
  EXPECT_EQ(Read("torch_profiler/metrics.json")["samples"].size(), 2u);
  EXPECT_THAT(ReadFile(directory() / "run/report.md"), HasSubstr("end_to_end"));
}

class PythonUnderNsys : public PythonProgram {};

TEST_F(PythonUnderNsys, IsCapturedWithItsLayers) {
  if (!HasTorch() || !IsInstalled("nsys")) GTEST_SKIP() << "no python3-torch or no nsys";
  const ProgramEnd end =
      Run({"nsys"}, Gpt(),
          {"pipeline.nsys.capture_range=nvtx", "pipeline.nsys.nvtx_capture=forward",
           "pipeline.workload.python.ranges.exclude=[mlp]"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  const auto regions =
      RowsOf(directory() / "run/results.sqlite", "SELECT path, instances FROM region");
  std::vector<std::string> paths;
  for (const auto& [path, instances] : regions) paths.push_back(path);
  EXPECT_THAT(paths, Contains("forward/GPT/blocks.0/blocks.0.attn/blocks.0.attn.qkv"));
  EXPECT_THAT(paths, testing::Each(testing::Not(HasSubstr("mlp"))));
}

TEST_F(PythonProgram, IsObservedUnderAProfilerThatRecordsNvtxRangesOnly) {
  const struct {
    const char* stage;
    std::string override;
    bool is_observed;
  } cases[] = {
      {"nsys", "pipeline.nsys.trace=[cuda,nvtx]", true},
      {"nsys", "pipeline.nsys.trace=[cuda,osrt]", false},
      {"nsys", "pipeline.nsys={trace:[cuda],extra_args:['--trace=nvtx']}", true},
      {"ncu", "pipeline.ncu.ncu_cli.nvtx.include=[decode/]", true},
      {"ncu", "pipeline.ncu.ncu_cli.nvtx.include=[]", false},
      {"ncu", "pipeline.ncu.ncu_cli={nvtx:{include:[]},extra_args:['--nvtx']}", true},
  };
  WriteFile(directory() / "x.py", "");
  for (const auto& c : cases) {
    SCOPED_TRACE(c.override);
    const ProgramEnd end = Run({c.stage}, {kPython, "x.py"}, {c.override, "--dry-run"});
    ASSERT_EQ(end.exit_code, 0) << end.err;
    EXPECT_EQ(end.out.find("RIDGELINE_AGENT") != std::string::npos, c.is_observed)
        << end.out;
  }
}

TEST_F(PythonProgram, UnderNcuEndsByNameWithoutAGpu) {
  if (!HasTorch() || !IsInstalled("ncu")) GTEST_SKIP() << "no python3-torch or no ncu";
  const ProgramEnd end = Run({"ncu"}, Gpt());
  EXPECT_EQ(end.exit_code, 1) << end.err;
  EXPECT_EQ(Stage("ncu").state, State::kFailed);
  EXPECT_EQ(Stage("ncu").outcome, "NoKernels") << end.err;
}

TEST_F(PythonProgram, IsNotPlannedWithRegularExpressionsThatPythonRefuses) {
  const ProgramEnd end = Run({"nsys"}, {kPython, "x.py"},
                             {"pipeline.workload.python.ranges.exclude=['mlp(']"});
  EXPECT_EQ(end.exit_code, 2);
  EXPECT_THAT(end.err, HasSubstr("pipeline.workload.python.ranges.exclude: regular "
                                 "expression 'mlp(': missing ) (position 3)"));
}

TEST_F(PythonProgram, EndsAsItWouldWithoutUs) {
  WriteFile(directory() / "fails.py", "import sys\nsys.exit(7)\n");
  const ProgramEnd end = Run({"direct_inference"}, {kPython, "fails.py"});
  EXPECT_EQ(end.exit_code, 7) << end.err;
  EXPECT_EQ(Stage("direct_inference").state, State::kFailed);
}

TEST_F(PythonProgram, GetsItsArgumentsAsTheShellPassedThem) {
  WriteFile(directory() / "words.py", "import sys\nprint(sys.argv[1:])\n");
  const std::vector<std::string> words = {
      "a b", "it's", "${oc.env:HOME}", "x\\", "", "\\${y}", "[1,2]", "k=v", "null"};
  std::vector<std::string> command = {kPython, "words.py"};
  command.insert(command.end(), words.begin(), words.end());
  const ProgramEnd end = Run({"direct_inference"}, command);
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(ReadFile(directory() / "run/direct_inference/workload.log"),
            "['a b', \"it's\", '${oc.env:HOME}', 'x\\\\', '', '\\\\${y}', '[1,2]', "
            "'k=v', 'null']\n");
}

TEST_F(PythonProgram, WithoutPyTorchIsSkippedByName) {
  const struct {
    const char* text;
    std::vector<std::string> flags;
    const char* outcome;
  } cases[] = {
      {"print(1)\n", {}, "TorchNotImported"},
      {"print(1)\n", {"-I"}, "AgentNotLoaded"},
  };
  for (const auto& c : cases) {
    fs::remove_all(directory() / "run");
    WriteFile(directory() / "program.py", c.text);
    std::vector<std::string> command = {kPython};
    command.insert(command.end(), c.flags.begin(), c.flags.end());
    command.push_back("program.py");
    const ProgramEnd end = Run({"static_analysis", "direct_inference"}, command);
    EXPECT_EQ(end.exit_code, 0) << end.err;
    EXPECT_EQ(Stage("static_analysis").state, State::kSkipped);
    EXPECT_EQ(Stage("static_analysis").outcome, c.outcome);
    EXPECT_EQ(Stage("direct_inference").state, State::kDone);
  }
}

TEST_F(PythonProgram, ThatIsNotPythonIsNotObserved) {
  const ProgramEnd end = Run({"static_analysis", "direct_inference"}, {"/bin/true"});
  EXPECT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(Stage("static_analysis").state, State::kSkipped);
  EXPECT_THAT(Stage("static_analysis").reason, HasSubstr("not a Python program"));
  EXPECT_FALSE(fs::exists(directory() / "run/direct_inference/python"));
}

TEST_F(PythonProgram, ReadsTheFileThatIsOurStandardInput) {
  WriteFile(directory() / "echo.py", "import sys\nprint(sys.stdin.read())\n");
  WriteFile(directory() / "in.txt", "hello");
  const ProgramEnd end =
      Run({"direct_inference"}, {kPython, "echo.py"}, {"pipeline.workload.stdin=in.txt"});
  ASSERT_EQ(end.exit_code, 0) << end.err;
  EXPECT_EQ(ReadFile(directory() / "run/direct_inference/workload.log"), "hello\n");
}

TEST_F(PythonProgram, ReadsWhatIsPipedIntoUs) {
  WriteFile(directory() / "echo.py", "import sys\nprint(sys.stdin.read())\n");
  const struct {
    const char* override;
    const char* left;  // For what reads the pipe after us.
  } cases[] = {{"run.repeats=1", "a b"}, {"pipeline.workload.stdin=-", ""}};
  for (const auto& c : cases) {
    SCOPED_TRACE(c.override);
    fs::remove_all(directory() / "run");
    const std::string line =
        "cd '" + directory().string() + "' && printf 'a b' | (" + RIDGELINE_PROGRAM +
        " run hydra.run.dir=run run.repeats=1 pipeline.static_analysis.enable=false "
        "pipeline.torch_profiler.enable=false pipeline.direct_inference.enable=true " +
        c.override + " -- " + kPython + " echo.py >out 2>err; cat >left)";
    ASSERT_EQ(std::system(line.c_str()), 0);
    EXPECT_EQ(ReadFile(directory() / "run/direct_inference/workload.log"), "a b\n")
        << ReadFile(directory() / "err");
    EXPECT_EQ(ReadFile(directory() / "left"), c.left);
    EXPECT_EQ(ReadFile(directory() / "run/stdin.txt"), "a b");
  }
}

TEST_F(PythonProgram, ReadsOrIsSaidToMissOtherStandardInput) {
  WriteFile(directory() / "echo.py", "import sys\nprint(sys.stdin.read())\n");
  WriteFile(directory() / "in.txt", "first\nsecond\n");
  // A socket as standard input, with data and an open peer.
  WriteFile(directory() / "with_socket.py",
            "import socket, subprocess, sys\n"
            "ours, theirs = socket.socketpair()\n"
            "ours.send(b'x')\n"
            "sys.exit(subprocess.call(sys.argv[1:], stdin=theirs))\n");
  const struct {
    const char* what;
    std::string line;  // RUN is the command.
    const char* want;  // In the log of the program.
    const char* note;
  } cases[] = {
      {"a file", "RUN <in.txt", "first\nsecond\n\n", ""},
      {"the rest of a file", "{ read line; RUN; } <in.txt", "second\n\n", ""},
      {"a file that was deleted", "cp in.txt x && { rm x; RUN; } <x", "first\nsecond\n\n",
       ""},
      {"nothing is left of a file", "{ cat >all; RUN; } <in.txt", "\n", ""},
      {"a device", "RUN </dev/zero", "\n",
       "standard input is a device, and is not passed"},
      {"a device without data", "RUN </dev/null", "\n", ""},
      {"a socket", std::string(kPython) + " with_socket.py RUN", "\n",
       "standard input is a socket, and is not passed"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.what);
    fs::remove_all(directory() / "run");
    std::string line = c.line;
    line.replace(line.find("RUN"), 3,
                 std::string(RIDGELINE_PROGRAM) +
                     " run hydra.run.dir=run run.repeats=1 "
                     "pipeline.static_analysis.enable=false "
                     "pipeline.torch_profiler.enable=false "
                     "pipeline.direct_inference.enable=true -- " +
                     kPython + " echo.py");
    line = "cd '" + directory().string() + "' && { " + line + "; } >out 2>err";
    ASSERT_EQ(std::system(line.c_str()), 0) << ReadFile(directory() / "err");
    EXPECT_EQ(ReadFile(directory() / "run/direct_inference/workload.log"), c.want);
    const std::string said = ReadFile(directory() / "err");
    EXPECT_THAT(said, HasSubstr(c.note));
    EXPECT_EQ(said.find("note: standard input") == said.npos, *c.note == '\0') << said;
  }
}

}  // namespace
}  // namespace ridgeline::run
