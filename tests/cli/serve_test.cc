#include <gmock/gmock.h>

#include <csignal>

#include "cli/program.h"
#include "cli/server.h"
#include "os/files.h"
#include "os/scratch_directory.h"

namespace ridgeline::cli {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

namespace fs = std::filesystem;

class ServeTest : public testing::Test {
 protected:
  void SetUp() override {
    Write("secret.txt", "the secret");
    Write("runs/one/manifest.json", "{}");
    Write("runs/one/metrics.json", R"({"schema_version": 1})");
    Write("runs/one/report.html", "<!doctype html><script>1</script>");
    Write("runs/one/nsys/nsys.log", "0123456789");
    Write("runs/one/empty.txt", "");
    Write("runs/one/results.sqlite", "SQLite");
    Write("runs/sweep/0/manifest.json", "broken");
    ASSERT_TRUE(os::MakeLink("../../secret.txt", runs_ / "one/link.txt").ok());
    ASSERT_TRUE(os::MakeLink("/etc", runs_ / "one/etc").ok());
  }

  void Write(const std::string& path, const std::string& text) {
    const fs::path file = scratch_.path() / path;
    ASSERT_TRUE(os::CreateDirectories(file.parent_path()).ok());
    ASSERT_TRUE(os::WriteFileAtomically(file, text).ok());
  }

