#include "config/compose/default_element.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <utility>

#include "config/tree/interpolation_parser.h"
#include "config/tree/node.h"

namespace ridgeline::config {
namespace {

constexpr std::string_view kGlobal = "_global_";
constexpr std::string_view kGroupKeyword = "_group_";

std::string_view WithoutLeadingSlash(std::string_view path) {
  return path.starts_with('/') ? path.substr(1) : path;
}

std::string_view DirectoryOf(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

std::string WithDots(std::string path) {
  std::replace(path.begin(), path.end(), '/', '.');
  return path;
}

std::string ReplaceAll(std::string_view text, std::string_view from,
                       std::string_view to) {
  std::string result;
  size_t begin = 0;
  for (size_t at = text.find(from); at != std::string_view::npos;
       at = text.find(from, begin)) {
    result += text.substr(begin, at - begin);
    result += to;
    begin = at + from.size();
  }
  result += text.substr(begin);
  return result;
}

// "a" below "b" is "b/a", with either part possibly empty.
std::string Below(std::string_view parent, std::string_view child, char separator) {
  if (parent.empty()) return std::string(child);
  if (child.empty()) return std::string(parent);
  std::string result(parent);
  result += separator;
  result += child;
  return result;
}

std::optional<std::string> HereIsEmpty(std::optional<std::string> package) {
  if (package == "_here_") package = "";
  return package;
}

}  // namespace

InputDefault InputDefault::VirtualRoot() {
  InputDefault root;
  root.kind = Kind::kVirtualRoot;
  return root;
}

Result<InputDefault> InputDefault::Config(std::string path,
                                          std::optional<std::string> package) {
  if (path == kSelf && package.has_value()) {
    return Error(ErrorKind::kValue, "_self_@PACKAGE is not supported");
  }
  InputDefault result;
  result.path = std::move(path);
  result.package = HereIsEmpty(std::move(package));
  return result;
}

Result<InputDefault> InputDefault::Group(std::string group, Value option,
                                         std::optional<std::string> package) {
  if (group.empty()) {
    return Error(ErrorKind::kAssertion, "A defaults list item has no config group name");
  }
  InputDefault result;
  result.kind = Kind::kGroup;
  result.path = std::move(group);
  result.option = std::move(option);
  result.package = HereIsEmpty(std::move(package));
  return result;
}

bool InputDefault::IsSelf() const {
  switch (kind) {
    case Kind::kVirtualRoot:
      return false;
    case Kind::kConfig:
      return path == kSelf;
    case Kind::kGroup:
      return option.is_string() && option.string() == kSelf;
  }
  return false;
}

bool InputDefault::IsMissing() const {
  if (is_virtual() || has_options()) return false;
  return Name() == kMissing;
}

Result<bool> InputDefault::IsInterpolation() const {
  if (is_virtual() || (is_group() && !option.is_string())) return false;
  const std::string text = is_group() ? option.string() : ConfigPath();
  if (!HoldsInterpolation(text)) return false;
  RIDGELINE_RETURN_IF_ERROR(CheckStoredText(text));
  return true;
}

void InputDefault::SetParent(std::string_view directory,
                             const std::optional<std::string>& package_of_parent) {
  parent_directory = directory;
  parent_package = package_of_parent;
  if (package.has_value() && package->find(kGroupKeyword) != std::string::npos) {
    package = "_global_." + ReplaceAll(*package, kGroupKeyword, DefaultPackage());
  }
}

Status InputDefault::SetPackageHeader(const std::optional<std::string>& header) {
  if (package_header.has_value()) {
    return Error(ErrorKind::kAssertion,
                 "Two package headers for defaults list item '" + ConfigPath() + "'");
  }
  if (!header.has_value()) return Ok();
  if (header == kGlobal || header->starts_with("_global_.")) {
    package_header = header;
  } else {
    package_header = Below(kGlobal, *header, '.');
  }
  return Ok();
}

std::optional<std::string> InputDefault::Name() const {
  if (is_config()) return path.substr(path.rfind('/') + 1);
  assert(is_group() && !option.is_list());
  if (option.is_null()) return std::nullopt;
  return option.string();
}

std::string InputDefault::GroupPath() const {
  assert(!is_virtual() && parent_directory.has_value());
  const std::string own = RelativeGroupPath();
  if (path.starts_with('/')) return own;
  return Below(*parent_directory, own, '/');
}

std::string InputDefault::ConfigPath() const {
  if (is_virtual()) return "<root>";
  if (is_group()) return GroupPath() + "/" + NameText();
  assert(parent_directory.has_value());
  if (path.starts_with('/')) return path.substr(1);
  return parent_directory->empty() ? path : *parent_directory + "/" + path;
}

const std::optional<std::string>& InputDefault::PackageOrHeader() const {
  return package.has_value() ? package : package_header;
}

std::string InputDefault::FinalPackage() const { return Place(PackageOrHeader()); }

std::string InputDefault::FinalPackageWithoutHeader() const { return Place(package); }

std::string InputDefault::OverrideKey() const {
  std::string key = GroupPath();
  const std::string place = FinalPackageWithoutHeader();
  if (place == WithDots(key)) return key;
  return key + "@" + (place.empty() ? std::string(kGlobal) : place);
}

std::string InputDefault::DefaultPackage() const { return WithDots(GroupPath()); }

std::string InputDefault::RelativeGroupPath() const {
  const std::string_view own = WithoutLeadingSlash(path);
  return std::string(is_group() ? own : DirectoryOf(own));
}

std::string InputDefault::Place(const std::optional<std::string>& own) const {
  assert(parent_package.has_value());
  const std::string relative = own.has_value() ? *own : WithDots(RelativeGroupPath());
  std::string place = Below(*parent_package, relative, '.');
  // Everything before the last _global_ is ignored.
  const size_t global = place.rfind(kGlobal);
  if (global == std::string::npos) return place;
  return place.substr(std::min(place.size(), global + kGlobal.size() + 1));
}

}  // namespace ridgeline::config
