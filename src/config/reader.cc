#include "config/reader.h"

#include <algorithm>
#include <cassert>

#include "config/tree/evaluate.h"
#include "config/tree/suggest.h"
#include "config/tree/to_value.h"
#include "config/value/python_text.h"

namespace ridgeline::config {
namespace {

constexpr size_t kLongestShown = 60;

// The value as it would be written: null, true, 2.5, 'text', ['a', 'b'].
std::string ShownNode(const Node& node) {
  if (node.is_dict() && !node.special) return "a mapping";
  const Value value = ToValue(node);
  if (value.is_null()) return "null";
  if (value.is_bool()) return std::get<bool>(value.scalar()) ? "true" : "false";
  std::string text = Repr(value);
  if (text.size() > kLongestShown) text = text.substr(0, kLongestShown) + "...";
  return text;
}

Error At(const Node& node, std::string message) {
  Error error(ErrorKind::kValidation, std::move(message));
  error.origin = node.origin;
  return error;
}

template <typename T>
const T* ScalarOf(const Node& node) {
  if (!node.is_scalar() || !node.value.is_scalar() || node.IsMissing()) return nullptr;
  return std::get_if<T>(&node.value.scalar());
}

}  // namespace

Error WrongValue(const Node& written, const Node& meant, std::string_view expected) {
  std::string message = FullKey(written, std::nullopt);
  message += ": expected " + std::string(expected);
  if (meant.IsMissing()) return At(written, message + ", but no value was given (???)");
  message += ", got " + ShownNode(meant);
  if (&written != &meant) message += ", from " + Str(ToValue(written));
  return At(written, std::move(message));
}

Error UnknownKey(const Node& node, const std::vector<std::string>& known) {
  Error error = At(node, FullKey(node, std::nullopt) + ": no such key");
  const std::string nearest = Nearest(Str(Value(node.key)), known);
  if (nearest.empty()) return error;
  const bool is_top = node.parent == nullptr || node.parent->parent == nullptr;
  const std::string place = is_top ? "" : FullKey(*node.parent, std::nullopt) + ".";
  error.hint = "Did you mean '" + place + nearest + "'?";
  return error;
}

Error JoinErrors(const std::vector<Error>& errors) {
  assert(!errors.empty());
  if (errors.size() == 1) return errors.front();
  std::string text = std::to_string(errors.size()) + " mistakes in the configuration:";
  for (const Error& error : errors) text += "\n" + Describe(error);
  return Error(errors.front().kind, std::move(text));
}

Reader::Reader(Workspace& workspace, Node& section)
    : workspace_(workspace), written_(section) {
  Node* meant = Meant(section);
  if (meant == nullptr) return;
  if (meant->is_dict() && !meant->special) {
    section_ = meant;
  } else {
    errors_.push_back(WrongValue(section, *meant, "a mapping"));
  }
}

Node* Reader::Find(std::string_view key) {
  asked_.emplace_back(key);
  if (section_ == nullptr) return nullptr;
  Node** found = section_->children.Find(key);
  return found == nullptr ? nullptr : *found;
}

Node* Reader::Require(std::string_view key) {
  Node* node = Find(key);
  if (node == nullptr && section_ != nullptr) {
    errors_.push_back(
        At(*section_, FullKey(*section_, Scalar(std::string(key))) + ": is not given"));
  }
  return node;
}

Node* Reader::Meant(Node& node) {
  Result<Node*> meant = Dereference(workspace_, node);
  if (meant.ok()) return meant.value();
  errors_.push_back(At(node, FullKey(node, std::nullopt) + ": " + meant.error().message));
  return nullptr;
}

bool Reader::IsNull(Node& node) {
  // An unresolvable interpolation is reported by the Take() that follows.
  Result<Node*> meant = Dereference(workspace_, node);
  return meant.ok() && meant.value()->IsNone();
}

void Reader::ReadSection(std::string_view key, const std::function<void(Reader&)>& read) {
  Node* node = Require(key);
  if (node == nullptr) return;
  Reader inner(workspace_, *node);
  inner.ignores_others_ = ignores_others_;
  read(inner);
  for (Error& error : inner.FinishWithAll()) errors_.push_back(std::move(error));
}

void Reader::Ignore(std::string_view key) { asked_.emplace_back(key); }

void Reader::AddError(std::string_view key, std::string_view what) {
  Node* node = Find(key);
  const Node& place = node != nullptr ? *node : written_;
  errors_.push_back(At(place, FullKey(section_ != nullptr ? *section_ : written_,
                                      Scalar(std::string(key))) +
                                  ": " + std::string(what)));
}

std::vector<Error> Reader::FinishWithAll() {
  if (section_ != nullptr && !ignores_others_) {
    for (const auto& [key, child] : section_->children) {
      const std::string name = Str(Value(key));
      const bool known = std::find(asked_.begin(), asked_.end(), name) != asked_.end();
      if (!known) errors_.push_back(UnknownKey(*child, asked_));
    }
  }
  return std::move(errors_);
}

Status Reader::Finish() {
  const std::vector<Error> errors = FinishWithAll();
  if (!errors.empty()) return JoinErrors(errors);
  return Ok();
}

bool Reader::Take(Node& node, bool& target) {
  const Node* meant = Meant(node);
  if (meant == nullptr) return false;
  if (const bool* value = ScalarOf<bool>(*meant)) {
    target = *value;
    return true;
  }
  errors_.push_back(WrongValue(node, *meant, "true or false"));
  return false;
}

bool Reader::Take(Node& node, int64_t& target) {
  const Node* meant = Meant(node);
  if (meant == nullptr) return false;
  const Integer* value = ScalarOf<Integer>(*meant);
  if (value != nullptr && value->fits_int64()) {
    target = value->AsInt64();
    return true;
  }
  errors_.push_back(WrongValue(node, *meant, "an integer"));
  return false;
}

bool Reader::Take(Node& node, double& target) {
  const Node* meant = Meant(node);
  if (meant == nullptr) return false;
  if (const double* value = ScalarOf<double>(*meant)) {
    target = *value;
    return true;
  }
  if (const Integer* value = ScalarOf<Integer>(*meant)) {
    target = value->ToDouble();
    return true;
  }
  errors_.push_back(WrongValue(node, *meant, "a number"));
  return false;
}

bool Reader::Take(Node& node, std::string& target) {
  const Node* meant = Meant(node);
  if (meant == nullptr) return false;
  if (const std::string* value = ScalarOf<std::string>(*meant)) {
    target = *value;
    return true;
  }
  errors_.push_back(WrongValue(node, *meant, "text"));
  return false;
}

bool Reader::Take(Node& node, std::vector<std::string>& target) {
  Node* meant = Meant(node);
  if (meant == nullptr) return false;
  if (!meant->is_list() || meant->special) {
    errors_.push_back(WrongValue(node, *meant, "a list of texts"));
    return false;
  }
  std::vector<std::string> texts;
  const size_t errors_before = errors_.size();
  for (Node* item : meant->items) {
    std::string text;
    if (Take(*item, text)) texts.push_back(std::move(text));
  }
  if (errors_.size() != errors_before) return false;
  target = std::move(texts);
  return true;
}

}  // namespace ridgeline::config
