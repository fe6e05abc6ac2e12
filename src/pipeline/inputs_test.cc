#include "pipeline/inputs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "base/digest.h"
#include "os/files.h"

namespace ridgeline::pipeline {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kHash(64, 'a');
const std::string kOtherHash(64, 'b');

class DescribeInputsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name =
        (fs::path(::testing::TempDir()) / "ridgeline-inputs-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    dir_ = os::RealPath(name).value();
  }
  void TearDown() override { fs::remove_all(dir_); }

  const fs::path& dir() const { return dir_; }

  fs::path Write(const std::string& name, std::string_view bytes) {
    EXPECT_TRUE(os::WriteFileAtomically(dir_ / name, bytes).ok());
    return dir_ / name;
  }

 private:
  fs::path dir_;
};

TEST_F(DescribeInputsTest, TellsRolePathSizeAndHash) {
  const fs::path program = Write("serve", "abc");
  const fs::path page = Write("page.png", "");
  EXPECT_THAT(
      DescribeInputs({{"workload program", program}, {"page", page}}).value(),
      ElementsAre(InputFile{"workload program", program.string(), 3, Sha256("abc")},
                  InputFile{"page", page.string(), 0, Sha256("")}));
}

TEST_F(DescribeInputsTest, KeepsTheOrderAndARoleForEachMention) {
  const fs::path file = Write("a", "x");
  const InputFile want{"page", file.string(), 1, Sha256("x")};
  InputFile as_weights = want;
  as_weights.role = "weights";
  EXPECT_THAT(DescribeInputs({{"page", file}, {"weights", file}, {"page", file}}).value(),
              ElementsAre(want, as_weights, want));
}

TEST_F(DescribeInputsTest, MakesPathsAbsoluteAndKeepsTheNameOfALink) {
  Write("blob", "x");
  fs::create_symlink("blob", dir() / "model");
  fs::create_symlink(".", dir() / "here");
  const fs::path before = fs::current_path();
  ASSERT_TRUE(os::ChangeDirectory(dir()).ok());
  const auto files = DescribeInputs({{"weights", "model"}, {"weights", "here/./model"}});
  ASSERT_TRUE(os::ChangeDirectory(before).ok());
  ASSERT_TRUE(files.ok()) << files.error().message();
  EXPECT_EQ(files.value()[0].path, (dir() / "model").string());
  EXPECT_EQ(files.value()[1].path, (dir() / "model").string());
}

TEST_F(DescribeInputsTest, SaysWhichInputCannotBeRead) {
  ASSERT_EQ(::mkfifo((dir() / "pipe").c_str(), 0600), 0);
  struct Case {
    fs::path path;
    std::string want;
    ErrorCode code;
  };
  const Case cases[] = {
      {dir() / "absent", ": No such file or directory", ErrorCode::kNotFound},
      {dir(), ": Is a directory", ErrorCode::kIo},
      {dir() / "pipe", ": not a regular file", ErrorCode::kUnsupported},
      {"/dev/zero", ": not a regular file", ErrorCode::kUnsupported},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.path);
    const auto files = DescribeInputs({{"page", c.path}});
    ASSERT_FALSE(files.ok());
    EXPECT_EQ(files.error().message(), "page: " + c.path.string() + c.want);
    EXPECT_EQ(files.error().code(), c.code);
  }
}

TEST_F(DescribeInputsTest, NamesOfAnyBytesComeBackFromTheFile) {
  const std::string names[] = {"byte\xff",     "byte\xfe", "half\xc3", "nel\xc2\x85",
                               "line\nend",    " blank ",  "#: - {x",  "\x01\x7f",
                               "\xe6\xb0\xb4", "'\"\\",    "~",        "123"};
  std::vector<InputPath> paths;
  for (const std::string& name : names) paths.push_back({"page", Write(name, name)});
  const auto files = DescribeInputs(paths);
  ASSERT_TRUE(files.ok()) << files.error().message();
  const auto parsed = ParseInputs(ToYaml(files.value()), "inputs.yaml");
  ASSERT_TRUE(parsed.ok()) << parsed.error().message();
  EXPECT_EQ(parsed.value(), files.value());
  EXPECT_EQ(files.value()[0].path, (dir() / "byte").string() + "\\xff");
  EXPECT_THAT(InputChanges(parsed.value(), files.value()), IsEmpty());
}

