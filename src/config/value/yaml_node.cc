#include "config/value/yaml_node.h"

#include <yaml.h>

#include <array>
#include <unordered_map>
#include <utility>

#include "config/value/python_text.h"
#include "config/value/unicode.h"

namespace ridgeline::config {
namespace {

YamlMark ToMark(const yaml_mark_t& mark) {
  return {.line = static_cast<int>(mark.line) + 1,
          .column = static_cast<int>(mark.column) + 1};
}

std::string_view View(const yaml_char_t* text) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libyaml's char.
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

// libyaml is a C port of PyYAML's scanner, but some messages have diverged.
std::string PyYamlWords(std::string_view problem, std::string_view text, size_t index) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kWords = {{
      {"mapping values are not allowed in this context",
       "mapping values are not allowed here"},
      {"mapping keys are not allowed in this context",
       "mapping keys are not allowed here"},
      {"block sequence entries are not allowed in this context",
       "sequence entries are not allowed here"},
  }};
  for (const auto& [libyaml, pyyaml] : kWords) {
    if (problem == libyaml) return std::string(pyyaml);
  }
  const size_t at = ByteOffset(text, index);
  if (problem == "found character that cannot start any token" && at < text.size()) {
    const std::string_view character = text.substr(at, DecodeUtf8(text, at).length);
    return "found character " + Repr(character) + " that cannot start any token";
  }
  return std::string(problem);
}

class EventReader {
 public:
  EventReader(std::string_view text, SourceName source)
      : text_(text), source_(std::move(source)) {
    initialized_ = yaml_parser_initialize(&parser_) != 0;
    if (!initialized_) return;
    yaml_parser_set_encoding(&parser_, YAML_UTF8_ENCODING);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libyaml's char.
    const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
    yaml_parser_set_input_string(&parser_, bytes, text.size());
  }
  EventReader(const EventReader&) = delete;
  EventReader& operator=(const EventReader&) = delete;
  ~EventReader() {
    yaml_event_delete(&event_);
    if (initialized_) yaml_parser_delete(&parser_);
  }

  // The event stays valid until the next call.
  Result<const yaml_event_t*> Next() {
    yaml_event_delete(&event_);
    if (!initialized_ || yaml_parser_parse(&parser_, &event_) == 0) return Failure();
    return &event_;
  }

 private:
  Error Failure() const {
    if (!initialized_ || parser_.problem == nullptr) {
      return Error(ErrorKind::kLimit, "out of memory while parsing YAML");
    }
    const ErrorKind kind = parser_.error == YAML_SCANNER_ERROR  ? ErrorKind::kYamlScanner
                           : parser_.error == YAML_READER_ERROR ? ErrorKind::kYamlReader
                                                                : ErrorKind::kYamlParser;
    YamlContext context;
    if (parser_.context != nullptr) {
      context = {parser_.context, ToMark(parser_.context_mark)};
    }
    const std::string problem =
        PyYamlWords(parser_.problem, text_, parser_.problem_mark.index);
    return YamlError(kind, source_, context, problem, ToMark(parser_.problem_mark));
  }

  std::string_view text_;
  SourceName source_;
  bool initialized_ = false;
  yaml_parser_t parser_ = {};
  yaml_event_t event_ = {};
};

class Composer {
 public:
  Composer(std::string_view text, const SourceName& source)
      : events_(text, source), source_(source) {
    // About one node per ten characters: enough for most files.
    document_.nodes.reserve(text.size() / 10 + 8);
  }

  Result<YamlDocument> Compose() {
    for (;;) {
      RIDGELINE_TRY(const yaml_event_t* event, events_.Next());
      if (event->type == YAML_STREAM_END_EVENT) return std::move(document_);
      if (event->type == YAML_DOCUMENT_START_EVENT && document_.root) {
        return YamlError(ErrorKind::kYamlComposer, source_,
                         {"expected a single document in the stream",
                          document_.nodes[*document_.root].mark},
                         "but found another document", ToMark(event->start_mark));
      }
      RIDGELINE_RETURN_IF_ERROR(Accept(*event));
    }
  }

 private:
  Status Accept(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_ALIAS_EVENT:
        return AcceptAlias(event);
      case YAML_SCALAR_EVENT:
        return AcceptScalar(event);
      case YAML_SEQUENCE_START_EVENT:
        return AcceptCollection(event, YamlNode::Kind::kSequence,
                                event.data.sequence_start.anchor,
                                event.data.sequence_start.tag);
      case YAML_MAPPING_START_EVENT:
        return AcceptCollection(event, YamlNode::Kind::kMapping,
                                event.data.mapping_start.anchor,
                                event.data.mapping_start.tag);
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        if (open_.size() == flow_from_) flow_from_ = 0;
        open_.pop_back();
        return Ok();
      case YAML_NO_EVENT:
      case YAML_STREAM_START_EVENT:
      case YAML_STREAM_END_EVENT:
      case YAML_DOCUMENT_START_EVENT:
      case YAML_DOCUMENT_END_EVENT:
        return Ok();
    }
    return Ok();
  }

