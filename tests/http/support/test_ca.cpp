#include "tests/http/support/test_ca.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <stdlib.h>

#include <fstream>
#include <stdexcept>

namespace cordon::testing {

namespace {

void check(bool good) {
  if (!good) throw std::runtime_error("OpenSSL cannot make the test's certificates");
}

EVP_PKEY* new_key() {
  EVP_PKEY* const key = EVP_EC_gen("P-256");
  check(key != nullptr);
  return key;
}

void add_extension(X509* certificate, X509* issuer, int nid, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, nid, value.c_str());
  check(extension != nullptr);
  check(X509_add_ext(certificate, extension, -1) == 1);
  X509_EXTENSION_free(extension);
}

X509* new_certificate(EVP_PKEY* key, const std::string& name, long serial, long not_before,
                      long not_after) {
  X509* const certificate = X509_new();
  check(certificate != nullptr && X509_set_version(certificate, 2) == 1);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial);
  X509_gmtime_adj(X509_getm_notBefore(certificate), not_before);
  X509_gmtime_adj(X509_getm_notAfter(certificate), not_after);
  check(X509_set_pubkey(certificate, key) == 1);
  check(X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC,
                                   reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1,
                                   0) == 1);
  return certificate;
}

template <class Write>
std::string pem(Write write) {
  BIO* const memory = BIO_new(BIO_s_mem());
  check(memory != nullptr && write(memory) == 1);
  const char* data = nullptr;
  const long size = BIO_ctrl(memory, BIO_CTRL_INFO, 0, &data);
  std::string text(data, static_cast<std::size_t>(size));
  BIO_free(memory);
  return text;
}

std::string certificate_pem(X509* certificate) {
  return pem([&](BIO* memory) { return PEM_write_bio_X509(memory, certificate); });
}

std::filesystem::path new_directory() {
  std::string name = (std::filesystem::temp_directory_path() / "cordon-ca-XXXXXX").string();
  check(::mkdtemp(name.data()) != nullptr);
  return name;
}

}  // namespace

void TestCa::FreeX509::operator()(X509* certificate) const noexcept { X509_free(certificate); }
void TestCa::FreeKey::operator()(EVP_PKEY* key) const noexcept { EVP_PKEY_free(key); }

TestCa::TestCa() : key_(new_key()), directory_(new_directory()) {
  certificate_.reset(new_certificate(key_.get(), "Cordon test authority", 1, -7200, 7200));
  X509* const own = certificate_.get();
  check(X509_set_issuer_name(own, X509_get_subject_name(own)) == 1);
  add_extension(own, own, NID_basic_constraints, "critical,CA:TRUE");
  add_extension(own, own, NID_key_usage, "critical,keyCertSign,cRLSign");
  check(X509_sign(own, key_.get(), EVP_sha256()) != 0);
  file_ = directory_ / "ca.pem";
  std::ofstream(file_) << certificate_pem(own);
}

TestCa::~TestCa() {
  std::error_code ignored;
  std::filesystem::remove_all(directory_, ignored);
}

Certificate TestCa::issue(const Leaf& leaf) const {
  const std::unique_ptr<EVP_PKEY, FreeKey> key(new_key());
  const std::unique_ptr<X509, FreeX509> certificate(
      new_certificate(key.get(), "Cordon test server", 2, leaf.not_before, leaf.not_after));
  X509* const own = certificate.get();
  check(X509_set_issuer_name(own, X509_get_subject_name(certificate_.get())) == 1);
  std::string names;
  for (const std::string& name : leaf.names) names += (names.empty() ? "" : ",") + name;
  add_extension(own, certificate_.get(), NID_subject_alt_name, names);
  check(X509_sign(own, key_.get(), EVP_sha256()) != 0);
  return {certificate_pem(own), pem([&](BIO* memory) {
            return PEM_write_bio_PrivateKey(memory, key.get(), nullptr, nullptr, 0, nullptr,
                                            nullptr);
          })};
}

}  // namespace cordon::testing
