#pragma once
// An outcome as text: JSON for programs, sentences for people.

#include <cordon/outcome.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace cordon {

// Of a call that the runtime did not take: an outcome that the command has to tell by itself.
Outcome failed_outcome(Status status, const char* name, const std::string& message);

// What JSON shows of an error and of a denial.
nlohmann::ordered_json error_members(const OutcomeError& error);
nlohmann::ordered_json denial_members(const OutcomeDenial& denial);

// The whole outcome as one JSON object on one line. `audit_events` are JSON texts. Members that do
// not apply (a value unless the run is ok, an error if it is, a denial, a signal) are left out.
std::string outcome_json(const Outcome& outcome, const std::vector<std::string>& audit_events);

// Why the run did not end well, for a terminal; empty for kOk. Ends with a line break; names the
// flag that would change it where there is one. `source_name` stands before a compile error's
// position.
std::string describe_failure(const Outcome& outcome, std::string_view source_name);

// One console call for a terminal, with its line break.
std::string console_line(std::string_view text);

}  // namespace cordon
