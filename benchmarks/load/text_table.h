#pragma once
// Tables of plain text.

#include <string>
#include <vector>

namespace cordon::load {

// Three digits that count: "0.12", "12.3", "123".
std::string short_number(double value);

using Rows = std::vector<std::vector<std::string>>;
// A line for each row, columns as wide as their longest cell; the first `left` are aligned to the
// left. There is a row, and all have as many cells.
std::string text_table(const Rows& rows, std::size_t left);

}  // namespace cordon::load
