# ridgeline_unity(<target>): compiles the sources of a target several at a time (CMake's
# UNITY_BUILD), because reading headers and instantiating templates takes most of the time.
# Large units make a build from scratch faster, small ones a rebuild after a change.
# Names in unnamed namespaces must therefore be unique within a module, and must not hide
# a name of its headers. RIDGELINE_UNITY=OFF compiles each file alone; the presets `tidy`
# and `fuzz` do, so every file still includes what it uses.
#
# CMake leaves out sources that have compile options or definitions of their own.
option(RIDGELINE_UNITY "Compile several source files of a module at a time" ON)
set(RIDGELINE_UNITY_BATCH 12 CACHE STRING "Source files per compilation with RIDGELINE_UNITY")

function(ridgeline_unity target)
  if(NOT RIDGELINE_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES
    UNITY_BUILD ON
    UNITY_BUILD_BATCH_SIZE ${RIDGELINE_UNITY_BATCH})
  # g++ takes every file that the unit includes for a header, and in a header a type with
  # members from an unnamed namespace would be a mistake.
  target_compile_options(${target} PRIVATE
    $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage>)
endfunction()
