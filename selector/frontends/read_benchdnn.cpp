#include "selector/frontends/read_benchdnn.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "selector/frontends/input_file.h"
#include "selector/frontends/op_rules.h"
#include "selector/frontends/source_text.h"

namespace convproof {
namespace {

constexpr std::size_t max_problems = std::size_t{1} << 16;
constexpr std::size_t max_listed = 64;  // values of one option
constexpr int max_depth = 8;            // of lists within lists

struct Direction {
  std::string_view name{};
  bool backward = false;
  std::array<bool, 3> mask{true, true, false};
  bool bias = false;
};

constexpr std::array directions{
    Direction{.name = "FWD_D"},
    Direction{.name = "FWD_I"},
    Direction{.name = "FWD_B", .bias = true},
    Direction{.name = "BWD_D", .backward = true, .mask = {true, false, false}},
    Direction{.name = "BWD_W", .backward = true, .mask = {false, true, false}},
    Direction{.name = "BWD_WB", .backward = true, .mask = {false, true, true}, .bias = true},
};
constexpr const Direction& default_direction = directions[2];

struct ElementTypes {
  ElementType source = ElementType::f32;
  ElementType weights = ElementType::f32;
  ElementType destination = ElementType::f32;
};

// oneDNN's names of the types whose spelling differs.
std::optional<ElementType> type_named(std::string_view name) {
  if (name == "f8_e5m2") return ElementType::f8e5m2;
  if (name == "f8_e4m3") return ElementType::f8e4m3fn;
  return element_type_named(name);
}

// The narrowest type that holds every value of both.
ElementType holding(ElementType a, ElementType b) {
  if (a == b) return a;
  const ElementTypeInfo& one = info(a);
  const ElementTypeInfo& two = info(b);
  if (one.integer && two.integer) {
    if (one.bytes == two.bytes) return ElementType::s16;  // s8 and u8 alone share a size
    return one.bytes > two.bytes ? a : b;
  }
  if (one.bytes == two.bytes || one.integer || two.integer) {
    return std::max(one.bytes, two.bytes) < 4 ? ElementType::f32 : ElementType::f64;
  }
  return one.bytes > two.bytes ? a : b;
}

struct Settings {
  std::vector<Direction> directions{default_direction};
  std::vector<ElementTypes> types{ElementTypes{}};
  std::vector<std::int64_t> batches{0};  // 0: the descriptor's
};

struct Word {
  std::string_view text{};
  std::size_t offset = 0;
  bool closed = true;  // no quote is left open
};

// The words of a list: apart by white space outside quotes, remarks left out.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  std::optional<Word> next() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
        ++at_;
      } else {
        return take();
      }
    }
    return std::nullopt;
  }

 private:
  Word take() {
    const std::size_t begin = at_;
    char quote = '\0';
    for (; at_ < text_.size() && text_[at_] != '\n'; ++at_) {
      const char c = text_[at_];
      if (quote != '\0') {
        if (c == quote) quote = '\0';
      } else if (c == '"' || c == '\'') {
        quote = c;
      } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
        break;
      }
    }
    return {text_.substr(begin, at_ - begin), begin, quote == '\0'};
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::vector<std::string_view> split(std::string_view text, char mark) {
  std::vector<std::string_view> parts;
  while (parts.size() <= max_listed) {
    const std::size_t end = text.find(mark);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return parts;
}

std::optional<Direction> direction_named(std::string_view name) {
  std::string upper(name.substr(0, 16));
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const auto* const found = std::ranges::find(directions, upper, &Direction::name);
  if (found == directions.end()) return std::nullopt;
  return *found;
}

// `f32`, `u8:s8:s32`
std::optional<ElementTypes> types_named(std::string_view text) {
  const auto parts = split(text, ':');
  std::vector<ElementType> types;
  for (const std::string_view part : parts) {
    const auto type = type_named(part);
    if (!type) return std::nullopt;
    types.push_back(*type);
  }
  if (types.size() == 1) return ElementTypes{types[0], types[0], types[0]};
  if (types.size() == 3) return ElementTypes{types[0], types[1], types[2]};
  return std::nullopt;
}

// `f32`, `u8s8s32`, `bf16bf16f32_wino`
std::optional<ElementTypes> configuration_named(std::string_view text) {
  text = text.substr(0, text.find("_wino"));
  std::vector<ElementType> types;
  while (!text.empty() && types.size() < 4) {
    const auto known = std::ranges::find_if(
        element_types, [&](const ElementTypeInfo& type) { return text.starts_with(type.name); });
    if (known == element_types.end()) return std::nullopt;
    types.push_back(known->type);
    text.remove_prefix(known->name.size());
  }
  if (types.size() == 1) return ElementTypes{types[0], types[0], types[0]};
  if (types.size() == 3) return ElementTypes{types[0], types[1], types[2]};
  return std::nullopt;
}

std::optional<std::int64_t> batch_named(std::string_view text) {
  std::int64_t value = 0;
  const auto [last, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc{} || last != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

class ListReader {
 public:
  ListReader(Document& document, BenchdnnDriver driver, int depth)
      : document_(document), driver_(driver), depth_(depth) {}

  // False where the bound on problems ends the reading.
  bool read(std::string_view text, const std::string& file) {
    const SourceText source(text, file);
    Words words(text);
    while (const auto word = words.next()) {
      if (!word->closed) {
        add_error(document_, source.error(word->offset, excerpt(word->text), "has an open quote"));
      } else if (word->text.starts_with("--")) {
        if (!read_option(*word, source)) return false;
      } else if (!add_problems(*word, source)) {
        return false;
      }
    }
    return true;
  }

 private:
  // The listed values of an option; what is wrong with one is an error, and none of it stays.
  template <class T, class Parse>
  void read_list(std::string_view value, const Word& word, const SourceText& source,
                 std::string_view rule, std::vector<T>& into, Parse parse) {
    into.clear();
    const auto parts = split(value, ',');
    if (parts.size() > max_listed) {
      add_error(document_, source.error(word.offset, excerpt(word.text),
                                        fmt::format("must list at most {} values", max_listed)));
      return;
    }
    for (const std::string_view part : parts) {
      if (auto one = parse(part)) {
        into.push_back(*one);
        continue;
      }
      add_error(document_, source.error(word.offset, excerpt(word.text),
                                        fmt::format("{}; problems with it are left out", rule)));
    }
  }

  bool read_option(const Word& word, const SourceText& source) {
    const std::size_t mark = word.text.find('=');
    const std::string_view name =
        word.text.substr(2, mark == std::string_view::npos ? std::string_view::npos : mark - 2);
    const std::string_view value =
        mark == std::string_view::npos ? std::string_view{} : word.text.substr(mark + 1);
    if (name == "reset") settings_ = {};
    if (name == "conv") driver_ = BenchdnnDriver::conv;
    if (name == "deconv") driver_ = BenchdnnDriver::deconv;
    if (name == "dir") {
      read_list(value, word, source, "must be FWD_D, FWD_I, FWD_B, BWD_D, BWD_W or BWD_WB",
                settings_.directions, direction_named);
    }
    if (name == "dt") {
      read_list(
          value, word, source,
          fmt::format("must be one type, or three between colons, of {}", known_element_types()),
          settings_.types, types_named);
    }
    if (name == "cfg") {
      read_list(value, word, source,
                fmt::format("must be one or three names of {}", known_element_types()),
                settings_.types, configuration_named);
    }
    if (name == "mb")
      read_list(value, word, source, "must be a batch", settings_.batches, batch_named);
    return name != "batch" || read_batch(value, word, source);
  }

  bool read_batch(std::string_view name, const Word& word, const SourceText& source) {
    const auto refuse = [&](std::string rule) {
      add_error(document_, source.error(word.offset, excerpt(word.text), std::move(rule)));
      return true;
    };
    if (depth_ >= max_depth) return refuse(fmt::format("lists nest at most {} deep", max_depth));
    if (name.find('\0') != std::string_view::npos) return refuse("must be a file's name");
    const std::filesystem::path path =
        std::filesystem::path(source.file()).parent_path() / std::filesystem::path(name);
    std::error_code status;
    if (!std::filesystem::is_regular_file(path, status)) return refuse("is not a file");
    const auto text = read_input_file(path.string());
    if (!text) return refuse(text.error().rule);
    return ListReader(document_, driver_, depth_ + 1).read(*text, path.string());
  }

  bool add_problems(const Word& word, const SourceText& source) {
    const SourcePlace place = source.place(word.offset);
    for (const std::int64_t batch : settings_.batches) {
      auto problem = parse_benchdnn_problem(word.text, driver_,
                                            batch == 0 ? std::nullopt : std::optional(batch));
      if (!problem) {
        problem = std::unexpected(source.error(word.offset, problem.error()));
      } else if (problem->name.empty()) {
        problem->name = word.text;
      }
      for (const Direction& direction : settings_.directions) {
        for (const ElementTypes& types : settings_.types) {
          if (document_.ops.size() >= max_problems) {
            document_.errors.push_back(source.error(
                word.offset, "",
                fmt::format("more than {} problems: further ones are not read", max_problems)));
            return false;
          }
          FoundOp found{.name = excerpt(problem ? problem->name : word.text), .place = place};
          if (direction.backward) found.name += fmt::format(" {}", direction.name);
          if (problem) {
            set_op(found, problem->convolution, direction, types);
          } else {
            found.op = std::unexpected(problem.error());
          }
          if (problem && !found.op)
            found.op = std::unexpected(source.error(word.offset, found.op.error()));
          document_.ops.push_back(std::move(found));
        }
      }
    }
    return true;
  }

  static void set_op(FoundOp& found, PaddedConvolution conv, const Direction& direction,
                     const ElementTypes& types) {
    ElementType one = types.source;
    ElementType two = types.weights;
    ElementType result = types.destination;
    if (direction.backward) std::swap(direction.mask[0] ? one : two, result);
    conv.element_type = holding(one, two);
    found.op = direction.backward
                   ? direction.mask[0] ? padded_input_gradient(conv) : padded_weight_gradient(conv)
                   : padded_forward(conv);
    if (found.op) {
      found.op->result_element_type = info(conv.element_type).integer ? ElementType::s32 : result;
    }
    if (one != two) {
      found.note = fmt::format("operands of {} and {} are read as {}, which holds both",
                               name_of(one), name_of(two), name_of(conv.element_type));
    }
    if (auto aten = as_aten(conv)) {
      AtenCall call{.convolution = *aten,
                    .weight_element_type = types.weights,
                    .backward = direction.backward,
                    .output_mask = direction.mask,
                    .bias_sizes = direction.backward && direction.bias};
      call.convolution.element_type = types.source;
      if (direction.bias && !direction.backward) {
        call.convolution.bias = conv.transposed ? conv.weight[1] * conv.groups : conv.weight[0];
      }
      found.aten = call;
    }
  }

  Document& document_;
  BenchdnnDriver driver_;
  int depth_;
  Settings settings_{};
};

}  // namespace

std::expected<Document, Error> read_benchdnn(std::string_view text, const std::string& file,
                                             BenchdnnDriver driver) {
  Document document;
  ListReader(document, driver, 1).read(text, file);
  return document;
}

BenchdnnDriver benchdnn_driver_of(std::string_view path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  const bool below = std::ranges::any_of(folder, [](const auto& part) { return part == "deconv"; });
  return below ? BenchdnnDriver::deconv : BenchdnnDriver::conv;
}

bool looks_like_benchdnn(std::string_view text) {
  const auto word = Words(text).next();
  if (!word) return false;
  if (is_benchdnn_problem(word->text)) return true;
  return word->text.size() > 2 && word->text.starts_with("--") &&
         std::isalpha(static_cast<unsigned char>(word->text[2])) != 0;
}

}  // namespace convproof
