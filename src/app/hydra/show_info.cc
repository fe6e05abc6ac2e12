#include <algorithm>
#include <ostream>
#include <string>
#include <vector>

#include "app/command_support.h"
#include "app/compose_here.h"
#include "app/hydra/hydra_actions.h"
#include "config/tree/to_value.h"
#include "config/value/yaml_dump.h"

namespace ridgeline::app {
namespace {

using Row = std::vector<std::string>;

void PrintHeader(std::ostream& out, const std::string& header, char filler,
                 const std::string& prefix = "") {
  out << prefix << header << '\n' << prefix << std::string(header.size(), filler) << '\n';
}

std::string Padded(const std::string& text, size_t width) {
  return text + std::string(width > text.size() ? width - text.size() : 0, ' ');
}

std::string TableLine(const Row& row, const std::vector<size_t>& widths) {
  std::string line = "|";
  for (size_t i = 0; i < row.size(); ++i) line += " " + Padded(row[i], widths[i]) + " |";
  return line;
}

// `tail` is printed after the header line, as Hydra does for some tables.
void PrintTable(std::ostream& out, const Row& header, const std::vector<Row>& rows,
                const std::string& tail) {
  std::vector<size_t> widths(header.size());
  for (size_t i = 0; i < header.size(); ++i) widths[i] = header[i].size();
  for (const Row& row : rows) {
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  }
  const std::string head = TableLine(header, widths) + tail;
  PrintHeader(out, head, '-');
  for (const Row& row : rows) out << TableLine(row, widths) << '\n';
  out << std::string(head.size(), '-') << '\n';
}

// Hydra plugins that are built in.
void PrintPlugins(std::ostream& out) {
  const std::pair<std::string, Row> groups[] = {
      {"ConfigSource",
       {"FileConfigSource", "ImportlibResourcesConfigSource", "StructuredConfigSource"}},
      {"CompletionPlugin", {"BashCompletion", "FishCompletion", "ZshCompletion"}},
      {"Launcher", {"BasicLauncher", "LocalLauncher", "SlurmLauncher"}},
      {"Sweeper", {"BasicSweeper"}},
  };
  PrintHeader(out, "Installed Hydra Plugins", '*');
  for (const auto& [group, names] : groups) {
    PrintHeader(out, group + ":", '-', "\t");
    for (const std::string& name : names) out << "\t\t" << name << '\n';
  }
}

void PrintSearchPath(std::ostream& out,
                     const std::vector<config::ConfigSource>& sources) {
  std::vector<Row> rows;
  rows.reserve(sources.size());
  for (const config::ConfigSource& source : sources) {
    rows.push_back({source.provider, source.FullPath()});
  }
  out << '\n';
  PrintHeader(out, "Config search path", '*');
  PrintTable(out, {"Provider", "Search path"}, rows, "");
}

std::string TreeLabel(const config::InputDefault& element) {
  if (!element.is_group()) return element.IsSelf() ? "_self_" : element.ConfigPath();
  return element.OverrideKey() + ": " + element.Name().value_or("null");
}

void PrintTreeNode(std::ostream& out, const config::DefaultsTreeNode& node, int indent) {
  out << std::string(static_cast<size_t>(indent) * 2, ' ') << TreeLabel(node.element)
      << (node.children.empty() ? "" : ":") << '\n';
  for (const auto& child : node.children) PrintTreeNode(out, *child, indent + 1);
}

void PrintDefaultsTree(std::ostream& out, const config::DefaultsList& defaults) {
  out << '\n';
  PrintHeader(out, "Defaults Tree", '*');
  PrintTreeNode(out, *defaults.tree, 0);
}

void PrintDefaults(std::ostream& out, const config::DefaultsList& defaults) {
  std::vector<Row> rows;
  for (const config::ResultDefault& entry : defaults.defaults) {
    rows.push_back({entry.config_path, entry.package, entry.is_self ? "True" : "False",
                    entry.parent.value_or("")});
  }
  out << '\n';
  PrintHeader(out, "Defaults List", '*');
  PrintTable(out, {"Config path", "Package", "_self_", "Parent"}, rows, " ");
}

void PrintConfigInfo(std::ostream& out, config::Workspace& workspace,
                     const config::Composition& composition) {
  PrintSearchPath(out, composition.sources);
  PrintDefaultsTree(out, composition.defaults);
  PrintDefaults(out, composition.defaults);
  PrintHeader(out, "Config", '*');
  out << config::DumpYaml(
             config::ToValue(config::JobConfig(workspace, *composition.root)))
      << '\n';
}

// Like Hydra, shows the defaults list even if the configuration cannot be composed.
ExitStatus ShowDefaults(const HydraOptions& options, const Streams& streams) {
  Result<Here> here = PlaceHere(options);
  if (!here.ok()) return Fail(streams, here.error());
  config::Workspace workspace(here.value().world);
  config::Result<config::DefaultsList> defaults =
      config::ComposeDefaults(workspace, here.value().request);
  PrintWarnings(streams, workspace);
  if (!defaults.ok()) return Fail(streams, defaults.error());
  const auto print = options.shown == "defaults" ? PrintDefaults : PrintDefaultsTree;
  print(streams.out, defaults.value());
  return ExitStatus::kDone;
}

}  // namespace

ExitStatus ShowInfo(const HydraOptions& options, const Streams& streams) {
  if (options.shown == "plugins") {
    PrintPlugins(streams.out);
    return ExitStatus::kDone;
  }
  if (options.shown == "defaults" || options.shown == "defaults-tree") {
    return ShowDefaults(options, streams);
  }
  auto composed = ComposeFor(options, streams);
  if (!composed.ok()) return composed.error();
  const config::Composition& composition = composed.value()->composition;
  if (options.shown == "searchpath") {
    PrintSearchPath(streams.out, composition.sources);
    return ExitStatus::kDone;
  }
  if (options.shown == "all") {
    PrintHeader(streams.out, "Hydra " + std::string(config::kHydraVersion), '=');
    PrintPlugins(streams.out);
  }
  PrintConfigInfo(streams.out, composed.value()->workspace, composition);
  return ExitStatus::kDone;
}

}  // namespace ridgeline::app
