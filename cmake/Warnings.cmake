# One interface target carries every warning flag; nothing else sets flags.
add_library(ridgeline_warnings INTERFACE)
target_compile_options(ridgeline_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wnon-virtual-dtor
  -Woverloaded-virtual -Wimplicit-fallthrough -Wold-style-cast
  # g++ 12 also fires on designated initializers, which we use on purpose.
  -Wno-missing-field-initializers
  # "???" is a value here (mandatory, not given yet); C++20 has no trigraphs.
  -Wno-trigraphs
  # g++ 12 with -O1 or more sees uninitialised members of std::variant and std::regex
  # that are not there, and overlapping copies in std::string; the sanitizers look for
  # the real ones.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized -Wno-restrict>
  # With -O2 also a copy beyond the end of a std::string in a moved optional.
  $<$<AND:$<CXX_COMPILER_ID:GNU>,$<CONFIG:RelWithDebInfo>>:-Wno-array-bounds>
  $<$<BOOL:${RIDGELINE_WERROR}>:-Werror>)
