#include "tests/cases/runner/pattern.h"

#include <boost/regex.hpp>

#include "tests/cases/runner/text_json.h"

namespace cordon::cases {

namespace {

std::wstring characters(std::string_view text) {
  std::wstring out;
  for (std::size_t at = 0; at < text.size();) {
    const auto lead = static_cast<unsigned char>(text[at++]);
    const int more = lead < 0xC0 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    auto point = static_cast<wchar_t>(more == 0 ? lead : lead & (0x3F >> more));
    for (int i = 0; i < more && at < text.size(); ++i)
      point = static_cast<wchar_t>((point << 6) | (static_cast<unsigned char>(text[at++]) & 0x3F));
    out += point;
  }
  return out;
}

// JavaScript's \u0041 and \u{41} in the library's spelling, in which \u is a class of letters.
std::wstring library_spelling(const std::wstring& pattern) {
  std::wstring out;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    if (pattern[at] != L'\\' || at + 1 == pattern.size()) {
      out += pattern[at];
    } else if (pattern[at + 1] != L'u') {
      out += pattern.substr(at++, 2);
    } else if (pattern.compare(at + 2, 1, L"{") == 0) {
      out += L"\\x";
      ++at;
    } else {
      out += L"\\x{" + pattern.substr(at + 2, 4) + L"}";
      at += 5;
    }
  }
  return out;
}

}  // namespace

bool matches(const std::string& pattern, std::string_view text) {
  try {
    // A dot is not a line break, and ^ and $ are the ends of the whole text.
    const boost::wregex regex(
        library_spelling(characters(pattern)),
        boost::regex::perl | boost::regex::icase | boost::regex::no_mod_m | boost::regex::no_mod_s);
    return boost::regex_search(characters(text), regex);
  } catch (const boost::regex_error& error) {
    throw Unknown("the regular expression /" + pattern + "/: " + error.what());
  }
}

}  // namespace cordon::cases
