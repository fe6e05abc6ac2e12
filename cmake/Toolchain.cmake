# What makes the build itself faster; nothing here changes what is built.
find_program(RIDGELINE_CCACHE ccache)
if(RIDGELINE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Without this ccache keeps nothing that was compiled with a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${RIDGELINE_CCACHE})
endif()

# g++ looks for memory that it can use again each time it holds a third more; below 1 GB a
# file, that takes longer than it is worth.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1048576>)
endif()

# lld links the test programs several times faster than GNU ld.
find_program(RIDGELINE_LLD ld.lld)
if(RIDGELINE_LLD)
  add_link_options(-fuse-ld=lld)
endif()
