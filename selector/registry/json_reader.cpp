#include "selector/registry/json_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "selector/rules/nearest_name.h"

namespace convproof {
namespace {

// Walks a text that is known to be valid JSON and notes the line on which each value starts: the
// JSON library keeps no positions.
class LineScanner {
 public:
  LineScanner(std::string_view text, std::map<std::string, int, std::less<>>& lines)
      : text_(text), lines_(lines) {}

  void run() {
    skip_space();
    value("");
  }

 private:
  void value(const std::string& path) {
    lines_.emplace(path, line_);
    if (at('{')) {
      object(path);
    } else if (at('[')) {
      array(path);
    } else if (at('"')) {
      string();
    } else {
      while (position_ < text_.size() &&
             std::string_view(",]}\n\r\t ").find(text_[position_]) == std::string_view::npos) {
        ++position_;
      }
    }
    skip_space();
  }

  void object(const std::string& path) {
    step();
    while (position_ < text_.size() && !at('}')) {
      const std::string key = string();
      skip_space();
      step();  // the colon
      value(path.empty() ? key : path + "." + key);
      if (at(',')) step();
    }
    step();
  }

  void array(const std::string& path) {
    step();
    for (std::size_t i = 0; position_ < text_.size() && !at(']'); ++i) {
      value(fmt::format("{}[{}]", path, i));
      if (at(',')) step();
    }
    step();
  }

  std::string string() {
    const std::size_t start = ++position_;
    while (position_ < text_.size() && text_[position_] != '"') {
      position_ += text_[position_] == '\\' ? 2 : 1;
    }
    std::string content(text_.substr(start, position_ - start));
    ++position_;
    return content;
  }

  [[nodiscard]] bool at(char c) const { return position_ < text_.size() && text_[position_] == c; }
  void step() {
    ++position_;
    skip_space();
  }
  void skip_space() {
    while (position_ < text_.size() &&
           std::string_view(" \t\r\n").find(text_[position_]) != std::string_view::npos) {
      line_ += text_[position_] == '\n' ? 1 : 0;
      ++position_;
    }
  }

  std::string_view text_;
  std::map<std::string, int, std::less<>>& lines_;
  std::size_t position_ = 0;
  int line_ = 1;
};

// How deep a data file may nest: the scanner and the library recurse.
constexpr int max_depth = 64;

bool too_deep(std::string_view text) {
  int depth = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted) {
      if (text[i] == '\\')
        ++i;
      else if (text[i] == '"')
        quoted = false;
    } else if (text[i] == '"') {
      quoted = true;
    } else if (text[i] == '{' || text[i] == '[') {
      if (++depth > max_depth) return true;
    } else if (text[i] == '}' || text[i] == ']') {
      --depth;
    }
  }
  return false;
}

}  // namespace

JsonReader::JsonReader(std::string_view text, std::string file)
    : file_(std::move(file)), document_(std::make_unique<nlohmann::json>()) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    fail({.place = file_, .rule = "is empty"});
    return;
  }
  if (too_deep(text)) {
    fail({.place = file_, .rule = fmt::format("must not nest deeper than {} levels", max_depth)});
    return;
  }
  try {
    *document_ = nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& caught) {
    const std::size_t byte = std::min(caught.byte == 0 ? 0 : caught.byte - 1, text.size());
    const auto line =
        1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte), '\n');
    const std::size_t newline = byte == 0 ? std::string_view::npos : text.rfind('\n', byte - 1);
    const std::size_t column = newline == std::string_view::npos ? byte + 1 : byte - newline;
    fail({.place = fmt::format("{}:{}:{}", file_, line, column), .rule = "is no valid JSON here"});
    return;
  } catch (const nlohmann::json::exception&) {
    // What the grammar admits and the library cannot hold, as a number beyond any double.
    fail({.place = file_, .rule = "holds a number that is out of range"});
    return;
  }
  LineScanner(text, lines_).run();
}

JsonReader::~JsonReader() = default;

void JsonReader::fail(Error error) {
  if (!error_) error_ = std::move(error);
}
void JsonReader::fail(const Node& node, std::string value, std::string rule) {
  fail({place(node), std::move(value), std::move(rule)});
}

JsonReader::Node JsonReader::root() {
  Node node{document_.get(), ""};
  if (!error_ && !document_->is_object()) fail(node, "", "must be a JSON object");
  return node;
}

bool JsonReader::has(const Node& object, std::string_view key) const {
  return object.value != nullptr && object.value->is_object() && object.value->contains(key);
}

