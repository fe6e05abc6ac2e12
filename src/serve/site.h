// Maps requests to responses, independent of the HTTP library.
//
//   GET /                          the page with the list of runs
//   GET /api/runs                  the list, as returned by SummaryOfRuns()
//   GET /api/runs/<path>/metrics   metrics.json of a run
//   GET /runs/<path>/<file>        a file of a run
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "serve/headline_cache.h"

namespace ridgeline::serve {

struct Request {
  std::string method;
  std::string target;  // As received: not decoded.
  std::string host;    // The header; empty: none.
};

struct Reply {
  int status = 200;
  std::string content_type;
  std::string policy;  // Content-Security-Policy.
  std::vector<std::pair<std::string, std::string>> headers = {};  // Additional headers.
  std::string body = {};
  std::optional<std::filesystem::path> file = {};  // Instead of `body`.
};

// Sent with every reply.
inline constexpr std::pair<const char*, const char*> kHeadersOfAll[] = {
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"X-Frame-Options", "SAMEORIGIN"},
    {"Cache-Control", "no-cache"},
};

// Whether it is reachable from this machine only: "localhost", "127.0.0.1" and the like,
// "::1".
bool IsLoopback(std::string_view host);

// Allowed Host headers. Without this check, any web page could point a name of its domain
// to 127.0.0.1 and read the server's responses (DNS rebinding).
enum class Callers { kLoopbackNames, kAnyName };

// Thread-safe.
class Site {
 public:
  // `root` is absolute, with its links resolved.
  Site(std::filesystem::path root, Callers callers);

  Reply Answer(const Request& request) const;

 private:
  Reply AnswerApi(std::span<const std::string> parts) const;
  Reply AnswerFile(std::span<const std::string> parts) const;

  std::filesystem::path root_;
  Callers callers_;
  std::string page_policy_;
  mutable HeadlineCache headlines_;
};

// The parts of a request's target, decoded once, without its query:
// "/runs/a%20b/report.html?x" -> "runs", "a b", "report.html"; "/" -> none.
//
// Empty for targets that our pages never request and that could refer to a different file
// than they appear to: parts that are empty, "." or "..", that contain a slash or a NUL,
// and invalid escapes.
std::optional<std::vector<std::string>> PathParts(std::string_view target);

}  // namespace ridgeline::serve
