#pragma once
// How often to look for something a little while before sleeping until it comes: after each look in
// vain twice as many are left out, at most 63; after one that found something none.

#include <algorithm>

namespace cordon {

class LookBackOff {
 public:
  // Whether to look this time.
  bool is_due() noexcept {
    if (left_out_ == to_leave_out_) return true;
    ++left_out_;
    return false;
  }
  // What came of a look that was due.
  void looked(bool found) noexcept {
    left_out_ = 0;
    to_leave_out_ = found ? 0 : std::min(2 * to_leave_out_ + 1, kMostLeftOut);
  }

 private:
  static constexpr unsigned kMostLeftOut = 63;

  unsigned to_leave_out_ = 0;
  unsigned left_out_ = 0;
};

}  // namespace cordon
