#pragma once

#include <functional>

#include "selector/op/aten_call.h"

namespace convproof::oracle {

// The smallest call that is still interesting, by greedy steps from `call`, which must be.
//
// A step drops a spatial dimension, makes one number smaller or two together by as much, or turns
// one flag, type, mask entry or setting of the environment to its plainest value. Channels follow
// their counts by group, a bias its channels; every candidate is one that eager execution accepts.
// No single step of the result is interesting any more. The same call and test give the same
// result.
AtenCall shrink_aten_call(const AtenCall& call,
                          const std::function<bool(const AtenCall&)>& interesting);

}  // namespace convproof::oracle
