#pragma once

#include <cstddef>

#include "selector/kernels/inductor/template_configuration.h"
#include "selector/kernels/kernel_error.h"
#include "selector/op/aten_call.h"

namespace convproof {

// What each kernel refuses, from the call alone: no memory is touched, whatever the extents. The
// call is a candidate's, after the rewrites of the lowering. Faults:
//
//   trace         the template cannot be rendered or compiled, or the call aborts the compile:
//                 another rank, unequal or unsupported element types, blocks that are no powers of
//                 two or (where tiles are multiplied) below 16, an empty result extent, a third
//                 operand
//   assertion     an eager operation that the kernel is made of raises
//   device_limit  65535 programs along the second and third grid axes, offsets of plain lane ranges
//                 and forced indices in 32 bits, bytes of shared memory (no limit where 0)
//
// Source: design sheet of Inductor's convolution lowering, section E, contracts; section C.2, step
// 4; section C, append filter; section F, rows F5 to F10, F13 and F30.
KernelResult convolution2d_limits(const AtenCall& call, const TemplateConfiguration& configuration);
KernelResult convolution3d_limits(const AtenCall& call, const TemplateConfiguration& configuration);
KernelResult depthwise_conv1d_limits(const AtenCall& call,
                                     const TemplateConfiguration& configuration);
KernelResult weight_gradient_limits(const AtenCall& call,
                                    const TemplateConfiguration& configuration);
KernelResult input_gradient_limits(const AtenCall& call,
                                   const TemplateConfiguration& configuration);
KernelResult conv1x1_via_mm_limits(const AtenCall& call,
                                   const TemplateConfiguration& configuration);
KernelResult mm_limits(const AtenCall& call, const TemplateConfiguration& configuration);
KernelResult ck_grouped_convolution_limits(const AtenCall& call,
                                           const TemplateConfiguration& configuration);

// Refuses only arguments that the operation itself refuses.
KernelResult eager_limits(const AtenCall& call, const TemplateConfiguration& configuration);

}  // namespace convproof
