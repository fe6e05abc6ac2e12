// What `make hostile` counts, over all of its tests.
#pragma once

namespace ridgeline::hostile {

enum class Harm {
  kLost,    // A result that was there, or a run that could not be resumed.
  kLied,    // `done` with bad data, `running` when nothing runs, a wrong outcome.
  kLeaked,  // Processes or temporary files that nobody removes.
  kHung,    // Not over in the time that it has.
};

void Count(Harm harm);

// One attempt to break something.
struct Trial {
  Trial();
};

// Trials of each random test: few in `ctest`, many in `make hostile`.
int Rounds();

}  // namespace ridgeline::hostile
