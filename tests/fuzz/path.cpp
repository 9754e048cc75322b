// A guest's path against a real tree with links out of it: only the files beneath the granted root
// are ever read, and outside of it existing and missing paths give one answer.

#include <filesystem>
#include <fstream>
#include <optional>
#include <variant>

#include <stdlib.h>

#include "capabilities/authority.h"
#include "capabilities/read_text.h"
#include "tests/fuzz/fuzz_target.h"

using namespace cordon;

namespace {

namespace fs = std::filesystem;

constexpr const char* kInside = "inside";

// Removed at the process's orderly end.
class Tree {
 public:
  Tree() {
    std::string name = (fs::temp_directory_path() / "cordon-fuzz-XXXXXX").string();
    fuzz::require(::mkdtemp(name.data()) != nullptr, "no scratch directory");
    root_ = fs::canonical(name);
    fs::create_directories(root_ / "r/d/e");
    fs::create_directories(root_ / "o");
    std::ofstream(root_ / "r/f") << kInside;
    std::ofstream(root_ / "r/d/f") << kInside;
    std::ofstream(root_ / "o/f") << "outside";
    std::ofstream(root_ / "f") << "outside";
    const auto link = [&](const char* at, const fs::path& to) {
      fs::create_symlink(to, root_ / at);
    };
    link("r/in", "d/f");
    link("r/up", "..");
    link("r/out", "../o/f");
    link("r/dir", "../o");
    link("r/loop", "loop");
    link("r/proc", "/proc/self");
    link("r/abs", root_ / "o");
    link("o/back", "../r/f");
    AISandboxOptions options;
    options.filesystem.emplace();
    options.filesystem->read = {(root_ / "r").string()};
    authority_.emplace(Authority::validate(options));
  }
  ~Tree() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

  std::string operator/(std::string_view name) const {
    return root_.string() + "/" + std::string(name);
  }
  const Authority& authority() const { return *authority_; }

 private:
  fs::path root_;
  std::optional<Authority> authority_;
};

void check(const OperationResult<FileText>& result) {
  if (result) return fuzz::require(result->text == kInside, "a file outside was read");
  const OperationError error = result.error();
  if (const auto* refusal = std::get_if<Refusal>(&error)) {
    fuzz::require(refusal->capability == "filesystem.read", "the refusal's capability");
    fuzz::require(refusal->message.find("not granted") != std::string::npos, "the refusal's words");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Tree kTree;
  const std::string_view text = fuzz::as_text(data, size);
  check(read_text(kTree.authority(), text));
  check(read_text(kTree.authority(), kTree / text));
  check(read_text(kTree.authority(), kTree / ("r/" + std::string(text))));
  return 0;
}
