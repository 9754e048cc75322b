#include "actors/guest_denials.h"

#include <algorithm>

namespace cordon {

namespace {

constexpr std::string_view kOperations = "resource.operations";

GivenDenial copy(std::uint64_t request, wire::Denial::Reader denial) {
  GivenDenial given{request, denial.getCapability().cStr(), denial.getMessage().cStr(), {}};
  if (denial.hasTarget()) {
    const auto target = denial.getTarget();
    given.target.emplace(target.cStr(), target.size());
  }
  return given;
}

}  // namespace

void GuestDenials::remember(std::uint64_t request, wire::Denial::Reader denial) {
  if (std::string_view(denial.getCapability().cStr()) == kOperations) {
    if (!exhausted_ || request < exhausted_->request) exhausted_ = copy(request, denial);
    return;
  }
  if (kept_.size() == kMaxKept) kept_.pop_front();
  kept_.push_back(copy(request, denial));
}

std::optional<GivenDenial> GuestDenials::find(std::uint64_t request) const {
  const auto kept = std::find_if(kept_.begin(), kept_.end(),
                                 [&](const GivenDenial& each) { return each.request == request; });
  if (kept != kept_.end()) return *kept;
  if (exhausted_ && request >= exhausted_->request) return exhausted_;
  return std::nullopt;
}

}  // namespace cordon
