// What the README lists is what exists, and the other way round.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <sys/wait.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "selector/registry/registry.h"

namespace convproof::ci {
namespace {

namespace fs = std::filesystem;

const fs::path source{CONVPROOF_SOURCE_DIR};

std::string content_of(const fs::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The first cells, stripped of back quotes, of the table below the heading `## heading`.
std::set<std::string> listed_under(std::string_view heading) {
  std::set<std::string> cells;
  std::istringstream lines(content_of(source / "README.md"));
  bool inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## ")) inside = line == "## " + std::string(heading);
    if (!inside || !line.starts_with("| `")) continue;
    cells.insert(line.substr(3, line.find('`', 3) - 3));
  }
  return cells;
}

TEST(Readme, lists_the_commands) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(CONVPROOF_BINARY " --help", "r"),
                                                             pclose);
  ASSERT_NE(pipe, nullptr);
  std::string help;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get()))
    help += static_cast<char>(c);
  std::set<std::string> commands;
  std::istringstream lines(help.substr(help.find("Subcommands:")));
  std::string line;
  std::getline(lines, line);
  while (std::getline(lines, line) && line.starts_with("  ")) {
    if (line[2] != ' ') commands.insert(line.substr(2, line.find(' ', 2) - 2));
  }
  EXPECT_EQ(listed_under("Commands"), commands);
}

TEST(Readme, lists_the_built_in_tables) {
  const auto names = registry_names();
  EXPECT_EQ(listed_under("Tables"), std::set<std::string>(names.begin(), names.end()));
}

TEST(Readme, lists_the_presets) {
  std::set<std::string> presets;
  const auto document = nlohmann::json::parse(content_of(source / "CMakePresets.json"));
  for (const auto& preset : document["configurePresets"]) {
    if (!preset.value("hidden", false)) presets.insert(preset["name"]);
  }
  EXPECT_EQ(listed_under("Presets"), presets);
}

TEST(Readme, maps_every_folder) {
  std::set<std::string> folders;
  for (const char* top : {"selector", "oracle", "props", "fuzz", "corpus", "ci"}) {
    folders.insert(std::string(top) + "/");
    if (std::string_view(top) == "ci" || std::string_view(top) == "corpus") continue;
    for (const auto& entry : fs::directory_iterator(source / top)) {
      if (entry.is_directory())
        folders.insert(std::string(top) + "/" + entry.path().filename().string() + "/");
    }
  }
  EXPECT_EQ(listed_under("Map"), folders);
}

}  // namespace
}  // namespace convproof::ci
