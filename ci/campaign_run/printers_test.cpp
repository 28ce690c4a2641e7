#include "ci/campaign_run/printers.h"

#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "ci/campaign_run/report_example.h"

namespace convproof::campaign {
namespace {

using Json = nlohmann::json;

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string_view::npos;
       at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

TEST(Verdict, follows_the_findings_that_no_ledger_knows) {
  CampaignReport report = example_report();
  EXPECT_EQ(verdict_of(report), "1 new finding");
  EXPECT_EQ(exit_status(report), 1);
  const Totals totals = totals_of(report);
  EXPECT_EQ(totals.red, 1);
  EXPECT_EQ(totals.known, 1);
  EXPECT_EQ(totals.absent, 1);
  EXPECT_EQ(totals.executions, 2000);
  EXPECT_EQ(totals.checked, 1500 + 5 + 62);
  report.findings[0].known = "explained";
  EXPECT_EQ(verdict_of(report), "nothing new");
  EXPECT_EQ(exit_status(report), 0);
  report.interrupted = true;
  EXPECT_EQ(exit_status(report), 3);
  report.interrupted = false;
  report.failures.push_back("no space left");
  EXPECT_EQ(exit_status(report), 3);
}

TEST(Findings, of_one_fingerprint_are_one_and_red_ones_come_first) {
  CampaignReport report = example_report();
  std::vector<CampaignFinding> findings = report.findings;
  CampaignFinding again = findings[0];
  again.by = {"fuzz_kernel"};
  again.operation = "another";
  std::ranges::reverse(findings);
  findings.push_back(again);
  tidy_findings(findings, {"demo"});
  ASSERT_EQ(findings.size(), 3U);
  EXPECT_EQ(findings[0].fingerprint, "00000000000000aa");
  EXPECT_EQ(findings[0].operation, report.findings[0].operation);
  EXPECT_EQ(findings[0].by, (std::vector<std::string>{"prove", "fuzz_lower", "fuzz_kernel"}));
  EXPECT_EQ(findings[2].state, FindingState::absent);
}

// Every key that is printed is described, every required one is printed, and the types agree.
void check_schema(const Json& value, const Json& schema, const Json& root,
                  const std::string& place) {
  if (schema.contains("$ref")) {
    const std::string name = schema["$ref"].get<std::string>().substr(8);  // #/$defs/
    return check_schema(value, root["$defs"][name], root, place);
  }
  const std::string type = schema.at("type");
  if (type == "object") {
    ASSERT_TRUE(value.is_object()) << place;
    for (const auto& key : schema.value("required", Json::array())) {
      EXPECT_TRUE(value.contains(key.get<std::string>())) << place << " lacks " << key;
    }
    for (const auto& [key, part] : value.items()) {
      if (schema.contains("properties") && schema["properties"].contains(key)) {
        check_schema(part, schema["properties"][key], root, place + "." + key);
      } else {
        ASSERT_TRUE(schema.contains("additionalProperties") &&
                    schema["additionalProperties"].is_object())
            << place << "." << key << " is not described";
        check_schema(part, schema["additionalProperties"], root, place + "." + key);
      }
    }
  } else if (type == "array") {
    ASSERT_TRUE(value.is_array()) << place;
    for (const Json& part : value) check_schema(part, schema.at("items"), root, place + "[]");
  } else if (type == "integer") {
    EXPECT_TRUE(value.is_number_integer()) << place;
  } else if (type == "number") {
    EXPECT_TRUE(value.is_number()) << place;
  } else if (type == "boolean") {
    EXPECT_TRUE(value.is_boolean()) << place;
  } else {
    EXPECT_TRUE(value.is_string()) << place;
    if (schema.contains("enum")) {
      EXPECT_NE(std::find(schema["enum"].begin(), schema["enum"].end(), value),
                schema["enum"].end())
          << place << " = " << value;
    }
  }
}

TEST(ReportJson, is_what_its_schema_describes) {
  std::ifstream file(CONVPROOF_SOURCE_DIR "/ci/campaign_run/report.schema.json");
  const Json schema = Json::parse(std::string{std::istreambuf_iterator<char>(file), {}});
  const Json report = Json::parse(report_to_json(example_report()));
  check_schema(report, schema, schema, "report");
  EXPECT_EQ(report["version"], 1);
  EXPECT_EQ(report["status"], 1);
  EXPECT_EQ(report["findings"][0]["state"], "new");
}

TEST(ReportJson, differs_between_two_machines_in_its_timings_only) {
  CampaignReport slow = example_report();
  slow.timings = {.started = "2031-01-01T00:00:00Z", .seconds = 900, .workers = 64};
  Json first = Json::parse(report_to_json(example_report()));
  Json second = Json::parse(report_to_json(slow));
  EXPECT_NE(first, second);
  first.erase("timings");
  second.erase("timings");
  EXPECT_EQ(first, second);
}

TEST(ReportSarif, has_fingerprints_states_places_and_suppressions) {
  const Json sarif = Json::parse(report_to_sarif(example_report()));
  EXPECT_EQ(sarif["version"], "2.1.0");
  const Json& run = sarif["runs"][0];
  EXPECT_EQ(run["tool"]["driver"]["name"], "convproof");
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], true);
  EXPECT_EQ(run["invocations"][0]["exitCode"], 1);
  std::set<std::string> rules;
  for (const Json& rule : run["tool"]["driver"]["rules"]) {
    EXPECT_TRUE(rules.insert(rule["id"]).second) << rule["id"];
  }
  ASSERT_EQ(run["results"].size(), 3U);
  for (const Json& result : run["results"]) {
    EXPECT_TRUE(rules.contains(result["ruleId"])) << result["ruleId"];
    EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()]["id"],
              result["ruleId"]);
    EXPECT_FALSE(result["message"]["text"].get<std::string>().empty());
    EXPECT_EQ(result["partialFingerprints"].size(), 1U);
  }
  const Json& fresh = run["results"][0];
  EXPECT_EQ(fresh["level"], "error");
  EXPECT_EQ(fresh["baselineState"], "new");
  EXPECT_FALSE(fresh.contains("suppressions"));
  const Json& place = fresh["locations"][0]["physicalLocation"];
  EXPECT_EQ(place["artifactLocation"]["uri"], "tables/demo.json");
  EXPECT_EQ(place["region"]["startLine"], 11);
  const Json& known = run["results"][1];
  EXPECT_EQ(known["level"], "note");
  EXPECT_EQ(known["baselineState"], "unchanged");
  EXPECT_EQ(known["suppressions"][0]["justification"], "kept on purpose");
  EXPECT_EQ(run["results"][2]["baselineState"], "absent");
}

