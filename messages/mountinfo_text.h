#pragma once
// Paths in /proc/PID/mountinfo (proc(5)): the kernel writes some characters as \ooo.

#include <cstddef>
#include <string>
#include <string_view>

namespace cordon {

inline std::string unescape_mountinfo(std::string_view text) {
  const auto is_octal = [](char c) { return c >= '0' && c <= '7'; };
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '\\' && text.size() - i > 3 && is_octal(text[i + 1]) &&
                         is_octal(text[i + 2]) && is_octal(text[i + 3]);
    if (!escaped) {
      plain += text[i];
      continue;
    }
    plain +=
        static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
    i += 3;
  }
  return plain;
}

}  // namespace cordon
