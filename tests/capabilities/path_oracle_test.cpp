// Properties of path resolution over many random paths.

#include <catch2/catch.hpp>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>

#include "capabilities/read_text.h"
#include "capabilities/write_text.h"
#include "tests/capabilities/fixture.h"

namespace cordon {
namespace {

namespace fs = std::filesystem;
using test::TempDirectory;

constexpr std::string_view kNames[] = {"in", "out",  "d",     "f",      "f",      "missing", "..",
                                       ".",  "l_in", "l_out", "l_gone", "l_loop", "l_back",  ""};

void grow_inside(const TempDirectory& tree) {
  tree.file("in/f", "inside");
  tree.file("in/d/f", "inside");
  tree.link("in/l_in", "d");
  tree.link("in/l_out", "../out");
  tree.link("in/d/l_out", tree.path("out/f"));
  tree.link("in/l_gone", "../out/missing/f");
  tree.link("in/l_loop", "l_loop");
  tree.link("in/l_back", "../out/d/../../in/f");
}

void grow_outside(const TempDirectory& tree) {
  tree.file("out/f", "OUTSIDE-SECRET");
  tree.file("out/d/f", "OUTSIDE-SECRET");
  tree.link("out/l_out", "d");
  tree.link("out/l_loop", "l_loop");
  tree.link("out/l_gone", "missing");
}

std::string random_path(const TempDirectory& tree, std::mt19937& random) {
  // Half of the paths start where there is something to be found.
  std::string path = random() % 2 == 0 ? tree.path() : tree.path("in");
  for (std::size_t count = random() % 5; count > 0; --count)
    path.append("/").append(kNames[random() % std::size(kNames)]);
  return random() % 2 == 0 ? path : path + "/f";
}

std::string answer(const OperationResult<FileText>& result) {
  return result ? "text:" + result->text : test::message_of(result);
}

TEST_CASE("no answer depends on what exists outside the roots") {
  const TempDirectory tree;
  grow_inside(tree);
  grow_outside(tree);
  const Authority readable = test::reading({tree.path("in")});
  const Authority writable = test::writing({tree.path("in")});
  const auto ask = [&](const std::string& path) {
    // A write of nothing but the check: over the limit, so that the tree stays as it is.
    return answer(read_text(readable, path)) + "\n" +
           test::message_of(write_text(writable, path, std::string((1 << 20) + 1, 'x')));
  };
  std::mt19937 random(3);
  std::map<std::string, std::string> answers;
  for (int round = 0; round < 8000; ++round) {
    const std::string path = random_path(tree, random);
    answers.emplace(path, ask(path));
  }
  int texts = 0;
  int failures = 0;
  int denials = 0;
  fs::remove_all(tree.path("out"));
  for (const auto& [path, before] : answers) {
    INFO(path);
    REQUIRE(ask(path) == before);
    REQUIRE(before.find("OUTSIDE") == std::string::npos);
    texts += before.starts_with("text:");
    failures += before.find(" failed: ") != std::string::npos;
    denials += before.find(" is not granted: ") != std::string::npos;
  }
  CHECK(texts > 20);
  CHECK(failures > 50);
  CHECK(denials > 50);
}

TEST_CASE("what is read is what the kernel would open, and it is beneath the root") {
  const TempDirectory tree;
  grow_inside(tree);
  grow_outside(tree);
  tree.link("out/l_in", tree.path("in/d"));
  tree.link("l_in", "out/../in");
  const std::string root = tree.path("in");
  const Authority authority = test::reading({root});
  std::mt19937 random(5);
  int read = 0;
  for (int round = 0; round < 8000; ++round) {
    const std::string path = random_path(tree, random);
    INFO(path);
    char resolved[PATH_MAX];
    const bool resolves = ::realpath(path.c_str(), resolved) != nullptr;
    const bool inside = resolves && is_at_or_beneath(resolved, root);
    const auto result = read_text(authority, path);
    const std::string text = answer(result);
    if (result) {
      ++read;
      REQUIRE(inside);
      REQUIRE(text == "text:" + test::contents(resolved));
    } else if (inside) {
      // Refused though inside: only for a step that would have told what exists outside.
      const bool denied = text.find(" is not granted: add it to ") != std::string::npos;
      const bool steps_up =
          path.find("..") != std::string::npos || path.find("l_back") != std::string::npos;
      REQUIRE((!denied || steps_up));
      REQUIRE((denied || !fs::is_regular_file(resolved) || path.ends_with("/")));
    } else if (resolves) {
      REQUIRE(text.find(" is not granted: add it to ") != std::string::npos);
    }
  }
  CHECK(read > 50);
}

TEST_CASE("a step up from an unknown directory is refused whether or not it exists") {
  const TempDirectory tree;
  grow_inside(tree);
  grow_outside(tree);
  const Authority authority = test::reading({tree.path("in")});
  for (const char* path : {"out/../in/f", "missing/../in/f", "out/f/../../in/f", "in/l_back",
                           "in/l_out/../in/f", "in/../out/../in/f"}) {
    INFO(path);
    CHECK(test::refusal_of(read_text(authority, tree.path(path))).reason ==
          "not beneath a root of filesystem.read");
  }
  // Directories that the guest knows of from its grant may be left.
  CHECK(read_text(authority, tree.path("in/d/../../in/f")).has_value());
  CHECK(read_text(authority,
                  tree.path() + "/../" + fs::path(tree.path()).filename().string() + "/in/f")
            .has_value());
}

TEST_CASE("many links and long paths end in a bounded time") {
  const TempDirectory tree;
  tree.file("in/f", "inside");
  // Each link repeats the one before it: 2^20 steps if nothing stopped them.
  tree.link("in/x0", "./././.");
  for (int n = 1; n < 20; ++n)
    tree.link("in/x" + std::to_string(n),
              "x" + std::to_string(n - 1) + "/x" + std::to_string(n - 1));
  const Authority authority = test::reading({tree.path("in")});
  CHECK(test::failure_of(read_text(authority, tree.path("in/x19/f"))).reason ==
        "too many levels of symbolic links");
  std::string dots = tree.path("in");
  while (dots.size() < 4000) dots += "/.";
  CHECK(read_text(authority, dots + "/f").has_value());
}

}  // namespace
}  // namespace cordon
