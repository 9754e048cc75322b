#pragma once
// What attempts are aimed at: harmless things of this host that no sandbox may reach, made for the
// time of the examination.

#include <filesystem>
#include <string>

#include "messages/unique_fd.h"

namespace cordon::doctor {

class HostBait {
 public:
  // Throws std::system_error where it cannot be laid out. Call it before there are threads: it sets
  // an environment variable.
  HostBait();
  ~HostBait();
  HostBait(const HostBait&) = delete;
  HostBait& operator=(const HostBait&) = delete;

  const std::string& file() const { return file_; }                  // everybody may read it
  const std::string& private_file() const { return private_file_; }  // only this user may
  const std::string& port() const { return port_; }                  // of a listener on loopback
  const std::string& socket() const { return socket_; }              // a listener's abstract name
  const std::string& memory() const { return memory_; }    // a System V segment for everybody
  const std::string& process() const { return process_; }  // short name of this process
  static constexpr const char* kVariable = "CORDON_DOCTOR_BAIT";  // in this environment

 private:
  std::filesystem::path directory_;
  std::string file_;
  std::string private_file_;
  std::string port_;
  std::string socket_;
  std::string memory_;
  std::string process_;
  UniqueFd listener_;
  UniqueFd abstract_listener_;
};

}  // namespace cordon::doctor
