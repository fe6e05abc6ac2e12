#include "parity/compare.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace ridgeline::parity {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kShownLength = 500;

// Equal texts, not equal values: JSON libraries hold 1 and 1.0 for the same.
std::string Text(const Json& json) {
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

std::string Show(const Json* json) {
  if (json == nullptr) return "absent";
  std::string text = Text(*json);
  if (text.size() > kShownLength) text = text.substr(0, kShownLength) + "...";
  return text;
}

const Json* Find(const Json& object, std::string_view key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(std::string(key));
  return found == object.end() ? nullptr : &*found;
}

bool Has(const Json& object, std::string_view key, std::string_view text) {
  const Json* found = Find(object, key);
  return found != nullptr && *found == text;
}

std::multiset<std::string> Elements(const Json& list) {
  std::multiset<std::string> texts;
  for (const Json& element : list) texts.insert(Text(element));
  return texts;
}

class Comparison {
 public:
  explicit Comparison(const Json& test_case)
      : shuffled_(Has(test_case, "compare", "list-as-multiset")) {}

  std::vector<Difference> Run(const Json& want, const Json& got) {
    if (Text(want.at("ok")) != Text(got.at("ok"))) {
      Differ("ok", &want, &got);
    } else if (want.at("ok") == false) {
      const Json* want_error = Find(want, "error");
      const Json* got_error = Find(got, "error");
      // A line of overrides.jsonl is its own error.
      CompareError("error", want_error != nullptr ? *want_error : want,
                   got_error != nullptr ? *got_error : got);
    } else {
      CompareAnswer(want, got);
    }
    return std::move(differences_);
  }

 private:
  void Differ(std::string field, const Json* want, const Json* got) {
    differences_.push_back({std::move(field), Show(want), Show(got)});
  }

  void CompareField(const std::string& field, const Json& want, const Json* got) {
    if (got == nullptr || Text(want) != Text(*got)) Differ(field, &want, got);
  }

  void CompareElements(const std::string& field, const Json& want, const Json* got) {
    if (got == nullptr || !got->is_array() || Elements(want) != Elements(*got)) {
      Differ(field, &want, got);
    }
  }

  void CompareError(const std::string& field, const Json& want, const Json& got) {
    const bool held_to_text = Has(want, "match", "message");
    for (const auto& [key, value] : want.items()) {
      // `kind` is a word of whoever recorded it, not Hydra's.
      if (key == "match" || key == "kind") continue;
      if (held_to_text || key == "stage") {
        CompareField(field + "." + key, value, Find(got, key));
      }
    }
  }

  void CompareAnswer(const Json& want, const Json& got) {
    for (const auto& [key, value] : want.items()) {
      CompareMember(want, key, value, Find(got, key));
    }
    for (const char* key :
         {"warnings", "resolve_warnings", "choices", "override_dirname"}) {
      if (Find(want, key) == nullptr && Find(got, key) != nullptr) {
        Differ(key, nullptr, Find(got, key));
      }
    }
  }

  void CompareMember(const Json& answer, const std::string& key, const Json& want,
                     const Json* got) {
    if (key == "resolved" && Find(want, "error") != nullptr) {
      CompareFailedResolve(*Find(want, "error"), got);
    } else if (key == "lazy" &&
               Has(answer.at("resolved").at("error"), "match", "reject")) {
      // Its rows quote the same foreign text.
    } else if (key == "run" && want.is_object() && got != nullptr) {
      CompareRun(want, *got);
    } else if (key == "sweep_multiset") {
      CompareElements(key, want, got);
    } else if (shuffled_ && (key == "value" || key == "as_str" || key == "sweep")) {
      CompareShuffled(key, want, got);
    } else {
      CompareField(key, want, got);
    }
  }

  void CompareFailedResolve(const Json& want, const Json* got) {
    const Json* error = got == nullptr ? nullptr : Find(*got, "error");
    if (error == nullptr) {
      Differ("resolved.error", &want, got);
      return;
    }
    if (!Has(want, "match", "message")) return;
    for (const char* key : {"class", "message"}) {
      CompareField(std::string("resolved.error.") + key, want.at(key), Find(*error, key));
    }
  }

  void CompareRun(const Json& want, const Json& got) {
    for (const auto& [key, value] : want.items()) {
      if (key != "files") CompareField("run." + key, value, Find(got, key));
    }
    const Json none = Json::object();
    const Json& want_files = want.contains("files") ? want.at("files") : none;
    const Json& got_files = got.contains("files") ? got.at("files") : none;
    for (const auto& [path, text] : want_files.items()) {
      const Json* written = Find(got_files, path);
      if (text == "(omitted)" && written != nullptr) continue;
      CompareField("run.files " + path, text, written);
    }
    for (const auto& [path, text] : got_files.items()) {
      if (!want_files.contains(path)) Differ("run.files " + path, nullptr, &text);
    }
  }

  // A list whose order is random: its typed form is compared as a bag of
  // elements, its text form as a bag of characters.
  void CompareShuffled(const std::string& key, const Json& want, const Json* got) {
    if (got == nullptr) {
      Differ(key, &want, got);
    } else if (want.is_string() && got->is_string()) {
      std::string want_text = want;
      std::string got_text = *got;
      std::sort(want_text.begin(), want_text.end());
      std::sort(got_text.begin(), got_text.end());
      if (want_text != got_text) Differ(key, &want, got);
    } else if (want.is_object() && got->is_object()) {
      CompareField(key + ".t", want.at("t"), Find(*got, "t"));
      CompareElements(key + ".v", want.at("v"), Find(*got, "v"));
    } else {
      CompareElements(key, want, got);
    }
  }

  bool shuffled_;
  std::vector<Difference> differences_;
};

}  // namespace

std::vector<Difference> Differences(const Json& test_case, const Json& observed) {
  return Comparison(test_case).Run(test_case.at("expect"), observed);
}

}  // namespace ridgeline::parity
