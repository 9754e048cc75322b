// Two actors of a running system that share an integer: what ThreadSanitizer has to report, and
// what it must not.
//   racing_actors race       both change it, and no message passes between them
//   racing_actors hand-over  one changes it, then sends the other a message to change it too

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/behavior.hpp>
#include <caf/event_based_actor.hpp>

#include <iostream>
#include <latch>
#include <string_view>

namespace {

void race(caf::actor_system& system, int& shared) {
  std::latch both_run{2};  // then they have a thread each
  for (int i = 0; i < 2; ++i) {
    system.spawn([&](caf::event_based_actor*) {
      both_run.arrive_and_wait();
      ++shared;
    });
  }
  system.await_all_actors_done();
}

void hand_over(caf::actor_system& system, int& shared) {
  const auto second =
      system.spawn<caf::detached>([&](caf::event_based_actor* self) -> caf::behavior {
        return {[&, self](caf::ok_atom) {
          ++shared;
          self->quit();
        }};
      });
  system.spawn([&](caf::event_based_actor* self) {
    ++shared;
    self->send(second, caf::ok_atom_v);
  });
  system.await_all_actors_done();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view wish = argc == 2 ? argv[1] : "";
  if (wish != "race" && wish != "hand-over") return 2;
  caf::actor_system_config config;
  config.set("scheduler.max-threads", 2);
  caf::actor_system system(config);
  int shared = 0;
  (wish == "race" ? race : hand_over)(system, shared);
  std::cout << "changed " << shared << " times\n";
}
