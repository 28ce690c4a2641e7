// The campaign as a team runs it at night, with real fuzz targets: what it repeats, what it finds,
// and what a kill or a full disk does to it. Needs the libFuzzer binaries of the preset `fuzz`.
#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "ci/campaign_run/corpus_files.h"

namespace convproof::campaign {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// In $CONVPROOF_FUZZ_BINARIES, or where the preset puts them.
std::string fuzz_binaries() {
  const char* const told = std::getenv("CONVPROOF_FUZZ_BINARIES");
  std::string folder = told != nullptr ? told : CONVPROOF_SOURCE_DIR "/build/fuzz/bin";
  return fs::exists(folder + "/fuzz_lower") ? folder : "";
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A table of the tree with an edit, as its owner would make it.
std::string edited(const std::string& table, std::string_view from, std::string_view to) {
  std::string text = text_of(CONVPROOF_SOURCE_DIR "/selector/registries/" + table);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// The signatures of the findings that a campaign printed.
std::set<std::string> printed_in(const std::string& output) {
  std::set<std::string> signatures;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("new   ")) signatures.insert(line.substr(6));
  }
  return signatures;
}

class CampaignRun : public testing::Test {
 protected:
  void SetUp() override {
    binaries_ = fuzz_binaries();
    if (binaries_.empty()) {
      GTEST_SKIP()
          << "no libFuzzer binaries: build the preset `fuzz`, or set CONVPROOF_FUZZ_BINARIES";
    }
    folder_ = fs::path(testing::TempDir()) /
              (std::string("campaign_run_") +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "corpus" / "hlo");
    fs::copy_file(CONVPROOF_SOURCE_DIR "/corpus/hlo/depthwise_5x5_same.hlo",
                  folder_ / "corpus" / "hlo" / "a.hlo");
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  std::string write(const std::string& name, std::string_view content) {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return (folder_ / name).string();
  }

  // The arguments of a small campaign.
  [[nodiscard]] std::string small(const std::string& out, const std::string& more) const {
    return "--executions 12000 --build " + binaries_ + " --corpus " +
           (folder_ / "corpus").string() + " --out " + (folder_ / out).string() + " " + more;
  }

  int run(const std::string& arguments, const std::string& program = CONVPROOF_BINARY " campaign") {
    const std::string command = "cd " CONVPROOF_SOURCE_DIR " && " + program + " " + arguments +
                                " >'" + (folder_ / "stdout").string() + "' 2>'" +
                                (folder_ / "stderr").string() + "' </dev/null";
    const int status = std::system(command.c_str());
    output_ = text_of(folder_ / "stdout");
    errors_ = text_of(folder_ / "stderr");
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  [[nodiscard]] Json report(const std::string& out) const {
    return Json::parse(text_of(folder_ / out / "report.json"), nullptr, false);
  }
  [[nodiscard]] std::vector<Json> red_findings(const std::string& out) const {
    std::vector<Json> red;
    const Json document = report(out);
    for (const Json& finding : document["findings"]) {
      if (finding["red"].get<bool>()) red.push_back(finding);
    }
    return red;
  }

  fs::path folder_;
  std::string binaries_;
  std::string output_;
  std::string errors_;
};

// What must not differ: all but the timings, and the folder in the lines to copy.
std::string without_timings(Json report, const std::string& folder) {
  report.erase("timings");
  std::string text = report.dump(1);
  for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder)) {
    text.replace(at, folder.size(), "OUT");
  }
  return text;
}

// However many workers, wherever it writes, whatever the environment: the names' lengths move the
// targets' stacks.
TEST_F(CampaignRun, the_same_seed_and_budget_give_the_same_report) {
  const std::string other_folder = "b_with_a_longer_name";
  ASSERT_EQ(run(small("a", "--table neuron-repaired --workers 1")), 0) << output_ << errors_;
  ASSERT_EQ(run(small(other_folder, "--table neuron-repaired --workers 3"),
                "LENGTHENED=by_these_bytes " CONVPROOF_BINARY " campaign"),
            0)
      << output_ << errors_;
  EXPECT_EQ(without_timings(report("a"), (folder_ / "a").string()),
            without_timings(report(other_folder), (folder_ / other_folder).string()));
  EXPECT_GT(report("a")["summary"]["executions"], 8'000);
  EXPECT_GT(report("a")["summary"]["checked"], 5'000);
  const auto page = [&](const std::string& out) {
    std::string text = text_of(folder_ / out / "index.html");
    const std::size_t from = text.find("<!-- timings -->");
    return text.erase(from, text.find("<!-- end of timings -->") - from);
  };
  EXPECT_EQ(page("a"), page(other_folder));
  EXPECT_NE(page("a").find("data-status=\"0\">nothing new</h1>"), std::string::npos);
}

// A clause is lost from a table: the proofs and the fuzz targets find the same one thing.
TEST_F(CampaignRun, a_new_fault_is_one_finding_that_its_line_replays_and_a_ledger_entry_settles) {
  const std::string table =
      write("table.json",
            edited("neuron-repaired.json",
                   R"({"clause": "rhs_dilation == [1, 1]", "confidence": "strong", "repair")",
                   R"({"clause": "True", "confidence": "strong", "repair")"));
  ASSERT_EQ(run(small("a", "--table " + table)), 1) << output_ << errors_;
  const std::vector<Json> red = red_findings("a");
  ASSERT_EQ(red.size(), 1U) << output_;
  EXPECT_EQ(red[0]["state"], "new");
  EXPECT_GT(red[0]["by"].size(), 1U) << red[0];
  EXPECT_FALSE(red[0]["operation"].get<std::string>().empty());
  EXPECT_FALSE(red[0]["reason"].get<std::string>().empty());
  EXPECT_EQ(printed_in(output_), std::set<std::string>{red[0]["signature"]});
  const std::string replay = red[0]["replay"];
  EXPECT_EQ(run("", replay), 1) << replay << "\n" << output_ << errors_;
  EXPECT_NE(output_.find(red[0]["row"].get<std::string>()), std::string::npos) << output_;

  const std::string ledger = (folder_ / "a/ledger/neuron-repaired.json").string();
  ASSERT_EQ(run(small("a", "--table " + table + " --known " + ledger)), 0) << output_ << errors_;
  EXPECT_TRUE(red_findings("a").empty());
  // Mended: the entry hides nothing any more, and has to go.
  ASSERT_EQ(run(small("a", "--table neuron-repaired --known " + ledger)), 1) << output_;
  EXPECT_EQ(red_findings("a").at(0)["kind"], "vanished");
}

TEST_F(CampaignRun, a_fault_planted_in_a_kernel_turns_it_red) {
  ASSERT_EQ(run(small("a", "--table neuron-repaired --fault first-tap-doubled")), 1)
      << output_ << errors_;
  const std::vector<Json> red = red_findings("a");
  ASSERT_FALSE(red.empty());
  const std::string replay = red[0]["replay"];
  EXPECT_NE(run("", replay), 0) << replay;
  EXPECT_NE(errors_.find("finding: "), std::string::npos) << errors_;
}

TEST_F(CampaignRun, a_row_named_like_markup_is_text) {
  const std::string table =
      write("table.json", edited("neuron.json", "{\"id\": \"conv2d-depthwise\"",
                                 "{\"id\": \"<script>document.title='run'</script>\""));
  run(small("a", "--table " + table));
  const std::string page = text_of(folder_ / "a" / "index.html");
  EXPECT_NE(page.find("&lt;script&gt;document.title"), std::string::npos);
  EXPECT_EQ(page.find("<script>document"), std::string::npos);
}

// A campaign in a process of its own, in a group of its own.
class Started {
 public:
  Started(const std::string& arguments, const fs::path& output) {
    pid_ = ::fork();
    if (pid_ != 0) return;
    ::setpgid(0, 0);
    const int file = ::open(output.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0644);
    ::dup2(file, 1);
    ::dup2(file, 2);
    const std::string command =
        "cd " CONVPROOF_SOURCE_DIR " && exec " CONVPROOF_BINARY " campaign " + arguments;
    ::execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
    ::_exit(127);
  }

  // Its exit status once it has ended; 128 + signal where it was killed.
  std::optional<int> ended() {
    if (!status_) {
      int status = 0;
      if (::waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
      status_ = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
    return status_;
  }
  int wait() {
    while (!ended()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return *status_;
  }
  void kill(int signal) const { ::kill(pid_, signal); }

  void kill_a_child() const {
    std::ifstream list("/proc/" + std::to_string(pid_) + "/task/" + std::to_string(pid_) +
                       "/children");
    std::vector<pid_t> children{std::istream_iterator<pid_t>(list), {}};
    // Those that its threads started.
    for (const auto& task :
         fs::directory_iterator("/proc/" + std::to_string(pid_) + "/task", ignored_)) {
      std::ifstream more(task.path() / "children");
      std::copy(std::istream_iterator<pid_t>(more), {}, std::back_inserter(children));
    }
    if (!children.empty()) ::kill(children.back(), SIGKILL);
  }

 private:
  pid_t pid_ = -1;
  std::optional<int> status_{};
  mutable std::error_code ignored_{};
};

TEST_F(CampaignRun, kills_lose_no_finding_and_leave_no_half_input) {
  // Without a ledger the documented table has many findings to lose.
  const std::string known =
      write("known.json", R"({"version": 1, "registry": "neuron", "known": []})");
  const std::string arguments = "--table neuron --seed 5 --known " + known;
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(run(small("whole", arguments)), 1) << output_ << errors_;
  const std::int64_t whole = std::chrono::duration_cast<std::chrono::milliseconds>(
                                 std::chrono::steady_clock::now() - start)
                                 .count();

  std::mt19937 random(1);
  const fs::path output = folder_ / "output";
  int driver_kills = 0;
  for (int moment = 0; moment < 10; ++moment) {
    Started campaign(small("cut", arguments + " --resume"), output);
    // Anywhere in a run: each goes on where the last was killed, but for the cheap stages.
    std::uniform_int_distribution<std::int64_t> delay(whole / 50, whole * 4 / 10);
    std::this_thread::sleep_for(std::chrono::milliseconds(delay(random)));
    campaign.kill_a_child();
    std::this_thread::sleep_for(std::chrono::milliseconds(delay(random)));
    campaign.kill(SIGKILL);
    driver_kills += campaign.wait() == 128 + SIGKILL ? 1 : 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder_ / "cut" / "run" / "corpus")) {
      if (!entry.is_regular_file() || entry.path().extension() == ".part") continue;
      EXPECT_EQ(sha1_of(text_of(entry.path())), entry.path().filename().string());
    }
  }
  EXPECT_GT(driver_kills, 0);
  Started last(small("cut", arguments + " --resume"), output);
  EXPECT_EQ(last.wait(), 1) << text_of(output);

  std::set<std::string> reported;
  const Json resumed = report("cut");
  for (const Json& finding : resumed["findings"]) reported.insert(finding["signature"]);
  const std::set<std::string> printed = printed_in(text_of(output));
  EXPECT_FALSE(printed.empty());
  for (const std::string& signature : printed)
    EXPECT_TRUE(reported.contains(signature)) << signature;
}

TEST_F(CampaignRun, a_resumed_campaign_reports_what_a_whole_one_does) {
  const auto start = std::chrono::steady_clock::now();
  ASSERT_EQ(run(small("whole", "--table neuron-repaired")), 0) << output_ << errors_;
  const auto whole = std::chrono::steady_clock::now() - start;

  const fs::path output = folder_ / "output";
  Started campaign(small("in_parts", "--table neuron-repaired"), output);
  std::this_thread::sleep_for(whole / 2);
  campaign.kill_a_child();
  std::this_thread::sleep_for(whole / 10);
  campaign.kill(SIGKILL);
  ASSERT_EQ(campaign.wait(), 128 + SIGKILL) << "it had ended before";
  Started resumed(small("in_parts", "--table neuron-repaired --resume"), output);
  EXPECT_EQ(resumed.wait(), 0) << text_of(output);
  EXPECT_EQ(without_timings(report("in_parts"), (folder_ / "in_parts").string()),
            without_timings(report("whole"), (folder_ / "whole").string()));
}

TEST_F(CampaignRun, ctrl_c_ends_it_with_a_whole_report) {
  Started campaign(small("a", "--table neuron-repaired --workers 1"), folder_ / "output");
  std::this_thread::sleep_for(std::chrono::seconds(2));
  campaign.kill(SIGINT);
  EXPECT_EQ(campaign.wait(), 3) << text_of(folder_ / "output");
  const Json document = report("a");
  ASSERT_FALSE(document.is_discarded());
  EXPECT_EQ(document["interrupted"], true);
  EXPECT_FALSE(document["skipped"].empty());
  EXPECT_NE(text_of(folder_ / "a" / "index.html").find("Stopped early"), std::string::npos);
}

TEST_F(CampaignRun, a_full_disk_is_reported) {
  const fs::path disk = folder_ / "disk";
  fs::create_directories(disk);
  if (std::system(("mount -t tmpfs -o size=300k none " + disk.string() + " 2>/dev/null").c_str()) !=
      0) {
    GTEST_SKIP() << "a small tmpfs needs the right to mount";
  }
  const int status = run(small("disk/out", "--table neuron-repaired"));
  const std::string said = output_ + errors_;
  std::system(("umount " + disk.string()).c_str());
  EXPECT_EQ(status, 3) << said;
  EXPECT_NE(said.find("space"), std::string::npos) << said;
}

TEST_F(CampaignRun, two_in_one_folder_are_refused) {
  Started first(small("a", "--table neuron-repaired"), folder_ / "output");
  std::this_thread::sleep_for(std::chrono::milliseconds(1000));
  EXPECT_EQ(run(small("a", "--table neuron-repaired")), 2);
  EXPECT_NE(errors_.find("another campaign"), std::string::npos) << errors_;
  first.kill(SIGINT);
  first.wait();
}

}  // namespace
}  // namespace convproof::campaign
