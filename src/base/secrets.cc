#include "base/secrets.h"

#include <algorithm>
#include <iterator>

#include "base/characters.h"
#include "base/value_span.h"

namespace ridgeline {
namespace {

constexpr size_t kNone = std::string_view::npos;

using Span = TextSpan;
using Spans = std::vector<Span>;

bool IsAnyOf(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool IsLetterOrDigit(char c) { return IsLetter(c) || IsDigit(c); }

bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }

// "model.hfToken2-id" -> model, hf, token, id
std::vector<std::string> WordsOfName(std::string_view name) {
  std::vector<std::string> words;
  bool is_inside = false;
  for (size_t i = 0; i < name.size(); ++i) {
    const bool is_hump = i > 0 && IsUpper(name[i]) && !IsUpper(name[i - 1]);
    if (!IsLetterOrDigit(name[i]) || is_hump) is_inside = false;
    if (!IsLetterOrDigit(name[i])) continue;
    if (!is_inside) words.emplace_back();
    is_inside = true;
    words.back() += ToLower(name[i]);
  }
  for (std::string& word : words) {
    while (!word.empty() && IsDigit(word.back())) word.pop_back();
  }
  std::erase(words, "");
  return words;
}

// Also as suffixes of a word: PGPASSWORD, githubtoken; and in the plural.
constexpr std::string_view kSecretEndings[] = {"password", "passwd",       "passphrase",
                                               "secret",   "credential",   "apikey",
                                               "token",    "authorization"};
constexpr std::string_view kSecretWords[] = {"auth", "bearer", "cookie",    "cookies",
                                             "cred", "creds",  "jwt",       "private",
                                             "sig",  "pat",    "signature", "accesskey"};
// "tokens" are pieces of text unless they belong to one of these.
constexpr std::string_view kIssuersOfTokens[] = {
    "access", "api", "github", "gitlab", "hf", "hub", "huggingface", "refresh", "wandb"};
// A lower-case "pass" is a password next to one of these; a forward_pass is not.
constexpr std::string_view kOwnersOfPasswords[] = {
    "admin", "db",    "database", "email", "ftp",  "login", "mail", "mysql",
    "pg",    "proxy", "redis",    "root",  "smtp", "ssh",   "user"};
// Next to one of these, a token is a piece of text.
constexpr std::string_view kWordsOfText[] = {
    "audio",   "begin", "bos",   "class", "cls",  "count", "end",     "eos",  "first",
    "id",      "ids",   "image", "img",   "last", "len",   "length",  "mask", "max",
    "min",     "new",   "next",  "num",   "pad",  "per",   "pooling", "sep",  "sos",
    "special", "start", "stop",  "time",  "type", "unk",   "video",   "vocab"};

bool EndsAsASecret(std::string_view word) {
  if (word.ends_with('s')) word.remove_suffix(1);
  return std::any_of(std::begin(kSecretEndings), std::end(kSecretEndings),
                     [word](std::string_view end) { return word.ends_with(end); });
}

// "key" by itself is ambiguous: a secret at the end of a name (OPENAI_API_KEY) and in
// AWS_ACCESS_KEY_ID, but not in key_value_heads.
bool HasSecretKey(const std::vector<std::string>& words) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (words[i] != "key" && words[i] != "keys") continue;
    const bool is_qualified =
        i > 0 && (words[i - 1] == "access" || words[i - 1] == "api");
    if (is_qualified || (words[i] == "key" && i + 1 == words.size())) return true;
  }
  return false;
}

bool HasAnyOf(const std::vector<std::string>& words,
              std::span<const std::string_view> wanted) {
  return std::any_of(words.begin(), words.end(),
                     [wanted](const std::string& word) { return IsAnyOf(word, wanted); });
}

// DB_PASS, smtp_pass, --pass; not pass_index, forward_pass.
bool EndsWithPass(std::string_view name, const std::vector<std::string>& words) {
  if (words.empty() || words.back() != "pass") return false;
  const bool is_variable = std::none_of(
      name.begin(), name.end(), [](char c) { return IsLetter(c) && !IsUpper(c); });
  return words.size() == 1 || is_variable || HasAnyOf(words, kOwnersOfPasswords);
}

