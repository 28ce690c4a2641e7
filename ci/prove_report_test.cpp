// The printers of proof reports as the tools that read them see them.
#include "ci/prove_report.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "props/proofs/prove_table.h"
#include "selector/registry/registry.h"

namespace convproof::ci {
namespace {

using Json = nlohmann::json;
using proofs::Finding;
using proofs::FindingKind;
using proofs::ProofReport;

// The documented table with a ledger's mark on one finding, and an entry that no longer occurs.
ProofReport proved() {
  static const ProofReport report = [] {
    ProofReport made = *proofs::prove_table(*find_registry("neuron"));
    const auto unsound = std::ranges::find(made.findings, FindingKind::unsound, &Finding::kind);
    unsound->known = "as documented, <&\">";
    made.vanished.push_back("neuron/unsound/gone/\"<&>");
    return made;
  }();
  return report;
}

// What a parser for XML would refuse, and the elements it would hand out: name, attributes.
struct Element {
  std::string name{};
  std::map<std::string, std::string> attributes{};
  std::vector<Element> children{};
};

class Xml {
 public:
  explicit Xml(std::string text) : text_(std::move(text)), rest_(text_) {}

  // The root; `fault` says where the text is no XML.
  Element document() {
    if (rest_.starts_with("<?xml ")) skip_to("?>");
    text();
    Element root = element();
    text();
    if (!rest_.empty() && fault.empty()) fail("text after the root");
    return root;
  }

  std::string fault{};

 private:
  void fail(std::string_view what) {
    if (fault.empty()) fault = std::string(what) + " before: " + std::string(rest_.substr(0, 60));
    rest_ = {};
  }
  void skip_to(std::string_view end) {
    const std::size_t at = rest_.find(end);
    if (at == std::string_view::npos) return fail("unclosed");
    rest_.remove_prefix(at + end.size());
  }
  std::string name() {
    std::size_t length = 0;
    while (length < rest_.size() && std::isalnum(static_cast<unsigned char>(rest_[length])) != 0) {
      ++length;
    }
    if (length == 0) fail("no name");
    std::string found(rest_.substr(0, length));
    rest_.remove_prefix(length);
    return found;
  }
  // Character data up to a bracket or a quote.
  std::string text(std::string_view end = "<") {
    std::string read;
    while (!rest_.empty() && end.find(rest_[0]) == std::string_view::npos) {
      if (rest_[0] == '&') {
        static constexpr std::array<std::pair<std::string_view, char>, 5> entities{
            {{"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&apos;", '\''}}};
        const auto entity = std::ranges::find_if(
            entities, [&](const auto& known) { return rest_.starts_with(known.first); });
        if (entity == entities.end()) {
          fail("bare ampersand");
          return read;
        }
        read += entity->second;
        rest_.remove_prefix(entity->first.size());
        continue;
      }
      if (rest_[0] == '<') {
        fail("bracket in a value");
        return read;
      }
      read += rest_[0];
      rest_.remove_prefix(1);
    }
    return read;
  }
  void blanks() {
    while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_[0])) != 0) {
      rest_.remove_prefix(1);
    }
  }
  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  Element element() {
    Element made;
    if (!take("<")) fail("no element");
    made.name = name();
    blanks();
    while (fault.empty() && !rest_.starts_with(">") && !rest_.starts_with("/>")) {
      const std::string key = name();
      if (!take("=\"")) fail("no value");
      if (!made.attributes.emplace(key, text("\"<")).second) fail("attribute twice");
      if (!take("\"")) fail("unclosed value");
      blanks();
    }
    if (take("/>")) return made;
    if (!take(">")) fail("unclosed tag");
    text();
    while (fault.empty() && !rest_.starts_with("</")) {
      made.children.push_back(element());
      text();
    }
    if (!take("</" + made.name + ">")) fail("wrong end of " + made.name);
    return made;
  }

  std::string text_;
  std::string_view rest_;
};

TEST(ProveSarif, has_the_version_and_the_schema_of_the_standard) {
  const Json sarif = Json::parse(prove_to_sarif(std::array{proved()}));
  EXPECT_EQ(sarif["version"], "2.1.0");
  EXPECT_EQ(sarif["$schema"], "https://json.schemastore.org/sarif-2.1.0.json");
  ASSERT_EQ(sarif["runs"].size(), 1U);
  EXPECT_EQ(sarif["runs"][0]["tool"]["driver"]["name"], "convproof");
}

