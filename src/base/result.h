// Result<T>: a function's value, or the error that prevented it.
//
// Use it for everything that can go wrong outside the program: a missing file, a bad
// config value, a malformed report. A violated invariant inside the program is an assert,
// not a Result.
#pragma once

#include <cassert>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace ridgeline {

// The code follows from what the user can do about the error, and determines the exit
// status (app/exit_status.h).
enum class ErrorCode {
  kConfig,       // Invalid configuration or command line.
  kNotFound,     // A required file or tool is missing.
  kCannotStart,  // A required program exists but does not start.
  kTool,         // An external tool ran and failed.
  kParse,        // A file is malformed.
  kUnsupported,  // Not supported by this build or machine.
  kIo,           // The operating system reported an error.
};

class Error {
 public:
  Error(ErrorCode code, std::string message)
      : code_(code), message_(std::move(message)) {}

  // Prepends the caller's activity, outermost first:
  //   "stage nsys: reading run/nsys/out.sqlite: no table CUPTI_KERNEL".
  Error&& While(std::string_view doing) && {
    message_.insert(0, std::string(doing) + ": ");
    return std::move(*this);
  }

  ErrorCode code() const { return code_; }
  const std::string& message() const { return message_; }

 private:
  ErrorCode code_;
  std::string message_;
};

// A value or the reason why there is none. Modules with richer errors than `Error`
// (config) use their own E.
template <typename T, typename E = Error>
class [[nodiscard]] Result {
 public:
  // Implicit on purpose: `return value;` and `return Error(...);` both work.
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(T value) : value_(std::move(value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor)
  Result(E error) : error_(std::move(error)) {}

  bool ok() const { return value_.has_value(); }

  const T& value() const& {
    assert(ok());
    return *value_;
  }
  T& value() & {
    assert(ok());
    return *value_;
  }
  T&& value() && {
    assert(ok());
    return *std::move(value_);
  }
  const E& error() const& {
    assert(!ok());
    return *error_;
  }
  E&& error() && {
    assert(!ok());
    return *std::move(error_);
  }

 private:
  // Exactly one is set. A std::variant for each T would dominate the build time.
  std::optional<T> value_;
  std::optional<E> error_;
};

// For functions that succeed without a value or fail with an error.
using Status = Result<std::monostate>;
inline std::monostate Ok() { return {}; }

#define RIDGELINE_CONCAT_INNER(a, b) a##b
#define RIDGELINE_CONCAT(a, b) RIDGELINE_CONCAT_INNER(a, b)

// RIDGELINE_TRY(auto rows, ReadRows(path)): binds the value or returns the error.
#define RIDGELINE_TRY(declaration, ...)                                \
  auto RIDGELINE_CONCAT(try_result_, __LINE__) = (__VA_ARGS__);        \
  if (!RIDGELINE_CONCAT(try_result_, __LINE__).ok())                   \
    return std::move(RIDGELINE_CONCAT(try_result_, __LINE__)).error(); \
  declaration = std::move(RIDGELINE_CONCAT(try_result_, __LINE__)).value()

// RIDGELINE_RETURN_IF_ERROR(WriteRows(path)): returns the error, if any.
#define RIDGELINE_RETURN_IF_ERROR(...)                          \
  do {                                                          \
    auto try_status = (__VA_ARGS__);                            \
    if (!try_status.ok()) return std::move(try_status).error(); \
  } while (false)

}  // namespace ridgeline
