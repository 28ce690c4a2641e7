#pragma once

#include "ci/campaign_run/campaign_report.h"

namespace convproof::campaign {

// A report with one of everything, and names that an input chose to be a nuisance.
inline CampaignReport example_report() {
  CampaignReport report{.tool_version = "0.1.0", .seed = 7, .budget = "quick: 1000 executions"};
  TableReport table{.name = "demo",
                    .file = "demo.json",
                    .bounds = "every int at most 1048575",
                    .proved = 12,
                    .witnesses = 3,
                    .surveyed = 100,
                    .unmatched = 10,
                    .corpus_classes = {{"equal", 5}, {"skipped", 1}},
                    .generated_classes = {{"equal", 60}, {"different", 2}, {"unmatched", 10}}};
  table.rows.push_back(
      {.id = "<script>alert(1)</script>",
       .number = 1,
       .kernel = "dense & \"fast\"",
       .line = 11,
       .state = "live",
       .matches = 80,
       .wins = 80,
       .overlaps = {80, 20},
       .clauses = {{.text = "O < C", .held = 80, .failed = 20}, {.text = "N == 1", .held = 80}}});
  table.rows.push_back({.id = "late",
                        .number = 2,
                        .kernel = "slow",
                        .line = 15,
                        .state = "shadowed",
                        .matches = 20,
                        .wins = 0,
                        .overlaps = {20, 20},
                        .clauses = {{.text = "True", .held = 100}}});
  report.tables.push_back(table);
  TableReport calls{.name = "calls",
                    .file = "calls.json",
                    .policy = Policy::collect_all,
                    .surveyed = 50,
                    .unmatched = 1};
  calls.rows.push_back({.id = "widen",
                        .number = 1,
                        .list = "rewrites",
                        .rewrite = true,
                        .action = "add_axis",
                        .line = 4,
                        .matches = 10,
                        .wins = 10,
                        .overlaps = {10, 9},
                        .clauses = {{.text = "spatial_dims == 1", .held = 10, .failed = 40}}});
  calls.rows.push_back({.id = "direct",
                        .number = 1,
                        .list = "candidates",
                        .kernel = "direct_kernel",
                        .line = 9,
                        .matches = 45,
                        .wins = 44,
                        .overlaps = {9, 45},
                        .clauses = {{.text = "groups == 1", .held = 46, .failed = 4},
                                    {.text = "C > 0", .held = 45, .failed = 1}}});
  report.tables.push_back(calls);
  report.jobs.push_back(
      {.target = "fuzz_lower",
       .table = "demo",
       .executions = 2000,
       .checked = 1500,
       .points = {{.executions = 1000, .coverage = 400, .features = 900, .corpus = 40},
                  {.executions = 2000, .coverage = 420, .features = 990, .corpus = 45}}});
  report.corpora.push_back({.target = "fuzz_lower", .inputs = 45, .minimised = 30});
  report.findings.push_back(
      {.fingerprint = "00000000000000aa",
       .signature = "demo/unsound/<script>alert(1)</script>/stride",
       .kind = "unsound",
       .table = "demo",
       .row = "<script>alert(1)</script>",
       .kernel = "dense & \"fast\"",
       .clause = "stride",
       .by = {"prove", "fuzz_lower"},
       .operation = "f32[1,1,4,4] x f32[1,1,3,3] -> f32[1,1,2,2]",
       .reason = "2 of 4 elements differ, first n=0 o=0 y=1 x=0; | `tick`",
       .first_difference = "n=0 o=0 y=1 x=0",
       .replay = "build/release/bin/convproof replay 'a b.json' --registry demo",
       .saved = "findings/a.json",
       .file = "tables/demo.json",
       .line = 11});
  report.findings.push_back({.fingerprint = "00000000000000bb",
                             .signature = "demo/shadowed/late",
                             .kind = "shadowed",
                             .table = "demo",
                             .row = "late",
                             .by = {"prove"},
                             .reason = "earlier rows take everything",
                             .file = "tables/demo.json",
                             .line = 15,
                             .known = "kept on purpose",
                             .state = FindingState::unchanged});
  report.findings.push_back({.fingerprint = "00000000000000cc",
                             .signature = "demo/different/late/slow/site",
                             .kind = "different",
                             .table = "demo",
                             .row = "late",
                             .by = {"fuzz_lower"},
                             .file = "tables/demo.json",
                             .line = 15,
                             .state = FindingState::absent});
  report.skipped.push_back({"big.hlo:4 %conv under demo", "9 multiply-adds, more than the limit"});
  report.timings = {.started = "2030-01-02T03:04:05Z",
                    .seconds = 61.5,
                    .workers = 2,
                    .stages = {{"tables", 20.25}, {"fuzz", 41.25}},
                    .fuzzing = {{30, 1000}, {60, 2000}}};
  return report;
}

}  // namespace convproof::campaign