TEST(ReportJunit, counts_what_it_lists_and_escapes_names) {
  CampaignReport report = example_report();
  report.failures.push_back("a \x01 control & <tag>");
  const std::string xml = report_to_junit(report);
  EXPECT_EQ(count(xml, "<testcase "), count(xml, "</testcase>"));
  EXPECT_EQ(count(xml, "<failure "), 1U);
  EXPECT_EQ(count(xml, "<skipped "), 2U);
  EXPECT_EQ(count(xml, "<error "), 1U);
  EXPECT_NE(
      xml.find("<testsuite name=\"demo\" tests=\"4\" failures=\"1\" errors=\"0\" skipped=\"1\">"),
      std::string::npos)
      << xml;
  EXPECT_NE(
      xml.find(
          "<testsuite name=\"campaign\" tests=\"3\" failures=\"0\" errors=\"1\" skipped=\"1\">"),
      std::string::npos)
      << xml;
  EXPECT_EQ(xml.find("<script"), std::string::npos);
  EXPECT_EQ(xml.find('\x01'), std::string::npos);
}

TEST(ReportMarkdown, shows_the_new_findings_and_keeps_their_text_as_code) {
  const std::string text = report_to_markdown(example_report());
  EXPECT_TRUE(text.starts_with("## convproof: 1 new finding\n"));
  EXPECT_NE(text.find("Replay: `build/release/bin/convproof replay 'a b.json' --registry demo`"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("`` 2 of 4 elements differ, first n=0 o=0 y=1 x=0; | `tick` ``"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("### `demo/shadowed"), std::string::npos) << "known findings are not listed";
}

TEST(ReportHtml, is_one_page_without_network) {
  const std::string page = report_to_html(example_report());
  EXPECT_TRUE(page.starts_with("<!DOCTYPE html>"));
  for (const char* outside : {"http://", "https://", " src=", "@import", "url("}) {
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  }
  EXPECT_EQ(count(page, "<script"), 1U) << "names of inputs are text";
  EXPECT_NE(page.find("&lt;script&gt;alert(1)&lt;/script&gt;"), std::string::npos);
  EXPECT_NE(page.find("<meta name=\"viewport\""), std::string::npos);
  EXPECT_NE(page.find("<b>2,000</b> executions"), std::string::npos);
  EXPECT_NE(page.find("id=\"verdict\" class=\"bad\" data-status=\"1\">1 new finding</h1>"),
            std::string::npos);
  EXPECT_NE(page.find("First differing element: <code>n=0 o=0 y=1 x=0</code>"), std::string::npos);
  EXPECT_EQ(count(page, "<svg class=\"matrix\""), 2U) << "one for each table";
  EXPECT_NE(page.find("<polyline class=\"line"), std::string::npos);
  EXPECT_NE(page.find("more than the limit"), std::string::npos);
  for (const char* tag : {"section", "details", "table", "div", "svg", "g", "article", "figure"}) {
    EXPECT_EQ(count(page, std::string("<") + tag + ">") + count(page, std::string("<") + tag + " "),
              count(page, std::string("</") + tag + ">"))
        << tag;
  }
}

TEST(ReportHtml, shows_the_lists_of_a_table_of_candidates_and_what_their_clauses_saw) {
  const std::string page = report_to_html(example_report());
  EXPECT_NE(page.find("<a href=\"#table-calls\">calls</a><br><span class=\"soft\">2 rows, "
                      "candidates</span>"),
            std::string::npos);
  EXPECT_NE(page.find("<section id=\"table-calls\">"), std::string::npos);
  EXPECT_NE(page.find("<th colspan=\"4\">rewrites</th>"), std::string::npos);
  EXPECT_NE(page.find("<td class=\"n\">r1</td><td>widen<br><span class=\"soft\">add_axis</span>"),
            std::string::npos);
  EXPECT_NE(page.find("<td class=\"n\">1</td><td>direct<br><span "
                      "class=\"soft\">direct_kernel</span></td><td class=\"n\">44"),
            std::string::npos);
  EXPECT_NE(page.find("<code>C &gt; 0</code><br><span class=\"soft\">held 45, failed 1</span>"),
            std::string::npos);
  EXPECT_NE(page.find("rows by number, rewrites with an r."), std::string::npos);
}

TEST(ReportHtml, differs_between_two_machines_between_its_timing_marks_only) {
  CampaignReport slow = example_report();
  slow.timings = {.started = "2031-01-01T00:00:00Z", .seconds = 900, .workers = 64};
  const auto without_timings = [](std::string page) {
    const std::size_t from = page.find("<!-- timings -->");
    const std::size_t to = page.find("<!-- end of timings -->");
    EXPECT_NE(to, std::string::npos);
    return page.erase(from, to - from);
  };
  EXPECT_NE(report_to_html(example_report()), report_to_html(slow));
  EXPECT_EQ(without_timings(report_to_html(example_report())),
            without_timings(report_to_html(slow)));
}

TEST(Escaped, leaves_no_markup_and_no_broken_utf8) {
  EXPECT_EQ(escaped("<a href=\"x\">'&'"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;");
  EXPECT_EQ(escaped("gr\xc3\xb6\xc3\x9f"), "gr\xc3\xb6\xc3\x9f");
  EXPECT_EQ(escaped("\xc3"), "?");
  EXPECT_EQ(escaped("\xff<\x1b"), "?&lt;?");
  EXPECT_EQ(escaped(std::string_view("\0", 1)), "?");
  EXPECT_EQ(escaped("\xed\xa0\x80"), "???") << "a surrogate";
}

}  // namespace
}  // namespace convproof::campaign