TEST(InputsYaml, IsReadableAndComesBack) {
  const std::vector<InputFile> files = {
      {"workload program", "/bin/serve", 120, kHash},
      {"weights", "/models/a b/" + std::string(90, 'x') + " y.bin", int64_t{1} << 40,
       kOtherHash},
  };
  const std::string yaml = ToYaml(files);
  EXPECT_THAT(yaml, ::testing::StartsWith("schema_version: 1\n"
                                          "files:\n"
                                          "- role: workload program\n"
                                          "  path: /bin/serve\n"
                                          "  size_bytes: 120\n"
                                          "  sha256: " +
                                          kHash + "\n"));
  EXPECT_EQ(ParseInputs(yaml, "inputs.yaml").value(), files);
  EXPECT_THAT(ParseInputs(ToYaml({}), "inputs.yaml").value(), IsEmpty());
}

TEST(InputsYaml, AHashOfDigitsStaysText) {
  const std::vector<InputFile> files = {
      {"page", "/1", 1, std::string(64, '1')},
      {"page", "/2", 1, "1" + std::string(61, '0') + "e5"},
  };
  EXPECT_EQ(ParseInputs(ToYaml(files), "inputs.yaml").value(), files);
}

TEST(InputsYaml, TellsWhatIsWrong) {
  const std::string head = "schema_version: 1\nfiles:\n";
  struct Case {
    std::string yaml;
    std::string want;
    ErrorCode code = ErrorCode::kParse;
  };
  const std::string none = "i.yaml: not a list of run inputs";
  const Case cases[] = {
      {"", none},
      {"[]", none},
      {"files: []", none},
      {"schema_version: 1", none},
      {"schema_version: one\nfiles: []", none},
      {"schema_version: 0\nfiles: []", none},
      {"schema_version: 2",
       "i.yaml: schema_version 2 was written by a newer ridgeline; this version reads 1",
       ErrorCode::kUnsupported},
      {head + "- 1", "i.yaml: line 3: expected role, path, size_bytes and sha256"},
      {head + "- {}", "i.yaml: line 3: 'role' is not a string"},
      {head + "- {role: a, path: 1}", "i.yaml: line 3: 'path' is not a string"},
      {head + "- {role: a, path: /a, size_bytes: -1}",
       "i.yaml: line 3: 'size_bytes' is not a size"},
      {head + "- {role: a, path: /a, size_bytes: 9223372036854775808}",
       "i.yaml: line 3: 'size_bytes' is not a size"},
      {head + "- {role: a, path: /a, size_bytes: 1, sha256: abc}",
       "i.yaml: line 3: 'sha256' is not 64 hexadecimal digits"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.yaml);
    const auto parsed = ParseInputs(c.yaml, "i.yaml");
    ASSERT_FALSE(parsed.ok());
    EXPECT_EQ(parsed.error().message(), c.want);
    EXPECT_EQ(parsed.error().code(), c.code);
  }
}

TEST(InputsYaml, NamesTheFileThatIsNoYaml) {
  const auto parsed = ParseInputs("a: [", "run/inputs.yaml");
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.error().code(), ErrorCode::kParse);
  EXPECT_THAT(parsed.error().message(), HasSubstr("run/inputs.yaml"));
}

TEST(InputChanges, AreASentencePerFile) {
  const InputFile a{"page", "/a", 120, kHash};
  const InputFile b{"page", "/b", 5, kHash};
  InputFile larger = a;
  larger.size_bytes = 130;
  InputFile other = a;
  other.sha256 = kOtherHash;
  InputFile as_weights = a;
  as_weights.role = "weights";
  struct Case {
    const char* what;
    std::vector<InputFile> before;
    std::vector<InputFile> now;
    std::vector<std::string> want;
  };
  const Case cases[] = {
      {"none", {}, {}, {}},
      {"the same", {a, b}, {a, b}, {}},
      {"another order", {a, b}, {b, a}, {}},
      {"another role", {a}, {as_weights}, {}},
      {"named twice", {a, a}, {a}, {}},
      {"larger", {a, b}, {larger, b}, {"/a: changed (120 bytes, now 130)"}},
      {"other bytes", {a}, {other}, {"/a: changed (same size, 120 bytes)"}},
      {"gone", {a, b}, {a}, {"/b: removed"}},
      {"new", {a}, {a, b}, {"/b: added"}},
      {"twice and changed",
       {a, a},
       {other, other},
       {"/a: changed (same size, 120 bytes)"}},
      {"all gone and new", {a, a}, {b, b}, {"/a: removed", "/b: added"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(InputChanges(c.before, c.now), c.want);
  }
}

}  // namespace
}  // namespace ridgeline::pipeline
