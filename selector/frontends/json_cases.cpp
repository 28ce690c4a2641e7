#include "selector/frontends/json_cases.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "selector/frontends/aten.h"
#include "selector/frontends/aten_record.h"
#include "selector/frontends/document.h"
#include "selector/frontends/json_fields.h"
#include "selector/frontends/json_places.h"
#include "selector/frontends/op_rules.h"
#include "selector/frontends/source_text.h"
#include "selector/op/dim_labels.h"

namespace convproof {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 9> common_keys{
    "id", "class", "frontend", "dtype", "expect", "run", "reduced", "why", "source"};
constexpr std::array<std::string_view, 11> hlo_keys{"lhs",
                                                    "rhs",
                                                    "dim_labels",
                                                    "window",
                                                    "feature_group_count",
                                                    "out_shape",
                                                    "result_dtype",
                                                    "input_is_graph_input",
                                                    "is_pglt",
                                                    "kernel_is_graph_input",
                                                    "batch_group_count"};
constexpr std::array<std::string_view, 15> aten_keys{
    "op",          "input",         "weight",         "bias",          "stride",
    "padding",     "dilation",      "groups",         "transposed",    "grad_output",
    "output_mask", "input_strides", "output_padding", "memory_format", "bias_sizes"};
constexpr std::array<std::string_view, 6> window_keys{"size",       "stride",     "pad",
                                                      "lhs_dilate", "rhs_dilate", "rhs_reversal"};

void read_window(const json& window, ConvOp& op, JsonFields& fields) {
  if (!window.is_object()) return fields.refuse("window", shown(window), "must be an object");
  JsonFields keys(window);
  keys.check_keys(window_keys, common_keys);
  if (keys.error()) fields.refuse(keys.error()->place, keys.error()->value, keys.error()->rule);
  const std::size_t dims = op.window.size();
  for (const auto& [key, value] : window.items()) {
    const std::string place = fmt::format("window.{}", key);
    if (!value.is_array() || value.size() != dims) {
      if (std::ranges::find(window_keys, key) != window_keys.end())
        fields.refuse(place, shown(value), fmt::format("must be an array of {} entries", dims));
      continue;
    }
    for (std::size_t axis = 0; axis < dims; ++axis) {
      WindowDim& dim = op.window[axis];
      const json& entry = value[axis];
      const std::string entry_place = fmt::format("{}[{}]", place, axis);
      if (key == "pad") {
        const auto pair = fields.integers<2>(entry, entry_place);
        if (pair.size() != 2) return fields.refuse(entry_place, shown(entry), "must be a pair");
        dim.pad_low = pair[0];
        dim.pad_high = pair[1];
        continue;
      }
      const std::int64_t number =
          entry.is_boolean() ? std::int64_t{entry.get<bool>()} : fields.integer(entry, entry_place);
      if (key == "stride") dim.stride = number;
      if (key == "lhs_dilate") dim.lhs_dilation = number;
      if (key == "rhs_dilate") dim.rhs_dilation = number;
      if (key == "rhs_reversal") dim.reversal = number != 0;
      const std::int64_t extent = op.kern_shape[static_cast<std::size_t>(op.kern_perm[axis + 2])];
      if (key == "size" && number != extent) {
        fields.refuse(entry_place, fmt::to_string(number),
                      fmt::format("must be the kernel's extent {}", extent));
      }
    }
  }
}

std::expected<ConvOp, Error> read_hlo_case(const json& object) {
  JsonFields fields(object);
  fields.check_keys(hlo_keys, common_keys);
  ConvOp op;
  op.in_shape = fields.integers<max_rank>("lhs");
  op.kern_shape = fields.integers<max_rank>("rhs");
  op.element_type = fields.element_type("dtype");
  op.result_element_type = fields.find("result_dtype") != nullptr
                               ? fields.element_type("result_dtype")
                               : op.element_type;
  op.feature_group_count = fields.integer("feature_group_count", 1);
  op.batch_group_count = fields.integer("batch_group_count", 1);
  op.is_pglt = fields.flag("is_pglt", false);
  op.input_is_graph_input = fields.flag("input_is_graph_input", true);
  op.kernel_is_graph_input = fields.flag("kernel_is_graph_input", true);
  const std::string labels = fields.text("dim_labels");
  if (fields.error()) return std::unexpected(*fields.error());
  const auto numbers = parse_dim_labels(labels);
  if (!numbers) return std::unexpected(numbers.error());
  const std::size_t rank = numbers->in.size();
  if (op.in_shape.size() != rank || op.kern_shape.size() != rank) {
    return std::unexpected(Error{"dim_labels", labels,
                                 fmt::format("must name the {} dimensions of lhs and the {} of rhs",
                                             op.in_shape.size(), op.kern_shape.size())});
  }
  op.in_perm = numbers->in;
  op.kern_perm = numbers->kern;
  op.out_perm = numbers->out;
  op.res_shape = Shape::filled(rank, 0);
  op.window = FixedVector<WindowDim, max_spatial_dims>::filled(rank - 2, WindowDim{});
  if (const json* window = fields.find("window")) read_window(*window, op, fields);
  const bool declared = fields.find("out_shape") != nullptr;
  if (declared) op.res_shape = fields.integers<max_rank>("out_shape");
  if (fields.error()) return std::unexpected(*fields.error());
  // A declared result is taken as it is, right or wrong: witnesses must survive being written.
  auto checked = declared ? check_structure(op) : check_window_fits(op);
  if (!checked) return std::unexpected(checked.error());
  if (!declared) op.res_shape = infer_result_shape(op);
  return op;
}

// What a backward case of the older form asks for.
void read_wanted(const json& object, JsonFields& fields, AtenCall& call) {
  const std::string op = fields.text("op");
  if (op == "convolution") return;
  if (op != "convolution_backward")
    return fields.refuse("op", excerpt(op), "must be convolution or convolution_backward");
  call.backward = true;
  call.output_mask = {true, true, true};
  if (fields.find("output_mask") == nullptr) return;
  const auto mask = fields.integers<3>("output_mask");
  if (mask.size() != call.output_mask.size())
    return fields.refuse("output_mask", shown(object["output_mask"]), "must have three entries");
  for (std::size_t i = 0; i < mask.size(); ++i) call.output_mask[i] = mask[i] != 0;
}

// The gradient that `expect.of` names; without it, the first that the call asks for.
std::expected<ConvOp, Error> expected_gradient(const json& object, const AtenCall& call) {
  const json* expect = object.contains("expect") ? &object["expect"] : nullptr;
  const std::string of = expect != nullptr && expect->is_object() ? expect->value("of", "") : "";
  if (of.empty()) return aten_operation(call);
  const bool input = of == "grad_input";
  if (!input && of != "grad_weight") {
    return std::unexpected(Error{"expect.of", excerpt(of), "must be grad_input or grad_weight"});
  }
  if (!call.output_mask[input ? 0 : 1]) {
    return std::unexpected(
        Error{"output_mask", shown(object["output_mask"]), fmt::format("must ask for {}", of)});
  }
  return input ? aten_input_gradient(call.convolution) : aten_weight_gradient(call.convolution);
}

// The older form, whose fields stand in the case itself.
std::expected<ConvOp, Error> read_aten_case(const json& object, FoundOp& found) {
  JsonFields fields(object);
  fields.check_keys(aten_keys, common_keys);
  AtenCall call;
  AtenConvolution& conv = call.convolution;
  read_wanted(object, fields, call);
  conv.input = fields.integers<max_rank>("input");
  conv.weight = fields.integers<max_rank>("weight");
  conv.stride = fields.integers<max_spatial_dims>("stride");
  conv.padding = fields.integers<max_spatial_dims>("padding");
  conv.dilation = fields.integers<max_spatial_dims>("dilation");
  conv.output_padding = fields.find("output_padding") != nullptr
                            ? fields.integers<max_spatial_dims>("output_padding")
                            : SpatialList{0};
  conv.transposed = fields.flag("transposed", false);
  conv.groups = fields.integer("groups", 1);
  conv.element_type = call.weight_element_type = fields.element_type("dtype");
  if (const json* bias = fields.find("bias")) {
    const auto shape = fields.integers<1>(*bias, "bias");
    if (shape.size() != 1) {
      fields.refuse("bias", shown(*bias), "must have one dimension");
    } else {
      conv.bias = shape[0];
    }
  }
  if (const json* format = fields.find("memory_format");
      format != nullptr && *format == "channels_last")
    call.input_format = MemoryFormat::channels_last;
  std::optional<Shape> gradient;
  if (fields.find("grad_output") != nullptr) gradient = fields.integers<max_rank>("grad_output");
  if (fields.error()) return std::unexpected(*fields.error());
  found.aten = call;
  if (gradient) {
    const auto result = aten_output_shape(conv);
    if (!result) return std::unexpected(result.error());
    if (*gradient != *result) {
      return std::unexpected(Error{"grad_output", shown(object["grad_output"]),
                                   "must have the shape of the forward result"});
    }
  }
  return call.backward ? expected_gradient(object, call) : aten_forward(conv);
}

// `"aten": {...}`
std::expected<ConvOp, Error> read_record_case(const json& object, FoundOp& found) {
  const auto call = read_aten_record(object["aten"]);
  if (!call) {
    Error error = call.error();
    if (error.place != "aten") error.place = fmt::format("aten.{}", error.place);
    return std::unexpected(std::move(error));
  }
  found.aten = *call;
  return call->backward ? expected_gradient(object, *call) : aten_forward(call->convolution);
}

// A case that is too large to run has smaller sizes of the same kind beside the real ones.
json with_reduced_sizes(const json& object) {
  json result = object;
  for (const auto& [key, value] : object["reduced"].items()) {
    if (key == "macs") continue;
    (key == "out_shape" ? result["expect"][key] : result[key]) = value;
  }
  return result;
}

void add_note(FoundOp& found, std::string_view note) {
  if (!found.note.empty()) found.note += "; ";
  found.note += note;
}

// `{"neuron": {"row": "conv2d-dense", "class": "equal"}}`; a row of null says that none takes it.
std::map<std::string, ExpectedOutcome, std::less<>> read_tables(const json& tables) {
  std::map<std::string, ExpectedOutcome, std::less<>> outcomes;
  for (const auto& [table, stated] : tables.items()) {
    ExpectedOutcome outcome;
    if (stated.contains("row"))
      outcome.row = stated["row"].is_null() ? "" : stated["row"].get<std::string>();
    if (stated.contains("class")) outcome.value = stated["class"].get<std::string>();
    outcomes.emplace(table, std::move(outcome));
  }
  return outcomes;
}

std::expected<ConvOp, Error> read_case(const json& original, FoundOp& found) {
  json object = original;
  const std::string run = object.value("run", "full");
  if (run == "reduced" && object.contains("reduced") && object["reduced"].is_object()) {
    object = with_reduced_sizes(object);
    add_note(found, "reduced sizes stand in for the full ones");
  }
  if (run == "shape-only") add_note(found, "shape only: too large to run");
  for (const std::string_view layout : {"memory_format", "input_strides"}) {
    if (object.contains(layout)) add_note(found, fmt::format("{} is not applied", layout));
  }
  JsonFields fields(object);
  if (const json* expect = fields.find("expect"); expect != nullptr && expect->is_object()) {
    Expectation expectation;
    if (expect->contains("out_shape"))
      expectation.out_shape = fields.integers<max_rank>((*expect)["out_shape"], "expect.out_shape");
    if (expect->contains("error")) expectation.error = expect->value("error", "");
    if (expect->contains("tables")) expectation.tables = read_tables((*expect)["tables"]);
    found.expectation = expectation;
  }
  if (fields.find("aten") != nullptr) return read_record_case(object, found);
  const std::string frontend = fields.text("frontend");
  if (fields.error()) return std::unexpected(*fields.error());
  if (frontend == "hlo") return read_hlo_case(object);
  if (frontend == "aten") return read_aten_case(object, found);
  return std::unexpected(Error{"frontend", excerpt(frontend), "must be hlo or aten"});
}

FoundOp read_found(const json& object, const SourceText& source, std::size_t offset,
                   std::size_t index) {
  FoundOp found{.name = fmt::format("cases[{}]", index), .place = source.place(offset)};
  if (object.contains("id")) {
    const json& id = object["id"];
    found.name = id.is_string() ? id.get<std::string>() : shown(id);
  }
  try {
    found.op = read_case(object, found);
  } catch (const json::exception& exception) {
    found.op = std::unexpected(Error{"case", shown(object), excerpt(exception.what())});
  }
  if (!found.op) found.op = std::unexpected(source.error(offset, found.op.error()));
  return found;
}

// The array of cases within the parsed text.
std::expected<const json*, Error> case_array(const json& root, const SourceText& source) {
  if (root.is_array()) return &root;
  if (!root.is_object() || !root.contains("cases") || !root["cases"].is_array()) {
    return std::unexpected(
        source.error(0, shown(root), "must be an array of cases or an object with one in `cases`"));
  }
  if (!root.contains("version") || root["version"] != 1) {
    return std::unexpected(source.error(
        0,
        root.contains("version") ? fmt::format("version = {}", shown(root["version"])) : "version",
        "must be 1"));
  }
  return &root["cases"];
}

std::expected<json, Error> parse(std::string_view text, const SourceText& source) {
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    const std::string_view what = error.what();
    const std::size_t begin = what.find("syntax error");
    const std::size_t offset = error.byte == 0 ? 0 : error.byte - 1;
    return std::unexpected(source.error(
        offset, "", excerpt(begin == std::string_view::npos ? what : what.substr(begin))));
  } catch (const json::exception& error) {
    return std::unexpected(source.error(0, "", excerpt(error.what())));
  }
}

