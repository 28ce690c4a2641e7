#include "ci/progress.h"

#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <unistd.h>

#include <fmt/format.h>

namespace convproof::ci {
namespace {

volatile std::sig_atomic_t interrupt_seen = 0;

void note_interrupt(int /*signal*/) {
  // A second Ctrl-C ends the program at once.
  interrupt_seen = 1;
  std::signal(SIGINT, SIG_DFL);
}

}  // namespace

Progress::Progress(std::string_view what, std::int64_t total)
    : what_(what), total_(total), terminal_(isatty(fileno(stderr)) != 0) {}

Progress::~Progress() {
  if (shown_) fmt::print(stderr, "\r\x1b[K");
}

void Progress::at(std::int64_t done) {
  if (!terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);
  shown_ = true;
  fmt::print(stderr, "\r\x1b[K{} {} of {}", what_, done, total_);
  std::fflush(stderr);
}

void watch_interrupts() { std::signal(SIGINT, note_interrupt); }
bool interrupted() { return interrupt_seen != 0; }
bool is_terminal_output() { return isatty(fileno(stdout)) != 0; }

}  // namespace convproof::ci