// "pass" by itself can also be a pass over data.
bool NamesAPassword(std::string_view name) {
  const std::vector<std::string> words = WordsOfName(name);
  return name != "pass" &&
         std::any_of(words.begin(), words.end(), [](const std::string& word) {
           return word.find("pass") != std::string::npos || word == "pwd";
         });
}

// Up to nine digits: a count or a size, unless it is a password.
bool IsSmallNumber(std::string_view value) {
  constexpr size_t kMaxDigits = 9;
  return value.size() <= kMaxDigits &&
         std::all_of(value.begin(), value.end(),
                     [](char c) { return IsDigit(c) || c == '.' || c == '-'; });
}

// "pwd" is a password in a connection string and a directory in the environment.
bool IsPasswordByValue(std::string_view name, std::string_view value) {
  return EqualsIgnoringCase(name, "pwd") && !value.starts_with('/');
}

bool IsSecretValue(std::string_view name, std::string_view value) {
  if (value.empty()) return false;
  if (!NamesASecret(name) && !IsPasswordByValue(name, value)) return false;
  const bool is_password = NamesAPassword(name);
  const std::vector<std::string_view> choices = ChoicesOf(value);
  return !std::all_of(choices.begin(), choices.end(), [&](std::string_view choice) {
    return RevealsNothing(choice) || (!is_password && IsSmallNumber(choice));
  });
}

// The rest of the line or of the quoted text: HTTP headers.
Span LineAt(std::string_view text, size_t begin) {
  return {begin, std::min(text.find_first_of("\r\n'\"", begin), text.size())};
}

std::string_view LastPart(std::string_view name) {
  const size_t dot = name.rfind('.');
  return dot == kNone ? name : name.substr(dot + 1);
}

bool IsHeader(std::string_view name) {
  return EqualsIgnoringCase(name, "authorization") ||
         EqualsIgnoringCase(name, "cookie") ||
         EqualsIgnoringCase(name, "proxy-authorization") ||
         EqualsIgnoringCase(name, "set-cookie");
}

// Whether a name at `begin` is a key: {token:X}, {a: 1, token: X}.
bool IsInBraces(std::string_view text, size_t begin) {
  const size_t last = text.substr(0, begin).find_last_not_of(" \t");
  if (last == kNone || (text[last] != '{' && text[last] != ',')) return false;
  const size_t brace = text.substr(0, begin).find_last_of("{}\n");
  return brace != kNone && text[brace] == '{';
}

// In prose, "unknown key: x" and "expected token: x" do not name a secret.
bool IsPlainWord(std::string_view name) {
  return std::all_of(name.begin(), name.end(), IsLetterOrDigit) &&
         !NamesAPassword(name) && !IsHeader(name);
}

// After a name and a colon: "/etc/passwd: permission denied", "model.token: expected ..."
bool BeginsMessage(std::string_view text, size_t name, size_t at) {
  constexpr std::string_view kFirstWords[] = {"cannot",  "expected",   "invalid", "is",
                                              "missing", "must",       "needs",   "no",
                                              "not",     "permission", "unknown"};
  if (at < text.size() && IsQuote(text[at])) return false;
  if (name > 0 && text[name - 1] == '/') return true;
  const size_t end = EndOfWord(text, at);
  const std::string_view word = text.substr(at, end - at);
  return end < text.size() && IsBlank(text[end]) &&
         std::any_of(
             std::begin(kFirstWords), std::end(kFirstWords),
             [word](std::string_view first) { return EqualsIgnoringCase(word, first); });
}

// "['env', 'TOKEN=a b']": the quote that ends the list element whose name begins at
// `begin`; 0: the name does not begin such an element.
size_t EndOfQuotedElement(std::string_view text, size_t begin) {
  if (begin < 2 || !IsQuote(text[begin - 1])) return 0;
  const size_t last = text.substr(0, begin - 1).find_last_not_of(" \t");
  if (last == kNone || (text[last] != '[' && text[last] != ',')) return 0;
  const size_t quote = text.find(text[begin - 1], begin);
  return quote == kNone ? 0 : quote;
}

