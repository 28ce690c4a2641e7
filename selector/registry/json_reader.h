#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "selector/op/error.h"

namespace convproof {

// Reads a JSON data file field by field and keeps the first error: after it every read returns a
// default, so that a loader reads straight through and asks once at its end.
//
// Places are `FILE:LINE: PATH`, PATH as in `lists[0].rows[3].match`.
class JsonReader {
 public:
  // A value inside the document and the path that leads to it.
  struct Node {
    const nlohmann::json* value = nullptr;
    std::string path{};
  };

  JsonReader(std::string_view text, std::string file);
  ~JsonReader();
  JsonReader(const JsonReader&) = delete;
  JsonReader& operator=(const JsonReader&) = delete;

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  void fail(const Node& node, std::string value, std::string rule);
  void fail(Error error);

  // The whole document, which must be an object.
  Node root();
  [[nodiscard]] bool has(const Node& object, std::string_view key) const;
  // Refuses keys that are none of `known`, with the nearest one.
  void only_keys(const Node& object, std::initializer_list<std::string_view> known);

  Node member(const Node& object, std::string_view key);
  std::string text(const Node& object, std::string_view key);
  std::string text_or(const Node& object, std::string_view key, std::string_view otherwise);
  bool flag_or(const Node& object, std::string_view key, bool otherwise);
  std::int64_t integer(const Node& object, std::string_view key);
  std::int64_t integer_or(const Node& object, std::string_view key, std::int64_t otherwise);
  std::vector<Node> items(const Node& object, std::string_view key);  // of an array
  std::vector<Node> elements(const Node& array);
  std::vector<std::pair<std::string, Node>> entries(const Node& object);  // sorted by key

  [[nodiscard]] static bool is_text(const Node& node);
  [[nodiscard]] static bool is_object(const Node& node);
  [[nodiscard]] static std::string as_text(const Node& node);                    // of a string
  [[nodiscard]] static std::optional<std::int64_t> as_scalar(const Node& node);  // of a bool or int
  [[nodiscard]] static bool is_flag(const Node& node);
  [[nodiscard]] static std::string printed(const Node& node);

  // `FILE:LINE: PATH`, and the line alone.
  [[nodiscard]] std::string place(const Node& node) const;
  [[nodiscard]] int line(const Node& node) const;

 private:
  std::string file_;
  std::unique_ptr<nlohmann::json> document_;
  std::map<std::string, int, std::less<>> lines_;  // path -> line of the value's first character
  std::optional<Error> error_;
};

}  // namespace convproof
