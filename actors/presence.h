#pragma once
// Who is still there: every actor that uses a runtime's services holds a token, and the runtime
// waits for the last one before it takes the services down.

#include <future>
#include <memory>
#include <utility>

namespace cordon {

class Presence {
 public:
  Presence() : gone_(last_.get_future()) {
    token_ = std::shared_ptr<const void>(this, [this](const void*) { last_.set_value(); });
  }
  ~Presence() { leave(); }
  Presence(const Presence&) = delete;
  Presence& operator=(const Presence&) = delete;

  std::shared_ptr<const void> token() const { return token_; }

  // Returns when nobody holds a token. Idempotent.
  void leave() {
    token_.reset();
    gone_.wait();
  }

 private:
  std::promise<void> last_;
  std::future<void> gone_;
  std::shared_ptr<const void> token_;
};

}  // namespace cordon
