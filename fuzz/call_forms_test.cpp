#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "fuzz/call_bytes.h"
#include "fuzz/call_law.h"
#include "fuzz/call_text.h"
#include "fuzz/onnx_model.h"
#include "fuzz/planted_fault.h"
#include "oracle/arbitrary_aten_call.h"
#include "oracle/draw.h"
#include "selector/frontends/document.h"
#include "selector/frontends/onnx/read_onnx.h"
#include "selector/frontends/read_benchdnn.h"

namespace convproof::fuzz {
namespace {

std::expected<Document, Error> read_conv_list(std::string_view text, const std::string& file) {
  return read_benchdnn(text, file, BenchdnnDriver::conv);
}

struct Form {
  std::string_view target{};
  std::expected<Document, Error> (*read)(std::string_view, const std::string&) = nullptr;
  std::string (*print)(const AtenCall&) = nullptr;
};
constexpr std::array forms{Form{"fuzz_aten_case", read_json_cases, as_aten_case},
                           Form{"fuzz_benchdnn", read_conv_list, as_benchdnn},
                           Form{"fuzz_torch", read_stablehlo, as_torch_mlir},
                           Form{"fuzz_onnx", read_onnx, as_onnx_model}};

// A call with nothing that any of the forms leaves out.
AtenCall generated(std::uint64_t seed, bool backward) {
  oracle::SplitMixDraw source(seed);
  AtenCall call = oracle::arbitrary_aten_call(source, {.empty_inputs = false,
                                                       .unbatched = false,
                                                       .short_lists = false,
                                                       .backward = backward,
                                                       .environment = AtenEnvironment{}});
  call.input_format = MemoryFormat::contiguous;
  call.input_packed = true;
  if (backward) {
    call.convolution.bias.reset();
    call.output_mask = {seed % 3 == 0, seed % 3 != 0, seed % 3 == 2};
    call.bias_sizes = call.output_mask[2];
  }
  return call;
}

TEST(CallForms, a_call_comes_back_from_every_form) {
  ReadSelection selection = ReadSelection::create();
  for (const Form& form : forms) {
    for (std::uint64_t seed = 0; seed < 500; ++seed) {
      const bool backward = form.target != "fuzz_onnx" && seed % 2 == 1;
      const AtenCall call = generated(seed, backward);
      const std::string text = form.print(call);
      const auto document = form.read(text, "input");
      ASSERT_TRUE(document) << text;
      ASSERT_EQ(document->ops.size(), 1U) << text;
      ASSERT_TRUE(document->ops[0].op) << to_string(document->ops[0].op.error()) << "\n" << text;
      ASSERT_TRUE(document->ops[0].aten) << text;
      // Output padding of a call that is not transposed is zeros, of which any number are the same.
      AtenCall read = *document->ops[0].aten;
      if (!call.convolution.transposed)
        read.convolution.output_padding = call.convolution.output_padding;
      ASSERT_EQ(read, call) << text;
      const CallLaw law{.read = form.read, .print = form.print};
      const TextResult result = law.check(text, selection);
      EXPECT_EQ(result.operations, 1U);
      ASSERT_FALSE(result.broken) << result.broken->law << ": " << result.broken->detail;
    }
  }
}

TEST(CallForms, every_planted_fault_of_a_form_breaks_its_law) {
  ReadSelection selection = ReadSelection::create();
  std::size_t faults = 0;
  for (const PlantedFault& fault : planted_faults()) {
    for (const Form& form : forms) {
      if (fault.target != form.target) continue;
      ++faults;
      const CallLaw law{.read = form.read, .print = form.print, .fault = &fault};
      bool broken = false;
      for (std::uint64_t seed = 0; seed < 500 && !broken; ++seed)
        broken = law.check(form.print(generated(seed, false)), selection).broken.has_value() ||
                 law.check(form.print(generated(seed, true)), selection).broken.has_value();
      EXPECT_TRUE(broken) << fault.name;
    }
  }
  EXPECT_EQ(faults, 8U);
}

TEST(CallForms, what_is_no_text_of_the_form_breaks_no_law) {
  ReadSelection selection = ReadSelection::create();
  for (const Form& form : forms) {
    const CallLaw law{.read = form.read, .print = form.print};
    for (const std::string_view text :
         {"", "{", "module", "--dir=", "--batch=input", "ic1", "\xff\x00", "[1, 2"}) {
      const TextResult result = law.check(text, selection);
      EXPECT_FALSE(result.broken) << form.target << ": " << text << ": " << result.broken->detail;
      EXPECT_EQ(result.operations, 0U);
    }
  }
}

TEST(CallForms, every_form_of_the_list_is_one_of_these) {
  for (const CallForm& listed : call_forms) {
    bool known = false;
    for (const Form& form : forms)
      known = known || (form.target == listed.target && form.print == listed.print);
    EXPECT_TRUE(known) << listed.target;
  }
}

TEST(RecordedCalls, are_drawn_again_from_their_bytes) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    oracle::SplitMixDraw draw(seed);
    const AtenCall call =
        oracle::arbitrary_aten_call(draw, {.mixed_types = true, .backward = false});
    EXPECT_TRUE(decode_call(drawn_call(seed), false) == call) << seed;
  }
}

}  // namespace
}  // namespace convproof::fuzz
