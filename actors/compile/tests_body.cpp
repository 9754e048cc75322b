#include "actors/compile/tests_body.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace cordon {
namespace {

// The compiler prints statements of the top level, and nothing else, at the start of a line.
bool declares_import(std::string_view line) {
  return line.starts_with("import ") || line.starts_with("import\"");
}

bool declares_export(std::string_view line) {
  return line.starts_with("export ") || line.starts_with("export{");
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \n,");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \n,") - first + 1);
}

// "{ a, b as c }" without its braces, as the inside of a pattern: "a, b: c".
std::string as_pattern(std::string_view names) {
  constexpr std::string_view kAs = " as ";
  std::string pattern;
  while (!names.empty()) {
    const std::size_t comma = names.find(',');
    const std::string_view name = trimmed(names.substr(0, comma));
    names.remove_prefix(comma == std::string_view::npos ? names.size() : comma + 1);
    if (name.empty()) continue;
    const std::size_t as = name.find(kAs);
    if (!pattern.empty()) pattern += ", ";
    pattern += name.substr(0, as);
    if (as != std::string_view::npos) {
      pattern.append(": ").append(name.substr(as + kAs.size()));
    }
  }
  return pattern;
}

// What `import CLAUSE from SPECIFIER` binds, as a constant's declaration.
std::string as_declaration(std::string_view clause, const std::string& module) {
  constexpr std::string_view kNamespace = "* as ";
  std::string pattern;
  if (const std::size_t brace = clause.find('{'); brace != std::string_view::npos) {
    pattern = as_pattern(clause.substr(brace + 1, clause.rfind('}') - brace - 1));
    clause = trimmed(clause.substr(0, brace));
  }
  const std::size_t star = clause.find(kNamespace);
  const std::string_view default_name = trimmed(clause.substr(0, star));
  if (!default_name.empty()) {
    pattern = "default: " + std::string(default_name) + (pattern.empty() ? "" : ", " + pattern);
  }
  if (star == std::string_view::npos) return "const { " + pattern + " } = " + module + ";";
  const std::string name(clause.substr(star + kNamespace.size()));
  std::string text = "const " + name + " = " + module;
  if (!pattern.empty()) text += ", { " + pattern + " } = " + name;
  return text + ";";
}

// `statement` is one import declaration with its semicolon. Nothing when it is of a kind that has
// no counterpart.
std::optional<std::string> as_dynamic_import(std::string_view statement) {
  statement.remove_prefix(std::string_view("import").size());
  statement = statement.substr(0, statement.rfind(';'));
  const std::size_t quote = statement.find('"');
  if (quote == std::string_view::npos || statement.back() != '"') return std::nullopt;
  const std::string module = "await import(" + std::string(statement.substr(quote)) + ")";
  constexpr std::string_view kFrom = " from ";
  const std::string_view before = statement.substr(0, quote);
  if (trimmed(before).empty()) return module + ";";
  if (!before.ends_with(kFrom)) return std::nullopt;  // a name in quotes
  std::string text =
      as_declaration(trimmed(before.substr(0, before.size() - kFrom.size())), module);
  text.append(static_cast<std::size_t>(std::ranges::count(before, '\n')), '\n');
  return text;
}

}  // namespace

CompileRequest tested_program(std::string source, bool experimental_decorators) {
  return {.source = std::move(source.append(kMakesModule)),
          .experimental_decorators = experimental_decorators,
          .by_esbuild = true};
}

CompileRequest tests_of_program(std::string tests, bool experimental_decorators) {
  return {.source = std::move(tests.append(kMakesModule)),
          .experimental_decorators = experimental_decorators,
          .one_line_tokens = true,
          .by_esbuild = true};
}

Result<std::string, TestsProblem> tests_body(std::string_view code) {
  std::string body;
  body.reserve(code.size() + 256);
  while (!code.empty()) {
    std::size_t end = std::min(code.find('\n'), code.size());
    const bool is_ours = code.substr(0, end) == kMakesModule.substr(1);
    if (declares_export(code) && !is_ours)
      return TestsProblem{"Tests cannot export: they are no module"};
    if (is_ours) {
      // Nothing to do.
    } else if (declares_import(code)) {
      // A list of names may take several lines; the last one ends with the semicolon.
      const std::size_t semicolon = code.find(";\n");
      end = semicolon == std::string_view::npos ? code.size() : semicolon + 1;
      const auto dynamic = as_dynamic_import(code.substr(0, end));
      if (!dynamic) {
        return TestsProblem{"Tests cannot import by a name in quotes or with attributes"};
      }
      body += *dynamic;
    } else {
      body += code.substr(0, end);
    }
    body += '\n';
    code.remove_prefix(std::min(end + 1, code.size()));
  }
  return body;
}

}  // namespace cordon
