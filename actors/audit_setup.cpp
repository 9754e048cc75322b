#include "actors/audit_setup.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <string>

namespace cordon {

namespace {

constexpr std::size_t kGroupLimit = 1024;

// `key=value` words: the words of a record's reason, which hold no blank.
std::string writer(const AuditOptions& options) {
  utsname host{};
  ::uname(&host);
  std::string text = "format=1 cordon=" CORDON_VERSION " engine=mozjs-" CORDON_ENGINE_VERSION;
  text += " linux=" + std::string(host.release);
  if (!options.policy_digest.empty()) text += " policy=" + options.policy_digest;
  return text;
}

}  // namespace

std::shared_ptr<AuditLog> open_audit_log(const RuntimeOptions& options) {
  const AuditOptions& audit = options.audit;
  AuditLogOptions log{.files = audit.files,
                      .databases = audit.databases,
                      .durability = audit.durability == AuditDurability::kNone
                                        ? Durability::kProcess
                                        : Durability::kMachine,
                      .rotation = {audit.rotate_bytes, audit.rotate_age.count()},
                      .writer = writer(audit),
                      .checkpoint_every = audit.checkpoint_every,
                      .signing_key = audit.signing_key,
                      .open_later = audit.best_effort};
  if (options.audit_file) log.files.push_back(*options.audit_file);
  if (audit.standard_output) log.stream = STDOUT_FILENO;
  if (log.files.empty() && log.databases.empty() && !log.stream) {
    return std::make_shared<AuditLog>();
  }
  auto opened = AuditLog::open(std::move(log));
  if (!opened) throw AuditUnavailable("The audit log cannot be written: " + opened.error());
  return std::make_shared<AuditLog>(std::move(*opened));
}

std::size_t audit_group_limit(const AuditOptions& options) {
  if (options.durability == AuditDurability::kEach) return 1;
  const bool waits = options.durability == AuditDurability::kGroup || !options.databases.empty() ||
                     options.standard_output;
  return waits ? kGroupLimit : 0;
}

std::shared_ptr<BlockingThreads> audit_thread(const AuditOptions& options) {
  return audit_group_limit(options) == 0 ? nullptr : std::make_shared<BlockingThreads>(1);
}

}  // namespace cordon
