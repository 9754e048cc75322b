#pragma once
// What attempts are aimed at: harmless things of this host that no sandbox may reach, made for the
// time of the examination. Nothing of it outlives this process, however it ends.

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "messages/unique_fd.h"

namespace cordon::doctor {

// A directory for temporary files that is gone when this process is: another one waits for its end.
class FleetingDirectory {
 public:
  FleetingDirectory();  // throws std::system_error
  ~FleetingDirectory();
  FleetingDirectory(const FleetingDirectory&) = delete;
  FleetingDirectory& operator=(const FleetingDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  UniqueFd life_;  // the end of it is what the other process waits for
  pid_t remover_ = -1;
};

class HostBait {
 public:
  // Throws std::system_error where it cannot be laid out. Call it before there are threads: it
  // forks, and sets an environment variable.
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
  FleetingDirectory directory_;
  std::string file_;
  std::string private_file_;
  std::string port_;
  std::string socket_;
  std::string memory_;
  std::string process_;
  const void* attached_ = nullptr;  // keeps the segment, which is marked to be removed
  UniqueFd listener_;
  UniqueFd abstract_listener_;
};

}  // namespace cordon::doctor
