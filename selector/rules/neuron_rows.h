#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "selector/rules/predicate.h"
#include "selector/rules/schema.h"

namespace convproof {

// The functional rows 1 to 6, 9 and 10 of the Neuron table, for measurements and tests that need a
// real table and no registry. Source: design sheet of the Neuron table, section D.
inline std::vector<Predicate> neuron_rows(const Schema& schema) {
  struct Row {
    std::vector<Parameter> parameters{};
    std::vector<ClauseSource> clauses{};
  };
  const auto plain = [](std::initializer_list<const char*> texts) {
    std::vector<ClauseSource> clauses;
    for (const char* text : texts) clauses.push_back({.text = text});
    return clauses;
  };
  const std::vector<ClauseSource> backward =
      plain({"batch_group_count > 1", "feature_group_count == 1", "lhs_dilation == [1, 1]",
             "batch_group_count == N and batch_group_count == O",
             "kern_perm == (kernel_labels('io10') if io10 else kernel_labels('io01'))"});
  std::vector<ClauseSource> replication =
      plain({"feature_group_count == 1", "batch_group_count == 1", "lhs_dilation == [1, 1]",
             "kernel_is_graph_input and not input_is_graph_input"});
  replication.push_back({"NR == N", "Convolution output batch must match input batch", ""});
  replication.push_back(
      {"C == I", "Convolution input channels must match kernel input channels", ""});
  replication.push_back(
      {"CR == O", "Convolution output channels must match kernel output channels", ""});
  replication.push_back({.text = "replication_factor(canH, C, rhs_dilation[0]) >= 2"});
  const std::vector<Row> rows{
      {{{"allow_stride", Type::boolean(), 1}},
       plain({"feature_group_count == 1", "batch_group_count == 1", "lhs_dilation == [1, 1]",
              "not any(rhs_reversal)", "stride == [1, 1] or allow_stride", "C == I",
              "O == CR and N == NR", "C <= 128",
              "in_perm in [image_labels('bf01'), image_labels('fb01'), image_labels('f01b'), "
              "image_labels('b01f')]",
              "kern_perm in [kernel_labels('oi01'), kernel_labels('io01'), kernel_labels('o01i'), "
              "kernel_labels('io10')]",
              "out_perm in [image_labels('bf01'), image_labels('01bf'), image_labels('f01b')]",
              "K0 * stride[0] * (W + max(0, padding[1][0]) + max(0, padding[1][1])) * N * "
              "element_bytes <= 196608"})},
      {{{"io10", Type::boolean(), 0}}, backward},
      {{},
       plain({"feature_group_count == C", "batch_group_count == 1", "lhs_dilation == [1, 1]",
              "rhs_dilation == [1, 1]", "not any(rhs_reversal)", "stride == [1, 1]",
              "padding[0] == [0, 0]", "padding[1][0] >= 0 and padding[1][1] >= 0",
              "H == 1 and HF == 1 and K0 == 1", "I == 1", "O == C and CR == O", "N == NR",
              "WF < 512"})},
      {{{"io10", Type::boolean(), 1}}, backward},
      {{},
       plain({"lhs_dilation == [1, 1]", "batch_group_count == 1",
              "in_shape[in_perm[1]] == kern_shape[kern_perm[0]]"})},
      {{},
       plain({"lhs_dilation == [1, 1]", "feature_group_count == C", "C == O", "stride == [3, 3]"})},
      {{}, replication},
      {{},
       plain({"in_perm == image_labels('f01b')",
              "kern_perm in [kernel_labels('i01o'), kernel_labels('io01'), "
              "kernel_labels('oi01'), kernel_labels('o01i')]",
              "out_perm in [image_labels('bf01'), image_labels('f01b')]", "C <= 128"})},
  };
  std::vector<Predicate> predicates;
  for (const Row& row : rows)
    predicates.push_back(parse_predicate(row.clauses, schema, row.parameters).value());
  return predicates;
}

}  // namespace convproof
