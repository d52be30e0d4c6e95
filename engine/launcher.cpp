// The command `buchi`: Python, with interrupts held back until there is somebody to heed them.
//
// Python itself ends with exit code 1 when it is interrupted while it starts, and 1 means `violated`. The
// signals that are blocked here stay pending; the first lines of buchi/__main__.py have handlers for them.
#include <libgen.h>
#include <signal.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <string>
#include <vector>

namespace {

// As a console script does it: the working directory, which may be a stranger's, is no place to import from.
constexpr const char* kProgram =
    "import sys; sys.path[:1] = []; sys.argv[0] = 'buchi'; from buchi.__main__ import main; main()";

void hold_back_interrupts() {
  sigset_t interrupts;
  sigemptyset(&interrupts);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&interrupts, number);
  sigprocmask(SIG_BLOCK, &interrupts, nullptr);
}

// The interpreter beside this program, as in every environment; empty if there is none.
std::string neighbour() {
  char path[PATH_MAX];
  const ssize_t size = readlink("/proc/self/exe", path, sizeof path - 1);
  if (size <= 0) return "";
  path[size] = '\0';
  const std::string python = std::string(dirname(path)) + "/" BUCHI_PYTHON;
  return access(python.c_str(), X_OK) == 0 ? python : "";
}

}  // namespace

int main(int count, char** arguments) {
  hold_back_interrupts();
  const std::string found = neighbour();
  const char* python = found.empty() ? BUCHI_PYTHON : found.c_str();
  std::vector<char*> words{const_cast<char*>(python), const_cast<char*>("-c"), const_cast<char*>(kProgram)};
  words.insert(words.end(), arguments + 1, arguments + count);
  words.push_back(nullptr);
  execvp(python, words.data());
  perror("buchi: cannot run " BUCHI_PYTHON);
  return 4;
}
