#include "serve/site.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "os/files.h"
#include "os/scratch_directory.h"

namespace ridgeline::serve {
namespace {

using testing::HasSubstr;
using testing::Not;

namespace fs = std::filesystem;

class SiteTest : public testing::Test {
 protected:
  void SetUp() override {
    Write("secret.txt", "secret");
    Write("runs/a/manifest.json", "{}");
    Write("runs/a/metrics.json", R"({"schema_version": 1})");
    Write("runs/a/report.html", "<!doctype html>");
    Write("runs/a/run.nsys-rep", "x");
    Write("runs/<b> &/manifest.json", "{}");
    ASSERT_TRUE(os::MakeLink("../../secret.txt", root_ / "a/link.txt").ok());
  }

  void Write(const std::string& path, const std::string& text) {
    const fs::path file = scratch_.path() / path;
    ASSERT_TRUE(os::CreateDirectories(file.parent_path()).ok());
    ASSERT_TRUE(os::WriteFileAtomically(file, text).ok());
  }

  Reply Get(const std::string& target) const {
    return Site(root_, Callers::kLoopbackNames).Answer({"GET", target, "localhost:8080"});
  }

  os::ScratchDirectory scratch_ = os::ScratchDirectory::Make("site").value();
  fs::path root_ = scratch_.path() / "runs";
};

TEST_F(SiteTest, AnswersEachAddress) {
  struct Case {
    const char* target;
    int status;
    const char* type;
  };
  const Case cases[] = {
      {"/", 200, "text/html; charset=utf-8"},
      {"/?x", 200, "text/html; charset=utf-8"},
      {"/favicon.ico", 204, ""},
      {"/api/runs", 200, "application/json"},
      {"/api/runs/a/metrics", 200, "application/json"},
      {"/api/runs/a/manifest", 404, "application/json"},
      {"/api/runs/a", 404, "application/json"},
      {"/api/runs/none/metrics", 404, "application/json"},
      {"/api/runs/%3Cb%3E%20&/metrics", 404, "application/json"},
      {"/api", 404, "application/json"},
      {"/runs/a/report.html", 200, "text/html; charset=utf-8"},
      {"/runs/a/run.nsys-rep", 200, "application/octet-stream"},
      {"/runs/%3Cb%3E%20&/manifest.json", 200, "application/json"},
      {"/runs/a/none", 404, "text/plain; charset=utf-8"},
      {"/runs/a/link.txt", 404, "text/plain; charset=utf-8"},
      {"/runs/a", 404, "text/plain; charset=utf-8"},
      {"/runs", 404, "text/plain; charset=utf-8"},
      {"/runs/a/", 400, "text/plain; charset=utf-8"},
      {"/runs/a/../../secret.txt", 400, "text/plain; charset=utf-8"},
      {"/runs/a/%2e%2e/%2e%2e/secret.txt", 400, "text/plain; charset=utf-8"},
      {"/runs/a%2f..%2f..%2fsecret.txt", 400, "text/plain; charset=utf-8"},
      {"/runs/a/report.html%00.txt", 400, "text/plain; charset=utf-8"},
      {"/secret.txt", 404, "text/plain; charset=utf-8"},
      {"/etc/passwd", 404, "text/plain; charset=utf-8"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.target);
    const Reply reply = Get(c.target);
    EXPECT_EQ(reply.status, c.status);
    EXPECT_EQ(reply.content_type, c.type);
    EXPECT_THAT(reply.policy, HasSubstr("default-src 'none'"));
  }
}

TEST_F(SiteTest, OnlyPagesOfRunsMayBringScripts) {
  EXPECT_THAT(Get("/runs/a/report.html").policy, HasSubstr("script-src 'unsafe-inline'"));
  EXPECT_THAT(Get("/runs/a/report.html").policy, HasSubstr("sandbox allow-scripts "));
  EXPECT_THAT(Get("/runs/a/report.html").policy, Not(HasSubstr("allow-same-origin")));
  EXPECT_THAT(Get("/").policy, HasSubstr("script-src 'sha256-"));
  for (const char* target : {"/", "/api/runs", "/runs/a/run.nsys-rep", "/none"}) {
    EXPECT_THAT(Get(target).policy, Not(HasSubstr("unsafe-inline"))) << target;
  }
}

TEST_F(SiteTest, WhatIsNotShownIsSaved) {
  using Header = std::pair<std::string, std::string>;
  EXPECT_THAT(Get("/runs/a/run.nsys-rep").headers,
              testing::Contains(Header("Content-Disposition", "attachment")));
  EXPECT_TRUE(Get("/runs/a/report.html").headers.empty());
}

TEST_F(SiteTest, NothingCanBeChanged) {
  const Site site(root_, Callers::kLoopbackNames);
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"}) {
    EXPECT_EQ(site.Answer({method, "/api/runs", "localhost"}).status, 405) << method;
  }
  EXPECT_EQ(site.Answer({"HEAD", "/api/runs", "localhost"}).status, 200);
}

TEST_F(SiteTest, OnLoopbackOnlyItsNamesAreAnsweredTo) {
  struct Case {
    const char* host;
    int status;
  };
  const Case cases[] = {
      {"localhost", 200},
      {"localhost:8080", 200},
      {"LOCALHOST:8080", 200},
      {"127.0.0.1:1", 200},
      {"[::1]:8080", 200},
      {"[::1]", 200},
      {"", 403},
      {"evil.example", 403},
      {"evil.example:8080", 403},
      {"localhost.evil", 403},
      {"127.0.0.1.evil", 403},
      {"[::1", 403},
      {"::1", 403},
      {"127.0.0.2", 200},
      {"evil.example@localhost", 403},
      {"127.evil.example", 403},
      {"127", 403},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.host);
    const Request request = {"GET", "/", c.host};
    EXPECT_EQ(Site(root_, Callers::kLoopbackNames).Answer(request).status, c.status);
    EXPECT_EQ(Site(root_, Callers::kAnyName).Answer(request).status, 200);
  }
}

TEST_F(SiteTest, TheListHasBrokenRunsToo) {
  const auto list = nlohmann::json::parse(Get("/api/runs").body);
  ASSERT_EQ(list["runs"].size(), 2U);
  EXPECT_EQ(list["runs"][0]["state"], nullptr);
  EXPECT_FALSE(list["runs"][0]["problems"].empty());
}

}  // namespace
}  // namespace ridgeline::serve
