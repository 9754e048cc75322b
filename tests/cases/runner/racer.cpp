#include "tests/cases/runner/racer.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "tests/cases/runner/text_json.h"
#include "tests/cases/runner/words.h"

namespace cordon::cases {

namespace {

using std::filesystem::path;

std::function<void()> exchange(const path& a, const path& b) {
  return [a, b] { ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE); };
}

std::function<void()> move_and_back(const path& a, const path& b) {
  return [a, b] {
    ::rename(a.c_str(), b.c_str());
    ::rename(b.c_str(), a.c_str());
  };
}

// The link is made beside its place and exchanged with what is there.
std::function<void()> link_and_back(const path& place, const path& target) {
  const path link = place.string() + ".racer";
  ::symlink(target.c_str(), link.c_str());
  return exchange(place, link);
}

std::function<void()> action(const std::string& words, const path& root) {
  if (const auto match =
          says(words, ".*RENAME_EXCHANGE\\)? (?:on |of )?(\\S+) and (\\S+?),?(?: .*)?"))
    return exchange(root / (*match)[1].str(), root / (*match)[2].str());
  if (const auto match =
          says(words, ".*(?:swaps|exchanges) (\\S+) (?:and|with|for) (\\S+?),?(?: .*)?"))
    return exchange(root / (*match)[1].str(), root / (*match)[2].str());
  if (const auto match = says(
          words, ".*replaces (\\S+) (?:with|by) a (?:symbolic |sym)?link to (\\S+?),? and back.*"))
    return link_and_back(root / (*match)[1].str(), root / (*match)[2].str());
  if (const auto match = says(words, ".*(?:renames|moves) (\\S+) to (\\S+?),? and back.*"))
    return move_and_back(root / (*match)[1].str(), root / (*match)[2].str());
  throw Unknown("the racer wording \"" + words + "\"");
}

}  // namespace

Racer::Racer(const std::string& words, const path& root)
    : thread_([act = action(words, root)](const std::stop_token& stop) {
        while (!stop.stop_requested()) act();
      }) {}

}  // namespace cordon::cases
