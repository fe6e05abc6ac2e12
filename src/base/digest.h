// Digests of bytes, in hexadecimal.
#pragma once

#include <nettle/sha2.h>

#include <string>
#include <string_view>

namespace ridgeline {

// 32 hexadecimal digits. For file names only, not for security.
std::string Md5(std::string_view bytes);

// 64 hexadecimal digits, as sha256sum prints them.
std::string Sha256(std::string_view bytes);

// The same for bytes that arrive in pieces.
class Sha256Sum {
 public:
  Sha256Sum() { sha256_init(&context_); }

  void Add(std::string_view bytes);

  // Must be the last call.
  std::string ToHex();

 private:
  sha256_ctx context_;
};

}  // namespace ridgeline