void JsonReader::only_keys(const Node& object, std::initializer_list<std::string_view> known) {
  if (object.value == nullptr || !object.value->is_object()) return;
  const std::vector<std::string> names(known.begin(), known.end());
  for (const auto& [key, value] : object.value->items()) {
    if (std::ranges::find(names, key) != names.end()) continue;
    fail(Node{&value, object.path.empty() ? key : object.path + "." + key}, "",
         "unknown key" + did_you_mean(key, names));
  }
}

JsonReader::Node JsonReader::member(const Node& object, std::string_view key) {
  if (error_) return {};
  if (!has(object, key)) {
    fail(object, "", fmt::format("`{}` is missing", key));
    return {};
  }
  return {&object.value->at(std::string(key)),
          object.path.empty() ? std::string(key) : fmt::format("{}.{}", object.path, key)};
}

std::string JsonReader::text(const Node& object, std::string_view key) {
  const Node node = member(object, key);
  if (node.value == nullptr) return {};
  if (!node.value->is_string()) {
    fail(node, printed(node), "must be a string");
    return {};
  }
  return as_text(node);
}

std::string JsonReader::text_or(const Node& object, std::string_view key,
                                std::string_view otherwise) {
  return has(object, key) ? text(object, key) : std::string(otherwise);
}

bool JsonReader::flag_or(const Node& object, std::string_view key, bool otherwise) {
  if (!has(object, key)) return otherwise;
  const Node node = member(object, key);
  if (node.value == nullptr) return otherwise;
  if (!node.value->is_boolean()) {
    fail(node, printed(node), "must be true or false");
    return otherwise;
  }
  return node.value->get<bool>();
}

std::int64_t JsonReader::integer(const Node& object, std::string_view key) {
  const Node node = member(object, key);
  if (node.value == nullptr) return 0;
  if (!node.value->is_number_integer() || !as_scalar(node)) {
    fail(node, printed(node), "must be an integer");
    return 0;
  }
  return *as_scalar(node);
}

std::int64_t JsonReader::integer_or(const Node& object, std::string_view key,
                                    std::int64_t otherwise) {
  return has(object, key) ? integer(object, key) : otherwise;
}

std::vector<JsonReader::Node> JsonReader::items(const Node& object, std::string_view key) {
  return elements(member(object, key));
}

std::vector<JsonReader::Node> JsonReader::elements(const Node& array) {
  std::vector<Node> result;
  if (error_ || array.value == nullptr) return result;
  if (!array.value->is_array()) {
    fail(array, printed(array), "must be an array");
    return result;
  }
  for (std::size_t i = 0; i < array.value->size(); ++i) {
    result.push_back({&(*array.value)[i], fmt::format("{}[{}]", array.path, i)});
  }
  return result;
}

std::vector<std::pair<std::string, JsonReader::Node>> JsonReader::entries(const Node& object) {
  std::vector<std::pair<std::string, Node>> result;
  if (object.value == nullptr) return result;
  if (!object.value->is_object()) {
    fail(object, printed(object), "must be an object");
    return result;
  }
  for (const auto& [key, value] : object.value->items()) {
    result.emplace_back(key, Node{&value, object.path.empty() ? key : object.path + "." + key});
  }
  return result;
}

bool JsonReader::is_text(const Node& node) {
  return node.value != nullptr && node.value->is_string();
}
bool JsonReader::is_object(const Node& node) {
  return node.value != nullptr && node.value->is_object();
}
bool JsonReader::is_flag(const Node& node) {
  return node.value != nullptr && node.value->is_boolean();
}
std::string JsonReader::as_text(const Node& node) { return node.value->get<std::string>(); }

std::optional<std::int64_t> JsonReader::as_scalar(const Node& node) {
  if (node.value == nullptr) return std::nullopt;
  if (node.value->is_boolean()) return node.value->get<bool>() ? 1 : 0;
  if (node.value->is_number_unsigned() && node.value->get<std::uint64_t>() > INT64_MAX)
    return std::nullopt;
  if (node.value->is_number_integer()) return node.value->get<std::int64_t>();
  return std::nullopt;
}

std::string JsonReader::printed(const Node& node) {
  if (node.value == nullptr) return {};
  std::string text = node.value->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  constexpr std::size_t longest = 60;
  if (text.size() > longest) text = text.substr(0, longest) + "...";
  return text;
}

int JsonReader::line(const Node& node) const {
  const auto found = lines_.find(node.path);
  return found == lines_.end() ? 1 : found->second;
}

std::string JsonReader::place(const Node& node) const {
  return node.path.empty() ? fmt::format("{}:{}", file_, line(node))
                           : fmt::format("{}:{}: {}", file_, line(node), node.path);
}

}  // namespace convproof
