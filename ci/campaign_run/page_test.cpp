// The page in a real browser, at the width of a phone and of a desktop.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>

#include <gtest/gtest.h>

#include "ci/campaign_run/printers.h"
#include "ci/campaign_run/report_example.h"

namespace convproof::campaign {
namespace {

namespace fs = std::filesystem;

std::string output_of(const std::string& command) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> pipe(popen(command.c_str(), "r"), pclose);
  std::string text;
  std::array<char, 4096> block{};
  while (const std::size_t count = std::fread(block.data(), 1, block.size(), pipe.get())) {
    text.append(block.data(), count);
  }
  return text;
}

void replace(std::string& text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
}

class Page : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (std::system("command -v chromium >/dev/null 2>&1") != 0) {
      GTEST_SKIP() << "chromium is not installed";
    }
    // Tests run beside one another: each has a browser profile of its own.
    folder_ = fs::path(testing::TempDir()) / ("campaign_page_" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override {
    // The browser's children may still be at work in its profile.
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }

  [[nodiscard]] std::string browse(const std::string& html, const std::string& what) const {
    std::ofstream(folder_ / "index.html", std::ios::binary) << html;
    return output_of("cd '" + folder_.string() +
                     "' && timeout 120 chromium --headless --no-sandbox --disable-gpu "
                     "--disable-dev-shm-usage --hide-scrollbars --user-data-dir=profile "
                     "--window-size=" +
                     std::to_string(GetParam()) + ",1400 " + what + " 'file://" +
                     (folder_ / "index.html").string() + "' 2>chromium.log");
  }

  fs::path folder_;
};

TEST_P(Page, loads_and_shows_verdict_matrix_plot_and_replay_line) {
  const std::string dom = browse(report_to_html(example_report()), "--dump-dom");
  ASSERT_NE(dom.find("id=\"verdict\""), std::string::npos) << dom.substr(0, 500);
  EXPECT_NE(dom.find(">1 new finding</h1>"), std::string::npos);
  EXPECT_NE(dom.find("class=\"matrix\""), std::string::npos);
  EXPECT_NE(dom.find("<polyline class=\"line c0\""), std::string::npos);
  EXPECT_NE(dom.find("convproof replay 'a b.json' --registry demo</pre>"), std::string::npos);
  EXPECT_NE(dom.find("&lt;script&gt;alert(1)&lt;/script&gt;"), std::string::npos);
  // The policy lets the page's own script run, and nothing else.
  EXPECT_NE(dom.find("data-ready=\"yes\""), std::string::npos)
      << "the script's hash is out of date";
  EXPECT_EQ(dom.find("hidden=\"\""), std::string::npos) << "the copy buttons stay hidden";
}

TEST_P(Page, fits_the_window) {
  std::string html = report_to_html(example_report());
  replace(html, "script-src 'sha256-", "script-src 'unsafe-inline' 'ignored-");
  replace(html, "</body>",
          "<script>const r=document.documentElement;r.dataset.fits=r.scrollWidth<=innerWidth;"
          "r.dataset.at=r.scrollWidth+' of '+innerWidth</script></body>");
  const std::string dom = browse(html, "--dump-dom");
  EXPECT_NE(dom.find("data-fits=\"true\""), std::string::npos)
      << dom.substr(dom.find("data-fits"), 60);
}

TEST_P(Page, can_be_painted) {
  const std::string said = browse(report_to_html(example_report()), "--screenshot=page.png");
  ASSERT_TRUE(fs::exists(folder_ / "page.png")) << said;
  EXPECT_GT(fs::file_size(folder_ / "page.png"), 10'000U);
  if (const char* const keep = std::getenv("CONVPROOF_KEEP_SCREENSHOTS"); keep != nullptr) {
    fs::copy_file(folder_ / "page.png",
                  fs::path(keep) / ("page-" + std::to_string(GetParam()) + ".png"),
                  fs::copy_options::overwrite_existing);
  }
}

INSTANTIATE_TEST_SUITE_P(Widths, Page, testing::Values(360, 1280));

}  // namespace
}  // namespace convproof::campaign
