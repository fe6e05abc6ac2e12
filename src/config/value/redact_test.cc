#include "config/value/redact.h"

#include <gtest/gtest.h>

namespace ridgeline::config {
namespace {

TEST(RedactTest, ReplacesSecretsByKeyTextAndPlaceInAList) {
  EXPECT_EQ(YamlWithoutSecrets("model:\n"
                               "  api_key: s3cr3t\n"
                               "  eos_token: </s>\n"
                               "  max_new_tokens: 512\n"
                               "  index: https://user:pass@host/\n"
                               "credentials:\n"
                               "  user: me\n"
                               "env:\n"
                               "  HF_TOKEN: ${oc.env:HF_TOKEN}\n"
                               "  DB_PASSWORD: 1234\n"
                               "command: [./serve, --token, s3cr3t, --port, 80]\n"),
            "model:\n"
            "  api_key: REDACTED\n"
            "  eos_token: </s>\n"
            "  max_new_tokens: 512\n"
            "  index: https://REDACTED@host/\n"
            "credentials:\n"
            "  user: REDACTED\n"
            "env:\n"
            "  HF_TOKEN: ${oc.env:HF_TOKEN}\n"
            "  DB_PASSWORD: REDACTED\n"
            "command:\n- ./serve\n- --token\n- REDACTED\n- --port\n- 80\n");
}

TEST(RedactTest, ReplacesAllChoicesOfASweptSecret) {
  EXPECT_EQ(YamlWithoutSecrets("override_dirname: +env.API_KEY=aaa,bbb,run.repeats=1\n"
                               "task:\n- +env.API_KEY=choice(aaa,bbb)\n"
                               "params:\n  env.API_KEY: ${oc.env:A},bbb\n"),
            "override_dirname: +env.API_KEY=REDACTED,run.repeats=1\n"
            "task:\n- +env.API_KEY=REDACTED\n"
            "params:\n  env.API_KEY: REDACTED\n");
}

TEST(RedactTest, KeepsOtherTextByteForByte) {
  const std::string yaml = "# Comment.\na: {b: 0x10}   \ntokens: [1, 2]\n";
  EXPECT_EQ(YamlWithoutSecrets(yaml), yaml);
}

}  // namespace
}  // namespace ridgeline::config
