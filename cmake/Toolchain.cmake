# What makes the build itself faster; nothing here changes what is built.
find_program(RIDGELINE_CCACHE ccache)
if(RIDGELINE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${RIDGELINE_CCACHE})
endif()

# lld links the test programs several times faster than GNU ld.
find_program(RIDGELINE_LLD ld.lld)
if(RIDGELINE_LLD)
  add_link_options(-fuse-ld=lld)
endif()
