#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>

#include <sys/stat.h>

int main(int argc, char** argv) {
  // What a test makes is to be seen by the users that it becomes, whatever its own user prefers.
  ::umask(S_IWGRP | S_IWOTH);
  return Catch::Session().run(argc, argv);
}
