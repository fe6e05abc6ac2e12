#pragma once

#include <sys/types.h>

#include <cstddef>

namespace ridgeline::os {

// Fills `found` with the processes that descend from `ancestor` and are not zombies, and
// returns how many there are, at most `capacity`. Allocates nothing: it may be called in
// a process that was just forked.
size_t ListDescendants(pid_t ancestor, pid_t* found, size_t capacity);

}  // namespace ridgeline::os
