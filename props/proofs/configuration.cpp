#include <cstdlib>

#include <gtest/gtest.h>

namespace convproof::proofs {
namespace {

// A fixed seed and count, so that a run repeats; RC_PARAMS in the environment overrides both, and
// the nightly campaign sets it.
class Configuration : public testing::Environment {
 public:
  void SetUp() override { setenv("RC_PARAMS", "seed=1 max_success=16", 0); }
};

const testing::Environment* const configuration =
    testing::AddGlobalTestEnvironment(new Configuration);

}  // namespace
}  // namespace convproof::proofs
