#include "serve/site.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "artifacts/run_dir.h"
#include "artifacts/run_files.h"
#include "base/json.h"
#include "report/pages/pages.h"
#include "serve/content_policy.h"
#include "serve/content_type.h"
#include "serve/headline_cache.h"

namespace ridgeline::serve {
namespace {

namespace fs = std::filesystem;
using Parts = std::span<const std::string>;

Reply TextReply(int status, std::string text) {
  return {.status = status,
          .content_type = std::string(kText),
          .policy = std::string(kPolicyOfData),
          .body = std::move(text) + '\n'};
}

Reply JsonReply(int status, const nlohmann::ordered_json& json) {
  // Names may be any bytes; JSON is UTF-8.
  return {.status = status,
          .content_type = std::string(kJson),
          .policy = std::string(kPolicyOfData),
          .body = DumpJson(json)};
}

Reply JsonError(int status, const std::string& message) {
  return JsonReply(status, {{"error", message}});
}

Reply FileReply(const fs::path& file) {
  const ContentType type = ContentTypeOf(file.filename().string());
  Reply reply = {
      .content_type = std::string(type.name),
      .policy = std::string(type.name == kHtml ? kPolicyOfRunPages : kPolicyOfData),
      .file = file};
  // Saved under the last component of its URL.
  if (!type.is_shown) reply.headers = {{"Content-Disposition", "attachment"}};
  return reply;
}

// "localhost:8080" -> "localhost", "[::1]:8080" -> "::1".
std::string_view WithoutPort(std::string_view host) {
  if (host.starts_with('[')) {
    const size_t end = host.find(']');
    return end == std::string_view::npos ? host : host.substr(1, end - 1);
  }
  return host.substr(0, host.find(':'));
}

}  // namespace

bool IsLoopback(std::string_view host) {
  constexpr std::string_view kName = "localhost";
  const bool is_name = std::equal(  // Host names are case-insensitive.
      host.begin(), host.end(), kName.begin(), kName.end(),
      [](unsigned char a, unsigned char b) { return std::tolower(a) == b; });
  // A name such as 127.evil.example can be registered by anyone; an IP address cannot.
  const bool is_ipv4 = host.find_first_not_of("0123456789.") == std::string_view::npos;
  return is_name || host == "::1" || (is_ipv4 && host.starts_with("127."));
}

Site::Site(fs::path root, Callers callers)
    : root_(std::move(root)),
      callers_(callers),
      page_policy_(PolicyOfPage(pages::RunsPage())) {}

Reply Site::Answer(const Request& request) const {
  if (callers_ == Callers::kLoopbackNames && !IsLoopback(WithoutPort(request.host))) {
    return TextReply(403,
                     "This server accepts only localhost, 127.0.0.1 and [::1]; use one "
                     "of these, or start it with --host.");
  }
  if (request.method != "GET" && request.method != "HEAD") {
    Reply reply = TextReply(405, "Read-only server: GET and HEAD only.");
    reply.headers = {{"Allow", "GET, HEAD"}};
    return reply;
  }
  const auto parts = PathParts(request.target);
  if (!parts) return TextReply(400, "Not a valid path.");
  if (parts->empty()) {
    return {.content_type = std::string(kHtml),
            .policy = page_policy_,
            .body = std::string(pages::RunsPage())};
  }
  const Parts rest = Parts(*parts).subspan(1);
  if (parts->front() == "api") return AnswerApi(rest);
  if (parts->front() == "runs") return AnswerFile(rest);
  // Every browser requests it and would log that it is missing.
  if (parts->front() == "favicon.ico" && rest.empty()) {
    return {.status = 204, .content_type = {}, .policy = std::string(kPolicyOfData)};
  }
  return TextReply(404, "Not found. The list of runs is at /.");
}

Reply Site::AnswerApi(Parts parts) const {
  if (parts.empty() || parts.front() != "runs") {
    return JsonError(404, "unknown endpoint; use /api/runs or /api/runs/<path>/metrics");
  }
  if (parts.size() == 1) return JsonReply(200, SummaryOfRuns(root_, headlines_));
  const auto found = artifacts::FindRun(root_, parts.subspan(1));
  if (!found) return JsonError(404, "no such run");
  if (found->rest.size() != 1 || found->rest.front() != "metrics") {
    return JsonError(404, "unknown endpoint; a run has only /metrics");
  }
  const std::string name = artifacts::RunDir(found->run).metrics_json().filename();
  const auto file = artifacts::FindFile(found->run, Parts(&name, 1));
  if (!file) {
    return JsonError(
        404, "no metrics.json yet; `ridgeline report` writes it for finished runs");
  }
  return FileReply(*file);
}

Reply Site::AnswerFile(Parts parts) const {
  const auto found = artifacts::FindRun(root_, parts);
  if (!found) return TextReply(404, "No such run.");
  const auto file = artifacts::FindFile(found->run, found->rest);
  if (!file) return TextReply(404, "No such file in this run.");
  return FileReply(*file);
}

}  // namespace ridgeline::serve
