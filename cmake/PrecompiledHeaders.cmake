# ridgeline_precompile(<target> <name> HEADERS <headers...> [LINK <what they need...>])
#
# Lets the files of a target begin with these headers, which are compiled once for all
# targets that name them so: reading them takes longer than compiling most of our files.
# Each file still includes what it uses; `make lint` and `make fuzz` build without.
#
# With g++ only: it takes a precompiled header also where there are more definitions than
# it was made with, and clang does not.
function(ridgeline_precompile target name)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "HEADERS;LINK" ${ARGN})
  set(owner ridgeline_${name}_headers)
  if(NOT TARGET ${owner})
    file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/${owner}.cc CONTENT "")
    add_library(${owner} OBJECT ${PROJECT_BINARY_DIR}/${owner}.cc)
    target_link_libraries(${owner} PRIVATE ridgeline_warnings ${ARG_LINK})
    target_compile_options(${owner} PRIVATE -pthread)
    target_precompile_headers(${owner} PRIVATE ${ARG_HEADERS})
    set_property(GLOBAL PROPERTY ${owner} "${ARG_LINK}")
  endif()
  # It needs the definitions with which it was made.
  get_property(libraries GLOBAL PROPERTY ${owner})
  foreach(library IN LISTS libraries)
    target_compile_definitions(${target} PRIVATE
      $<TARGET_PROPERTY:${library},INTERFACE_COMPILE_DEFINITIONS>)
  endforeach()
  # Some libraries ask for it, and a precompiled header is for those that do or do not.
  target_compile_options(${target} PRIVATE -pthread)
  target_precompile_headers(${target} REUSE_FROM ${owner})
  if(NOT TARGET ridgeline_common_templates)
    add_library(ridgeline_common_templates STATIC ${PROJECT_SOURCE_DIR}/cmake/common_templates.cc)
    target_link_libraries(ridgeline_common_templates PRIVATE ${RIDGELINE_LIBRARY_json})
  endif()
  target_link_libraries(${target} PUBLIC ridgeline_common_templates)
endfunction()
