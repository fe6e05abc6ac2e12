# ridgeline_module(<module>
#   DEPENDS <modules...>   modules it may include; only modules declared before it
#   EXTERNAL <words...>    libraries it may include, by their word in Libraries.cmake
#   LINK <targets...>      anything else to link
#   FOLDERS <folders...>   where its files are, below src/; default: its own name
#   COLD                   plans, formats and prints: -O1 in release, a quarter less to compile
#   SOURCES <files...>     none: the module is headers only
#   TESTS <files...>)      GoogleTest files, one program <name>_tests
#
# Declares one module of src/ as one static library. A module is a folder of src/, or a
# folder in one ("model_io/images"), which then has its own DEPENDS and EXTERNAL; targets,
# tests and namespaces are named after the last part of its path. Modules exist in the
# order of add_subdirectory() in src/CMakeLists.txt, so that order is the layering and a
# cycle cannot be written down. Each declaration also becomes one line of layers.txt, which
# tests/layering_test.cc compares with the #include lines.
#
# With RIDGELINE_MERGE, the modules of RIDGELINE_MERGED (src/CMakeLists.txt) are compiled
# together as one library, and the tests of all modules as one program, `unit_tests`: what
# their files have in common is compiled less often. RIDGELINE_TEST_PROGRAM is set to the
# program with the module's tests.
include(GoogleTest)
include(cmake/PrecompiledHeaders.cmake)
include(cmake/Unity.cmake)

# Adds a line to layers.txt: "<module>|<depends>|<external>|<folders>".
function(ridgeline_declare module depends external folders)
  string(JOIN " " depends ${depends})
  string(JOIN " " external ${external})
  string(JOIN " " folders ${folders})
  set_property(GLOBAL APPEND PROPERTY RIDGELINE_LAYERS
    "${module}|${depends}|${external}|${folders}")
endfunction()

