#include "capabilities/html_text.h"

#include <catch2/catch.hpp>

TEST_CASE("what HTML would take as markup is escaped, all else stays") {
  CHECK(cordon::html_escaped("<a href=\"x\" id='y'>&amp;</a>") ==
        "&lt;a href=&quot;x&quot; id=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;");
  CHECK(cordon::html_escaped("é\n\t\x01").size() == 5);
  CHECK(cordon::html_escaped("").empty());
}
