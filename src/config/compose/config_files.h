// Source of configuration files. Composing only needs these four operations, so a test or
// fuzzer can serve them from memory.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "config/error.h"

namespace ridgeline::config {

// Removes ".", "..", doubled and trailing slashes without touching the file system:
// "/conf//a/../b/" -> "/conf/b".
std::string NormalizePath(std::string_view path);

// `path` below `base`, or `path` itself when it is absolute.
std::string JoinPath(std::string_view base, std::string_view path);

class ConfigFiles {
 public:
  virtual ~ConfigFiles() = default;

  // All paths are absolute.
  virtual Result<std::string> Read(const std::string& path) const = 0;
  virtual bool IsFile(const std::string& path) const = 0;
  virtual bool IsDirectory(const std::string& path) const = 0;
  // Sorted entry names of a directory; empty if it cannot be read.
  virtual std::vector<std::string> List(const std::string& path) const = 0;
};

// Files on disk.
class DiskFiles : public ConfigFiles {
 public:
  Result<std::string> Read(const std::string& path) const override;
  bool IsFile(const std::string& path) const override;
  bool IsDirectory(const std::string& path) const override;
  std::vector<std::string> List(const std::string& path) const override;
};

// In-memory files. A directory exists if it contains a file.
class MemoryFiles : public ConfigFiles {
 public:
  // Adds or replaces.
  void Add(std::string_view path, std::string text);

  Result<std::string> Read(const std::string& path) const override;
  bool IsFile(const std::string& path) const override;
  bool IsDirectory(const std::string& path) const override;
  std::vector<std::string> List(const std::string& path) const override;

 private:
  std::map<std::string, std::string, std::less<>> files_;
  std::set<std::string, std::less<>> directories_;
};

}  // namespace ridgeline::config
