#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace convproof::ci {

// A progress line on standard error, at most ten times a second, on a terminal only.
class Progress {
 public:
  Progress(std::string_view what, std::int64_t total);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void at(std::int64_t done);

 private:
  std::string_view what_;
  std::int64_t total_;
  bool terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_{};
};

// True once Ctrl-C was pressed after `watch_interrupts`: long work stops at the next operation and
// reports what it has.
void watch_interrupts();
bool interrupted();

bool is_terminal_output();

}  // namespace convproof::ci