TEST(ProveSarif, every_result_names_a_rule_of_the_driver_by_id_and_index) {
  const Json sarif = Json::parse(prove_to_sarif(std::array{proved()}));
  const Json& run = sarif["runs"][0];
  const Json& rules = run["tool"]["driver"]["rules"];
  std::set<std::string> ids;
  for (const Json& rule : rules) {
    EXPECT_TRUE(ids.insert(rule["id"].get<std::string>()).second) << rule["id"];
    EXPECT_FALSE(rule["shortDescription"]["text"].get<std::string>().empty());
  }
  ASSERT_EQ(run["results"].size(), proved().findings.size());
  static const std::set<std::string> levels{"none", "note", "warning", "error"};
  for (const Json& result : run["results"]) {
    ASSERT_LT(result["ruleIndex"].get<std::size_t>(), rules.size());
    EXPECT_EQ(rules[result["ruleIndex"].get<std::size_t>()]["id"], result["ruleId"]);
    EXPECT_TRUE(levels.contains(result["level"].get<std::string>()));
    EXPECT_FALSE(result["message"]["text"].get<std::string>().empty());
  }
}

TEST(ProveSarif, every_result_stands_at_its_rows_line_of_the_tables_file) {
  const Json sarif = Json::parse(prove_to_sarif(std::array{proved()}));
  const Registry registry = *find_registry("neuron");
  const ProofReport report = proved();
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    const Json& result = sarif["runs"][0]["results"][i];
    ASSERT_EQ(result["locations"].size(), 1U);
    const Json& physical = result["locations"][0]["physicalLocation"];
    EXPECT_EQ(physical["artifactLocation"]["uri"], "selector/registries/neuron.json");
    const Row* const row = registry.find_row(report.findings[i].row);
    EXPECT_EQ(physical["region"]["startLine"], row == nullptr ? 1 : row->line);
  }
}

TEST(ProveSarif, fingerprints_are_the_same_in_another_run_and_differ_between_findings) {
  const auto fingerprints = [](const ProofReport& report) {
    std::vector<std::string> found;
    const Json sarif = Json::parse(prove_to_sarif(std::array{report}));
    for (const Json& result : sarif["runs"][0]["results"]) {
      found.push_back(result["partialFingerprints"]["convproof/v1"].get<std::string>());
    }
    return found;
  };
  // Another seed: other samples, other witnesses.
  proofs::ProveOptions options;
  options.prover.seed = 2;
  const auto first = fingerprints(proved());
  const auto second = fingerprints(*proofs::prove_table(*find_registry("neuron"), options));
  EXPECT_EQ(first, second);
  EXPECT_EQ(std::set<std::string>(first.begin(), first.end()).size(), first.size());
}

TEST(ProveSarif, what_a_ledger_knows_is_a_suppressed_note) {
  const Json sarif = Json::parse(prove_to_sarif(std::array{proved()}));
  std::size_t suppressed = 0;
  for (const Json& result : sarif["runs"][0]["results"]) {
    if (!result.contains("suppressions")) continue;
    ++suppressed;
    EXPECT_EQ(result["level"], "note");
    EXPECT_EQ(result["suppressions"][0]["kind"], "external");
    EXPECT_EQ(result["suppressions"][0]["justification"], "as documented, <&\">");
  }
  EXPECT_EQ(suppressed, 1U);
}

TEST(ProveJunit, is_well_formed_and_its_counts_are_those_of_its_cases) {
  Xml xml(prove_to_junit(std::array{proved(), proved()}));
  const Element root = xml.document();
  ASSERT_EQ(xml.fault, "");
  EXPECT_EQ(root.name, "testsuites");
  ASSERT_EQ(root.children.size(), 2U);
  for (const Element& suite : root.children) {
    EXPECT_EQ(suite.name, "testsuite");
    EXPECT_EQ(suite.attributes.at("name"), "neuron");
    std::map<std::string, std::size_t> counts;
    for (const Element& test : suite.children) {
      EXPECT_EQ(test.name, "testcase");
      EXPECT_FALSE(test.attributes.at("name").empty());
      EXPECT_FALSE(test.attributes.at("classname").empty());
      for (const Element& outcome : test.children) ++counts[outcome.name];
    }
    const auto count = [&](const char* key) { return suite.attributes.at(key); };
    EXPECT_EQ(count("tests"), std::to_string(suite.children.size()));
    EXPECT_EQ(count("failures"), std::to_string(counts["failure"]));
    EXPECT_EQ(count("errors"), std::to_string(counts["error"]));
    EXPECT_EQ(count("skipped"), std::to_string(counts["skipped"]));
    EXPECT_EQ(counts["skipped"], 1U);
  }
}

