#pragma once
// Dummy jobs for the zygote: children inherit code that is compiled and pages that are touched.

namespace cordon::engine {

class Runtime;

// Leaves nothing behind that guest code could see.
void run_warm_up_jobs(Runtime& runtime);

}  // namespace cordon::engine
