#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <unordered_map>

#include "inference/recorder/thread_recorder.h"

namespace ridgeline::inference {
namespace {

constexpr int kMaxFrames = 64;
constexpr int kOwnFrames = 2;  // Here() and the recorder that calls it.

std::string Demangled(const char* symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol, nullptr, nullptr, &status), &std::free);
  return status == 0 ? name.get() : symbol;
}

std::string FrameName(void* address) {
  Dl_info info = {};
  if (dladdr(address, &info) == 0) return fmt::format("{}", address);
  if (info.dli_sname != nullptr) return Demangled(info.dli_sname);
  const std::string path = info.dli_fname;
  return fmt::format("{}+{:#x}", path.substr(path.rfind('/') + 1),
                     static_cast<char*>(address) - static_cast<char*>(info.dli_fbase));
}

}  // namespace

uint32_t CallStacks::Here() {
  std::array<void*, kMaxFrames> frames;
  const int count = backtrace(frames.data(), kMaxFrames);
  const int own = std::min(count, kOwnFrames);
  std::vector<void*> stack(frames.begin() + own, frames.begin() + count);
  const auto place = static_cast<uint32_t>(places_.size() + 1);
  return places_.try_emplace(std::move(stack), place).first->second;
}

std::vector<std::string> CallStacks::Names() const {
  std::unordered_map<void*, std::string> known;
  std::vector<std::string> names(places_.size() + 1);
  for (const auto& [frames, place] : places_) {
    for (void* frame : frames) {
      const auto [found, is_new] = known.try_emplace(frame);
      if (is_new) found->second = FrameName(frame);
      if (!names[place].empty()) names[place] += ';';
      names[place] += found->second;
    }
  }
  return names;
}

}  // namespace ridgeline::inference
