
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

#include "profiles/nsys_sqlite/contents.h"
#include "profiles/nsys_sqlite/environment.h"
#include "profiles/nsys_sqlite/nsys_sqlite.h"
#include "profiles/testing/sqlite_file.h"

namespace ridgeline::profiles {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string BytesOf(const SqliteFile& file) {
  std::ifstream in(file.path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(RedactionTest, BlanksValuesAndKeepsNames) {
  struct Case {
    const char* what;
    std::string block;
    std::string want;
  };
  const Case cases[] = {
      {"lines", "HOME=/root\nHF_TOKEN=hf_1\n", "HOME=REDACTED\nHF_TOKEN=REDACTED\n"},
      {"quotes", "A=\"b c\"", "A=REDACTED"},
      {"zero bytes between", std::string("A=b\0C=d", 7),
       std::string("A=REDACTED\0C=REDACTED", 21)},
      {"nothing to hide", "A=\nB=REDACTED\n\n", "A=\nB=REDACTED\n\n"},
      {"a key of several lines",
       "PEM=-----BEGIN KEY-----\nMIIE+/v\nQUJD==\n-----END KEY-----\nB=1",
       "PEM=REDACTED\nREDACTED\nREDACTED\nREDACTED\nB=REDACTED"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(nsys_sqlite::WithoutValues(c.block), c.want) << c.what;
  }
}

TEST(RedactionTest, LeavesNoSecretInTheFile) {
  SqliteFile file;
  file.Run(
      kStringsTableSql +
      std::string("CREATE TABLE TARGET_INFO_SYSTEM_ENV (name TEXT, value TEXT);"
                  "CREATE TABLE META_DATA_CAPTURE (name TEXT, value TEXT);"
                  "INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES "
                  "('DeviceEnvironment', 'A_KEY=secret1' || char(10) || 'B=plain1'), "
                  "('Hostname', 'C=kept1');"
                  "INSERT INTO META_DATA_CAPTURE VALUES "
                  "('PROCESS_ENVIRONMENT_VARIABLE', 'OPENAI_API_KEY=secret2'), "
                  "('COMMAND', 'D=kept2');"
                  "INSERT INTO StringIds VALUES (1, 'X_TOKEN=secret3' || char(10) || "
                  "'Y=plain2' || char(10) || 'Z=plain3'), (2, 'gemm<N=kept3>');"));
  const Result<Redaction> done = RedactNsysExport(file.path());
  ASSERT_TRUE(done.ok()) << done.error().message();
  EXPECT_EQ(done.value().values, 6);
  EXPECT_EQ(done.value().secrets, 3);
  const std::string bytes = BytesOf(file);
  for (const char* gone : {"secret1", "secret2", "secret3", "plain1", "plain2"}) {
    EXPECT_THAT(bytes, Not(HasSubstr(gone)));
  }
  for (const char* kept :
       {"A_KEY=REDACTED", "OPENAI_API_KEY=", "kept1", "kept2", "kept3"}) {
    EXPECT_THAT(bytes, HasSubstr(kept));
  }
  const auto rows = ReadNsysSqlite(file.path());
  ASSERT_TRUE(rows.ok()) << rows.error().message();
  EXPECT_EQ(rows.value().header.environment_values, 0);
  // Idempotent.
  EXPECT_EQ(RedactNsysExport(file.path()).value().values, 0);
}

// Rows inserted between others split pages, and the old page keeps its bytes.
TEST(RedactionTest, LeavesNoSecretBetweenRowsEither) {
  SqliteFile file;
  std::string sql = kStringsTableSql;
  for (int i = 0; i < 400; ++i) {
    sql += "INSERT INTO StringIds VALUES (" + std::to_string((i * 211) % 401 + 1) +
           ", 'A_KEY=secret' || char(10) || 'B=" + std::string(20 + i % 90, 'b') +
           "' || char(10) || 'C=plain');";
  }
  file.Run(sql + "DELETE FROM StringIds WHERE id % 7 = 0;");
  ASSERT_THAT(BytesOf(file).find("secret"), Not(testing::Eq(std::string::npos)));
  ASSERT_TRUE(RedactNsysExport(file.path()).ok());
  EXPECT_EQ(BytesOf(file).find("secret"), std::string::npos);
  EXPECT_EQ(BytesOf(file).find("bbbb"), std::string::npos);
}

TEST(RedactionTest, SaysWhatCannotBeOpened) {
  const Result<Redaction> done = RedactNsysExport("/nonexistent/run.sqlite");
  ASSERT_FALSE(done.ok());
  EXPECT_THAT(done.error().message(), HasSubstr("unable to open"));
}

TEST(ContentsTest, CountsWhatIsThere) {
  SqliteFile file;
  file.Run(kStringsTableSql + KernelTableSql() +
           "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end) VALUES (1, 2), (3, 4);"
           "CREATE TABLE NVTX_EVENTS (start INTEGER, eventType INTEGER);"
           "INSERT INTO NVTX_EVENTS VALUES (1, 59), (2, 60), (3, 34);");
  const Result<NsysContents> contents = ContentsOfNsysExport(file.path());
  ASSERT_TRUE(contents.ok()) << contents.error().message();
  EXPECT_EQ(contents.value().kernels, 2);
  EXPECT_EQ(contents.value().nvtx_ranges, 2);
  EXPECT_TRUE(contents.value().HasGpuWork());
  SqliteFile nothing;
  nothing.Run(
      kStringsTableSql +
      std::string("CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER);"));
  EXPECT_TRUE(ContentsOfNsysExport(nothing.path()).value().IsEmpty());
}

}  // namespace
}  // namespace ridgeline::profiles
