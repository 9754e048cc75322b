#include "cli/comma_list.h"

#include <algorithm>

namespace cordon {

Result<std::vector<std::string>, UsageError> split_comma_list(std::string_view text) {
  std::vector<std::string> items(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != ',') {
      items.back() += text[i];
    } else if (i + 1 < text.size() && text[i + 1] == ',') {
      items.back() += ',';
      ++i;
    } else {
      items.emplace_back();
    }
  }
  if (std::any_of(items.begin(), items.end(), [](const auto& item) { return item.empty(); })) {
    return UsageError{"an item of the list is empty (write a comma that belongs to an item as ,,)"};
  }
  return items;
}

}  // namespace cordon
