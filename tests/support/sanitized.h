#pragma once
// Whether this program was built with a sanitizer, whose own memory is no measure of ours.

namespace cordon::test {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

}  // namespace cordon::test