void add_hlo_form(const ConvOp& op, nlohmann::ordered_json& object) {
  object["frontend"] = "hlo";
  const auto list = [](std::span<const std::int64_t> values) {
    return std::vector<std::int64_t>(values.begin(), values.end());
  };
  object["lhs"] = list(op.in_shape);
  object["rhs"] = list(op.kern_shape);
  object["dim_labels"] = format_dim_labels({op.in_perm, op.kern_perm, op.out_perm});
  nlohmann::ordered_json window;
  for (const std::string_view key : window_keys) window[key] = nlohmann::ordered_json::array();
  for (std::size_t axis = 0; axis < op.window.size(); ++axis) {
    const WindowDim& dim = op.window[axis];
    window["size"].push_back(op.kern_shape[static_cast<std::size_t>(op.kern_perm[axis + 2])]);
    window["stride"].push_back(dim.stride);
    window["pad"].push_back(std::vector<std::int64_t>{dim.pad_low, dim.pad_high});
    window["lhs_dilate"].push_back(dim.lhs_dilation);
    window["rhs_dilate"].push_back(dim.rhs_dilation);
    window["rhs_reversal"].push_back(dim.reversal ? 1 : 0);
  }
  object["window"] = std::move(window);
  object["feature_group_count"] = op.feature_group_count;
  object["batch_group_count"] = op.batch_group_count;
  object["dtype"] = name_of(op.element_type);
  if (op.result_element_type != op.element_type)
    object["result_dtype"] = name_of(op.result_element_type);
  object["out_shape"] = list(op.res_shape);
  if (!op.input_is_graph_input) object["input_is_graph_input"] = false;
  if (!op.kernel_is_graph_input) object["kernel_is_graph_input"] = false;
  if (op.is_pglt) object["is_pglt"] = true;
}

