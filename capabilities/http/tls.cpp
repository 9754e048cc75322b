#include "capabilities/http/tls.h"

#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include <cordon/options.h>
#include <boost/system/error_code.hpp>
#include <string>

#include "capabilities/shortage.h"

namespace cordon {

namespace {

namespace ssl = boost::asio::ssl;

void add_certificates(ssl::context& context, const std::optional<std::filesystem::path>& ca_file) {
  boost::system::error_code error;
  if (ca_file) {
    context.load_verify_file(ca_file->string(), error);
    if (error) throw InvalidOption("caFile", "holds no readable certificates");
  } else {
    // OpenSSL does without a file that it cannot open now, for as long as there is this context.
    throw_shortage(shortage_of_descriptors(), "the system's certificates cannot be read");
    context.set_default_verify_paths(error);
    if (error) throw InvalidOption("caFile", "is needed: the system's certificates cannot be read");
  }
}

}  // namespace

ssl::context make_tls_context(const std::optional<std::filesystem::path>& ca_file) {
  ssl::context context(ssl::context::tls_client);
  SSL_CTX* const native = context.native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET);
  SSL_CTX_set_session_cache_mode(native, SSL_SESS_CACHE_OFF);
  context.set_verify_mode(ssl::verify_peer);
  add_certificates(context, ca_file);
  return context;
}

bool expect_host(SSL* connection, const Origin& origin) {
  static constexpr unsigned char kProtocols[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
  if (SSL_set_alpn_protos(connection, kProtocols, sizeof kProtocols) != 0) return false;
  if (origin.host_kind != Origin::HostKind::kName)
    return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(connection), origin.host.c_str()) == 1;
  SSL_set_hostflags(connection, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  // OpenSSL's macro for this hides a cast.
  return SSL_set1_host(connection, origin.host.c_str()) == 1 &&
         SSL_ctrl(connection, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                  const_cast<char*>(origin.host.c_str())) == 1;
}

std::string_view handshake_problem(const SSL* connection) {
  switch (SSL_get_verify_result(connection)) {
    case X509_V_OK:
      return "TLS handshake failed";
    case X509_V_ERR_CERT_HAS_EXPIRED:
      return "TLS certificate has expired";
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return "TLS certificate is not valid yet";
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return "TLS certificate is for another host";
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_CERT_SIGNATURE_FAILURE:
      return "TLS certificate is not from a trusted authority";
    default:
      return "TLS certificate is not valid";
  }
}

}  // namespace cordon
