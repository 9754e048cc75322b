#include "actors/subprocess_report.h"

#include "actors/wire_text.h"

namespace cordon {

namespace {

using Walls = std::vector<SubprocessReport::Wall>;

void write_walls(capnp::List<wire::NamedText>::Builder out, const Walls& walls) {
  for (unsigned i = 0; i < out.size(); ++i) {
    out[i].setName(as_kj(walls[i].name));
    out[i].setValue(as_kj(walls[i].mechanism));
  }
}

Walls read_walls(capnp::List<wire::NamedText>::Reader in) {
  Walls walls;
  for (const auto each : in) {
    walls.push_back({as_string(each.getName()), as_string(each.getValue())});
  }
  return walls;
}

}  // namespace

void write_report(wire::SubprocessReport::Builder out, const SubprocessReport& report) {
  write_walls(out.initWalls(static_cast<unsigned>(report.walls.size())), report.walls);
  write_walls(out.initMissing(static_cast<unsigned>(report.missing.size())), report.missing);
}

SubprocessReport read_report(wire::SubprocessReport::Reader in) {
  return {read_walls(in.getWalls()), read_walls(in.getMissing())};
}

std::string summary(const SubprocessReport& report) {
  std::string line;
  for (const auto& wall : report.walls) {
    if (!line.empty()) line += "; ";
    line += wall.name + ": " + wall.mechanism.substr(0, wall.mechanism.find(':'));
  }
  for (const auto& wall : report.missing) line += "; left out: " + wall.name;
  return line;
}

}  // namespace cordon
