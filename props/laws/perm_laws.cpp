#include <cstddef>
#include <ostream>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "oracle/arbitrary_conv_op.h"
#include "props/laws/rapidcheck_draw.h"
#include "selector/op/perm.h"

// The algebra of layout perms. Source: design sheet of the Neuron table, section F, laws L1 to L12.

namespace convproof::laws {
namespace {

// Three perms and a shape of one rank, 2 to 5.
struct Layouts {
  Perm p{};
  Perm q{};
  Perm r{};
  Shape shape{};
};

std::ostream& operator<<(std::ostream& stream, const Layouts& layouts) {
  return stream << "p " << layouts.p << ", q " << layouts.q << ", r " << layouts.r << ", shape "
                << layouts.shape;
}

}  // namespace
}  // namespace convproof::laws

template <>
struct rc::Arbitrary<convproof::laws::Layouts> {
  static Gen<convproof::laws::Layouts> arbitrary() {
    return gen::exec([] {
      convproof::laws::RapidCheckDraw draw;
      const auto rank = static_cast<std::size_t>(draw.between(2, 5));
      convproof::laws::Layouts layouts;
      layouts.p = convproof::oracle::arbitrary_perm(draw, rank);
      layouts.q = convproof::oracle::arbitrary_perm(draw, rank);
      layouts.r = convproof::oracle::arbitrary_perm(draw, rank);
      for (std::size_t axis = 0; axis < rank; ++axis) layouts.shape.push_back(draw.between(0, 9));
      return layouts;
    });
  }
};

namespace convproof::laws {
namespace {

RC_GTEST_PROP(Perms, L1_the_identity_is_neutral, (const Layouts& at)) {
  const Perm identity = identity_perm(at.p.size());
  RC_ASSERT(compose(at.p, identity) == at.p);
  RC_ASSERT(compose(identity, at.p) == at.p);
}

RC_GTEST_PROP(Perms, L2_composition_is_associative, (const Layouts& at)) {
  RC_ASSERT(compose(compose(at.p, at.q), at.r) == compose(at.p, compose(at.q, at.r)));
}

RC_GTEST_PROP(Perms, L3_the_inverse_cancels_on_both_sides, (const Layouts& at)) {
  RC_ASSERT(is_identity(compose(at.p, invert(at.p))));
  RC_ASSERT(is_identity(compose(invert(at.p), at.p)));
}

RC_GTEST_PROP(Perms, L4_inverting_twice_changes_nothing, (const Layouts& at)) {
  RC_ASSERT(invert(invert(at.p)) == at.p);
}

RC_GTEST_PROP(Perms, L5_an_inverse_reverses_the_order, (const Layouts& at)) {
  RC_ASSERT(invert(compose(at.p, at.q)) == compose(invert(at.q), invert(at.p)));
}

RC_GTEST_PROP(Perms, L6_applying_in_turn_is_applying_the_composition, (const Layouts& at)) {
  RC_ASSERT(apply_dims(apply_dims(at.shape, at.p), at.q) ==
            apply_dims(at.shape, compose(at.p, at.q)));
}

RC_GTEST_PROP(Perms, L7_a_layout_needs_no_bridge_to_itself, (const Layouts& at)) {
  RC_ASSERT(is_identity(input_bridge(at.p, at.p)));
}

RC_GTEST_PROP(Perms, L8_after_the_bridge_the_target_reads_what_the_layout_read,
              (const Layouts& at)) {
  RC_ASSERT(compose(input_bridge(at.p, at.q), at.q) == at.p);
}

RC_GTEST_PROP(Perms, L9_the_output_bridge_undoes_the_input_bridge, (const Layouts& at)) {
  RC_ASSERT(output_bridge(at.p, at.q) == invert(input_bridge(at.p, at.q)));
  RC_ASSERT(compose(output_bridge(at.p, at.q), at.p) == at.q);
}

RC_GTEST_PROP(Perms, L10_bridges_chain, (const Layouts& at)) {
  RC_ASSERT(compose(input_bridge(at.p, at.q), input_bridge(at.q, at.r)) ==
            input_bridge(at.p, at.r));
}

RC_GTEST_PROP(Perms, L11_a_bridge_keeps_the_canonical_extents, (const Layouts& at)) {
  const Shape bridged = apply_dims(at.shape, input_bridge(at.p, at.q));
  RC_ASSERT(apply_dims(bridged, at.q) == apply_dims(at.shape, at.p));
}

RC_GTEST_PROP(Perms, L12_only_a_layout_at_its_target_may_skip_the_bridge, (const Layouts& at)) {
  RC_ASSERT(is_identity(input_bridge(at.p, at.q)) == (at.p == at.q));
}

}  // namespace
}  // namespace convproof::laws
