# libtorch, for the networks only: nothing else is built with it, and without it
# everything else is. Another libtorch than Debian's: -DRIDGELINE_TORCH_DIR=<its folder>,
# as `make run TORCH=pip` does.
option(RIDGELINE_TORCH "Build the networks, if libtorch is found" ON)
set(RIDGELINE_TORCH_DIR "" CACHE PATH "libtorch's folder; empty: the system's")
if(RIDGELINE_TORCH_DIR)
  list(PREPEND CMAKE_PREFIX_PATH ${RIDGELINE_TORCH_DIR})
endif()
if(RIDGELINE_TORCH)
  find_package(Torch QUIET)
endif()
if(RIDGELINE_TORCH AND Torch_FOUND)
  add_library(ridgeline_torch INTERFACE)
  target_link_libraries(ridgeline_torch INTERFACE ${TORCH_LIBRARIES})
  # pip's torch has headers of another fmt than the one we link.
  get_target_property(fmt_headers fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
  set(our_headers ${PROJECT_BINARY_DIR}/headers_before_torch)
  file(MAKE_DIRECTORY ${our_headers})
  file(CREATE_LINK ${fmt_headers}/fmt ${our_headers}/fmt SYMBOLIC)
  target_include_directories(ridgeline_torch SYSTEM INTERFACE ${our_headers}
    ${TORCH_INCLUDE_DIRS})
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
