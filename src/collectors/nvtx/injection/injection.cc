// Entry point of the library: NVTX loads it, calls InitializeInjectionNvtx2, and from
// then on calls the functions installed there. Every program and shared object that uses
// NVTX has its own copy of NVTX, and each copy calls.
#include <nvtx3/nvToolsExt.h>

#include <chrono>
#include <cstring>
#include <type_traits>

#include "collectors/nvtx/injection/recorder.h"
#include "collectors/nvtx/injection/text.h"

namespace ridgeline::nvtx_injection {
namespace {

int64_t Now() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Reads one byte more than is kept, to detect truncation.
std::string_view Shortened(const char* text) {
  return text == nullptr ? std::string_view()
                         : std::string_view(text, strnlen(text, kMaxLabel + 1));
}

std::string Shortened(const wchar_t* text) {
  return text == nullptr ? std::string() : Utf8(text, kMaxLabel + 1);
}

// Attributes of a call, in any of NVTX's forms.
class Message {
 public:
  explicit Message(const char* text) : label_(Label::Of(Shortened(text))) {}
  explicit Message(const wchar_t* text)
      : wide_(Shortened(text)), label_(Label::OfWide(wide_)) {}
  explicit Message(const nvtxEventAttributes_t* attributes) {
    if (attributes == nullptr) return;
    const auto& message = attributes->message;
    switch (attributes->messageType) {
      case NVTX_MESSAGE_TYPE_ASCII:
        label_ = Label::Of(Shortened(message.ascii));
        return;
      case NVTX_MESSAGE_TYPE_UNICODE:
        wide_ = Shortened(message.unicode);
        label_ = Label::OfWide(wide_);
        return;
      case NVTX_MESSAGE_TYPE_REGISTERED:
        if (message.registered == nullptr) return;
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): our own handle.
        label_ = reinterpret_cast<const RegisteredString*>(message.registered)->label;
        return;
      default:  // No message.
        return;
    }
  }
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  const Label& label() const { return label_; }

 private:
  std::string wide_;  // Storage for the label.
  Label label_ = Label::Of({});
};

const Domain& DomainOf(nvtxDomainHandle_t handle) {
  if (handle == nullptr) return Recorder::The()->default_domain();
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): our own handle.
  return *reinterpret_cast<const Domain*>(handle);
}

template <typename Text>
void Mark(nvtxDomainHandle_t domain, Text text) {
  Recorder::The()->WithLog(0, [&](ThreadLog& log) {
    log.Open(DomainOf(domain), Message(text).label(), Kind::kMark);
    return 0;
  });
}

template <typename Text>
nvtxRangeId_t Start(nvtxDomainHandle_t domain, Text text) {
  return Recorder::The()->WithLog(nvtxRangeId_t{0}, [&](ThreadLog& log) {
    Node* const node = log.Open(DomainOf(domain), Message(text).label(), Kind::kStartEnd);
    return nvtxRangeId_t{Recorder::The()->StartRange(log, node, Now())};
  });
}

void End(nvtxRangeId_t id) {
  Recorder::The()->Guarded(0, [&] {
    Recorder::The()->EndRange(id, Now());
    return 0;
  });
}

template <typename Text>
int Push(nvtxDomainHandle_t domain, Text text) {
  return Recorder::The()->WithLog(NVTX_NO_PUSH_POP_TRACKING, [&](ThreadLog& log) {
    const Message message(text);
    return log.Push(DomainOf(domain), message.label(), Now());
  });
}

int Pop(nvtxDomainHandle_t domain) {
  const int64_t now_ns = Now();
  return Recorder::The()->WithLog(NVTX_NO_PUSH_POP_TRACKING, [&](ThreadLog& log) {
    return log.Pop(DomainOf(domain), now_ns);
  });
}

template <typename Text>
nvtxDomainHandle_t CreateDomain(Text name) {
  return Recorder::The()->Guarded(nvtxDomainHandle_t{nullptr}, [&] {
    const Domain& domain =
        Recorder::The()->DomainNamed(std::string_view(Shortened(name)));
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast,cppcoreguidelines-pro-type-const-cast)
    return reinterpret_cast<nvtxDomainHandle_t>(const_cast<Domain*>(&domain));
  });
}

template <typename Text>
nvtxStringHandle_t RegisterString(nvtxDomainHandle_t /*domain*/, Text text) {
  return Recorder::The()->Guarded(nvtxStringHandle_t{nullptr}, [&] {
    constexpr bool kIsWide = std::is_same_v<Text, const wchar_t*>;
    const RegisteredString& string =
        Recorder::The()->Register(std::string_view(Shortened(text)), kIsWide);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast,cppcoreguidelines-pro-type-const-cast)
    return reinterpret_cast<nvtxStringHandle_t>(const_cast<RegisteredString*>(&string));
  });
}

