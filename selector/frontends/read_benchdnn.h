#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "selector/frontends/benchdnn_problem.h"
#include "selector/frontends/document.h"
#include "selector/op/error.h"

namespace convproof {

// Reads a problem list of benchdnn: descriptors and options, apart by white space, `#` before a
// remark. Options hold for the problems after them:
//
//   --dir=FWD_D,BWD_W  directions: FWD_D FWD_I FWD_B BWD_D BWD_W BWD_WB, in either case (FWD_B)
//   --dt=u8:s8:s32,bf16  element types of source, weights and destination (f32)
//   --cfg=u8s8s32        the same in the older spelling
//   --mb=4             the batch in place of the descriptors'; 0 for theirs
//   --batch=FILE       the problems of another list, beside this one, from options at their
//   defaults
//   --reset            back to the defaults
//   --conv, --deconv   the driver
//
// Other options say nothing about the operation and are passed over. Each descriptor stands for as
// many operations as there are combinations of the listed values. `op` is the forward convolution
// or the one gradient that the direction names, and `aten` the call where symmetric padding
// expresses it. Operands of two types have a type that holds both in `op`, which `note` says; the
// products of integers add up to s32.
// Source: oneDNN's documentation of benchdnn, drivers conv and deconv.
//
// Files  `--batch` opens regular files named relative to the folder of `file`.
std::expected<Document, Error> read_benchdnn(std::string_view text, const std::string& file,
                                             BenchdnnDriver driver);

// The driver whose lists stand at `path`: deconv below a folder of that name, conv elsewhere.
BenchdnnDriver benchdnn_driver_of(std::string_view path);

// Whether the first word that is no remark is an option or a problem.
bool looks_like_benchdnn(std::string_view text);

}  // namespace convproof
