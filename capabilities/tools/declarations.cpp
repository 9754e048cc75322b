// Tools as TypeScript declarations. Descriptions may come from anywhere: whatever they hold, they
// stay within their comments, and names are literals where they are no identifiers.

#include <algorithm>
#include <set>

#include "capabilities/tools/tool_set.h"
#include "capabilities/utf8.h"

namespace cordon {

namespace {

using nlohmann::json;

std::string literal(const json& value) { return value.dump(-1, ' ', true); }

std::string indent(std::size_t levels) { return std::string(2 * levels, ' '); }

// Without what could end the comment or change how its neighbours look.
std::string comment_text(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const auto sequence = first_utf8_sequence(text);
    const std::string_view bytes = text.substr(0, sequence.length);
    text.remove_prefix(sequence.length);
    const bool control = bytes.size() == 1 && (bytes[0] < ' ' || bytes[0] == '\x7f');
    // U+0080..U+009F, U+061C, and the formatting characters U+200E..U+202E, U+2066..U+2069.
    const bool invisible = (bytes < "\xC2\xA0" && bytes >= "\xC2\x80") || bytes == "\xD8\x9C" ||
                           (bytes >= "\xE2\x80\x8E" && bytes <= "\xE2\x80\x8F") ||
                           (bytes >= "\xE2\x80\xA8" && bytes <= "\xE2\x80\xAE") ||
                           (bytes >= "\xE2\x81\xA6" && bytes <= "\xE2\x81\xA9");
    if (control || invisible) {
      out += ' ';
    } else if (bytes == "/" && out.ends_with('*')) {
      out += "\\/";
    } else {
      out += bytes;
    }
  }
  return out;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(comment_text(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string doc_comment(std::string_view text, std::size_t level) {
  const auto lines = lines_of(text);
  if (lines.empty()) return "";
  if (lines.size() == 1) return indent(level) + "/** " + lines[0] + " */\n";
  std::string out = indent(level) + "/**\n";
  for (const auto& line : lines) out += indent(level) + " * " + line + "\n";
  return out + indent(level) + " */\n";
}

// What types cannot say, for whoever reads the comment.
std::string rules_of(const Schema& schema) {
  std::string rules;
  const auto add = [&](const std::string& rule) { rules += (rules.empty() ? "" : ", ") + rule; };
  const bool number = (schema.types & kJsonNumber) != 0;
  if ((schema.types & kJsonInteger) != 0 && !number) add("whole number");
  if (schema.minimum) add("at least " + literal(*schema.minimum));
  if (schema.above) add("greater than " + literal(*schema.above));
  if (schema.maximum) add("at most " + literal(*schema.maximum));
  if (schema.below) add("less than " + literal(*schema.below));
  const auto sizes = [&](const auto& least, const auto& most, const char* unit) {
    if (least) add("at least " + std::to_string(*least) + " " + unit);
    if (most) add("at most " + std::to_string(*most) + " " + unit);
  };
  sizes(schema.min_length, schema.max_length, "characters");
  sizes(schema.min_items, schema.max_items, "elements");
  return rules;
}

std::string described(const Schema& schema) {
  const std::string rules = rules_of(schema);
  if (rules.empty()) return schema.description;
  return schema.description.empty() ? "(" + rules + ")" : schema.description + " (" + rules + ")";
}

bool is_identifier(const std::string& name) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
  };
  return !name.empty() && fits(name.front()) &&
         std::ranges::all_of(name, [&](char c) { return fits(c) || (c >= '0' && c <= '9'); });
}

std::string type_of(const Schema& schema, std::size_t level);

// The type of exactly this value.
std::string value_type(const json& value) {
  if (!value.is_structured()) return literal(value);
  std::string out = value.is_array() ? "[" : "{";
  const char* separator = "";
  for (const auto& [key, member] : value.items()) {
    out += separator + (value.is_array() ? "" : literal(key) + ": ") + value_type(member);
    separator = ", ";
  }
  return out + (value.is_array() ? "]" : "}");
}

std::string object_type(const Schema& schema, std::size_t level) {
  const bool closed = schema.additional && schema.additional->nothing;
  const bool typed_rest = schema.additional && !closed;
  if (schema.properties.empty() && schema.required.empty()) {
    if (closed) return "Record<string, never>";
    return "Record<string, " +
           (typed_rest ? type_of(*schema.additional, level) : std::string("unknown")) + ">";
  }
  std::string out = "{\n";
  for (const auto& [name, property] : schema.properties) {
    out += doc_comment(described(*property), level + 1) + indent(level + 1);
    out += is_identifier(name) ? name : literal(name);
    out += schema.requires_property(name) ? ": " : "?: ";
    out += type_of(*property, level + 1) + ";\n";
  }
  for (const std::string& name : schema.required) {
    if (schema.property(name) != nullptr) continue;
    out += indent(level + 1) + literal(name) + ": ";
    out += (typed_rest ? type_of(*schema.additional, level + 1) : std::string("unknown")) + ";\n";
  }
  // Properties that are named may have other types than the rest.
  if (typed_rest) out += indent(level + 1) + "[name: string]: unknown;\n";
  return out + indent(level) + "}";
}

std::string union_of(const std::vector<std::string>& types) {
  std::string out;
  std::set<std::string_view> seen;
  for (const auto& type : types) {
    if (seen.insert(type).second) out += (out.empty() ? "" : " | ") + type;
  }
  return out.empty() ? "never" : out;
}

std::string forms_type(const std::vector<Schema>& forms, std::size_t level) {
  std::vector<std::string> types;
  for (const Schema& form : forms) types.push_back(type_of(form, level));
  return union_of(types);
}

// By `type` and what belongs to it; empty when that says nothing.
std::string plain_type(const Schema& schema, std::size_t level) {
  std::vector<std::string> types;
  const bool any = schema.types == kAnyJsonType;
  if (any && schema.properties.empty() && schema.required.empty() && !schema.items) return "";
  const auto has = [&](unsigned bits) { return !any && (schema.types & bits) != 0; };
  if (has(kJsonString)) types.emplace_back("string");
  if (has(kJsonNumber | kJsonInteger)) types.emplace_back("number");
  if (has(kJsonBoolean)) types.emplace_back("boolean");
  if (has(kJsonArray) || (any && schema.items)) {
    const std::string items = schema.items ? type_of(*schema.items, level) : "unknown";
    types.push_back("Array<" + items + ">");
  }
  if (has(kJsonObject) || (any && !(schema.properties.empty() && schema.required.empty())))
    types.push_back(object_type(schema, level));
  if (has(kJsonNull)) types.emplace_back("null");
  return union_of(types);
}

std::string type_of(const Schema& schema, std::size_t level) {
  if (schema.nothing) return "never";
  if (schema.allowed) {
    std::vector<std::string> values;
    for (const json& value : schema.allowed->in_order()) values.push_back(value_type(value));
    return union_of(values);
  }
  std::string type = plain_type(schema, level);
  for (const auto* const forms : {&schema.any_of, &schema.one_of}) {
    if (forms->empty()) continue;
    const std::string alternatives = forms_type(*forms, level);
    type = type.empty() ? alternatives : "(" + type + ") & (" + alternatives + ")";
  }
  return type.empty() ? "unknown" : type;
}

std::string function_declaration(const CheckedTool& tool) {
  std::string out = doc_comment(tool.description, 1) + indent(1) + "export function " + tool.name;
  out += tool.parameters.required.empty() ? "(input?: " : "(input: ";
  out += type_of(tool.parameters, 1) + "): Promise<";
  return out + (tool.result ? type_of(*tool.result, 1) : std::string("unknown")) + ">;\n";
}

}  // namespace

std::string tool_declarations(const std::vector<ToolModule>& modules) {
  std::string out;
  const ToolSet set = ToolSet::check(modules);
  for (const CheckedToolModule& module : set.modules()) {
    if (!out.empty()) out += "\n";
    out += doc_comment(module.description, 0) + "declare module '" + module.specifier + "' {\n";
    const char* separator = "";
    for (const CheckedTool& tool : module.tools) {
      out += separator + function_declaration(tool);
      separator = "\n";
    }
    out += "}\n";
  }
  return out;
}

}  // namespace cordon
