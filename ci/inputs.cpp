#include "ci/inputs.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace convproof::ci {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 4> readable_extensions{".hlo", ".mlir", ".json", ".txt"};

void add_file(const std::string& path, Inputs& inputs) {
  auto document = read_document(path);
  if (!document) {
    inputs.errors.push_back(std::move(document.error()));
    return;
  }
  std::ranges::move(document->ops, std::back_inserter(inputs.ops));
  std::ranges::move(document->errors, std::back_inserter(inputs.errors));
}

void add_folder(const std::string& path, Inputs& inputs) {
  std::vector<std::string> files;
  std::error_code status;
  for (fs::recursive_directory_iterator entry(path, status), end; !status && entry != end;
       entry.increment(status)) {
    if (!entry->is_regular_file(status)) continue;
    if (std::ranges::find(readable_extensions, entry->path().extension().string()) !=
        readable_extensions.end()) {
      files.push_back(entry->path().string());
    }
  }
  if (status) inputs.errors.push_back({.place = path, .rule = status.message()});
  if (files.empty()) {
    inputs.errors.push_back({.place = path, .rule = "holds no .hlo, .mlir, .json or .txt file"});
  }
  std::ranges::sort(files);
  for (const std::string& file : files) add_file(file, inputs);
}

}  // namespace

Inputs read_inputs(const std::vector<std::string>& paths) {
  Inputs inputs;
  for (const std::string& path : paths) {
    std::error_code status;
    if (fs::is_directory(path, status))
      add_folder(path, inputs);
    else
      add_file(path, inputs);
  }
  return inputs;
}

}  // namespace convproof::ci
