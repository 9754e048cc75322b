#pragma once
// Waits until something happens to a file, or to one beside it.

#include <filesystem>

#include "messages/unique_fd.h"

namespace cordon {

class FileWatch {
 public:
  // Watches the directory that holds `path`: files come and go there under the same name.
  explicit FileWatch(const std::filesystem::path& path);
  // Returns at once if something happened since the last time. False: it cannot be watched.
  bool wait();

 private:
  UniqueFd events_;
  bool watching_ = false;
};

}  // namespace cordon
