#pragma once
// Children forked ahead of need: the sandbox's ChildSource.
//
// A spare has run no guest code, and dies unused when its zygote is retired, since siblings share
// their address layout. Everything but acquire() happens on the I/O thread.

#include <boost/asio/io_context.hpp>

#include <cstddef>
#include <memory>

#include "actors/process/child_link.h"
#include "actors/process/zygote_client.h"
#include "actors/services.h"

namespace cordon {

class SpareChildren final : public ChildSource {
 public:
  // `zygote` must outlive this object and every child.
  SpareChildren(boost::asio::io_context& io, ZygoteClient& zygote, std::size_t spares);
  ~SpareChildren() override;  // after the I/O thread has stopped

  void acquire(OnChild on_child) override;

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace cordon
