#include "actors/job_frame.h"

#include <algorithm>

#include "actors/wire_text.h"

namespace cordon {

namespace {

// Bytes of a character: what is cut at a character's end is still longer than the limit.
constexpr std::uint64_t kLongestCharacter = 4;

void write_tools(wire::Job::Builder job, const ToolSet& tools) {
  auto modules = job.initTools(static_cast<unsigned>(tools.modules().size()));
  for (unsigned i = 0; i < modules.size(); ++i) {
    const CheckedToolModule& module = tools.modules()[i];
    modules[i].setSpecifier(as_kj(module.specifier));
    auto names = modules[i].initNames(static_cast<unsigned>(module.tools.size()));
    for (unsigned j = 0; j < names.size(); ++j) names.set(j, as_kj(module.tools[j].name));
  }
}

}  // namespace

std::uint64_t argument_bytes(wire::Resources::Reader resources) {
  return std::max({resources.getMaxWriteBytes(), resources.getMaxNetworkBytes(),
                   resources.getMaxToolBytes()}) +
         kLongestCharacter;
}

HostFrameMessage job_frame(const JobParts& parts) {
  const auto call = parts.call.read();
  const std::string& code = parts.module.code;
  const auto fill = [&](wire::HostFrame::Builder frame) {
    auto job = frame.initJob();
    job.setCode(kj::StringPtr(code.c_str(), code.size()));
    job.setSourceName(call->getSourceName());
    job.setEntry(call->getEntry());
    job.setArguments(call->getArguments());
    const auto granted = call->getOptions().getModules();
    auto modules = job.initModules(granted.size());
    for (unsigned i = 0; i < granted.size(); ++i) {
      modules[i].setSpecifier(granted[i].getName());
      modules[i].setCode(granted[i].getValue());
    }
    const auto resources = call->getOptions().getResources();
    auto limits = job.initLimits();
    limits.setHeapBytes(resources.getMaxMemoryBytes());
    limits.setConsoleBytes(resources.getMaxConsoleBytes());
    limits.setResultBytes(resources.getMaxResultBytes());
    limits.setArgumentBytes(argument_bytes(resources));
    limits.setOpenRequests(parts.open.count);
    limits.setOpenBytes(parts.open.bytes);
    if (parts.tests != nullptr) {
      const std::string& tests = parts.tests->code;
      job.setTests(kj::StringPtr(tests.c_str(), tests.size()));
    }
    job.setAssertModule(call->getAssertModule());
    if (call->hasRandom()) job.setRandom(call->getRandom());
    if (call->hasClock()) job.setClock(call->getClock());
    if (parts.tools != nullptr) write_tools(job, *parts.tools);
  };
  return HostFrameMessage::build(fill, code.size() + call->getArguments().size());
}

}  // namespace cordon
