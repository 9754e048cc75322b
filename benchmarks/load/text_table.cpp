#include "benchmarks/load/text_table.h"

#include <algorithm>
#include <cstddef>
#include <iomanip>
#include <sstream>

namespace cordon::load {
namespace {

std::ptrdiff_t width(const std::string& cell) {  // in characters
  return std::count_if(cell.begin(), cell.end(), [](char c) { return (c & 0xC0) != 0x80; });
}

}  // namespace

std::string short_number(double value) {
  std::ostringstream out;
  out << std::fixed << std::setprecision(value < 10 ? 2 : value < 100 ? 1 : 0) << value;
  return out.str();
}

std::string text_table(const Rows& rows, std::size_t left) {
  std::vector<std::ptrdiff_t> widths(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(static_cast<std::size_t>(widths[i] - width(row[i])), ' ');
      if (i > 0) text += "  ";
      text += i < left ? row[i] + padding : padding + row[i];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace cordon::load
