// How a search ends.
#pragma once

namespace buchi {

enum class End {
  kDone,         // there is no accepting run, or all states were visited
  kFound,        // there is one
  kInterrupted,  // the user asked for it
  kTime,         // or a limit was reached
  kStates,
  kMemory
};

struct LimitReached {
  End end;
};

}  // namespace buchi
