// libtorch throws exceptions. They are caught directly around its calls.
#pragma once

#include <c10/util/Exception.h>

#include <string>
#include <string_view>

#include "base/result.h"

namespace ridgeline::inference {

// Runs `work`, which returns a Result; exceptions of libtorch become errors.
template <typename Work>
auto CatchTorch(std::string_view doing, const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const c10::Error& error) {
    return Error(ErrorCode::kTool,
                 std::string(doing) + ": " + error.what_without_backtrace());
  } catch (const std::exception& error) {
    return Error(ErrorCode::kTool, std::string(doing) + ": " + error.what());
  }
}

}  // namespace ridgeline::inference
