#include "base/secrets.h"

#include <gmock/gmock.h>

namespace ridgeline {
namespace {

using testing::ElementsAre;

TEST(SecretsTest, KnowsNamesOfSecrets) {
  for (const char* name : {"HF_TOKEN",
                           "OPENAI_API_KEY",
                           "aws_secret_access_key",
                           "DB_PASSWORD",
                           "PGPASSWORD",
                           "GOOGLE_APPLICATION_CREDENTIALS",
                           "KEY",
                           "SLURM_JWT",
                           "--api-key",
                           "-token",
                           "AWS_ACCESS_KEY_ID",
                           "apiKey",
                           "clientSecret",
                           "MYSQL_PWD",
                           "X-Amz-Signature",
                           "Authorization",
                           "Cookie",
                           "githubtoken",
                           "model.auth.password",
                           "DB_PASS",
                           "SMTP_PASS_2",
                           "smtp_pass",
                           "dbPass",
                           "pass",
                           "PASS",
                           "--pass",
                           "passwords",
                           "api_keys",
                           "ACCESS_KEYS",
                           "hf_tokens",
                           "cred",
                           "creds",
                           "credentials",
                           "secrets",
                           "DB_CREDS",
                           "token1",
                           "password2",
                           "API_KEY2",
                           "HF_TOKEN_2",
                           "hfToken3"}) {
    EXPECT_TRUE(NamesASecret(name)) << name;
  }
  for (const char* name : {"PATH",
                           "CUDA_VISIBLE_DEVICES",
                           "OMP_NUM_THREADS",
                           "KEYBOARD",
                           "MONKEY",
                           "PWD",
                           "OLDPWD",
                           "max_new_tokens",
                           "eos_token",
                           "pad_token_id",
                           "time_per_token",
                           "TOKENIZERS_PARALLELISM",
                           "tokenizer",
                           "num_key_value_heads",
                           "author",
                           "passes",
                           "tokens",
                           "num_tokens",
                           "output_tokens",
                           "tokens_per_s",
                           "pass_index",
                           "forward_pass",
                           "run.passes",
                           "compass",
                           "bypass",
                           "credits",
                           "keys",
                           "key_values"}) {
    EXPECT_FALSE(NamesASecret(name)) << name;
  }
}

TEST(SecretsTest, RedactsWhatIsSecretInAText) {
  struct Case {
    const char* what;
    const char* text;
    const char* want;
  };
  const Case cases[] = {
      {"a flag with its value", "./serve --api-key=s3cr3t --port 80",
       "./serve --api-key=REDACTED --port 80"},
      {"a flag before its value", "./serve --token s3cr3t x",
       "./serve --token REDACTED x"},
      {"a list of an override", "pipeline.workload.command=[./serve,--token,s3cr3t,x]",
       "pipeline.workload.command=[./serve,--token,REDACTED,x]"},
      {"a quoted list", "['./serve', '--token', 's3 cr3t', 'x']",
       "['./serve', '--token', 'REDACTED', 'x']"},
      {"a dictionary of an override", "workload.env={HF_TOKEN:s3cr3t,A:b}",
       "workload.env={HF_TOKEN:REDACTED,A:b}"},
      {"a quoted list element with a blank", "command=[env, 'TOKEN=a b c',./serve]",
       "command=[env, 'TOKEN=REDACTED',./serve]"},
      {"a quoted value", "password='it is \\' me' x", "password='REDACTED' x"},
      {"JSON", R"({"api_key": "s3cr3t", "token":"x y"})",
       R"({"api_key": "REDACTED", "token":"REDACTED"})"},
      {"JSON in a string of JSON", R"("{\"password\": \"s3cr3t\", \"a\": 1}")",
       R"("{\"password\": \"REDACTED\", \"a\": 1}")"},
      {"a header", "curl -H 'Authorization: Basic dXNlcjpwYXNz' x",
       "curl -H 'Authorization: REDACTED' x"},
      {"a cookie", "Cookie: a=b; c=d\nHost: x", "Cookie: REDACTED\nHost: x"},
      {"a bearer token", "sent Bearer abcdef123456 to x", "sent Bearer REDACTED to x"},
      {"a URL with a password", "https://user:p4ss@host/a@b",
       "https://REDACTED@host/a@b"},
      {"a URL with a token", "pip -i https://t0k3n@host/",
       "pip -i https://REDACTED@host/"},
      {"a password with an @", "amqp://user:p@ss@host", "amqp://REDACTED@host"},
      {"a query", "https://host/?sig=abc%20d", "https://host/?sig=REDACTED"},
      {"Hugging Face", "x hf_abcdefghijklmnopqrstuvwxyz012345 y", "x REDACTED y"},
      {"GitHub", "ghp_abcdefghijklmnopqrst0123", "REDACTED"},
      {"OpenAI", "'sk-proj-abcdefghijklmnop1234'", "'REDACTED'"},
      {"AWS", "id:AKIAIOSFODNN7EXAMPLE", "id:REDACTED"},
      {"a JSON web token",
       "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
       "REDACTED"},
      {"a private key", "-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----",
       "-----BEGIN PRIVATE KEY-----REDACTED-----END PRIVATE KEY-----"},
      {"several at once", "TOKEN=https://a:b@c/ x", "TOKEN=REDACTED x"},
      {"a numeric password", "--password 1234", "--password REDACTED"},
      {"a numeric pass", "DB_PASS=1234 --pass 12", "DB_PASS=REDACTED --pass REDACTED"},
      {"YAML", "password: s3cr3t\nhf_tokens: [a, b]",
       "password: REDACTED\nhf_tokens: REDACTED"},
      {"a value that is a word", "password: no\n", "password: REDACTED\n"},
      {"a path as a key", R"({"db/password": "x"})", R"({"db/password": "REDACTED"})"},
      {"a login", "curl -u me:s3cr3t https://h/", "curl -u me:REDACTED https://h/"},
      {"a login without a blank", "curl -ume:s3cr3t h", "curl -ume:REDACTED h"},
      {"a long login flag", "curl --user=me:s3cr3t h", "curl --user=me:REDACTED h"},
      {"a login of a proxy", "curl --proxy-user 'me:s3 cr3t' h",
       "curl --proxy-user 'me:REDACTED' h"},
      {"a login in a list", "command=[curl,-u,me:s3cr3t,h]",
       "command=[curl,-u,me:REDACTED,h]"},
      {"pwd", "Server=h;Uid=sa;Pwd=s3cr3t", "Server=h;Uid=sa;Pwd=REDACTED"},
      {"a flag of pwd", "./serve --pwd s3cr3t", "./serve --pwd REDACTED"},
      {"a parameter before others", "https://h/?token=s3cr3t&y=1&z=2",
       "https://h/?token=REDACTED&y=1&z=2"},
      {"a part of a connection string", "Password=s3cr3t;Server=h",
       "Password=REDACTED;Server=h"},
      {"a variable before a command", "TOKEN=s3cr3t; ./serve", "TOKEN=REDACTED; ./serve"},
      {"a password with signs", "password=a;b&c x", "password=REDACTED x"},
      {"choices of a sweep", "+env.API_KEY=aaa,bbb,run.repeats=1",
       "+env.API_KEY=REDACTED,run.repeats=1"},
      {"choices with blanks", "env.API_KEY=aaa, bbb , ccc,+x=1",
       "env.API_KEY=REDACTED,+x=1"},
      {"quoted choices", R"(API_KEY="a a",'b,\'b',c,hydra/launcher=slurm)",
       "API_KEY=REDACTED,hydra/launcher=slurm"},
      {"choices with a reference", "API_KEY=${oc.env:A},bbb", "API_KEY=REDACTED"},
      {"choice()", "API_KEY=choice(aaa, 'b)b'),x=1", "API_KEY=REDACTED,x=1"},
      {"range() of a password", "PIN_PASSWORD=range(1,5)", "PIN_PASSWORD=REDACTED"},
      {"nested functions", "API_KEY=sort(tag(t,choice(aaa,bbb)),reverse=true),x=1",
       "API_KEY=REDACTED,x=1"},
      {"a choice of lists", "API_KEY=[aaa,bbb],[ccc],x=1", "API_KEY=REDACTED,x=1"},
      {"a list in a dictionary", "env={API_KEY:[aaa,bbb],A:b},{API_KEY:ccc}",
       "env={API_KEY:REDACTED,A:b},{API_KEY:REDACTED}"},
      {"a dictionary of a secret", R"("credentials": {"user": "me"}, "a": 1)",
       R"("credentials": REDACTED, "a": 1)"},
      {"a plain word as a key", "+l=[{token:S3CR1}],[{a: 1, token: S3CR2}]",
       "+l=[{token:REDACTED}],[{a: 1, token: REDACTED}]"},
      {"a list without an end", "API_KEY=[aaa,bbb x\ny", "API_KEY=REDACTED\ny"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.what);
    EXPECT_EQ(WithoutSecrets(c.text), c.want);
    EXPECT_EQ(WithoutSecrets(c.want), c.want) << "redacted again";
  }
}

TEST(SecretsTest, KeepsWhatIsNot) {
  for (const char* text : {"",
                           "./serve --port 80",
                           "model.max_new_tokens=512",
                           "eos_token='</s>'",
                           "workload.env.HF_TOKEN=${oc.env:HF_TOKEN}",
                           "HF_TOKEN=\"$HF_TOKEN\" ./serve",
                           "unknown key: model.nam",
                           "expected token: 'x'",
                           "git clone ssh://git@host/a.git",
                           "https://host/a?b=c#d@e",
                           "a bearer tokens",
                           "hf_transformers",
                           "sk-learn",
                           "void k<float, 3>(a::b*)",
                           "--no-auth --verbose",
                           "/etc/passwd: permission denied",
                           "cannot open '/run/secrets/db_password': Permission denied",
                           "passwd: Permission denied",
                           "model.token: expected text, got 3",
                           "~/.aws/credentials: line 3: syntax error",
                           "the last pass: decode",
                           "pass=3 of 5",
                           "{\"pass\": 2, \"tokens\": \"a b\"}",
                           "token1: 'x'",
                           "token=128",
                           "trust_remote_code=1",
                           "num_key_value_heads=8",
                           "see docs/security.md",
                           "PWD=/home/me",
                           "docker run -u 1000:1000 x",
                           "python3 -u serve.py",
                           "-u https://h/x",
                           "token=1,2,3",
                           "API_KEY=${oc.env:A},${oc.env:B}",
                           "API_KEY=null,${oc.env:A},x=y",
                           "--user=me"}) {
    EXPECT_EQ(WithoutSecrets(text), text);
  }
}

TEST(SecretsTest, RedactsWordsOfACommandWhateverTheyContain) {
  const std::vector<std::string> words = {"./serve",
                                          "--token",
                                          "a b,c'd",
                                          "--password=x;y z",
                                          "+model.api_key=[a b]",
                                          "--auth",
                                          "--port",
                                          "80",
                                          "https://u:p@h/",
                                          "+env.API_KEY=${oc.env:A},bbb"};
  EXPECT_THAT(WithoutSecrets(words),
              ElementsAre("./serve", "--token", "REDACTED", "--password=REDACTED",
                          "+model.api_key=REDACTED", "--auth", "--port", "80",
                          "https://REDACTED@h/", "+env.API_KEY=REDACTED"));
}

TEST(SecretsTest, RedactsLoginsInWords) {
  const std::vector<std::string> words = {"curl",          "-u",    "me:a b;c",
                                          "--user=me:x y", "--pwd", "z z"};
  EXPECT_THAT(WithoutSecrets(words),
              ElementsAre("curl", "-u", "me:REDACTED", "--user=me:REDACTED", "--pwd",
                          "REDACTED"));
}

TEST(SecretsTest, FindsSecretsThatAreRepeatedWithoutTheirNames) {
  const std::vector<std::string> words = {
      "run",   "+model.api_key=[s3cr3tvalue", "a=plain",         "--token",
      "t0ken", "https://u:pass@h/",           "pin.password=123"};
  const std::vector<std::string> secrets = SecretsIn(words);
  EXPECT_THAT(secrets, ElementsAre("[s3cr3tvalue", "s3cr3tvalue", "t0ken", "u:pass"));
  EXPECT_EQ(WithoutSecrets("mismatched input 's3cr3tvalue' in [s3cr3tvalue, a=plain 123",
                           secrets),
            "mismatched input 'REDACTED' in REDACTED, a=plain 123");
}

}  // namespace
}  // namespace ridgeline
