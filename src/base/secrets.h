// The redaction policy: which texts are secrets. Everything written to a run directory or
// printed passes through it, except the output of the workload itself.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline {

// Replaces a secret.
inline constexpr std::string_view kRedacted = "REDACTED";

// Whether a variable, flag or key with this name usually contains a secret: HF_TOKEN,
// --api-key, model.auth.password; not eos_token, max_new_tokens, TOKENIZERS_PARALLELISM.
bool NamesASecret(std::string_view name);

// Whether `value` is harmless under any name: empty, redacted, a reference ("$TOKEN",
// "${oc.env:TOKEN}"), true, false or null.
bool RevealsNothing(std::string_view value);

// The redacted `value` of something named `name`.
std::string ValueWithoutSecrets(std::string_view name, std::string_view value);

// The text with kRedacted replacing
//   values of secret names    --token X, api_key=X, "password": "X", Cookie: X
//   the user part of URLs     https://REDACTED@host/
//   passwords of logins       -u user:REDACTED
//   bearer tokens             Bearer X
//   tokens of known issuers   hf_..., ghp_..., sk-..., AKIA..., JSON web tokens
//   private keys              -----BEGIN PRIVATE KEY-----
std::string WithoutSecrets(std::string_view text);

// The same for a command line or a list of overrides, where the end of a value is known,
// so that it may contain anything.
std::vector<std::string> WithoutSecrets(std::span<const std::string> words);

// The secrets the latter removes: for texts that repeat them without the name, such as
// parser errors. At least four characters each.
std::vector<std::string> SecretsIn(std::span<const std::string> words);
std::string WithoutSecrets(std::string_view text, std::span<const std::string> known);

}  // namespace ridgeline
