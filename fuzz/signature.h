#pragma once

#include <cstdint>
#include <string>

#include "oracle/check.h"
#include "selector/op/conv_op.h"
#include "selector/registry/matcher.h"

namespace convproof::fuzz {

// What makes two findings the same one.
//
// `site` is the id of the first contract clause that does not hold; where all hold, the switch that
// mends the kernel, the rule by which a kernel refuses, or `clause N` of a predicate that raises;
// `unexplained` where nothing is known.
struct Signature {
  std::string registry{};
  std::string class_name{};  // of oracle::CheckClass
  std::string row{};
  std::string kernel{};
  std::string site{};
  bool contract = false;  // the site is a contract clause

  bool operator==(const Signature&) const = default;
};

// `neuron/rejected/conv2d-depthwise/conv2d_depthwise_f01b_o01i_bf01/stride`
std::string to_string(const Signature& signature);

// How the proofs name the finding in the ledger: `neuron/unsound/conv2d-depthwise/stride`,
// `neuron/raises/replication/clause 7`, `inductor-forward/gap/output` where no candidate computes a
// result, or the signature itself.
std::string ledger_signature(const Signature& signature);

// Of a verdict that is a finding. Cheap where a contract clause is broken, else it re-runs the
// kernel.
Signature signature_of(oracle::Checker& checker, Matcher& matcher, const ConvOp& op,
                       const oracle::Verdict& verdict, std::uint64_t seed);

}  // namespace convproof::fuzz
