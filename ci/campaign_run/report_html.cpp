#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ci/campaign_run/html_plots.h"
#include "ci/campaign_run/html_style.h"
#include "ci/campaign_run/printers.h"

namespace convproof::campaign {
namespace {

// The only script. The page's policy names its hash: nothing else runs, whatever an input is
// called.
constexpr std::string_view copy_script =
    R"js(for(const b of document.querySelectorAll("button.copy")){b.hidden=false;b.addEventListener("click",()=>{navigator.clipboard.writeText(b.previousElementSibling.textContent).then(()=>{b.textContent="copied"})})}document.documentElement.dataset.ready="yes")js";
constexpr std::string_view copy_script_hash = "sha256-l2L80KeZNfiKXHNj9GWE83t2dlEo1qNao7ZwUCtNWQw=";

// `22,363,391`
std::string grouped(std::int64_t count) {
  std::string text = fmt::to_string(count);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

std::string figure(std::int64_t count, std::string_view what) {
  return fmt::format("<li><b>{}</b> {}</li>", grouped(count), what);
}

std::string header(const CampaignReport& report) {
  const Totals totals = totals_of(report);
  const int status = exit_status(report);
  return fmt::format(
      "<header>\n<h1 id=\"verdict\" class=\"{}\" data-status=\"{}\">{}</h1>\n"
      "<ul class=\"figures\">{}{}{}{}{}</ul>\n"
      "<p class=\"soft\">convproof {}, seed {}, {}</p>\n{}</header>\n",
      status == 0   ? "good"
      : status == 1 ? "bad"
                    : "failed",
      status, escaped(verdict_of(report)), figure(totals.red, "new"), figure(totals.known, "known"),
      figure(totals.absent, "absent"), figure(totals.executions, "executions"),
      figure(totals.checked, "convolutions checked"), escaped(report.tool_version), report.seed,
      escaped(report.budget),
      report.interrupted ? "<p>Stopped early: what stands here was finished before.</p>\n" : "");
}

std::string_view tag_class(FindingState state, bool red) {
  if (red) return "bad";
  return state == FindingState::absent ? "good" : "warn";
}

std::string finding_card(const CampaignFinding& finding) {
  std::string text = fmt::format(
      "<article class=\"card\" id=\"f-{}\">\n<h3>{} <span class=\"tag {}\">{}</span></h3>\n",
      escaped(finding.fingerprint), escaped(finding.signature),
      tag_class(finding.state, finding.red()), name_of(finding.state));
  if (!finding.operation.empty())
    text += fmt::format("<pre>{}</pre>\n", escaped(finding.operation));
  if (!finding.reason.empty()) text += fmt::format("<p>{}</p>\n", escaped(finding.reason));
  if (!finding.first_difference.empty()) {
    text += fmt::format("<p>First differing element: <code>{}</code></p>\n",
                        escaped(finding.first_difference));
  }
  if (!finding.known.empty()) {
    text += fmt::format("<p class=\"soft\">Ledger: {}</p>\n", escaped(finding.known));
  }
  if (!finding.replay.empty()) {
    text += fmt::format(
        "<pre class=\"replay\">{}</pre><button class=\"copy\" type=\"button\" "
        "hidden>copy</button>\n",
        escaped(finding.replay));
  }
  const std::string place =
      finding.file.empty() ? "" : fmt::format("{}:{}, ", finding.file, finding.line);
  text += fmt::format("<p class=\"soft\">{}found by {}, fingerprint {}</p>\n</article>\n",
                      escaped(place), escaped(fmt::format("{}", fmt::join(finding.by, ", "))),
                      escaped(finding.fingerprint));
  return text;
}

std::string findings(const CampaignReport& report) {
  std::string red;
  std::string absent;
  std::map<std::string, std::pair<std::size_t, std::string>> known;  // by table
  for (const CampaignFinding& finding : report.findings) {
    if (finding.red()) {
      red += finding_card(finding);
    } else if (finding.state == FindingState::absent) {
      absent += finding_card(finding);
    } else {
      auto& [count, cards] = known[finding.table];
      ++count;
      cards += finding_card(finding);
    }
  }
  std::string text = "<section id=\"findings\">\n<h2>Findings</h2>\n";
  text += red.empty() ? std::string("<p>Nothing that the ledgers do not know.</p>\n") : red;
  for (const auto& [table, entry] : known) {
    text += fmt::format("<details><summary>{} known in {}</summary>\n{}</details>\n", entry.first,
                        escaped(table.empty() ? "the readers of text" : table), entry.second);
  }
  if (!absent.empty()) {
    text += fmt::format("<details><summary>gone since the last campaign</summary>\n{}</details>\n",
                        absent);
  }
  return text + "</section>\n";
}

std::string state_tag(const std::string& state) {
  if (state.empty()) return "";
  const std::string_view kind = state == "live" ? "good" : state == "undecided" ? "bad" : "warn";
  return fmt::format(" <span class=\"tag {}\">{}</span>", kind, escaped(state));
}

std::string row_of_table(const TableReport& table, const RowReport& row) {
  const auto covered = std::ranges::count_if(row.clauses, &ClauseReport::covered);
  std::string clauses;
  for (const ClauseReport& clause : row.clauses) {
    clauses +=
        fmt::format("<p><code>{}</code><br><span class=\"soft\">held {}, failed {}{}</span></p>",
                    escaped(clause.text), clause.held, clause.failed,
                    clause.raised > 0 ? fmt::format(", raised {}", clause.raised) : "");
  }
  const double share = table.surveyed == 0 ? 0
                                           : 100.0 * static_cast<double>(row.wins) /
                                                 static_cast<double>(table.surveyed);
  // The clauses have a line of their own: beside the figures they would not fit a phone.
  return fmt::format(
      "<tr class=\"row\"><td class=\"n\">{}</td><td>{}{}<br><span class=\"soft\">{}</span></td>"
      "<td class=\"n\">{}<br><span class=\"soft\">{:.1f} %</span></td><td "
      "class=\"n\">{}</td></tr>\n"
      "<tr><td></td><td colspan=\"3\"><details><summary>{} of {} clauses covered</summary>{}"
      "</details></td></tr>\n",
      short_name(row), escaped(row.id), state_tag(row.state),
      escaped(row.action.empty() ? row.kernel : row.action), row.wins, share, row.matches, covered,
      row.clauses.size(), clauses);
}

// The table's rows, each list below its name where there are several.
std::string rows_of_table(const TableReport& table) {
  std::string text;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const RowReport& row = table.rows[i];
    const bool several = table.rows.front().list != table.rows.back().list;
    if (several && (i == 0 || row.list != table.rows[i - 1].list))
      text += fmt::format("<tr><th colspan=\"4\">{}</th></tr>\n", escaped(row.list));
    text += row_of_table(table, row);
  }
  return text;
}

std::string classes_text(const std::vector<std::pair<std::string, std::int64_t>>& classes) {
  std::vector<std::string> parts;
  for (const auto& [name, count] : classes) {
    if (count > 0) parts.push_back(fmt::format("{} {}", count, name));
  }
  return parts.empty() ? "not run" : fmt::format("{}", fmt::join(parts, ", "));
}

// What the counts of a table's rows are of.
std::string_view counts_text(const TableReport& table) {
  if (table.policy == Policy::collect_all) {
    return "A row wins a call that it rewrites, or offers a candidate for. It matches a call, as "
           "the rewrites leave it, where its clauses hold, whatever other rows say.";
  }
  return "The first row that matches wins.";
}

std::string table_section(const TableReport& table) {
  return fmt::format(
      "<section id=\"table-{}\">\n<h2>Table {}</h2>\n"
      "<p>Proofs: {} proved, {} with a witness, {} unknown. <span class=\"soft\">{}</span></p>\n"
      "<p>Corpus: {}. Drawn: {}.</p>\n"
      "<div class=\"scroll\"><table class=\"rows\"><thead><tr><th class=\"n\">row</th><th>id, "
      "kernel</th><th class=\"n\">wins</th><th class=\"n\">matches</th></tr>"
      "</thead><tbody>\n{}</tbody></table></div>\n"
      "<p class=\"soft\">Of {} surveyed operations; {} are won by no row. {} A clause is covered "
      "where some operations passed it and others did not.</p>\n"
      "<h3>Overlap</h3>\n<div class=\"scroll matrix\">{}</div>\n"
      "<p class=\"soft\">Of the operations that the row at the left matches, the percentage that "
      "the row above matches as well; rows by number{}.</p>\n</section>\n",
      escaped(table.name), escaped(table.name), table.proved, table.witnesses, table.unknown,
      escaped(table.bounds), classes_text(table.corpus_classes),
      classes_text(table.generated_classes), rows_of_table(table), table.surveyed, table.unmatched,
      counts_text(table), overlap_svg(table),
      std::ranges::any_of(table.rows, &RowReport::rewrite) ? ", rewrites with an r" : "");
}

// All tables at a glance, each with the way to its section.
std::string overview(const CampaignReport& report) {
  if (report.tables.empty()) return "";
  std::string rows;
  for (const TableReport& table : report.tables) {
    const auto of_table = [&](auto&& wanted) {
      return std::ranges::count_if(report.findings, [&](const CampaignFinding& finding) {
        return finding.table == table.name && wanted(finding);
      });
    };
    std::size_t clauses = 0;
    std::ptrdiff_t covered = 0;
    for (const RowReport& row : table.rows) {
      clauses += row.clauses.size();
      covered += std::ranges::count_if(row.clauses, &ClauseReport::covered);
    }
    rows += fmt::format(
        "<tr><td><a href=\"#table-{}\">{}</a><br><span class=\"soft\">{} rows, {}</span></td>"
        "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
        "<td class=\"n\">{}</td><td class=\"n\">{} of {}</td></tr>\n",
        escaped(table.name), escaped(table.name), table.rows.size(),
        table.policy == Policy::collect_all ? "candidates" : "first match",
        of_table([](const CampaignFinding& finding) { return finding.red(); }),
        of_table([](const CampaignFinding& finding) {
          return !finding.red() && finding.state != FindingState::absent;
        }),
        table.proved, table.unknown, covered, clauses);
  }
  return fmt::format(
      "<section id=\"tables\">\n<h2>Tables</h2>\n<div class=\"scroll\"><table><thead><tr>"
      "<th>table</th><th class=\"n\">new</th><th class=\"n\">known</th><th "
      "class=\"n\">proved</th><th class=\"n\">unknown</th><th class=\"n\">clauses covered</th>"
      "</tr></thead><tbody>\n{}</tbody></table></div>\n</section>\n",
      rows);
}

// A plot per target and measure, a line per table.
std::string target_plots(const CampaignReport& report) {
  std::vector<std::string> targets;
  for (const FuzzJobReport& job : report.jobs) {
    if (std::ranges::find(targets, job.target) == targets.end()) targets.push_back(job.target);
  }
  struct Measure {
    std::string_view name;
    std::int64_t CoveragePoint::* value;
  };
  std::string plots;
  for (const Measure& measure : {Measure{"edges covered", &CoveragePoint::coverage},
                                 Measure{"features", &CoveragePoint::features},
                                 Measure{"inputs in the corpus", &CoveragePoint::corpus}}) {
    plots += fmt::format("<h3>{}</h3>\n<div class=\"plots\">\n", measure.name);
    for (const std::string& target : targets) {
      std::vector<PlotLine> lines;
      for (const FuzzJobReport& job : report.jobs) {
        if (job.target != target) continue;
        PlotLine line{.name = job.table.empty() ? std::string("text") : job.table};
        for (const CoveragePoint& point : job.points) {
          line.points.emplace_back(static_cast<double>(point.executions),
                                   static_cast<double>(point.*measure.value));
        }
        lines.push_back(std::move(line));
      }
      plots += plot_svg(fmt::format("{}: {}", target, measure.name), "executions", lines);
    }
    plots += "</div>\n";
  }
  return plots;
}

std::string fuzzing(const CampaignReport& report) {
  std::string rows;
  for (const FuzzJobReport& job : report.jobs) {
    const CoveragePoint end = job.points.empty() ? CoveragePoint{} : job.points.back();
    rows += fmt::format(
        "<tr><td>{}<br><span class=\"soft\">{}</span></td><td class=\"n\">{}</td>"
        "<td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>"
        "<td class=\"n\">{}</td></tr>\n",
        escaped(job.target), escaped(job.table), job.executions, job.checked, end.coverage,
        end.features, job.crashes);
  }
  std::string corpora;
  for (const CorpusReport& corpus : report.corpora) {
    corpora += fmt::format("<tr><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
                           escaped(corpus.target), corpus.inputs, corpus.minimised);
  }
  return fmt::format(
      "<section id=\"fuzzing\">\n<h2>Fuzzing</h2>\n"
      "<div class=\"scroll\"><table><thead><tr><th>target, table</th><th "
      "class=\"n\">executions</th>"
      "<th class=\"n\">checked</th><th class=\"n\">edges</th><th class=\"n\">features</th>"
      "<th class=\"n\">crashes</th></tr></thead><tbody>\n{}</tbody></table></div>\n{}"
      "<h3>Corpora</h3>\n<div class=\"scroll\"><table><thead><tr><th>target</th>"
      "<th class=\"n\">inputs</th><th class=\"n\">after merging</th></tr></thead><tbody>\n{}"
      "</tbody></table></div>\n</section>\n",
      rows, target_plots(report), corpora);
}

std::string notes(const CampaignReport& report) {
  std::string text;
  if (!report.failures.empty()) {
    text += "<section id=\"failures\">\n<h2>Failures of the campaign</h2>\n";
    for (const std::string& failure : report.failures) {
      text += fmt::format("<pre>{}</pre>\n", escaped(failure));
    }
    text += "</section>\n";
  }
  text += fmt::format(
      "<section id=\"skipped\">\n<h2>Skipped</h2>\n<details><summary>{} items</summary>\n",
      report.skipped.size());
  for (const SkippedItem& item : report.skipped) {
    text += fmt::format("<p>{}<br><span class=\"soft\">{}</span></p>\n", escaped(item.what),
                        escaped(item.reason));
  }
  return text + "</details>\n</section>\n";
}

std::string timings(const Timings& timings) {
  std::string stages;
  for (const StageTime& stage : timings.stages) {
    stages += fmt::format("<tr><td>{}</td><td class=\"n\">{:.1f} s</td></tr>\n",
                          escaped(stage.stage), stage.seconds);
  }
  PlotLine line{.name = "executions"};
  for (const RatePoint& point : timings.fuzzing) {
    line.points.emplace_back(point.seconds, static_cast<double>(point.executions));
  }
  return fmt::format(
      "<!-- timings -->\n<section id=\"timings\">\n<h2>Timings</h2>\n"
      "<p>Started {}, took {:.1f} s, {} fuzzing processes at a time.</p>\n"
      "<div class=\"scroll\"><table><tbody>\n{}</tbody></table></div>\n"
      "<div class=\"plots\">{}</div>\n</section>\n<!-- end of timings -->\n",
      escaped(timings.started), timings.seconds, timings.workers, stages,
      plot_svg("executions over time", "s", {line}));
}

}  // namespace

std::string report_to_html(const CampaignReport& report) {
  std::string tables = overview(report);
  for (const TableReport& table : report.tables) tables += table_section(table);
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src '{}'\">\n<title>convproof: "
      "{}</title>\n<style>{}</style>\n</head>\n"
      "<body>\n{}<main>\n{}{}{}{}{}</main>\n<footer></footer>\n<script>{}</script>\n</body>\n</"
      "html>\n",
      copy_script_hash, escaped(verdict_of(report)), page_style, header(report), findings(report),
      notes(report), tables, fuzzing(report), timings(report.timings), copy_script);
}

}  // namespace convproof::campaign
