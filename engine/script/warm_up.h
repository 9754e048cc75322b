#pragma once
// Dummy jobs for the zygote: children inherit code that is compiled and pages that are touched.

namespace cordon::engine {

class Runtime;

// None leaves anything behind that guest code could see.
void run_warm_up_jobs(Runtime& runtime);
void run_small_jobs(Runtime& runtime);  // what every call needs, again and again
void run_rehearsal(Runtime& runtime);   // one that does next to nothing

}  // namespace cordon::engine