TEST(ProveJunit, fails_for_each_wrong_finding_that_no_ledger_knows_and_each_vanished_entry) {
  const ProofReport report = proved();
  const auto wrong = std::ranges::count_if(report.findings, [](const Finding& finding) {
    return proofs::info(finding.kind).wrong && !finding.known;
  });
  Xml xml(prove_to_junit(std::array{report}));
  const Element root = xml.document();
  ASSERT_EQ(xml.fault, "");
  EXPECT_EQ(root.children[0].attributes.at("failures"), std::to_string(wrong + 1));
  EXPECT_EQ(root.children[0].children.back().attributes.at("name"), report.vanished.front());
}

TEST(ProveJunit, the_checker_of_this_test_refuses_what_is_no_xml) {
  for (const char* text :
       {"<a>", "<a></b>", "<a b=\"1\" b=\"2\"/>", "<a>&</a>", "<a b=\"<\"/>", "<a/><b/>"}) {
    Xml xml(text);
    static_cast<void>(xml.document());
    EXPECT_NE(xml.fault, "") << text;
  }
}

TEST(ProveJson, has_the_documented_keys_and_counts) {
  const ProofReport report = proved();
  const Json json = Json::parse(prove_to_json(std::array{report}));
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["registry"], "neuron");
  EXPECT_EQ(json["bounds"], report.bounds);
  EXPECT_EQ(json["summary"]["proved"], report.proved);
  EXPECT_EQ(json["summary"]["witness"], report.witness);
  EXPECT_EQ(json["summary"]["unknown"], 0);
  EXPECT_EQ(json["summary"]["known"], 1);
  const auto fresh = std::ranges::count_if(report.findings, [](const Finding& finding) {
    return proofs::info(finding.kind).wrong && !finding.known;
  });
  EXPECT_EQ(json["summary"]["new"], fresh);
  ASSERT_EQ(json["findings"].size(), report.findings.size());
  for (const Json& finding : json["findings"]) {
    for (const char* key : {"kind", "row", "status", "signature"}) {
      EXPECT_TRUE(finding[key].is_string()) << key;
    }
    EXPECT_TRUE(finding["status"] != "witness" || finding["witness"].is_object());
    EXPECT_TRUE(finding["kind"] != "shadowed" || !finding["by"].empty());
    EXPECT_TRUE(finding["kind"] != "overlap" || finding["other"].is_string());
    if (finding["kind"] == "unsound") {
      EXPECT_TRUE(finding["clause"].is_string());
      EXPECT_TRUE(finding["effect"].is_string());
    }
  }
  EXPECT_EQ(json["vanished"], Json(report.vanished));
}

TEST(ProveJson, several_reports_are_a_list) {
  const Json json = Json::parse(prove_to_json(std::array{proved(), proved()}));
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["reports"].size(), 2U);
}

TEST(ProveMarkdown, has_one_table_row_of_four_cells_for_each_wrong_finding) {
  const ProofReport report = proved();
  const std::string text = prove_to_markdown(std::array{report});
  EXPECT_TRUE(text.starts_with("### neuron\n"));
  std::size_t rows = 0;
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    const std::string line = text.substr(at, text.find('\n', at) - at);
    if (!line.starts_with("|")) continue;
    ++rows;
    EXPECT_EQ(std::ranges::count(line, '|'), 5) << line;
  }
  const auto wrong = std::ranges::count_if(
      report.findings, [](const Finding& finding) { return proofs::info(finding.kind).wrong; });
  EXPECT_EQ(rows, static_cast<std::size_t>(wrong) + 2);  // and the table's head
  EXPECT_NE(text.find(report.vanished.front()), std::string::npos);
}

TEST(ProveText, has_each_row_with_a_finding_once) {
  const ProofReport report = proved();
  const std::string text = prove_to_text(report, "", false);
  std::set<std::string> rows;
  for (const Finding& finding : report.findings) {
    if (!finding.row.empty()) rows.insert(finding.row);
  }
  for (const std::string& row : rows) {
    const std::string head = " " + row + " -> ";
    const std::size_t at = text.find(head);
    ASSERT_NE(at, std::string::npos) << row;
    EXPECT_EQ(text.find(head, at + 1), std::string::npos) << row;
  }
}

TEST(WitnessFile, keeps_signatures_apart) {
  EXPECT_NE(witness_file("t/unsound/a/b <= 1"), witness_file("t/unsound/a/b >= 1"));
  EXPECT_EQ(witness_file("t/unsound/a/../../etc").find('/'), std::string::npos);
}

}  // namespace
}  // namespace convproof::ci
