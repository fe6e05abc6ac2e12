# libtorch, for the networks only: nothing else is built with it, and without it
# everything else is. RIDGELINE_TORCH_DIR is the folder of another one than Debian's, with
# include/ and lib/: that of pip's torch (`make run TORCH=pip`) or of an unpacked libtorch.
option(RIDGELINE_TORCH "Build the networks, if libtorch is found" ON)
set(RIDGELINE_TORCH_DIR "" CACHE PATH "libtorch's folder; empty: the system's libtorch")

# ridgeline_find_torch(<folder>): sets Torch_VERSION, TORCH_LIBRARIES and
# TORCH_INCLUDE_DIRS from the files themselves. libtorch's own TorchConfig.cmake stops
# where a build for CUDA finds no CUDA toolkit, which most machines with a GPU do not have
# and our programs do not need.
macro(ridgeline_find_torch folder)
  set(Torch_VERSION)
  foreach(header csrc/api/include/torch/version.h headeronly/version.h)
    set(header ${folder}/include/torch/${header})
    foreach(part MAJOR MINOR PATCH)
      if(EXISTS ${header})
        file(STRINGS ${header} line REGEX "define TORCH_VERSION_${part} [0-9]+")
        string(REGEX MATCH "[0-9]+$" number "${line}")
        list(APPEND Torch_VERSION ${number})
      endif()
    endforeach()
  endforeach()
  list(JOIN Torch_VERSION "." Torch_VERSION)
  if(NOT Torch_VERSION OR NOT EXISTS ${folder}/lib/libtorch.so)
    message(FATAL_ERROR "RIDGELINE_TORCH_DIR: no libtorch in '${folder}': expected include/ "
      "and lib/ as in pip's torch")
  endif()
  if(Torch_VERSION VERSION_LESS 2.6)
    message(FATAL_ERROR "RIDGELINE_TORCH_DIR: libtorch ${Torch_VERSION} in '${folder}' is "
      "built with an older C++ ABI; 2.6 or newer is needed")
  endif()
  set(TORCH_INCLUDE_DIRS ${folder}/include ${folder}/include/torch/csrc/api/include)
  # libtorch.so itself loads the CUDA part, if there is one, and no symbol of ours asks
  # for it. What that part needs is found by its own search path.
  set(TORCH_LIBRARIES -Wl,--push-state,--no-as-needed ${folder}/lib/libtorch.so
    -Wl,--pop-state ${folder}/lib/libtorch_cpu.so ${folder}/lib/libc10.so
    -Wl,--allow-shlib-undefined)
  set(Torch_FOUND TRUE)
endmacro()

if(RIDGELINE_TORCH AND RIDGELINE_TORCH_DIR)
  ridgeline_find_torch(${RIDGELINE_TORCH_DIR})
elseif(RIDGELINE_TORCH)
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
  # As flags, not as a library with a path: pip's torch has its own copy, and there may be
  # one only in a process.
  target_compile_options(ridgeline_torch INTERFACE ${OpenMP_CXX_FLAGS})
  target_link_options(ridgeline_torch INTERFACE ${OpenMP_CXX_FLAGS})
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
