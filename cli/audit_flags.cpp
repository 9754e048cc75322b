#include "cli/audit_flags.h"

#include <string_view>

#include "cli/units.h"

namespace cordon {
namespace {

constexpr const char* kGroup = "Audit";
constexpr std::string_view kJsonLines = "jsonl:";
constexpr std::string_view kSqlite = "sqlite:";

// Adds what one --audit names. False: it names no file.
bool add_sink(AuditOptions& options, std::string_view where) {
  if (where == "stdout") {
    options.standard_output = true;
    return true;
  }
  const bool database = where.starts_with(kSqlite);
  if (database) where.remove_prefix(kSqlite.size());
  if (where.starts_with(kJsonLines)) where.remove_prefix(kJsonLines.size());
  if (where.empty()) return false;
  (database ? options.databases : options.files).emplace_back(where);
  return true;
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
    if (!add_sink(options, where)) return UsageError{"--audit=", where, ": names no file"};
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
