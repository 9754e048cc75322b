#include "actors/options_codec.h"

#include "actors/wire_text.h"

namespace cordon {

namespace {

void write_texts(capnp::List<capnp::Text>::Builder out, const std::vector<std::string>& texts) {
  for (unsigned i = 0; i < out.size(); ++i) out.set(i, as_kj(texts[i]));
}

std::vector<std::string> read_texts(capnp::List<capnp::Text>::Reader in) {
  std::vector<std::string> texts;
  texts.reserve(in.size());
  for (const auto text : in) texts.push_back(as_string(text));
  return texts;
}

using NamedTexts = std::map<std::string, std::string>;

void write_named(capnp::List<wire::NamedText>::Builder out, const NamedTexts& texts) {
  unsigned i = 0;
  for (const auto& [name, value] : texts) {
    out[i].setName(as_kj(name));
    out[i].setValue(as_kj(value));
    ++i;
  }
}

NamedTexts read_named(capnp::List<wire::NamedText>::Reader in) {
  NamedTexts texts;
  for (const auto each : in) texts.emplace(as_string(each.getName()), as_string(each.getValue()));
  return texts;
}

template <class Container>
unsigned count(const Container& container) {
  return static_cast<unsigned>(container.size());
}

void write_resources(wire::Resources::Builder out, const SandboxResourceGrant& in) {
  out.setMaxOperations(in.max_operations);
  out.setMaxReadBytes(in.max_read_bytes);
  out.setMaxWriteBytes(in.max_write_bytes);
  out.setMaxNetworkBytes(in.max_network_bytes);
  out.setMaxProcessOutputBytes(in.max_process_output_bytes);
  out.setWallClockMs(in.wall_clock_ms);
  out.setMaxMemoryBytes(in.max_memory_bytes);
  out.setMaxCpuMs(in.max_cpu_ms.value_or(0));
  out.setMaxConsoleBytes(in.max_console_bytes);
  out.setMaxResultBytes(in.max_result_bytes);
  out.setMaxSourceBytes(in.max_source_bytes);
  out.setMaxConcurrentOperations(in.max_concurrent_operations);
  out.setMaxToolBytes(in.max_tool_bytes);
}

SandboxResourceGrant read_resources(wire::Resources::Reader in) {
  SandboxResourceGrant out;
  out.max_operations = in.getMaxOperations();
  out.max_read_bytes = in.getMaxReadBytes();
  out.max_write_bytes = in.getMaxWriteBytes();
  out.max_network_bytes = in.getMaxNetworkBytes();
  out.max_process_output_bytes = in.getMaxProcessOutputBytes();
  out.wall_clock_ms = in.getWallClockMs();
  out.max_memory_bytes = in.getMaxMemoryBytes();
  if (in.getMaxCpuMs() != 0) out.max_cpu_ms = in.getMaxCpuMs();
  out.max_console_bytes = in.getMaxConsoleBytes();
  out.max_result_bytes = in.getMaxResultBytes();
  out.max_source_bytes = in.getMaxSourceBytes();
  out.max_concurrent_operations = in.getMaxConcurrentOperations();
  out.max_tool_bytes = in.getMaxToolBytes();
  return out;
}

void write_sandbox(wire::ProcessPolicy::Builder out, const SandboxProcessPolicy& in) {
  out.setBestEffort(in.mode == SandboxProcessPolicy::Mode::kBestEffort);
  out.setMemoryBytes(in.resources.memory_bytes.value_or(0));
  out.setPids(in.resources.pids.value_or(0));
  out.setCpu(in.resources.cpu.value_or(0));
  write_texts(out.initReadonly(count(in.filesystem.readonly)), in.filesystem.readonly);
  write_texts(out.initWritable(count(in.filesystem.writable)), in.filesystem.writable);
  out.setOutbound(in.network.outbound);
  out.setInbound(in.network.inbound);
  out.setAllowFork(in.process.allow_fork);
  out.setAllowExec(in.process.allow_exec);
  write_texts(out.initAllowedBinaries(count(in.process.allowed_binaries)),
              in.process.allowed_binaries);
  if (!in.syscalls) return;
  auto syscalls = out.initSyscalls();
  syscalls.setAllow(in.syscalls->mode == SandboxProcessPolicy::Syscalls::Mode::kAllowlist);
  write_texts(syscalls.initNames(count(in.syscalls->names)), in.syscalls->names);
}

SandboxProcessPolicy read_sandbox(wire::ProcessPolicy::Reader in) {
  SandboxProcessPolicy out;
  if (in.getBestEffort()) out.mode = SandboxProcessPolicy::Mode::kBestEffort;
  if (in.getMemoryBytes() != 0) out.resources.memory_bytes = in.getMemoryBytes();
  if (in.getPids() != 0) out.resources.pids = in.getPids();
  if (in.getCpu() > 0) out.resources.cpu = in.getCpu();
  out.filesystem = {read_texts(in.getReadonly()), read_texts(in.getWritable())};
  out.network = {in.getOutbound(), in.getInbound()};
  out.process = {in.getAllowFork(), in.getAllowExec(), read_texts(in.getAllowedBinaries())};
  if (in.hasSyscalls()) {
    using Mode = SandboxProcessPolicy::Syscalls::Mode;
    const auto syscalls = in.getSyscalls();
    out.syscalls = {syscalls.getAllow() ? Mode::kAllowlist : Mode::kDenylist,
                    read_texts(syscalls.getNames())};
  }
  return out;
}

}  // namespace

void write_options(wire::Options::Builder out, const AISandboxOptions& options) {
  if (options.filesystem) {
    const auto& grant = *options.filesystem;
    write_texts(out.initReadRoots(count(grant.read)), grant.read);
    write_texts(out.initWriteRoots(count(grant.write)), grant.write);
  }
  if (options.network) {
    const auto& grant = *options.network;
    auto network = out.initNetwork();
    write_texts(network.initOrigins(count(grant.origins)), grant.origins);
    write_texts(network.initMethods(count(grant.methods)), grant.methods);
    network.setAllowPrivateAddresses(grant.allow_private_addresses);
  }
  if (options.subprocess) {
    const auto& grant = *options.subprocess;
    auto subprocess = out.initSubprocess();
    write_texts(subprocess.initCommands(count(grant.commands)), grant.commands);
    write_named(subprocess.initEnvironment(count(grant.environment)), grant.environment);
    subprocess.setTimeoutMs(grant.timeout_ms);
    write_sandbox(subprocess.initSandbox(), grant.sandbox);
  }
  write_named(out.initEnvironment(count(options.environment)), options.environment);
  write_named(out.initSecrets(count(options.secrets)), options.secrets);
  write_named(out.initModules(count(options.modules)), options.modules);
  write_resources(out.initResources(), options.resources);
  out.setExperimentalDecorators(options.experimental_decorators);
}

AISandboxOptions read_options(wire::Options::Reader in) {
  AISandboxOptions options;
  if (in.hasReadRoots() || in.hasWriteRoots()) {
    options.filesystem = {read_texts(in.getReadRoots()), read_texts(in.getWriteRoots())};
  }
  if (in.hasNetwork()) {
    const auto network = in.getNetwork();
    options.network = {read_texts(network.getOrigins()), read_texts(network.getMethods()),
                       network.getAllowPrivateAddresses()};
  }
  if (in.hasSubprocess()) {
    const auto subprocess = in.getSubprocess();
    SandboxSubprocessGrant grant;
    grant.commands = read_texts(subprocess.getCommands());
    grant.environment = read_named(subprocess.getEnvironment());
    grant.timeout_ms = subprocess.getTimeoutMs();
    grant.sandbox = read_sandbox(subprocess.getSandbox());
    options.subprocess = std::move(grant);
  }
  options.environment = read_named(in.getEnvironment());
  options.secrets = read_named(in.getSecrets());
  options.modules = read_named(in.getModules());
  options.resources = read_resources(in.getResources());
  options.experimental_decorators = in.getExperimentalDecorators();
  return options;
}

}  // namespace cordon
