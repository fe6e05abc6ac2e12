// The redaction policy: which texts are secrets. Everything that is written to a run
// directory or printed passes through it, except the output of the workload itself.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

// Stands where a secret was.
inline constexpr std::string_view kRedacted = "REDACTED";

// Whether a variable, flag or key of this name usually contains a secret: HF_TOKEN,
// --api-key, model.auth.password; not eos_token, max_new_tokens, TOKENIZERS_PARALLELISM.
bool NamesASecret(std::string_view name);

// Whether `value` reveals nothing, whatever its name: empty, redacted, a reference
// ("$TOKEN", "${oc.env:TOKEN}"), true, false or null.
bool RevealsNothing(std::string_view value);

// `value` of something called `name`.
std::string ValueWithoutSecrets(std::string_view name, std::string_view value);

// The text with kRedacted in place of
//   values of secret names    --token X, api_key=X, "password": "X", Cookie: X
//   the user part of URLs     https://REDACTED@host/
//   passwords of logins       -u user:REDACTED
//   bearer tokens             Bearer X
//   tokens of known issuers   hf_..., ghp_..., sk-..., AKIA..., JSON web tokens
//   private keys              -----BEGIN PRIVATE KEY-----
std::string WithoutSecrets(std::string_view text);

// The same for a command line or a list of overrides. Here it is known where a value
// ends, so that it may contain anything.
std::vector<std::string> WithoutSecrets(std::span<const std::string> words);

// What the latter removes: for texts that repeat it without its name, such as the errors
// of a parser. Nothing shorter than four characters.
std::vector<std::string> SecretsIn(std::span<const std::string> words);
std::string WithoutSecrets(std::string_view text, std::span<const std::string> known);

}  // namespace ridgeline
