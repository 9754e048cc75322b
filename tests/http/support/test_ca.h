#pragma once
// A certificate authority made for one test program, so that TLS is tested for real and good and
// bad certificates differ in exactly one thing.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

typedef struct x509_st X509;
typedef struct evp_pkey_st EVP_PKEY;

namespace cordon::testing {

struct Certificate {
  std::string chain_pem;
  std::string key_pem;
};

class TestCa {
 public:
  struct Leaf {
    // As in OpenSSL's configuration: "DNS:localhost", "IP:127.0.0.1".
    std::vector<std::string> names = {"DNS:localhost", "IP:127.0.0.1", "IP:::1"};
    // Seconds from now.
    long not_before = -3600;
    long not_after = 3600;
  };

  TestCa();
  ~TestCa();
  TestCa(const TestCa&) = delete;
  TestCa& operator=(const TestCa&) = delete;

  Certificate issue(const Leaf& leaf) const;
  // Holds the authority's certificate; removed with this object.
  const std::filesystem::path& file() const { return file_; }

 private:
  struct FreeX509 {
    void operator()(X509* certificate) const noexcept;
  };
  struct FreeKey {
    void operator()(EVP_PKEY* key) const noexcept;
  };

  std::unique_ptr<EVP_PKEY, FreeKey> key_;
  std::unique_ptr<X509, FreeX509> certificate_;
  std::filesystem::path directory_;
  std::filesystem::path file_;
};

}  // namespace cordon::testing