// The span of the value of the name at [begin, end); empty: no value.
Span ValueOfName(std::string_view text, size_t begin, size_t end) {
  const std::string_view name = text.substr(begin, end - begin);
  size_t at = end;
  while (at < text.size() && text[at] == '\\') ++at;
  const bool is_quoted = at < text.size() && IsQuote(text[at]);
  if (is_quoted) ++at;
  const size_t sign = SkipBlanks(text, at);
  if (sign < text.size() && text[sign] == '=') {
    const Span value = ValueAt(text, SkipBlanks(text, sign + 1));
    return {value.begin, std::max(value.end, EndOfQuotedElement(text, begin))};
  }
  if (sign < text.size() && text[sign] == ':') {
    if (!is_quoted && IsPlainWord(name) && !IsInBraces(text, begin)) return {};
    const size_t value = SkipBlanks(text, sign + 1);
    if (BeginsMessage(text, begin, value)) return {};
    return IsHeader(name) && !is_quoted ? LineAt(text, value) : ValueAt(text, value);
  }
  if (!name.starts_with('-')) return {};
  // The next word of a command, possibly in a list: "[./serve,--token,X]".
  at = std::min(text.find_first_not_of(" \t,'\"", at), text.size());
  if (at == end || at == text.size() || text[at] == '-') return {};
  const bool opens = IsQuote(text[at - 1]) && (at < 2 || !IsQuote(text[at - 2]));
  return ValueAt(text, opens ? at - 1 : at);
}

// Flags of curl, wget and others whose value is "user:password".
bool IsLoginFlag(std::string_view word) {
  constexpr std::string_view kFlags[] = {"-u", "-U", "--user", "--proxy-user"};
  return IsAnyOf(word, kFlags);
}

// The password in "user:password"; empty: none. A numeric user means user and group ids.
Span PasswordOf(std::string_view login) {
  const size_t colon = login.find(':');
  if (colon == kNone || colon == 0) return {};
  const std::string_view password = login.substr(colon + 1);
  const bool is_harmless = RevealsNothing(password) || password.starts_with("//") ||
                           IsSmallNumber(login.substr(0, colon));
  return is_harmless ? Span{} : Span{colon + 1, login.size()};
}

// "-u user:password", "--user=user:password", "-uuser:password"
void FindPasswordOfLogin(std::string_view text, size_t begin, size_t end, Spans& spans) {
  const std::string_view flag = text.substr(begin, end - begin);
  Span value;
  if (IsLoginFlag(flag)) {
    value = ValueOfName(text, begin, end);
  } else if (flag.starts_with("-u") && end < text.size() && text[end] == ':') {
    value = {begin + 2, EndOfWord(text, end)};
  }
  const Span password = PasswordOf(text.substr(value.begin, value.end - value.begin));
  if (password.end > 0) {
    spans.push_back({value.begin + password.begin, value.begin + password.end});
  }
}

void FindNamedValues(std::string_view text, Spans& spans) {
  size_t begin = 0;
  while (begin < text.size()) {
    if (!IsNameCharacter(text[begin])) {
      ++begin;
      continue;
    }
    size_t end = begin;
    while (end < text.size() && IsNameCharacter(text[end])) ++end;
    const std::string_view name = LastPart(text.substr(begin, end - begin));
    const Span first = ValueOfName(text, begin, end);
    const bool may_be_secret =
        first.end > 0 && (NamesASecret(name) || EqualsIgnoringCase(name, "pwd"));
    const Span value = may_be_secret ? WholeValue(text, end, first) : first;
    if (IsSecretValue(name, text.substr(value.begin, value.end - value.begin))) {
      spans.push_back(value);
    }
    FindPasswordOfLogin(text, begin, end, spans);
    begin = end;
  }
}

// https://user:password@host/path
void FindUserinfo(std::string_view text, Spans& spans) {
  constexpr std::string_view kMark = "://";
  for (size_t at = text.find(kMark); at != kNone; at = text.find(kMark, at + 1)) {
    const size_t begin = at + kMark.size();
    const size_t end = std::min(text.find_first_of("/ \t\r\n'\"<>", begin), text.size());
    const size_t sign = text.substr(0, end).rfind('@');
    if (sign == kNone || sign <= begin) continue;
    const std::string_view user = text.substr(begin, sign - begin);
    if (user != "git" && !RevealsNothing(user)) spans.push_back({begin, sign});
  }
}

bool IsTokenCharacter(char c) {
  return IsLetterOrDigit(c) || c == '_' || c == '-' || c == '.' || c == '~' || c == '+' ||
         c == '/' || c == '=';
}

size_t EndOfToken(std::string_view text, size_t begin) {
  while (begin < text.size() && IsTokenCharacter(text[begin])) ++begin;
  return begin;
}

