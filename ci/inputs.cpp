#include "ci/inputs.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <ios>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "selector/frontends/read_benchdnn.h"

namespace convproof::ci {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 5> readable_extensions{".hlo", ".mlir", ".json", ".onnx",
                                                              ".txt"};

// By its name; the lists of benchdnn have names without an extension and are told by how they
// begin.
bool is_readable(const fs::path& path) {
  const std::string extension = path.extension().string();
  if (!extension.empty()) {
    return std::ranges::find(readable_extensions, extension) != readable_extensions.end();
  }
  std::string begin(16384, '\0');
  std::ifstream stream(path, std::ios::binary);
  stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(stream.gcount()));
  return looks_like_benchdnn(begin);
}

void add_file(const std::string& path, Inputs& inputs) {
  auto document = read_document(path, further_formats());
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
    if (is_readable(entry->path())) files.push_back(entry->path().string());
  }
  if (status) inputs.errors.push_back({.place = path, .rule = status.message()});
  if (files.empty()) {
    inputs.errors.push_back(
        {.place = path,
         .rule = "holds no .hlo, .mlir, .json, .onnx or .txt file and no benchdnn list"});
  }
  std::ranges::sort(files);
  for (const std::string& file : files) add_file(file, inputs);
}

}  // namespace

Inputs read_inputs(const std::vector<std::string>& paths) {
  Inputs inputs;
  for (const std::string& path : paths) {
    std::error_code status;
    if (fs::is_directory(path, status)) {
      add_folder(path, inputs);
    } else {
      add_file(path, inputs);
    }
  }
  return inputs;
}

}  // namespace convproof::ci
