#include "engine/script/rejections.h"

#include <algorithm>

namespace cordon::engine {

void Rejections::changed(JS::HandleObject promise, bool handled) {
  if (!handled) {
    (void)promises_.append(promise);
    return;
  }
  const auto found = std::find(promises_.begin(), promises_.end(), promise.get());
  if (found != promises_.end()) promises_.erase(found);
}

}  // namespace cordon::engine
