#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ci/prove_report.h"

namespace convproof::ci {
namespace {

using proofs::Finding;
using proofs::FindingKind;
using proofs::FindingStatus;
using proofs::ProofReport;

std::string painted(std::string_view text, std::string_view code, bool colour) {
  return colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

std::string head_of(const Finding& finding, bool colour) {
  const bool wrong = info(finding.kind).wrong || finding.status == FindingStatus::unknown;
  std::string head = painted(info(finding.kind).name,
                             finding.known ? "2"
                             : wrong       ? "31"
                                           : "36",
                             colour);
  if (!finding.other.empty()) head += fmt::format(" with {}", finding.other);
  if (!finding.clause.empty()) head += fmt::format(" {}", finding.clause);
  if (!finding.clause_text.empty()) head += fmt::format(" `{}`", finding.clause_text);
  if (finding.status == FindingStatus::unknown) head += ": UNDECIDED";
  if (finding.internal) head += ": INTERNAL FAILURE";
  if (finding.status == FindingStatus::witness && info(finding.kind).wrong) {
    head += fmt::format(": {}", name_of(finding.effect));
  }
  if (finding.known) head += "  (known)";
  return head;
}

// Everything about a finding that counts; information stays on two lines.
std::string lines_of(const Finding& finding, const ProofReport& report, std::string_view folder,
                     bool colour) {
  std::string text = fmt::format("  {}\n", head_of(finding, colour));
  const auto line = [&](std::string_view words) { text += fmt::format("      {}\n", words); };
  const bool brief =
      !info(finding.kind).wrong && finding.status == FindingStatus::witness && !finding.internal;
  if (finding.witness && finding.by.empty()) line(report.subject->text(*finding.witness));
  if (brief) {
    if (!finding.detail.empty()) line(finding.detail);
    return text;
  }
  if (!finding.detail.empty()) line(finding.detail);
  for (const proofs::Blocker& blocker : finding.by) {
    line(fmt::format(
        "{} covers {:.0f} % of it{}", blocker.row, 100 * blocker.share,
        blocker.witness ? ", for example " + report.subject->text(*blocker.witness) : ""));
  }
  if (finding.revival) {
    line(fmt::format("before {} it would take {:.0f} % of what it matches, from {}",
                     finding.revival->before, 100 * finding.revival->share,
                     fmt::join(finding.revival->from, ", ")));
  }
  if (finding.known) line(fmt::format("known: {}", *finding.known));
  if (!folder.empty() && finding.witness) {
    line(fmt::format("replay: convproof check {}/{} --registry {}", folder,
                     witness_file(finding.signature), report.registry));
  }
  return text;
}

std::string row_head(const ProofReport& report, const Finding& finding) {
  const auto account = std::ranges::find(report.rows, finding.row, &proofs::RowAccount::row);
  std::string state;
  if (account != report.rows.end()) {
    state = account->state;
    if (account->witness) {
      state += fmt::format(": {} ({})", report.subject->text(*account->witness),
                           name_of(account->effect));
    }
  }
  return fmt::format("\nrow {} {} -> {}\n  {}:{}  {}\n", finding.row_number, finding.row,
                     finding.kernel, report.file, finding.line, state);
}

std::string summary_of(const ProofReport& report) {
  std::size_t counted = 0;
  std::size_t known = 0;
  std::size_t notes = 0;
  for (const Finding& finding : report.findings) {
    const bool wrong = info(finding.kind).wrong || finding.status == FindingStatus::unknown;
    if (finding.known) {
      ++known;
    } else if (wrong) {
      ++counted;
    } else {
      ++notes;
    }
  }
  return fmt::format(
      "{}: {} proved, {} with a witness, {} undecided; "
      "findings: {} new, {} known, {} notes\n"
      "bounds: {}; seed {}, {} sampled {}\n",
      report.registry, report.proved, report.witness, report.unknown, counted, known, notes,
      report.bounds, report.seed, report.samples, report.subject->noun());
}

std::string destination_text(const proofs::Destination& destination) {
  switch (destination.what) {
    case proofs::Destination::What::row:
      return fmt::format("{} ({})", destination.row, destination.kernel);
    case proofs::Destination::What::raises:
      return fmt::format("{} raises", destination.row);
    case proofs::Destination::What::none:
      break;
  }
  return "no row";
}

}  // namespace

std::string witness_file(std::string_view signature) {
  std::string name;
  for (const char c : signature) {
    const bool kept =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    if (kept) {
      name.push_back(c);
    } else if (!name.empty() && name.back() != '-') {
      name.push_back('-');
    }
  }
  // Clauses may be long, or differ in signs only: a number keeps their files apart.
  std::uint32_t hash = 2166136261U;
  for (const char c : signature) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  constexpr std::size_t longest = 80;
  if (name.size() > longest) name.resize(longest);
  return fmt::format("{}-{:08x}.json", name, hash);
}

std::string prove_to_text(const ProofReport& report, std::string_view save_folder, bool colour) {
  std::string text;
  std::string row = "\n";
  for (const Finding& finding : report.findings) {
    if (finding.row != row) {
      row = finding.row;
      text += row.empty() ? "\ntable\n" : row_head(report, finding);
    }
    if (finding.row.empty() && !finding.kernel.empty()) {
      text +=
          fmt::format("  {}: contract holds, and no row of it matches\n      {}\n", finding.kernel,
                      finding.witness ? report.subject->text(*finding.witness) : finding.detail);
      continue;
    }
    text += lines_of(finding, report, save_folder, colour);
  }
  for (const std::string& signature : report.vanished) {
    text += fmt::format("\n{}: the ledger knows {}, which no longer occurs\n",
                        painted("vanished", "31", colour), signature);
  }
  if (report.interrupted) text += "\ninterrupted: not every obligation was looked at\n";
  return fmt::format("{}{}{}", text, text.empty() ? "" : "\n", summary_of(report));
}

std::string prove_to_markdown(std::span<const ProofReport> reports) {
  std::string text;
  for (const ProofReport& report : reports) {
    text +=
        fmt::format("### {}\n\n{} proved, {} with a witness, {} undecided. Bounds: {}.\n\n",
                    report.registry, report.proved, report.witness, report.unknown, report.bounds);
    text += "| row | finding | effect | witness |\n|---|---|---|---|\n";
    for (const Finding& finding : report.findings) {
      if (!info(finding.kind).wrong && finding.status != FindingStatus::unknown) continue;
      std::string what =
          fmt::format("{}{}", info(finding.kind).name, finding.known ? " (known)" : "");
      if (finding.status == FindingStatus::unknown) what += " (undecided)";
      if (!finding.clause_text.empty()) what += fmt::format(" `{}`", finding.clause_text);
      if (!finding.by.empty()) what += fmt::format(": {}", finding.detail);
      std::ranges::replace(what, '|', '/');
      text += fmt::format(
          "| {} | {} | {} | {} |\n", finding.row, what,
          finding.status == FindingStatus::witness ? name_of(finding.effect) : "",
          finding.witness ? fmt::format("`{}`", report.subject->text(*finding.witness)) : "");
    }
    for (const std::string& signature : report.vanished) {
      text += fmt::format("\nThe ledger knows `{}`, which no longer occurs.\n", signature);
    }
    text += "\n";
  }
  return text;
}

std::string diff_to_text(const proofs::DiffReport& report) {
  std::string text;
  for (const proofs::Change& change : report.changes) {
    text += fmt::format("{} -> {}\n", destination_text(change.from), destination_text(change.to));
    if (change.status == FindingStatus::unknown) {
      text += fmt::format("  UNDECIDED: {}\n", change.detail);
      continue;
    }
    if (!change.detail.empty()) text += fmt::format("  {}\n", change.detail);
    if (change.witness) text += fmt::format("  {}\n", report.subject->text(*change.witness));
    text +=
        fmt::format("  {:.2f} % of the sampled {}\n", 100 * change.share, report.subject->noun());
  }
  if (report.interrupted) text += "interrupted: not every change was looked for\n";
  if (report.changes.empty() && !report.interrupted) {
    text +=
        fmt::format("no change: proved to select alike for all well-formed {} within the bounds\n",
                    report.subject->noun());
  }
  text += fmt::format(
      "{} -> {}: {} changes, {} proved absent\nbounds: {}; "
      "seed {}, {} sampled\n",
      report.old_registry, report.new_registry, report.changes.size(), report.proved, report.bounds,
      report.seed, report.samples);
  return text;
}

}  // namespace convproof::ci