  os::ScratchDirectory scratch_ = os::ScratchDirectory::Make("serve").value();
  fs::path runs_ = scratch_.path() / "runs";
};

TEST_F(ServeTest, ServesUntilItIsToldToEnd) {
  for (const int signal_number : {SIGTERM, SIGINT}) {
    Server server({runs_.string(), "--port", "0"});
    EXPECT_THAT(server.url(), StartsWith("http://127.0.0.1:"));
    EXPECT_EQ(server.error(), "ridgeline: serving " + runs_.string() + " (2 runs) at " +
                                  server.url() + "\n");
    EXPECT_THAT(server.Get("/"), StartsWith("HTTP/1.1 200 OK\r\n"));
    EXPECT_EQ(server.End(signal_number), 0);
  }
}

// Clients that never send a whole request: more than there are threads.
TEST_F(ServeTest, AnswersAndEndsBesideSilentConnections) {
  Server server({runs_.string(), "--port", "0"});
  std::vector<os::FileDescriptor> silent;
  for (int i = 0; i < 500; ++i) {
    silent.push_back(server.Connect(i % 2 == 0 ? "" : "GET / HTTP/1.1\r\nHost: 127"));
  }
  EXPECT_THAT(server.Get("/"), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_EQ(server.End(SIGTERM), 0);
}

TEST_F(ServeTest, EveryAnswerHasItsTypeAndTheHeadersOfAll) {
  const Server server({runs_.string(), "--port=0"});
  struct Case {
    const char* target;
    const char* status;
    const char* has;
  };
  const Case cases[] = {
      {"/", "200", "Content-Type: text/html; charset=utf-8\r\n"},
      {"/api/runs", "200", R"("path":"sweep/0")"},
      {"/api/runs/one/metrics", "200", R"({"schema_version": 1})"},
      {"/api/runs/none/metrics", "404", R"({"error":"no such run"})"},
      {"/runs/one/report.html", "200", "script-src 'unsafe-inline'"},
      {"/runs/one/nsys/nsys.log", "200", "Content-Type: text/plain; charset=utf-8\r\n"},
      {"/runs/one/empty.txt", "200", "Content-Length: 0\r\n"},
      {"/runs/one/results.sqlite", "200", "Content-Disposition: attachment\r\n"},
      {"/runs/one/none", "404", "No such file in this run."},
      {"/runs/one/link.txt", "404", "No such file in this run."},
      {"/runs/one/etc/passwd", "404", "No such file in this run."},
      {"/runs/../secret.txt", "400", "Not a valid path"},
      {"/runs/one/..%2f..%2fsecret.txt", "400", "Not a valid path"},
      {"/runs/one/%2e%2e/%2e%2e/secret.txt", "400", "Not a valid path"},
      {"/runs/one/report.html%00", "400", "Not a valid path"},
      {"/secret.txt", "404", "The list of runs is at /"},
      {"//etc/passwd", "400", "Not a valid path"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.target);
    EXPECT_THAT(
        server.Get(c.target),
        AllOf(StartsWith("HTTP/1.1 " + std::string(c.status)), HasSubstr(c.has),
              HasSubstr("\r\nX-Content-Type-Options: nosniff\r\n"),
              HasSubstr("\r\nReferrer-Policy: no-referrer\r\n"),
              HasSubstr("\r\nCross-Origin-Resource-Policy: same-origin\r\n"),
              HasSubstr("\r\nX-Frame-Options: SAMEORIGIN\r\n"),
              HasSubstr("\r\nContent-Security-Policy: "), HasSubstr("default-src 'none'"),
              Not(HasSubstr("the secret")), Not(HasSubstr("root:"))));
  }
}

TEST_F(ServeTest, HeadRangesAndOtherMethods) {
  const Server server({runs_.string(), "--port=0"});
  const std::string end = " HTTP/1.1\r\nHost: localhost\r\n";
  EXPECT_THAT(server.Ask("HEAD /runs/one/nsys/nsys.log" + end + "\r\n"),
              AllOf(StartsWith("HTTP/1.1 200"), HasSubstr("Content-Length: 10\r\n"),
                    Not(HasSubstr("0123"))));
  const auto range = [&](const std::string& target, const std::string& asked) {
    return server.Ask("GET " + target + end + "Range: bytes=" + asked + "\r\n\r\n");
  };
  const std::string log = "/runs/one/nsys/nsys.log";
  EXPECT_THAT(range(log, "2-4"),
              AllOf(StartsWith("HTTP/1.1 206"), HasSubstr("bytes 2-4/10"),
                    EndsWith("\r\n\r\n234")));
  EXPECT_THAT(range(log, "7-100"),
              AllOf(StartsWith("HTTP/1.1 206"), HasSubstr("bytes 7-9/10"),
                    EndsWith("\r\n\r\n789")));
  EXPECT_THAT(range(log, "-2"), EndsWith("\r\n\r\n89"));
  EXPECT_THAT(range(log, "0-1,4-5"),
              AllOf(StartsWith("HTTP/1.1 200"), EndsWith("\r\n\r\n0123456789")));
  EXPECT_THAT(range(log, "20-30"),
              AllOf(StartsWith("HTTP/1.1 416"), HasSubstr("Content-Range: bytes */10"),
                    HasSubstr("Content-Security-Policy")));
  EXPECT_THAT(range("/runs/one/none", "0-3"),
              AllOf(StartsWith("HTTP/1.1 404"), EndsWith("No such file in this run.\n")));
  for (const char* method : {"POST", "PUT", "DELETE", "PATCH", "OPTIONS"}) {
    SCOPED_TRACE(method);
    const std::string answer =
        server.Ask(method + (" /api/runs" + end) +
                   "Content-Length: 40\r\n\r\nGET /api/runs HTTP/1.1\r\nHost: "
                   "localhost\r\n\r\n");
    EXPECT_THAT(answer, AllOf(StartsWith("HTTP/1.1 405"), HasSubstr("Allow: GET, HEAD"),
                              Not(HasSubstr("200 OK"))));
  }
  EXPECT_THAT(server.Ask("nonsense\r\n\r\n"), StartsWith("HTTP/1.1 400"));
}

TEST_F(ServeTest, OnLoopbackANameFromElsewhereIsRefused) {
  const Server server({runs_.string(), "--port=0"});
  EXPECT_THAT(server.Ask("GET /api/runs HTTP/1.1\r\nHost: evil.example\r\n\r\n"),
              AllOf(StartsWith("HTTP/1.1 403"), HasSubstr("accepts only localhost"),
                    Not(HasSubstr("schema_version"))));
  EXPECT_THAT(server.Ask("GET /api/runs HTTP/1.0\r\n\r\n"), StartsWith("HTTP/1.1 403"));
}

TEST_F(ServeTest, ElsewhereAnyNameIsAnsweredTo) {
  const Server server({runs_.string(), "--port=0", "--host=0.0.0.0"});
  EXPECT_THAT(server.url(), StartsWith("http://0.0.0.0:"));
  EXPECT_THAT(server.error(),
              StartsWith("ridgeline: warning: anyone who can reach 0.0.0.0 can read"));
  EXPECT_THAT(server.Ask("GET /api/runs HTTP/1.1\r\nHost: a.name\r\n\r\n"),
              StartsWith("HTTP/1.1 200"));
}

TEST_F(ServeTest, RunsAreLookedForAnewEachTime) {
  const Server server({runs_.string(), "--port=0"});
  EXPECT_THAT(server.Get("/api/runs"), Not(HasSubstr("later")));
  Write("runs/later/manifest.json", "{}");
  EXPECT_THAT(server.Get("/api/runs"), HasSubstr(R"("path":"later")"));
}

TEST_F(ServeTest, APortThatIsTakenIsTold) {
  const Server server({runs_.string(), "--port=0"});
  const ProgramResult second =
      RunProgram({"serve", runs_.string(), "--port", std::to_string(server.port())});
  EXPECT_EQ(second.exit_code, 1);
  EXPECT_THAT(second.out, IsEmpty());
  EXPECT_EQ(
      second.err,
      "ridgeline: cannot listen on 127.0.0.1 port " + std::to_string(server.port()) +
          ": address in use; choose another --port, or --port 0 for any free port\n");
}

TEST_F(ServeTest, WhatIsTypedIsChecked) {
  ExpectGolden("serve_help",
               Transcript({"serve", "--help"}, RunProgram({"serve", "--help"})));
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"serve", "no/such/directory"},
        {"serve", "--port", "65536"},
        {"serve", "--port", "8080x"},
        {"serve", ".", "conf"},
        {"serve", "--host", ""},
        {"serve", "--prot", "1"}}) {
    SCOPED_TRACE(testing::PrintToString(arguments));
    EXPECT_EQ(RunProgram(arguments).exit_code, 2);
  }
  EXPECT_EQ(RunProgram({"serve", "no/such"}).err,
            "ridgeline: no/such: no such directory\n");
  EXPECT_EQ(RunProgram({"serve", "/dev/null"}).err,
            "ridgeline: /dev/null: not a directory\n");
}

}  // namespace
}  // namespace ridgeline::cli
