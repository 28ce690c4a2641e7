#include "ci/fuzz_seeds.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "ci/inputs.h"
#include "ci/write_file.h"
#include "fuzz/call_bytes.h"
#include "fuzz/call_text.h"
#include "fuzz/op_bytes.h"
#include "fuzz/reproducer.h"
#include "selector/frontends/json_cases.h"
#include "selector/registry/registry.h"
#include "selector/rules/predicate.h"

namespace convproof::ci {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> clauses_of_tables() {
  std::vector<std::string> clauses;
  for (const std::string& name : registry_names()) {
    const auto registry = find_registry(name);
    if (!registry) continue;
    for (const Row& row : registry->rows) {
      for (const Clause& clause : row.predicate.clauses) {
        clauses.push_back(to_string(clause.condition));
      }
    }
  }
  return clauses;
}

// Nothing turns a call of the corpus into the choices that draw it, so these are drawn.
std::vector<std::string> drawn_calls() {
  constexpr std::uint64_t count = 64;
  std::vector<std::string> seeds;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const std::vector<std::uint8_t> bytes = fuzz::drawn_call(seed);
    seeds.emplace_back(bytes.begin(), bytes.end());
  }
  return seeds;
}

std::string printed(std::string_view target, const ConvOp& op) {
  if (target == "fuzz_hlo") return fuzz::as_hlo(op);
  if (target == "fuzz_stablehlo") return fuzz::as_stablehlo(op);
  return write_json_case("seed", op);
}

// How a target that reads calls of aten has them; null for other targets.
const fuzz::CallForm* call_form_of(std::string_view target) {
  const auto* const form = std::ranges::find(fuzz::call_forms, target, &fuzz::CallForm::target);
  return form == fuzz::call_forms.end() ? nullptr : form;
}

// The texts of the corpus that the target reads and that are short enough for it.
std::vector<std::string> texts_of(const FuzzTarget& target, const std::string& corpus) {
  std::vector<std::string> texts;
  std::error_code failed;
  for (fs::recursive_directory_iterator entry(corpus, failed), end; !failed && entry != end;
       entry.increment(failed)) {
    if (entry->path().extension() != target.extension) continue;
    if (entry->file_size(failed) > static_cast<std::uintmax_t>(target.max_length)) continue;
    std::ifstream file(entry->path(), std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return texts;
}

std::vector<std::string> seeds_of(const FuzzTarget& target, const std::string& corpus) {
  if (target.name == "fuzz_registry") return clauses_of_tables();
  if (target.candidates) return drawn_calls();
  std::vector<std::string> seeds;
  if (!target.operations) seeds = texts_of(target, corpus);
  if (target.beyond_core) return seeds;
  if (const auto* const form = call_form_of(target.name); form != nullptr) {
    for (const FoundOp& found : read_inputs({corpus}).ops) {
      if (found.aten) seeds.push_back(form->print(*found.aten));
    }
    return seeds;
  }
  // What cannot be read is not this command's to report.
  for (const FoundOp& found : read_inputs({corpus}).ops) {
    if (!found.op || found.op->window.empty()) continue;
    const ConvOp op = fuzz::repair(*found.op, fuzz::fuzz_budget);
    if (target.operations) {
      const std::vector<std::uint8_t> bytes = fuzz::encode_op(op);
      seeds.emplace_back(bytes.begin(), bytes.end());
    } else {
      seeds.push_back(printed(target.name, op));
    }
  }
  return seeds;
}

}  // namespace

std::expected<std::size_t, Error> write_seeds(const FuzzTarget& target, const std::string& corpus,
                                              const std::string& folder) {
  const std::string place = fmt::format("{}/{}", folder, target.name);
  std::error_code failed;
  fs::create_directories(place, failed);
  if (failed) return std::unexpected(Error{place, "", failed.message()});
  const std::vector<std::string> seeds = seeds_of(target, corpus);
  for (std::size_t i = 0; i < seeds.size(); ++i) {
    if (auto written = write_file(fmt::format("{}/seed-{:04}", place, i), seeds[i]); !written) {
      return std::unexpected(written.error());
    }
  }
  return seeds.size();
}

}  // namespace convproof::ci
