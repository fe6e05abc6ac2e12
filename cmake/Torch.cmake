# libtorch, for the networks only: nothing else is built with it, and without it
# everything else is. Another libtorch than Debian's: -DCMAKE_PREFIX_PATH=<its folder>.
option(RIDGELINE_TORCH "Build the networks, if libtorch is found" ON)
if(RIDGELINE_TORCH)
  find_package(Torch QUIET)
endif()
if(RIDGELINE_TORCH AND Torch_FOUND)
  add_library(ridgeline_torch INTERFACE)
  target_link_libraries(ridgeline_torch INTERFACE ${TORCH_LIBRARIES})
  target_include_directories(ridgeline_torch SYSTEM INTERFACE ${TORCH_INCLUDE_DIRS})
  # at::parallel_for is header code: in a file compiled without OpenMP it runs on one
  # thread, whatever at::set_num_threads() says.
  find_package(OpenMP REQUIRED COMPONENTS CXX)
  target_link_libraries(ridgeline_torch INTERFACE OpenMP::OpenMP_CXX)
  separate_arguments(torch_flags UNIX_COMMAND "${TORCH_CXX_FLAGS}")
  target_compile_options(ridgeline_torch INTERFACE ${torch_flags})
  # Some of its classes have another layout in debug builds, and libtorch is not one.
  target_compile_definitions(ridgeline_torch INTERFACE NDEBUG)
  set(RIDGELINE_LIBRARY_torch ridgeline_torch)
  set(RIDGELINE_HAS_TORCH TRUE)
  set(RIDGELINE_LIBTORCH_VERSION ${Torch_VERSION})
else()
  set(RIDGELINE_HAS_TORCH FALSE)
  set(RIDGELINE_LIBTORCH_VERSION "")
  message(STATUS "no libtorch: the networks are not built")
endif()
