#pragma once
// The fixtures `server` and `server2`: what a server does, in words.
//
// A text of clauses divided by semicolons. Each may begin with what it is about ("GET /path", "all
// else"); what no clause is about is echoed: 200 with the body "METHOD TARGET".

#include <string>

#include "tests/cases/runner/recorded_server.h"

namespace cordon::cases {

// Throws Unknown for a wording without a known meaning.
RecordedServer::Behaviour server_behaviour(const std::string& words);

}  // namespace cordon::cases
