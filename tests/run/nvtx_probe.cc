// Programs that use NVTX in all the ways there are; the first argument says which.
#include <nvtx3/nvToolsExt.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

nvtxEventAttributes_t Plain(const char* text) {
  nvtxEventAttributes_t attributes = {};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = text;
  return attributes;
}

nvtxEventAttributes_t Registered(nvtxDomainHandle_t domain, const char* text) {
  nvtxEventAttributes_t attributes = Plain("");
  attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  attributes.message.registered = nvtxDomainRegisterStringA(domain, text);
  return attributes;
}

void Sleep(int milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}

int Nested() {
  nvtxRangePushA("outer");
  for (int i = 0; i < 3; ++i) {
    nvtxRangePushA("inner");
    nvtxMarkA("tick");
    nvtxRangePop();
  }
  nvtxRangePop();
  nvtxRangePushA("inner");
  nvtxRangePop();
  return 0;
}

int Threads() {
  std::vector<nvtxRangeId_t> ids(4);
  std::vector<std::thread> threads;
  for (nvtxRangeId_t& id : ids) {
    threads.emplace_back([&id] {
      id = nvtxRangeStartA("request");
      nvtxRangePushA("work");
      Sleep(1);
      nvtxRangePop();
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const nvtxRangeId_t id : ids) nvtxRangeEnd(id);  // On another thread.
  nvtxRangeEnd(4711);
  return 0;
}

int Domains() {
  nvtxDomainHandle_t const engine = nvtxDomainCreateA("engine");
  const nvtxEventAttributes_t decode = Registered(engine, "decode");
  const nvtxEventAttributes_t mark = Plain("token");
  nvtxRangePushA("outer");  // Of another domain: not a place of the engine's ranges.
  nvtxDomainRangePushEx(engine, &decode);
  nvtxDomainMarkEx(engine, &mark);
  nvtxRangePop();
  nvtxDomainRangePop(engine);
  const nvtxRangeId_t id = nvtxDomainRangeStartEx(engine, &decode);
  nvtxDomainRangeEnd(engine, id);
  nvtxDomainDestroy(engine);
  return 0;
}

int Wide() {
  nvtxDomainHandle_t const domain = nvtxDomainCreateW(L"dom\u00e4ne");
  nvtxEventAttributes_t attributes = Plain("");
  attributes.messageType = NVTX_MESSAGE_TYPE_UNICODE;
  attributes.message.unicode = L"\u89e3\u7801";
  nvtxDomainRangePushEx(domain, &attributes);
  nvtxDomainRangePop(domain);
  attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  attributes.message.registered = nvtxDomainRegisterStringW(domain, L"\U0001F600");
  nvtxDomainRangePushEx(domain, &attributes);
  nvtxDomainRangePop(domain);
  nvtxRangePushW(L"wide");
  nvtxMarkW(L"mark");
  nvtxRangePop();
  nvtxRangeEnd(nvtxRangeStartW(L"span"));
  nvtxRangePushA("bad \xff \"byte\"\n");  // Neither UTF-8 nor fit for JSON.
  nvtxRangePop();
  return 0;
}

// Two children inside an open range: one ends well, one by _exit().
int Fork() {
  nvtxRangePushA("parent");
  for (const bool polite : {true, false}) {
    const pid_t child = fork();
    if (child == 0) {
      nvtxRangePushA("child");
      nvtxRangePop();
      nvtxRangePop();  // The parent's.
      if (polite) std::exit(0);
      Sleep(300);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
  }
  nvtxRangePop();
  return 0;
}

// Many threads at work while others fork: no lock may stay behind in a child.
int ForkStorm() {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([t] {
      for (int i = 0; i < 20000; ++i) {
        nvtxRangePushA(("label " + std::to_string((i + t) % 50)).c_str());
        nvtxRangeEnd(nvtxRangeStartA("span"));
        nvtxRangePop();
      }
    });
  }
  int failed = 0;
  for (int i = 0; i < 50; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      nvtxRangePushA("child");
      nvtxRangeEnd(nvtxRangeStartA("span"));
      nvtxRangePop();
      std::exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    failed += status == 0 ? 0 : 1;
  }
  for (std::thread& thread : threads) thread.join();
  return failed;
}

int Killed() {
  nvtxRangePushA("closed");
  nvtxRangePop();
  nvtxRangePushA("open");
  Sleep(400);
  return std::raise(SIGKILL);
}

// A handler that uses NVTX, in the middle of whatever its thread does.
int Signals() {
  nvtxMarkA("begin");  // NVTX cannot be interrupted by itself while it loads the library.
  struct sigaction action = {};
  action.sa_handler = [](int) {
    nvtxRangePushA("handler");
    nvtxRangePop();
  };
  sigaction(SIGALRM, &action, nullptr);
  itimerval every = {{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &every, nullptr);
  for (int i = 0; i < 200000; ++i) {
    nvtxRangePushA("loop");
    nvtxRangePop();
  }
  every = {};
  setitimer(ITIMER_REAL, &every, nullptr);
  return 0;
}

int Unbalanced() {
  nvtxRangePop();
  nvtxRangePushEx(nullptr);
  errno = 77;
  nvtxRangePushA(std::string(3000, 'x').c_str());
  nvtxRangePop();
  std::atexit([] { nvtxMarkA("at exit"); });
  return errno == 77 ? 0 : 1;
}

// A push per step, and no pop.
int Leak() {
  for (int i = 0; i < 100'000; ++i) {
    nvtxRangePushA("step");
    nvtxRangePushA(("work " + std::to_string(i % 3)).c_str());
    nvtxRangePop();
  }
  return 0;
}

// More labels than anyone wants to keep.
int Endless() {
  for (int i = 0; i < 70000; ++i) {
    nvtxRangePushA(("step " + std::to_string(i)).c_str());
    nvtxRangePop();
  }
  return 0;
}

// Prints what one push and pop costs, in ns.
int Cost() {
  constexpr int kTimes = 1'000'000;
  const nvtxEventAttributes_t registered = Registered(nullptr, "registered");
  const auto tell = [](const char* what, auto action) {
    double best = 1e9;
    for (int round = 0; round < 5; ++round) {
      const auto begin = std::chrono::steady_clock::now();
      for (int i = 0; i < kTimes; ++i) action();
      const std::chrono::duration<double, std::nano> took =
          std::chrono::steady_clock::now() - begin;
      best = std::min(best, took.count() / kTimes);
    }
    std::printf("%-28s %6.1f ns\n", what, best);
  };
  tell("push, pop (plain)", [] {
    nvtxRangePushA("plain");
    nvtxRangePop();
  });
  tell("push, pop (registered)", [&] {
    nvtxDomainRangePushEx(nullptr, &registered);
    nvtxDomainRangePop(nullptr);
  });
  tell("start, end", [] { nvtxRangeEnd(nvtxRangeStartA("span")); });
  tell("mark", [] { nvtxMarkA("mark"); });
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  struct Mode {
    std::string_view name;
    int (*run)();
  };
  constexpr Mode kModes[] = {
      {"nested", Nested},   {"threads", Threads},
      {"domains", Domains}, {"wide", Wide},
      {"fork", Fork},       {"fork-storm", ForkStorm},
      {"killed", Killed},   {"unbalanced", Unbalanced},
      {"endless", Endless}, {"signals", Signals},
      {"cost", Cost},       {"leak", Leak},
  };
  for (const Mode& mode : kModes) {
    if (argc > 1 && argv[1] == mode.name) return mode.run();
  }
  return 64;
}
