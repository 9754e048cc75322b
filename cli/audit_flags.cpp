#include "cli/audit_flags.h"

#include <algorithm>
#include <string_view>

#include "cli/units.h"

namespace cordon {
namespace {

constexpr const char* kGroup = "Audit";
constexpr std::string_view kJsonLines = "jsonl:";
constexpr std::string_view kSqlite = "sqlite:";

// Whether it is spelled as another kind of sink would be.
bool has_unknown_kind(std::string_view where) {
  const std::size_t colon = where.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789");
  return colon != std::string_view::npos && colon > 0 && where[colon] == ':';
}

// Adds what one --audit names.
std::optional<UsageError> add_sink(AuditOptions& options, std::string_view named) {
  const auto refuse = [named](const char* why) { return UsageError{"--audit=", named, why}; };
  if (named == "stdout") {
    if (options.standard_output) return refuse(": is there twice");
    options.standard_output = true;
    return std::nullopt;
  }
  std::string_view file = named;
  const bool database = file.starts_with(kSqlite);
  if (database) {
    file.remove_prefix(kSqlite.size());
  } else if (file.starts_with(kJsonLines)) {
    file.remove_prefix(kJsonLines.size());
  } else if (has_unknown_kind(file)) {
    return refuse(
        ": expected FILE, jsonl:FILE, sqlite:FILE or stdout; a file of this name is ./NAME");
  }
  if (file.empty()) return refuse(": names no file");
  for (const auto* others : {&options.files, &options.databases}) {
    if (std::find(others->begin(), others->end(), file) != others->end()) {
      return refuse(": is there twice");
    }
  }
  (database ? options.databases : options.files).emplace_back(file);
  return std::nullopt;
}

std::optional<AuditDurability> durability_named(std::string_view name) {
  if (name == "none") return AuditDurability::kNone;
  if (name == "group") return AuditDurability::kGroup;
  if (name == "each") return AuditDurability::kEach;
  return std::nullopt;
}

}  // namespace

AuditFlags::AuditFlags(CLI::App& command) {
  const auto option = [&command](const char* flag, auto& value, const char* type,
                                 const char* help) {
    return command.add_option(flag, value, help)->type_name(type)->group(kGroup);
  };
  option(
      "--audit", sinks_, "FILE",
      "Append the audit trail to this file (jsonl:FILE), to a database (sqlite:FILE) or print it "
      "(stdout); may be repeated. Its head is printed on stderr")
      ->take_all();
  option("--audit-durability", durability_, "LEVEL",
         "What an event outlives before its reply is seen: none, the death of this process; group, "
         "a power failure; each, the same with an fsync of its own [none]");
  option("--audit-rotate-size", rotate_size_, "SIZE", "Begin another file at this size [never]");
  option("--audit-rotate-age", rotate_age_, "TIME", "Begin another file at this age [never]");
  option("--audit-sign-key", signing_key_, "FILE",
         "Sign checkpoints of the trail with this Ed25519 key (PEM) [unsigned]");
  command
      .add_flag("--audit-best-effort", best_effort_,
                "Go on when the trail cannot be written [such a run ends as audit_failed]")
      ->group(kGroup);
}

Result<AuditOptions, UsageError> AuditFlags::options() const {
  AuditOptions options;
  const bool more = durability_ || rotate_size_ || rotate_age_ || signing_key_ || best_effort_;
  if (!given() && more) return UsageError{"--audit is needed where another --audit-... flag is"};
  for (const std::string& where : sinks_) {
    if (auto error = add_sink(options, where)) return *std::move(error);
  }
  if ((rotate_size_ || rotate_age_) && options.files.empty()) {
    return UsageError{
        "--audit-rotate-size, --audit-rotate-age: only files follow each other, and --audit "
        "names none"};
  }
  if (durability_) {
    const auto level = durability_named(*durability_);
    if (!level) {
      return UsageError{"--audit-durability=", *durability_, ": expected none, group or each"};
    }
    options.durability = *level;
  }
  if (rotate_size_) {
    const auto bytes = parse_bytes(*rotate_size_);
    if (!bytes) {
      return UsageError{"--audit-rotate-size=", *rotate_size_, ": ", bytes.error().message};
    }
    options.rotate_bytes = *bytes;
  }
  if (rotate_age_) {
    const auto age = parse_duration(*rotate_age_);
    if (!age) return UsageError{"--audit-rotate-age=", *rotate_age_, ": ", age.error().message};
    options.rotate_age = std::chrono::milliseconds(*age);
  }
  if (signing_key_) options.signing_key = *signing_key_;
  options.best_effort = best_effort_;
  return options;
}

}  // namespace cordon
