# NVTX is headers only; they come with CUDA and with Nsight Systems. Without them nothing
# fails, but profilers do not see the parts of the work.
file(GLOB nvtx_hints
  /usr/local/cuda/include
  /opt/nvidia/nsight-systems/*/target-linux-x64/nvtx/include
  /usr/lib/*/nsight-systems/target-linux-x64/nvtx/include)
find_path(RIDGELINE_NVTX_INCLUDE nvtx3/nvToolsExt.h HINTS ${nvtx_hints})
add_library(ridgeline_nvtx_headers INTERFACE)
target_link_libraries(ridgeline_nvtx_headers INTERFACE ${CMAKE_DL_LIBS})
if(RIDGELINE_NVTX_INCLUDE)
  target_include_directories(ridgeline_nvtx_headers SYSTEM INTERFACE ${RIDGELINE_NVTX_INCLUDE})
else()
  message(STATUS "no nvtx3/nvToolsExt.h: profilers will not see the parts of our workloads "
    "(scripts/setup.sh nsight gets it)")
endif()
set(RIDGELINE_LIBRARY_nvtx ridgeline_nvtx_headers)