void FindBearers(std::string_view text, Spans& spans) {
  constexpr std::string_view kBearer = "bearer";
  constexpr size_t kShortest = 8;  // Longer than "tokens".
  for (size_t at = 0; at + kBearer.size() < text.size(); ++at) {
    if (!EqualsIgnoringCase(text.substr(at, kBearer.size()), kBearer)) continue;
    const size_t begin = SkipBlanks(text, at + kBearer.size());
    const size_t end = EndOfToken(text, begin);
    const bool is_apart = begin > at + kBearer.size();
    if (is_apart && end - begin >= kShortest &&
        !RevealsNothing(text.substr(begin, end - begin))) {
      spans.push_back({begin, end});
    }
  }
}

struct Issuer {
  std::string_view prefix;
  size_t shortest;  // Without the prefix.
};

// As documented by their issuers; shorter words are file names and the like.
constexpr Issuer kIssuers[] = {
    {"hf_", 16},   {"ghp_", 16},     {"gho_", 16},     {"ghu_", 16},
    {"ghs_", 16},  {"ghr_", 16},     {"glpat-", 16},   {"github_pat_", 16},
    {"sk-", 16},   {"sk_live_", 16}, {"sk_test_", 16}, {"rk_live_", 16},
    {"AKIA", 16},  {"ASIA", 16},     {"xoxb-", 10},    {"xoxp-", 10},
    {"xoxa-", 10}, {"AIza", 30},     {"nvapi-", 16},   {"npm_", 16},
    {"pypi-", 16}, {"ya29.", 16},    {"dop_v1_", 16},  {"eyJ", 24},
    {"SG.", 24},
};

bool IsIssuedToken(std::string_view word, const Issuer& issuer) {
  if (!word.starts_with(issuer.prefix)) return false;
  const std::string_view tail = word.substr(issuer.prefix.size());
  return tail.size() >= issuer.shortest && std::any_of(tail.begin(), tail.end(), IsDigit);
}

void FindIssuedTokens(std::string_view text, Spans& spans) {
  const auto is_inside = [](char c) {
    return IsLetterOrDigit(c) || c == '_' || c == '-' || c == '.';
  };
  for (size_t at = 0; at < text.size(); ++at) {
    if (at > 0 && (IsLetterOrDigit(text[at - 1]) || text[at - 1] == '_')) continue;
    size_t end = at;
    while (end < text.size() && is_inside(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    if (std::any_of(
            std::begin(kIssuers), std::end(kIssuers),
            [word](const Issuer& issuer) { return IsIssuedToken(word, issuer); })) {
      spans.push_back({at, end});
      at = end;
    }
  }
}

void FindPrivateKeys(std::string_view text, Spans& spans) {
  constexpr std::string_view kBegin = "PRIVATE KEY-----";
  for (size_t at = text.find(kBegin); at != kNone; at = text.find(kBegin, at + 1)) {
    const size_t begin = at + kBegin.size();
    const size_t end = std::min(text.find("-----END", begin), text.size());
    if (end > begin) spans.push_back({begin, end});
  }
}

// Overlapping spans are replaced as one.
std::string Replaced(std::string_view text, Spans spans) {
  std::sort(spans.begin(), spans.end(),
            [](const Span& a, const Span& b) { return a.begin < b.begin; });
  std::string replaced;
  size_t done = 0;
  for (const Span& span : spans) {
    if (span.begin >= done) {
      replaced += text.substr(done, span.begin - done);
      replaced += kRedacted;
    }
    done = std::max(done, span.end);
  }
  return replaced += text.substr(done);
}

// "--token" or "-token", whose value is the next word.
bool IsSecretFlag(std::string_view word) {
  return word.starts_with('-') &&
         std::all_of(word.begin(), word.end(), IsNameCharacter) && NamesASecret(word);
}

std::string LoginWithoutPassword(std::string_view login) {
  const Span password = PasswordOf(login);
  return password.end > 0 ? Replaced(login, {password}) : WithoutSecrets(login);
}

std::string WordWithoutSecrets(std::string_view word) {
  const size_t equals = word.find('=');
  if (equals == kNone) return WithoutSecrets(word);
  const std::string_view name = word.substr(0, equals);
  const bool is_name = std::all_of(name.begin(), name.end(), [](char c) {
    return IsNameCharacter(c) || c == '+' || c == '~';
  });
  if (!is_name) return WithoutSecrets(word);
  std::string changed(name);
  changed += '=';
  const std::string_view value = word.substr(equals + 1);
  return changed += IsLoginFlag(name) ? LoginWithoutPassword(value)
                                      : ValueWithoutSecrets(LastPart(name), value);
}

// A parser may quote only part of a value: the part it takes for a word.
void AddSecret(std::string_view secret, std::vector<std::string>& secrets) {
  constexpr size_t kShortest = 4;  // Shorter ones occur in ordinary words.
  constexpr size_t kShortestWord = 6;
  for (const std::string_view choice : ChoicesOf(secret)) {
    if (choice.size() >= kShortest) secrets.emplace_back(choice);
  }
  const auto* begin = secret.begin();
  while (begin != secret.end()) {
    const auto* const end = std::find_if_not(begin, secret.end(), IsLetterOrDigit);
    if (static_cast<size_t>(end - begin) >= kShortestWord)
      secrets.emplace_back(begin, end);
    begin = end == secret.end() ? end : end + 1;
  }
}

// Adds the parts of `word` that `changed` has replaced by kRedacted.
void AddRemoved(std::string_view word, std::string_view changed,
                std::vector<std::string>& secrets) {
  while (true) {
    const size_t mark = changed.find(kRedacted);
    if (mark == kNone) return;
    word.remove_prefix(mark);
    changed.remove_prefix(mark + kRedacted.size());
    const std::string_view kept = changed.substr(0, changed.find(kRedacted));
    const size_t end =
        kept.empty() ? word.size() : std::min(word.find(kept), word.size());
    AddSecret(word.substr(0, end), secrets);
    word.remove_prefix(end);
  }
}

}  // namespace

bool NamesASecret(std::string_view name) {
  const std::vector<std::string> words = WordsOfName(name);
  if (HasSecretKey(words) || EndsWithPass(name, words)) return true;
  return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
    if (word.ends_with("token")) return !HasAnyOf(words, kWordsOfText);
    if (word == "tokens") return HasAnyOf(words, kIssuersOfTokens);
    // PWD and OLDPWD are directories; MYSQL_PWD is a password.
    if (word == "pwd") return words.size() > 1 || name.starts_with('-');
    return EndsAsASecret(word) || IsAnyOf(word, kSecretWords);
  });
}