  Status AcceptAlias(const yaml_event_t& event) {
    const std::string name(View(event.data.alias.anchor));
    const auto found = anchors_.find(name);
    if (found == anchors_.end()) {
      return YamlError(ErrorKind::kYamlComposer, source_,
                       "found undefined alias " + Repr(name), ToMark(event.start_mark));
    }
    document_.has_aliases = true;
    Attach(found->second);
    return Ok();
  }

  Status AcceptScalar(const yaml_event_t& event) {
    const auto& scalar = event.data.scalar;
    YamlNode node;
    node.mark = ToMark(event.start_mark);
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): libyaml's char.
    node.text.assign(reinterpret_cast<const char*>(scalar.value), scalar.length);
    if (scalar.style == YAML_PLAIN_SCALAR_STYLE && in_flow() &&
        node.text.find('?') != std::string::npos) {
      // libyaml continues where PyYAML sees the key indicator.
      return YamlError(ErrorKind::kYamlParser, source_,
                       {"while parsing a flow collection", {}},
                       "expected ',' or the end of it, but got '?'", node.mark);
    }
    const std::string_view tag = View(scalar.tag);
    if (!tag.empty() && tag != "!") {
      SetTag(node, tag);
    } else if (scalar.plain_implicit != 0 || tag == "!") {
      // libyaml keeps the "!" only on a scalar without text, which is null.
      node.tag = ResolveLoaded(node.text);
    }
    return Add(std::move(node), View(scalar.anchor));
  }

  Status AcceptCollection(const yaml_event_t& event, YamlNode::Kind kind,
                          const yaml_char_t* anchor, const yaml_char_t* tag_name) {
    YamlNode node;
    node.kind = kind;
    node.mark = ToMark(event.start_mark);
    const std::string_view tag = View(tag_name);
    if (!tag.empty() && tag != "!") {
      SetTag(node, tag);
    } else {
      node.tag = kind == YamlNode::Kind::kMapping ? YamlTag::kMap : YamlTag::kSeq;
    }
    if (open_.size() >= kMaxYamlDepth) {
      return YamlError(
          ErrorKind::kLimit, source_,
          "more than " + std::to_string(kMaxYamlDepth) + " levels of nesting", node.mark);
    }
    RIDGELINE_RETURN_IF_ERROR(Add(std::move(node), View(anchor)));
    open_.push_back(static_cast<YamlNodeId>(document_.nodes.size() - 1));
    const bool flow = kind == YamlNode::Kind::kMapping
                          ? event.data.mapping_start.style == YAML_FLOW_MAPPING_STYLE
                          : event.data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
    // There is no block style inside brackets.
    if (flow && !in_flow()) flow_from_ = open_.size();
    return Ok();
  }

  bool in_flow() const { return flow_from_ > 0; }

  static void SetTag(YamlNode& node, std::string_view tag) {
    node.tag = TagFromName(tag);
    if (node.tag == YamlTag::kUnknown) node.tag_name = tag;
  }

  Status Add(YamlNode node, std::string_view anchor) {
    const auto id = static_cast<YamlNodeId>(document_.nodes.size());
    if (!anchor.empty()) {
      const auto [entry, is_new] = anchors_.emplace(anchor, id);
      if (!is_new) {
        return YamlError(ErrorKind::kYamlComposer, source_,
                         {"found duplicate anchor " + Repr(anchor) + "; first occurrence",
                          document_.nodes[entry->second].mark},
                         "second occurrence", node.mark);
      }
    }
    document_.nodes.push_back(std::move(node));
    Attach(id);
    return Ok();
  }

  void Attach(YamlNodeId id) {
    if (open_.empty()) {
      document_.root = id;
    } else {
      document_.nodes[open_.back()].children.push_back(id);
    }
  }

  EventReader events_;
  SourceName source_;
  YamlDocument document_;
  std::vector<YamlNodeId> open_;  // Collections that have begun, outermost first.
  size_t flow_from_ = 0;          // Size of open_ at the outermost bracket; 0: none.
  std::unordered_map<std::string, YamlNodeId> anchors_;
};

}  // namespace

std::string_view KindName(YamlNode::Kind kind) {
  switch (kind) {
    case YamlNode::Kind::kScalar:
      return "scalar";
    case YamlNode::Kind::kSequence:
      return "sequence";
    case YamlNode::Kind::kMapping:
      return "mapping";
  }
  return "";
}

Result<YamlDocument> ComposeYaml(std::string_view text, const SourceName& source) {
  return Composer(text, source).Compose();
}

}  // namespace ridgeline::config
