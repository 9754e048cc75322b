#pragma once
// The one instance of swc's WebAssembly module in this process.

struct Z_swc_instance_t;

namespace cordon::transpiler {

Z_swc_instance_t& swc_instance();

}  // namespace cordon::transpiler
