#include "cli/batch/html_report.h"

#include <catch2/catch.hpp>
#include <string>

using namespace cordon::batch;

TEST_CASE("a report forbids everything and escapes all that came from jobs") {
  Tally tally;
  PastResult hostile;
  hostile.id_json = "\"</td><script>alert(1)</script>\"";
  hostile.verdict = Verdict::kError;
  hostile.wall_ms = 12;
  hostile.error_name = "<img src=x onerror=alert(1)>";
  hostile.error_message = "' onload='x\" & \xE2\x80\xAE";
  hostile.console = "\x1b[31m</pre><style>*{}</style>";
  tally.add(hostile);
  const std::string page = html_report(tally, "<title>");
  CHECK(page.find("default-src 'none'") != std::string::npos);
  CHECK(page.find("<script") == std::string::npos);
  CHECK(page.find("<img") == std::string::npos);
  CHECK(page.find("</pre><style>") == std::string::npos);
  CHECK(page.find("<title>&lt;title&gt;</title>") != std::string::npos);
  CHECK(page.find("&lt;script&gt;alert(1)&lt;/script&gt;") != std::string::npos);
  CHECK(page.find("&#39; onload=&#39;x&quot; &amp; \\u{202e}") != std::string::npos);
  CHECK(page.find('\x1b') == std::string::npos);
  CHECK(page.find("http:") == std::string::npos);
  CHECK(page.find("https:") == std::string::npos);
  CHECK(page.find("unsafe") == std::string::npos);
}

TEST_CASE("a report of nothing is a page, too") {
  const std::string page = html_report(Tally(), "Batch");
  CHECK(page.find("Nothing was run") != std::string::npos);
  CHECK(page.find("None.") != std::string::npos);
}
