#include <catch2/catch.hpp>

#include "messages/look_back_off.h"

using cordon::LookBackOff;

namespace {

// How many times nothing is looked for until a look is due.
int left_out(LookBackOff& looks) {
  int count = 0;
  while (!looks.is_due()) ++count;
  return count;
}

}  // namespace

TEST_CASE("looks in vain become rarer, to one time in 64") {
  LookBackOff looks;
  for (const int expected : {0, 1, 3, 7, 15, 31, 63, 63, 63}) {
    CHECK(left_out(looks) == expected);
    looks.looked(false);
  }
}

TEST_CASE("one look that found something makes all due again") {
  LookBackOff looks;
  for (int i = 0; i < 5; ++i) {
    left_out(looks);
    looks.looked(false);
  }
  left_out(looks);
  looks.looked(true);
  CHECK(left_out(looks) == 0);
  looks.looked(true);
  CHECK(left_out(looks) == 0);
}

TEST_CASE("a look that is due stays so until it is made") {
  LookBackOff looks;
  looks.looked(false);
  CHECK_FALSE(looks.is_due());
  CHECK(looks.is_due());
  CHECK(looks.is_due());
}