// Other threads may still use the handle, so it stays valid.
void DestroyDomain(nvtxDomainHandle_t /*domain*/) {}

// Functions of the default domain take no domain argument.
template <typename Text>
void MarkDefault(Text text) {
  Mark(nullptr, text);
}
template <typename Text>
nvtxRangeId_t StartDefault(Text text) {
  return Start(nullptr, text);
}
template <typename Text>
int PushDefault(Text text) {
  return Push(nullptr, text);
}
int PopDefault() { return Pop(nullptr); }
void EndOfDomain(nvtxDomainHandle_t /*domain*/, nvtxRangeId_t id) { End(id); }

// One of NVTX's function tables, whose entries initially do nothing.
class FunctionTable {
 public:
  FunctionTable(const NvtxExportTableCallbacks& callbacks, NvtxCallbackModule module) {
    if (callbacks.GetModuleFunctionTable(module, &table_, &size_) == 0) size_ = 0;
  }
  template <typename Function>
  void Set(unsigned int id, Function* function) {
    // An older NVTX has fewer functions.
    if (id >= size_ || table_[id] == nullptr) return;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): as NVTX declares it.
    *table_[id] = reinterpret_cast<NvtxFunctionPointer>(function);
  }

 private:
  NvtxFunctionTable table_ = nullptr;
  unsigned int size_ = 0;
};

using Attributes = const nvtxEventAttributes_t*;

void FillCore(FunctionTable table) {
  table.Set(NVTX_CBID_CORE_MarkEx, MarkDefault<Attributes>);
  table.Set(NVTX_CBID_CORE_MarkA, MarkDefault<const char*>);
  table.Set(NVTX_CBID_CORE_MarkW, MarkDefault<const wchar_t*>);
  table.Set(NVTX_CBID_CORE_RangeStartEx, StartDefault<Attributes>);
  table.Set(NVTX_CBID_CORE_RangeStartA, StartDefault<const char*>);
  table.Set(NVTX_CBID_CORE_RangeStartW, StartDefault<const wchar_t*>);
  table.Set(NVTX_CBID_CORE_RangeEnd, End);
  table.Set(NVTX_CBID_CORE_RangePushEx, PushDefault<Attributes>);
  table.Set(NVTX_CBID_CORE_RangePushA, PushDefault<const char*>);
  table.Set(NVTX_CBID_CORE_RangePushW, PushDefault<const wchar_t*>);
  table.Set(NVTX_CBID_CORE_RangePop, PopDefault);
}

void FillCore2(FunctionTable table) {
  table.Set(NVTX_CBID_CORE2_DomainMarkEx, Mark<Attributes>);
  table.Set(NVTX_CBID_CORE2_DomainRangeStartEx, Start<Attributes>);
  table.Set(NVTX_CBID_CORE2_DomainRangeEnd, EndOfDomain);
  table.Set(NVTX_CBID_CORE2_DomainRangePushEx, Push<Attributes>);
  table.Set(NVTX_CBID_CORE2_DomainRangePop, Pop);
  table.Set(NVTX_CBID_CORE2_DomainRegisterStringA, RegisterString<const char*>);
  table.Set(NVTX_CBID_CORE2_DomainRegisterStringW, RegisterString<const wchar_t*>);
  table.Set(NVTX_CBID_CORE2_DomainCreateA, CreateDomain<const char*>);
  table.Set(NVTX_CBID_CORE2_DomainCreateW, CreateDomain<const wchar_t*>);
  table.Set(NVTX_CBID_CORE2_DomainDestroy, DestroyDomain);
}

}  // namespace
}  // namespace ridgeline::nvtx_injection

// 1: the functions are set. 0: NVTX stays disabled, as without a library.
extern "C" __attribute__((visibility("default"))) int InitializeInjectionNvtx2(
    NvtxGetExportTableFunc_t get_export_table) {
  using namespace ridgeline::nvtx_injection;
  const int error_before = errno;
  bool started = false;
  try {
    const auto* const callbacks = static_cast<const NvtxExportTableCallbacks*>(
        get_export_table(NVTX_ETID_CALLBACKS));
    started = callbacks != nullptr && callbacks->GetModuleFunctionTable != nullptr &&
              Recorder::Start();
    if (started) {
      FillCore({*callbacks, NVTX_CB_MODULE_CORE});
      FillCore2({*callbacks, NVTX_CB_MODULE_CORE2});
    }
  } catch (...) {
    // Out of memory. The observed program must not notice.
  }
  errno = error_before;
  return started ? 1 : 0;
}
