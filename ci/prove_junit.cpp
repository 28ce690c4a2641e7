#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "ci/prove_report.h"

namespace convproof::ci {
namespace {

using proofs::Finding;
using proofs::FindingStatus;
using proofs::ProofReport;

std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      default:
        // Control characters have no place in XML 1.0.
        result += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? '?' : c;
    }
  }
  return result;
}

struct Suite {
  std::string cases{};
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
};

void add(Suite& suite, const ProofReport& report, const Finding& finding) {
  ++suite.tests;
  const std::string words = fmt::format("{}{}{}", finding.clause_text,
                                        finding.detail.empty() ? "" : "; ", finding.detail);
  const std::string witness =
      finding.witness ? report.subject->text(*finding.witness) : std::string();
  std::string outcome;
  if (finding.internal || finding.status == FindingStatus::unknown) {
    ++suite.errors;
    outcome = fmt::format("<error message=\"{}\">{}</error>", escaped(words), escaped(witness));
  } else if (finding.known) {
    ++suite.skipped;
    outcome = fmt::format("<skipped message=\"{}\"/>", escaped(*finding.known));
  } else {
    ++suite.failures;
    outcome = fmt::format("<failure message=\"{}\">{}</failure>", escaped(words), escaped(witness));
  }
  suite.cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\">{}</testcase>\n",
                             escaped(report.registry + "." + finding.row),
                             escaped(finding.signature), outcome);
}

}  // namespace

std::string prove_to_junit(std::span<const ProofReport> reports) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const ProofReport& report : reports) {
    Suite suite;
    for (const proofs::RowAccount& account : report.rows) {
      if (account.state != "live") continue;
      ++suite.tests;
      suite.cases += fmt::format("    <testcase classname=\"{}\" name=\"live\"/>\n",
                                 escaped(report.registry + "." + account.row));
    }
    for (const Finding& finding : report.findings) {
      const bool counts =
          info(finding.kind).wrong || finding.internal || finding.status == FindingStatus::unknown;
      if (counts) add(suite, report, finding);
    }
    for (const std::string& signature : report.vanished) {
      ++suite.tests;
      ++suite.failures;
      suite.cases += fmt::format(
          "    <testcase classname=\"{}\" name=\"{}\"><failure "
          "message=\"known, and no longer "
          "occurs\"/></testcase>\n",
          escaped(report.registry), escaped(signature));
    }
    text += fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" "
        "errors=\"{}\" skipped=\"{}\">\n{}"
        "  </testsuite>\n",
        escaped(report.registry), suite.tests, suite.failures, suite.errors, suite.skipped,
        suite.cases);
  }
  return fmt::format("{}</testsuites>\n", text);
}

}  // namespace convproof::ci
