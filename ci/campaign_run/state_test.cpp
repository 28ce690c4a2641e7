// What a campaign keeps: fingerprints, states, the journal, the corpora, the ledgers.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "ci/campaign_run/corpus_files.h"
#include "ci/campaign_run/finding_json.h"
#include "ci/campaign_run/finding_state.h"
#include "ci/campaign_run/fingerprint.h"
#include "ci/campaign_run/journal.h"
#include "ci/campaign_run/known_findings.h"
#include "ci/campaign_run/report_example.h"
#include "ci/campaign_run/schedule.h"
#include "ci/campaign_run/slice_output.h"

namespace convproof::campaign {
namespace {

namespace fs = std::filesystem;

class InFolder : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::path(testing::TempDir()) /
        (std::string("campaign_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  [[nodiscard]] std::string path(const std::string& name) const {
    return (folder_ / name).string();
  }
  void write(const std::string& name, std::string_view content) const {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << content;
  }

  fs::path folder_;
};
using JournalFile = InFolder;
using CorpusFiles = InFolder;
using Ledgers = InFolder;

Row row_of(const std::string& registry, const std::string& id) {
  return *find_registry(registry)->find_row(id);
}

TEST(Fingerprint, follows_the_content_of_a_row_and_not_its_name_or_place) {
  Row row = row_of("neuron", "conv2d-depthwise");
  const std::string before = content_of(row);
  row.id = "renamed";
  row.line += 40;
  row.number = 99;
  EXPECT_EQ(content_of(row), before);
  row.kernel += "_2";
  EXPECT_NE(content_of(row), before);
}

TEST(Fingerprint, tells_rows_apart_that_differ_in_a_keyword_argument) {
  EXPECT_NE(content_of(row_of("neuron", "depthwise-backward")),
            content_of(row_of("neuron", "depthwise-backward-io10")));
  Row row = row_of("neuron", "depthwise-backward");
  const std::string before = content_of(row);
  for (Parameter& parameter : row.predicate.parameters) {
    if (parameter.name != "io10") parameter.value += 1;
  }
  EXPECT_EQ(content_of(row), before) << "options that the row does not read";
  for (Parameter& parameter : row.predicate.parameters) parameter.value += 1;
  EXPECT_NE(content_of(row), before);
}

TEST(Fingerprint, differs_with_each_of_its_parts) {
  const std::string base = fingerprint_of("t", "row", "unsound", "stride");
  EXPECT_EQ(base.size(), 16U);
  EXPECT_EQ(base, fingerprint_of("t", "row", "unsound", "stride"));
  EXPECT_NE(base, fingerprint_of("u", "row", "unsound", "stride"));
  EXPECT_NE(base, fingerprint_of("t", "row2", "unsound", "stride"));
  EXPECT_NE(base, fingerprint_of("t", "row", "raises", "stride"));
  EXPECT_NE(base, fingerprint_of("t", "row", "unsound", "batch"));
}

CampaignFinding named(const std::string& fingerprint) {
  CampaignFinding finding = example_report().findings[0];
  finding.fingerprint = fingerprint;
  return finding;
}

std::vector<FindingState> states_over(const std::vector<std::vector<std::string>>& campaigns) {
  History history;
  std::vector<CampaignFinding> findings;
  for (const auto& found : campaigns) {
    findings.clear();
    for (const std::string& fingerprint : found) findings.push_back(named(fingerprint));
    give_states(history, findings);
    remember({.findings = findings}, history);
  }
  std::vector<FindingState> states;
  for (const CampaignFinding& finding : findings) states.push_back(finding.state);
  return states;
}

TEST(FindingStates, are_told_by_the_history) {
  using enum FindingState;
  EXPECT_EQ(states_over({{"a"}}), (std::vector{fresh}));
  EXPECT_EQ(states_over({{"a"}, {"a"}}), (std::vector{unchanged}));
  EXPECT_EQ(states_over({{"a"}, {}}), (std::vector{absent}));
  EXPECT_EQ(states_over({{"a"}, {}, {}}), (std::vector<FindingState>{})) << "absent once is enough";
  EXPECT_EQ(states_over({{"a"}, {}, {"a"}}), (std::vector{flapping}));
  EXPECT_EQ(states_over({{"a"}, {}, {"a"}, {"a"}}), (std::vector{flapping}));
  EXPECT_EQ(states_over({{}, {"b"}, {"b", "c"}}), (std::vector{unchanged, fresh}));
}

TEST(FindingStates, what_the_ledger_knows_is_never_new) {
  std::vector<CampaignFinding> findings{named("a")};
  findings[0].known = "a reason";
  give_states({}, findings);
  EXPECT_EQ(findings[0].state, FindingState::unchanged);
}

TEST(FindingStates, survive_the_file) {
  History history;
  remember(example_report(), history);
  const auto read = parse_history(write_history(history), "history.json");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(*read, history);
  EXPECT_EQ(read->front().findings.size(), 2U) << "what is absent is not remembered";
  EXPECT_FALSE(parse_history("{", "history.json"));
  EXPECT_FALSE(parse_history(R"({"version": 2, "campaigns": []})", "history.json"));
  EXPECT_FALSE(parse_history(R"({"version": 1, "campaigns": [{"findings": [{}]}]})", "h"));
}

TEST(FindingJson, reads_back_as_it_was) {
  for (const CampaignFinding& finding : example_report().findings) {
    const auto read = finding_from(finding_to_json(finding));
    ASSERT_TRUE(read) << to_string(read.error());
    EXPECT_EQ(*read, finding);
  }
}

const CampaignPlan plan{.tool_version = "0.1.0",
                        .seed = 3,
                        .budget = "9 executions",
                        .tables = {"neuron"},
                        .fault = ""};
const SliceResult slice{.round = 1,
                        .job = 4,
                        .folder = "round-1/job-4.77-1",
                        .executions = 900,
                        .checked = 800,
                        .crashes = 1,
                        .new_features = 5,
                        .end = {.executions = 900, .coverage = 30, .features = 60, .corpus = 7}};

TEST_F(JournalFile, reads_back_what_was_added) {
  const JournaledFinding finding{.round = 1, .job = 4, .finding = named("a")};
  {
    auto journal = Journal::start(path("j"), plan);
    ASSERT_TRUE(journal) << to_string(journal.error());
    EXPECT_TRUE(journal->add(finding));
    EXPECT_TRUE(journal->add(slice));
    EXPECT_TRUE(journal->adopted(1));
  }
  const std::string text = *read_whole(path("j"));
  const auto content = parse_journal(text, "j");
  ASSERT_TRUE(content) << to_string(content.error());
  EXPECT_EQ(content->plan, plan);
  EXPECT_EQ(content->findings, std::vector{finding});
  EXPECT_EQ(content->slices, std::vector{slice});
  EXPECT_EQ(content->adopted_rounds, 2);
  EXPECT_FALSE(content->ended);
  EXPECT_EQ(content->whole_bytes, text.size());
}

// A kill may come within any write: what came before it stays, and what comes after it is whole.
TEST_F(JournalFile, goes_on_after_a_line_that_a_kill_cut_off) {
  {
    auto journal = Journal::start(path("j"), plan);
    ASSERT_TRUE(journal);
    EXPECT_TRUE(journal->add(slice));
  }
  const std::string whole = *read_whole(path("j"));
  const std::size_t first_line = whole.find('\n') + 1;
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    write("j", whole.substr(0, length));
    const auto content = parse_journal(*read_whole(path("j")), "j");
    ASSERT_TRUE(content) << length;
    EXPECT_EQ(content->whole_bytes, length == whole.size() ? length
                                    : length >= first_line ? first_line
                                                           : 0);
    if (length < first_line) continue;
    auto journal = Journal::reopen(path("j"), content->whole_bytes);
    ASSERT_TRUE(journal) << length;
    EXPECT_TRUE(journal->end(0));
    const auto again = parse_journal(*read_whole(path("j")), "j");
    ASSERT_TRUE(again) << length << ": " << to_string(again.error());
    EXPECT_TRUE(again->ended);
    EXPECT_EQ(again->slices.size(), length == whole.size() ? 1U : 0U);
  }
}

TEST_F(JournalFile, a_line_that_says_nothing_is_an_error_with_its_place) {
  const auto broken = parse_journal("{\"event\":\"adopted\",\"round\":0}\nnonsense\n", "j");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().place, "j:2");
  EXPECT_FALSE(parse_journal("{\"event\":\"dance\"}\n", "j"));
}

