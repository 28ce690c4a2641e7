#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "fuzz/finding_log.h"
#include "fuzz/planted_fault.h"
#include "fuzz/registry_law.h"
#include "fuzz/reproducer.h"
#include "fuzz/text_law.h"
#include "oracle/arbitrary_conv_op.h"
#include "oracle/draw.h"
#include "selector/frontends/document.h"
#include "selector/frontends/json_cases.h"

namespace convproof::fuzz {
namespace {

ConvOp generated(std::uint64_t seed) {
  oracle::SplitMixDraw source(seed);
  return oracle::arbitrary_conv_op(source, {.empty_results = true});
}

std::string as_case(const ConvOp& op) { return write_json_case("case", op); }

struct Form {
  std::string_view target{};
  std::expected<Document, Error> (*read)(std::string_view, const std::string&) = nullptr;
  std::string (*print)(const ConvOp&) = nullptr;
};
constexpr std::array forms{Form{"fuzz_hlo", read_hlo, as_hlo},
                           Form{"fuzz_stablehlo", read_stablehlo, as_stablehlo},
                           Form{"fuzz_json_case", read_json_cases, as_case}};

TEST(TextForms, an_operation_comes_back_from_every_form) {
  for (const Form& form : forms) {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
      ConvOp op = generated(seed);
      op.is_pglt = false;
      const std::string text = form.print(op);
      const auto document = form.read(text, "input");
      ASSERT_TRUE(document) << text;
      ASSERT_EQ(document->ops.size(), 1U) << text;
      ASSERT_TRUE(document->ops[0].op) << to_string(document->ops[0].op.error()) << "\n" << text;
      ASSERT_EQ(*document->ops[0].op, op) << text;
      const TextLaw law{.read = form.read, .print = form.print};
      const TextResult result = law.check(text);
      EXPECT_EQ(result.operations, 1U);
      ASSERT_FALSE(result.broken) << result.broken->law << ": " << result.broken->detail;
    }
  }
}

TEST(TextForms, every_planted_fault_of_a_form_breaks_its_law) {
  for (const PlantedFault& fault : planted_faults()) {
    for (const Form& form : forms) {
      if (fault.target != form.target) continue;
      const TextLaw law{.read = form.read, .print = form.print, .fault = &fault};
      bool broken = false;
      for (std::uint64_t seed = 0; seed < 500 && !broken; ++seed) {
        broken = law.check(form.print(generated(seed))).broken.has_value();
      }
      EXPECT_TRUE(broken) << fault.name;
    }
    if (fault.target != "fuzz_registry") continue;
    bool broken = false;
    for (std::uint64_t seed = 0; seed < 50 && !broken; ++seed) {
      broken = check_registry_text(clause_about(generated(seed)), &fault).broken.has_value();
    }
    EXPECT_TRUE(broken) << fault.name;
  }
}

TEST(TextForms, a_clause_about_an_operation_reads_and_prints) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const RegistryTextResult result = check_registry_text(clause_about(generated(seed)), nullptr);
    EXPECT_EQ(result.clauses, 1U) << clause_about(generated(seed));
    EXPECT_FALSE(result.broken) << result.broken->detail;
  }
}

TEST(TextForms, what_is_no_text_of_the_form_breaks_no_law) {
  for (const Form& form : forms) {
    const TextLaw law{.read = form.read, .print = form.print};
    for (const std::string_view text : {"", "{", "HloModule", "module", "\xff\x00", "[1, 2"}) {
      const TextResult result = law.check(text);
      EXPECT_FALSE(result.broken) << form.target << ": " << text << ": " << result.broken->detail;
    }
  }
  EXPECT_FALSE(check_registry_text("C ==", nullptr).broken);
  EXPECT_FALSE(check_registry_text("{\"version\": 1}", nullptr).broken);
}

TEST(TextForms, the_programs_name_every_part_that_is_not_neutral) {
  ConvOp op = generated(1);
  op.window[0] = {.stride = 2, .pad_low = -1, .pad_high = 7, .lhs_dilation = 3, .reversal = true};
  op.res_shape = infer_result_shape(op);
  const std::string jax = as_jax(op);
  for (const std::string_view part : {"jnp.flip", "(-1, 7)", "window_strides=(2,"}) {
    EXPECT_NE(jax.find(part), std::string::npos) << part << "\n" << jax;
  }
  const std::string torch = as_torch(op);
  for (const std::string_view part : {"w.flip", "-1, 7", "stride=(2,", "* 3 + 1"}) {
    EXPECT_NE(torch.find(part), std::string::npos) << part << "\n" << torch;
  }
  EXPECT_NE(as_cpp(op).find(".pad_low = -1"), std::string::npos);
}

TEST(FindingLog, file_names_are_plain_and_differ) {
  EXPECT_NE(file_name_of("a/b c"), file_name_of("a/b d"));
  EXPECT_EQ(file_name_of("a/b c").find_first_of("/ "), std::string::npos);
}

}  // namespace
}  // namespace convproof::fuzz