bool RevealsNothing(std::string_view value) {
  constexpr std::string_view kNothing[] = {"null",  "none",  "None", "true",   "True",
                                           "false", "False", "***",  kRedacted};
  return value.empty() || value.starts_with('$') || IsAnyOf(value, kNothing);
}

std::string ValueWithoutSecrets(std::string_view name, std::string_view value) {
  return IsSecretValue(name, value) ? std::string(kRedacted) : WithoutSecrets(value);
}

std::string WithoutSecrets(std::string_view text) {
  Spans spans;
  FindNamedValues(text, spans);
  FindUserinfo(text, spans);
  FindBearers(text, spans);
  FindIssuedTokens(text, spans);
  FindPrivateKeys(text, spans);
  return spans.empty() ? std::string(text) : Replaced(text, std::move(spans));
}

std::vector<std::string> WithoutSecrets(std::span<const std::string> words) {
  std::vector<std::string> changed;
  std::string_view flag;
  for (const std::string& word : words) {
    const bool is_secret =
        IsSecretFlag(flag) && !word.starts_with("--") && !RevealsNothing(word);
    changed.push_back(is_secret           ? std::string(kRedacted)
                      : IsLoginFlag(flag) ? LoginWithoutPassword(word)
                                          : WordWithoutSecrets(word));
    flag = word;
  }
  return changed;
}

std::vector<std::string> SecretsIn(std::span<const std::string> words) {
  std::vector<std::string> secrets;
  const std::vector<std::string> changed = WithoutSecrets(words);
  for (size_t i = 0; i < words.size(); ++i) {
    if (changed[i] != words[i]) AddRemoved(words[i], changed[i], secrets);
  }
  return secrets;
}

std::string WithoutSecrets(std::string_view text, std::span<const std::string> known) {
  Spans spans;
  for (const std::string& secret : known) {
    for (size_t at = text.find(secret); at != kNone; at = text.find(secret, at + 1)) {
      spans.push_back({at, at + secret.size()});
    }
  }
  return Replaced(text, std::move(spans));
}

}  // namespace ridgeline