# Compiles a library of modules; the torch modules have another precompiled header.
function(ridgeline_compile_module target)
  cmake_parse_arguments(ARG "COLD;TORCH" "" "" ${ARGN})
  target_link_libraries(${target} PRIVATE ridgeline_warnings)
  ridgeline_unity(${target})
  if(ARG_COLD)
    target_compile_options(${target} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
  endif()
  if(NOT ARG_TORCH)
    ridgeline_precompile(${target} module HEADERS <algorithm> <functional> <memory> <span>
      <variant> <fmt/format.h> ${PROJECT_SOURCE_DIR}/cmake/common_templates.h
      LINK ${RIDGELINE_LIBRARY_fmt} ${RIDGELINE_LIBRARY_json})
  endif()
endfunction()

# Makes the targets to which ridgeline_module() adds files where RIDGELINE_MERGE is on.
option(RIDGELINE_MERGE "Compile many modules, and the tests of all, as one: for builds from scratch" OFF)
function(ridgeline_merge)
  if(NOT RIDGELINE_MERGE)
    return()
  endif()
  add_library(ridgeline_merged STATIC)
  ridgeline_compile_module(ridgeline_merged COLD)
  if(BUILD_TESTING)
    ridgeline_test(unit_tests PREFIX unit BY_SUITE)
  endif()
endfunction()

function(ridgeline_module module)
  cmake_parse_arguments(ARG "COLD" "" "DEPENDS;EXTERNAL;LINK;FOLDERS;SOURCES;TESTS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ridgeline_module(${module}): unknown '${ARG_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT ARG_FOLDERS)
    set(ARG_FOLDERS ${module})
  endif()
  get_filename_component(name ${module} NAME)
  set(cold)
  if(ARG_COLD)
    set(cold COLD)
  endif()
  set(torch)
  if("torch" IN_LIST ARG_EXTERNAL)
    set(torch TORCH)
  endif()

  # `linked` is the target that links what the module needs.
  set(linked ridgeline_${name})
  set(linkage PUBLIC)
  if(RIDGELINE_MERGE AND module IN_LIST RIDGELINE_MERGED)
    set(linked ridgeline_merged)
    list(TRANSFORM ARG_SOURCES PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    target_sources(ridgeline_merged PRIVATE ${ARG_SOURCES})
    add_library(ridgeline_${name} INTERFACE)
    target_link_libraries(ridgeline_${name} INTERFACE ridgeline_merged)
  elseif(ARG_SOURCES)
    add_library(ridgeline_${name} STATIC ${ARG_SOURCES})
    ridgeline_compile_module(ridgeline_${name} ${cold} ${torch})
  else()
    set(linkage INTERFACE)
    add_library(ridgeline_${name} INTERFACE)
  endif()
  add_library(ridgeline::${name} ALIAS ridgeline_${name})
  target_include_directories(${linked} ${linkage} ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(${linked} ${linkage} ${ARG_LINK})

  foreach(path IN LISTS ARG_DEPENDS)
    get_filename_component(dependency ${path} NAME)
    if(NOT TARGET ridgeline::${dependency})
      message(FATAL_ERROR "'${module}' may not depend on '${path}': it is not declared before")
    endif()
    if(NOT (linked STREQUAL ridgeline_merged AND path IN_LIST RIDGELINE_MERGED))
      target_link_libraries(${linked} ${linkage} ridgeline::${dependency})
    endif()
  endforeach()
  foreach(word IN LISTS ARG_EXTERNAL)
    if(NOT DEFINED RIDGELINE_LIBRARY_${word})
      message(FATAL_ERROR "'${module}' uses '${word}', which cmake/Libraries.cmake lacks")
    endif()
    target_link_libraries(${linked} ${linkage} ${RIDGELINE_LIBRARY_${word}})
  endforeach()
  ridgeline_declare(${module} "${ARG_DEPENDS}" "${ARG_EXTERNAL}" "${ARG_FOLDERS}")

  if(NOT BUILD_TESTING OR NOT ARG_TESTS)
    return()
  endif()
  if(RIDGELINE_MERGE AND NOT torch)
    set(RIDGELINE_TEST_PROGRAM unit_tests PARENT_SCOPE)
    list(TRANSFORM ARG_TESTS PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/)
    target_sources(unit_tests PRIVATE ${ARG_TESTS})
    target_link_libraries(unit_tests PRIVATE ridgeline::${name})
  else()
    set(RIDGELINE_TEST_PROGRAM ${name}_tests PARENT_SCOPE)
    ridgeline_test(${name}_tests PREFIX ${name} SOURCES ${ARG_TESTS} LINK ridgeline::${name}
      ${torch})
  endif()
endfunction()

# ridgeline_test(<program> PREFIX <word> SOURCES <files...> LINK <targets...>
#   [PROPERTIES <of each test...>]
#   [APART <filter> PROPERTIES_APART <of those that match it...>]
#   [BY_SUITE] [TORCH]): a
# GoogleTest program whose tests ctest knows as <word>.<suite>.<test>; with BY_SUITE, a
# suite is one test. It finds the repository's files below RIDGELINE_SOURCE_DIR. A program
# with libtorch takes a second to start: ctest knows all its tests as one, <word>.
function(ridgeline_test program)
  cmake_parse_arguments(ARG "TORCH;BY_SUITE" "PREFIX;APART" "SOURCES;LINK;PROPERTIES;PROPERTIES_APART" ${ARGN})
  add_executable(${program} ${ARG_SOURCES})
  target_link_libraries(${program} PRIVATE ${ARG_LINK} ridgeline_warnings GTest::gmock_main)
  ridgeline_unity(${program})
  target_compile_definitions(${program} PRIVATE
    RIDGELINE_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    RIDGELINE_TESTS_DIR="${PROJECT_SOURCE_DIR}/tests"
    RIDGELINE_BINARY_DIR="${PROJECT_BINARY_DIR}")
  set(hang TIMEOUT 600)  # Some seconds are usual, on a machine that does nothing else.
  if(ARG_TORCH)
    add_test(NAME ${ARG_PREFIX} COMMAND ${program})
    set_tests_properties(${ARG_PREFIX} PROPERTIES ${hang} ${ARG_PROPERTIES})
    return()
  endif()
  # Not with libtorch: its definitions do not agree with those of the header.
  ridgeline_precompile(${program} test HEADERS <gmock/gmock.h> <gtest/gtest.h>
    <fmt/format.h> ${PROJECT_SOURCE_DIR}/cmake/common_templates.h
    LINK GTest::gmock ${RIDGELINE_LIBRARY_fmt} ${RIDGELINE_LIBRARY_json})
  if(ARG_BY_SUITE)
    file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${program}.cmake CONTENT "
      set(PROGRAM $<TARGET_FILE:${program}>)
      set(PREFIX ${ARG_PREFIX})
      set(PROPERTIES ${hang})
      include(${PROJECT_SOURCE_DIR}/cmake/DiscoverSuites.cmake)")
    set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES
      ${CMAKE_CURRENT_BINARY_DIR}/${program}.cmake)
    return()
  endif()
  set(rest)
  if(ARG_APART)
    gtest_discover_tests(${program} TEST_PREFIX "${ARG_PREFIX}." DISCOVERY_MODE PRE_TEST
      TEST_FILTER "${ARG_APART}" PROPERTIES ${hang} ${ARG_PROPERTIES_APART})
    set(rest TEST_FILTER "-${ARG_APART}")
  endif()
  gtest_discover_tests(${program} TEST_PREFIX "${ARG_PREFIX}." DISCOVERY_MODE PRE_TEST ${rest}
    PROPERTIES ${hang} ${ARG_PROPERTIES})
endfunction()