// One key on a line, values on one line each.
std::string case_text(const JsonCase& one) {
  nlohmann::ordered_json object;
  object["id"] = one.id;
  if (one.aten) {
    object["aten"] = write_aten_record(*one.aten);
  } else {
    add_hlo_form(one.op, object);
  }
  if (!one.why.empty()) object["why"] = one.why;
  if (!one.source.empty()) object["source"] = one.source;
  std::string text;
  for (const auto& [key, value] : object.items()) {
    text += fmt::format("{}\n      \"{}\": {}", text.empty() ? "" : ",", key,
                        value.dump(-1, ' ', false, json::error_handler_t::replace));
  }
  return fmt::format("    {{{}\n    }}", text);
}

}  // namespace

std::string write_json_cases(std::span<const JsonCase> cases) {
  std::string text;
  for (const JsonCase& one : cases)
    text += fmt::format("{}\n{}", text.empty() ? "" : ",", case_text(one));
  return fmt::format("{{\n  \"version\": 1,\n  \"cases\": [{}\n  ]\n}}\n", text);
}

std::string write_json_case(std::string_view name, const ConvOp& op) {
  const JsonCase one{.id = std::string(name), .op = op};
  return write_json_cases({&one, 1});
}

std::string write_json_case(std::string_view name, const AtenCall& call) {
  const JsonCase one{.id = std::string(name), .aten = call};
  return write_json_cases({&one, 1});
}

std::expected<Document, Error> read_json_cases(std::string_view text, const std::string& file) {
  const SourceText source(text, file);
  const JsonPlaces places = find_json_places(text);
  if (places.too_deep) {
    return std::unexpected(source.error(*places.too_deep, "",
                                        fmt::format("must nest at most {} deep", max_json_depth)));
  }
  const auto root = parse(text, source);
  if (!root) return std::unexpected(root.error());
  const auto cases = case_array(*root, source);
  if (!cases) return std::unexpected(cases.error());
  Document document;
  for (std::size_t index = 0; index < (*cases)->size(); ++index) {
    const json& object = (**cases)[index];
    const std::size_t offset = index < places.cases.size() ? places.cases[index] : 0;
    if (!object.is_object()) {
      add_error(document, source.error(offset, shown(object), "must be a case, an object"));
      continue;
    }
    document.ops.push_back(read_found(object, source, offset, index));
  }
  return document;
}

}  // namespace convproof
