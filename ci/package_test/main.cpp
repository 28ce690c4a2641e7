#include <cstdio>

#include "selector/frontends/document.h"
#include "selector/registry/matcher.h"

int main() {
  const auto registry = convproof::find_registry("neuron");
  if (!registry) return 1;
  auto matcher = convproof::Matcher::compile(*registry);
  const auto document = convproof::read_hlo(
      "HloModule m\nENTRY e {\n"
      " a = f32[1,8,6,6] parameter(0)\n b = f32[8,1,3,3] parameter(1)\n"
      " ROOT c = f32[1,8,4,4] convolution(a, b), window={size=3x3}, dim_labels=bf01_oi01->bf01, "
      "feature_group_count=8\n}\n",
      "m.hlo");
  if (!matcher || !document || document->ops.size() != 1 || !document->ops[0].op) return 1;
  const convproof::Selection selection = matcher->select(*document->ops[0].op);
  if (selection.status != convproof::Selection::Status::matched) return 1;
  std::printf("%s\n", registry->rows[selection.row].id.c_str());
  return 0;
}
