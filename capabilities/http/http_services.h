#pragma once
// What all sessions of a client share.

#include <boost/asio/io_context.hpp>
#include <boost/asio/ssl/context.hpp>
#include <memory>

#include "capabilities/http/http_client.h"

namespace cordon {

struct HttpServices {
  boost::asio::io_context& io;
  HttpLimits limits;
  std::shared_ptr<Resolver> resolver;
  boost::asio::ssl::context tls;
};

}  // namespace cordon