TEST_F(JournalFile, a_full_disk_is_an_error) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  auto journal = Journal::reopen("/dev/full", 0);
  if (!journal) return;  // refused at once: as good
  EXPECT_FALSE(journal->add(slice));
}

TEST_F(JournalFile, starting_anew_keeps_the_last_one) {
  ASSERT_TRUE(Journal::start(path("j"), plan)->end(0));
  ASSERT_TRUE(Journal::start(path("j"), plan));
  EXPECT_NE(read_whole(path("j.previous"))->find("\"end\""), std::string::npos);
  EXPECT_EQ(read_whole(path("j"))->find("\"end\""), std::string::npos);
}

TEST(Sha1, of_the_standards_examples) {
  EXPECT_EQ(sha1_of("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d");
  EXPECT_EQ(sha1_of(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
  EXPECT_EQ(sha1_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "84983e441c3bd26ebaae4aa1f95129e5e54670f1");
  EXPECT_EQ(sha1_of(std::string(1'000'000, 'a')), "34aa973cd4c4daa4f61eeb2bdbad27316534016f");
}

TEST_F(CorpusFiles, adopt_whole_inputs_only) {
  fs::create_directories(folder_ / "to");
  write("from/" + sha1_of("one"), "one");
  write("from/" + sha1_of("three"), "three");
  ASSERT_EQ(adopt_inputs(path("from"), path("to")), 2U);
  EXPECT_EQ(files_of(path("to")).size(), 2U);
  EXPECT_TRUE(files_of(path("from")).empty());
  ASSERT_EQ(adopt_inputs(path("from"), path("to")), 0U) << "again: nothing is left to do";
  write("from/" + sha1_of("a whole input"), "a wh");
  const auto broken = adopt_inputs(path("from"), path("to"));
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().rule.find("not whole"), std::string::npos);
  EXPECT_EQ(files_of(path("to")).size(), 2U);
}

TEST_F(CorpusFiles, a_swap_that_was_cut_off_is_repaired) {
  write("next/b", "new");
  write("corpus/a", "old");
  ASSERT_TRUE(swap_folder(path("next"), path("corpus")));
  EXPECT_EQ(files_of(path("corpus")), std::vector<std::string>{"b"});
  EXPECT_FALSE(fs::exists(folder_ / "corpus.old"));
  fs::rename(folder_ / "corpus", folder_ / "corpus.old");  // killed between the two renames
  ASSERT_TRUE(repair_swap(path("corpus")));
  EXPECT_EQ(files_of(path("corpus")), std::vector<std::string>{"b"});
}

TEST_F(Ledgers, a_given_one_takes_the_place_of_the_tables_own) {
  write(
      "l.json",
      R"({"version": 1, "registry": "t", "known": [{"signature": "t/law/x", "why": "because"}]})");
  const auto known = KnownFindings::read({"t"}, {path("l.json")});
  ASSERT_TRUE(known) << to_string(known.error());
  EXPECT_EQ(known->why("t", "t/law/x"), "because");
  EXPECT_EQ(known->why("t", "t/law/y"), "");
  EXPECT_EQ(known->why("u", "t/law/x"), "");
  EXPECT_FALSE(KnownFindings::read({"t"}, {path("missing.json")}));
}

TEST(Signatures, have_their_clause_last) {
  EXPECT_EQ(parts_of("neuron/unsound/row/stride"),
            (SignatureParts{"neuron", "unsound", "row", "stride"}));
  EXPECT_EQ(parts_of("neuron/different/row/kernel/site"),
            (SignatureParts{"neuron", "different", "row", "site"}));
  EXPECT_EQ(parts_of("neuron/shadowed/row"), (SignatureParts{"neuron", "shadowed", "row", ""}));
}

SliceResult result(int round, std::size_t job, std::int64_t features, std::int64_t executions = 100,
                   std::int64_t crashes = 0) {
  return {.round = round,
          .job = job,
          .executions = executions,
          .crashes = crashes,
          .new_features = features};
}

TEST(Schedule, begins_with_every_job) {
  EXPECT_EQ(jobs_of_round(0, 4, {}), (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(Schedule, prefers_new_coverage_in_the_last_slice_and_starves_none) {
  const std::vector<SliceResult> slices{result(0, 0, 1), result(0, 1, 50), result(0, 2, 90, 1000),
                                        result(0, 3, 20), result(1, 2, 10)};
  const std::vector<std::size_t> next = jobs_of_round(2, 4, slices);
  EXPECT_EQ(next[0], 1U) << "50";
  EXPECT_EQ(next[1], 3U) << "20, better than the 10 of the last slice of another";
  for (std::size_t job = 0; job < 4; ++job) {
    bool ran = false;
    for (int round = 2; round <= 4; ++round) {
      const auto jobs = jobs_of_round(round, 4, slices);
      ran = ran || std::ranges::find(jobs, job) != jobs.end();
    }
    EXPECT_TRUE(ran) << job;
  }
}

TEST(Schedule, a_job_that_only_crashes_is_left_out) {
  std::vector<SliceResult> slices;
  for (int round = 0; round < 5; ++round) slices.push_back(result(round, 1, 99, 10, 1));
  EXPECT_EQ(jobs_of_round(0, 2, slices), (std::vector<std::size_t>{0}));
  EXPECT_EQ(jobs_of_round(5, 2, slices), (std::vector<std::size_t>{0}));
}

TEST(SliceOutput, reads_what_a_target_prints) {
  SliceOutput output;
  for (const char* line :
       {"INFO: Seed: 1", "#2\tINITED cov: 10 ft: 20 corp: 1/1b exec/s: 0 rss: 30Mb",
        "#8192\tpulse  cov: 12 ft: 40 corp: 3/9Kb lim: 320 exec/s: 4096 rss: 60Mb",
        "finding: law/fuzz_hlo/round-trip", "  it reads back as another", "#9000 not progress",
        "#20000\tDONE   cov: 15 ft: 55 corp: 5/13181b lim: 320 exec/s: 1428 rss: 100Mb",
        "statistics: executions=20000 well_formed=99.00% reached_kernel=80.00% equal=100 "
        "different=20 rejected=3 unmatched=7"}) {
    output.hear(line);
  }
  EXPECT_EQ(output.executions(), 20000);
  EXPECT_EQ(output.checked(), 123);
  EXPECT_EQ(output.new_features(), 35);
  EXPECT_EQ(output.end(), (CoveragePoint{20000, 15, 55, 5}));
  EXPECT_EQ(
      output.announced(),
      (std::vector<AnnouncedFinding>{{"law/fuzz_hlo/round-trip", "it reads back as another"}}));
  EXPECT_TRUE(output.artifacts().empty());
}

TEST(SliceOutput, counts_each_candidate_of_a_call_as_checked) {
  SliceOutput output;
  output.hear(
      "statistics: executions=20000 well_formed=100.00% reached_kernel=100.00% candidates=60590");
  EXPECT_EQ(output.checked(), 60590);
}

TEST(SliceOutput, reads_a_crash) {
  SliceOutput output;
  for (const char* line :
       {"#2\tINITED cov: 10 ft: 20 corp: 1/1b",
        "==1==ERROR: AddressSanitizer: heap-buffer-overflow",
        "    #0 0x55 in __asan_memcpy (/bin/x+0x1)",
        "    #1 0x56 in convproof::read_hlo(std::basic_string_view<char>) /src/read_hlo.cpp:4:2",
        "    #2 0x57 in convproof::fuzz::run /src/x.cpp:1",
        "SUMMARY: AddressSanitizer: heap-buffer-overflow /src/read_hlo.cpp:4:2 in x",
        "artifact_prefix='a/'; Test unit written to a/crash-0123"}) {
    output.hear(line);
  }
  EXPECT_EQ(output.artifacts(), std::vector<std::string>{"a/crash-0123"});
  EXPECT_EQ(output.first_frame(), "convproof::read_hlo");
  EXPECT_EQ(output.summary(), "AddressSanitizer: heap-buffer-overflow /src/read_hlo.cpp:4:2 in x");
}

TEST(SliceOutput, an_input_that_took_long_on_a_busy_machine_is_no_crash) {
  SliceOutput output;
  output.hear("Slowest unit: 11 s:");
  output.hear("artifact_prefix='a/'; Test unit written to a/slow-unit-0123");
  EXPECT_TRUE(output.artifacts().empty());
}

TEST(SliceOutput, a_finding_that_cannot_be_kept_is_noticed) {
  SliceOutput output;
  output.hear("results/run/round-0/job-1/findings/a.json: cannot be written");
  EXPECT_TRUE(output.could_not_write());
}

}  // namespace
}  // namespace convproof::campaign
