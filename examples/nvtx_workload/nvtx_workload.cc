// A workload for trying out profilers on any machine: it goes through the phases of an
// LLM that reads pages, without a model. The NVTX ranges of each page are
//   prefill            (contains sam, clip and projector)
//   decode             one per token
// Their names are registered strings, as Nsight Systems needs for --nvtx-capture.
// Progress is written to the file named by RIDGELINE_PROGRESS_FILE.
//
//   nvtx_workload [PAGES [TOKENS [MILLISECONDS_PER_STEP]]]
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#if __has_include(<nvtx3/nvToolsExt.h>)
#include <nvtx3/nvToolsExt.h>
#define HAS_NVTX 1
#else
#define HAS_NVTX 0
#endif

namespace {

#if HAS_NVTX
class Range {
 public:
  explicit Range(const char* name) {
    nvtxEventAttributes_t attributes = {};
    attributes.version = NVTX_VERSION;
    attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
    attributes.message.registered = nvtxDomainRegisterStringA(nullptr, name);
    nvtxDomainRangePushEx(nullptr, &attributes);
  }
  ~Range() { nvtxDomainRangePop(nullptr); }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;
};
#else
// Without NVTX the work is the same, without ranges.
struct Range {
  explicit Range(const char*) {}
  ~Range() {}
};
#endif

// Busy loop.
void Work(int milliseconds) {
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  volatile double sum = 0;
  while (std::chrono::steady_clock::now() < end) {
    for (int i = 1; i < 1000; ++i) sum = sum + 1.0 / i;
  }
}

void Prefill(int milliseconds) {
  const Range prefill("prefill");
  for (const char* part : {"sam", "clip", "projector"}) {
    const Range range(part);
    Work(milliseconds);
  }
}

void Decode(int tokens, int milliseconds) {
  for (int token = 0; token < tokens; ++token) {
    const Range range("decode");
    Work(milliseconds);
  }
}

int Number(int argc, char** argv, int index, int otherwise) {
  return argc > index ? std::atoi(argv[index]) : otherwise;
}

void WriteProgress(int done, int total) {
  const char* path = std::getenv("RIDGELINE_PROGRESS_FILE");
  if (path != nullptr) std::ofstream(path) << done << ' ' << total << " pages\n";
}

}  // namespace

int main(int argc, char** argv) {
  const int pages = Number(argc, argv, 1, 2);
  const int tokens = Number(argc, argv, 2, 4);
  const int milliseconds = Number(argc, argv, 3, 5);
  for (int page = 1; page <= pages; ++page) {
    Prefill(milliseconds);
    Decode(tokens, milliseconds);
    std::printf("page %d of %d: %d tokens\n", page, pages, tokens);
    WriteProgress(page, pages);
  }
  return 0;
}
