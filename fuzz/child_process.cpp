#include "fuzz/child_process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <expected>
#include <fcntl.h>
#include <functional>
#include <poll.h>
#include <spawn.h>
#include <string>
#include <string_view>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

namespace convproof::fuzz {
namespace {

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (std::string& text : texts) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

// Ours, but for the variables that the child is given.
std::vector<std::string> merged_environment(const std::vector<std::string>& own) {
  std::vector<std::string> merged = own;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const std::string_view name = text.substr(0, text.find('=') + 1);
    bool given = false;
    for (const std::string& other : own) given = given || other.starts_with(name);
    if (!given) merged.emplace_back(text);
  }
  return merged;
}

// While it lives, programs that this thread starts lie at the same addresses in each run: coverage
// that depends on addresses would differ from run to run. Where the system refuses, it does.
class FixedAddresses {
 public:
  FixedAddresses() : before_(::personality(asks_only)) {
    if (before_ != -1) ::personality(static_cast<unsigned long>(before_) | ADDR_NO_RANDOMIZE);
  }
  ~FixedAddresses() {
    if (before_ != -1) ::personality(static_cast<unsigned long>(before_));
  }
  FixedAddresses(const FixedAddresses&) = delete;
  FixedAddresses& operator=(const FixedAddresses&) = delete;

 private:
  static constexpr unsigned long asks_only = 0xffffffff;

  int before_;
};

}  // namespace

std::expected<ChildEnd, Error> run_child(const ChildProgram& program,
                                         const std::function<bool(std::string_view)>& line) {
  const auto failed = [&](int error) {
    return std::unexpected(
        Error{program.path, "", fmt::format("cannot be run: {}", std::strerror(error))});
  };
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) return failed(errno);
  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::vector<std::string> arguments{program.path};
  arguments.insert(arguments.end(), program.arguments.begin(), program.arguments.end());
  std::vector<std::string> environment = merged_environment(program.environment);
  pid_t child = -1;
  const int spawned = [&] {
    const FixedAddresses fixed;
    return ::posix_spawn(&child, program.path.c_str(), &actions, nullptr,
                         pointers(arguments).data(), pointers(environment).data());
  }();
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  if (spawned != 0) {
    ::close(ends[0]);
    return failed(spawned);
  }

  ChildEnd end;
  const auto offer = [&](std::string_view text) {
    if (end.stopped || line(text)) return;
    end.stopped = true;
    ::kill(child, SIGKILL);
  };
  std::string pending;
  std::array<char, 4096> block{};
  while (true) {
    pollfd waiting{.fd = ends[0], .events = POLLIN, .revents = 0};
    const int ready = ::poll(&waiting, 1, 250);
    if (ready == 0 || (ready < 0 && errno == EINTR)) {
      offer("");
      continue;
    }
    const ssize_t count = ::read(ends[0], block.data(), block.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    pending.append(block.data(), static_cast<std::size_t>(count));
    std::size_t begin = 0;
    for (std::size_t newline = pending.find('\n'); newline != std::string::npos;
         newline = pending.find('\n', begin)) {
      offer(std::string_view(pending).substr(begin, newline - begin));
      begin = newline + 1;
    }
    pending.erase(0, begin);
  }
  if (!pending.empty()) offer(pending);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  end.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return end;
}

}  // namespace convproof::fuzz
