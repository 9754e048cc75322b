#pragma once
// TLS as fetchText() speaks it: 1.2 or later, the server's certificate verified against the store
// and against the very host that was granted.

#include <openssl/ssl.h>

#include <boost/asio/ssl/context.hpp>
#include <filesystem>
#include <optional>
#include <string_view>

#include "capabilities/origin.h"

namespace cordon {

// Sessions are never resumed: a handshake that skips the certificate would be all that is gained.
// Throws InvalidOption if `ca_file` cannot be read.
boost::asio::ssl::context make_tls_context(const std::optional<std::filesystem::path>& ca_file);

// Before the handshake: what to ask for, and whose certificate to accept. False if OpenSSL cannot.
bool expect_host(SSL* connection, const Origin& origin);

// Why a handshake failed, in plain words.
std::string_view handshake_problem(const SSL* connection);

}  // namespace cordon
