#include "benchmarks/load/report_json.h"

#include <nlohmann/json.hpp>

namespace cordon::load {
namespace {

using Json = nlohmann::ordered_json;

void add_summary(Json& json, const Summary& s) {
  json["samples"] = s.count;
  json["mean"] = s.mean;
  json["min"] = s.min;
  json["p50"] = s.p50;
  json["p90"] = s.p90;
  json["p99"] = s.p99;
  json["p999"] = s.p999;
  json["max"] = s.max;
}

Json distribution_json(const Distribution& distribution) {
  Json json = Json::array();
  for (const auto& [share, sample] : distribution) json.push_back(Json::array({share, sample}));
  return json;
}

Json open_json(const OpenLoad& load) {
  Json json = {{"perSecond", load.per_second}, {"arrivals", load.arrivals}, {"seed", load.seed}};
  if (load.capacity_percent) json["capacityPercent"] = *load.capacity_percent;
  json["busy"] = load.busy;
  json["wrong"] = load.wrong;
  if (load.wrong > 0) json["firstWrong"] = load.first_wrong;
  json["held"] = load.held;
  json["unbegun"] = load.unbegun;
  add_summary(json["startLagMs"], load.start_lag_ms);
  return json;
}

Json footprint_json(const Footprint& look) {
  return {{"seconds", look.seconds},        {"hostKib", look.host_kib},
          {"serviceKib", look.service_kib}, {"descriptors", look.descriptors},
          {"threads", look.threads},        {"processes", look.processes}};
}

Json job_json(const JobReport& report) {
  Json json = {{"job", report.job},
               {"loop", report.open                   ? "open"
                        : report.calls_per_second > 0 ? "closed"
                                                      : "none"},
               {"unit", report.unit},
               {"callers", report.callers},
               {"parallel", report.parallel},
               {"spareChildren", report.spare_children},
               {"roundTrips", report.round_trips},
               {"calls", report.calls}};
  add_summary(json, report.samples);
  json["hostKib"] = {report.host_kib_before, report.host_kib_after};
  json["serviceKib"] = {report.service_kib_before, report.service_kib_after};
  if (report.calls_per_second > 0) {
    json["callsPerSecond"] = report.calls_per_second;
    json["cpuMsPerCall"] = {{"host", report.host_cpu_ms},
                            {"child", report.child_cpu_ms},
                            {"services", report.service_cpu_ms}};
  }
  if (report.open) json["open"] = open_json(*report.open);
  json["kinds"] = Json::array();
  for (const KindReport& kind : report.kinds) {
    Json& each = json["kinds"].emplace_back(Json{{"kind", kind.kind}});
    add_summary(each, kind.samples);
    each["distribution"] = distribution_json(kind.distribution);
  }
  json["distribution"] = distribution_json(report.distribution);
  json["footprints"] = Json::array();
  for (const Footprint& look : report.footprints) {
    json["footprints"].push_back(footprint_json(look));
  }
  return json;
}

Json standing_json(const Standing& standing) {
  const Target& target = *standing.target;
  return {{"figure", target.figure},
          {"unit", target.unit},
          {"value", standing.value},
          {"target", target.target},
          {"stretch", target.stretch},
          {"better", target.better == Better::kLower ? "lower" : "higher"},
          {"verdict", to_string(judge(standing))}};
}

}  // namespace

std::string report_json(const BenchReport& report, std::span<const Standing> standings) {
  const Machine& m = report.machine;
  Json json = {{"format", kReportFormat},
               {"version", kReportVersion},
               {"date", m.date},
               {"cordon", m.cordon},
               {"engine", report.engine},
               {"hugeTextKib", report.huge_text_kib},
               {"hugeDataKib", report.huge_data_kib},
               {"machine",
                {{"cpu", m.cpu},
                 {"cpus", m.cpus},
                 {"kernel", m.kernel},
                 {"loadBefore", m.load_before},
                 {"loadAfter", m.load_after}}},
               {"jobs", Json::array()}};
  if (m.stalls) {
    json["machine"]["stalls"] = {{"watchedS", m.stalls->watched_s},
                                 {"overOneMs", m.stalls->over_one_ms},
                                 {"longestMs", m.stalls->longest_ms},
                                 {"lostPercent", m.stalls->lost_percent}};
  }
  for (const JobReport& job : report.jobs) json["jobs"].push_back(job_json(job));
  for (const Standing& standing : standings) {
    json["standings"].push_back(standing_json(standing));
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace cordon::load
