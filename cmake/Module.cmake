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

function(ridgeline_module module)
  cmake_parse_arguments(ARG "COLD" "" "DEPENDS;EXTERNAL;LINK;FOLDERS;SOURCES;TESTS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ridgeline_module(${module}): unknown '${ARG_UNPARSED_ARGUMENTS}'")
  endif()
  if(NOT ARG_FOLDERS)
    set(ARG_FOLDERS ${module})
  endif()
  get_filename_component(name ${module} NAME)

  if(ARG_SOURCES)
    set(linkage PUBLIC)
    add_library(ridgeline_${name} STATIC ${ARG_SOURCES})
    target_link_libraries(ridgeline_${name} PRIVATE ridgeline_warnings)
    ridgeline_unity(ridgeline_${name})
    if(ARG_COLD)
      target_compile_options(ridgeline_${name} PRIVATE $<$<CONFIG:RelWithDebInfo>:-O1>)
    endif()
    if(NOT "torch" IN_LIST ARG_EXTERNAL)
      ridgeline_precompile(ridgeline_${name} module HEADERS <algorithm> <filesystem>
        <functional> <map> <memory> <optional> <set> <span> <string> <string_view> <variant>
        <vector> <fmt/format.h> <nlohmann/json.hpp>
        LINK ${RIDGELINE_LIBRARY_fmt} ${RIDGELINE_LIBRARY_json})
    endif()
  else()
    set(linkage INTERFACE)
    add_library(ridgeline_${name} INTERFACE)
  endif()
  add_library(ridgeline::${name} ALIAS ridgeline_${name})
  target_include_directories(ridgeline_${name} ${linkage} ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(ridgeline_${name} ${linkage} ${ARG_LINK})

  foreach(path IN LISTS ARG_DEPENDS)
    get_filename_component(dependency ${path} NAME)
    if(NOT TARGET ridgeline::${dependency})
      message(FATAL_ERROR "'${module}' may not depend on '${path}': it is not declared before")
    endif()
    target_link_libraries(ridgeline_${name} ${linkage} ridgeline::${dependency})
  endforeach()
  foreach(word IN LISTS ARG_EXTERNAL)
    if(NOT DEFINED RIDGELINE_LIBRARY_${word})
      message(FATAL_ERROR "'${module}' uses '${word}', which cmake/Libraries.cmake lacks")
    endif()
    target_link_libraries(ridgeline_${name} ${linkage} ${RIDGELINE_LIBRARY_${word}})
  endforeach()
  ridgeline_declare(${module} "${ARG_DEPENDS}" "${ARG_EXTERNAL}" "${ARG_FOLDERS}")

  if(BUILD_TESTING AND ARG_TESTS)
    set(torch)
    if("torch" IN_LIST ARG_EXTERNAL)
      set(torch TORCH)
    endif()
    ridgeline_test(${name}_tests PREFIX ${name} SOURCES ${ARG_TESTS} LINK ridgeline::${name}
      ${torch})
  endif()
endfunction()

# ridgeline_test(<program> PREFIX <word> SOURCES <files...> LINK <targets...>
#   [PROPERTIES <of each test...>]
#   [APART <filter> PROPERTIES_APART <of those that match it...>]
#   [TORCH]): a
# GoogleTest program whose tests ctest knows as <word>.<suite>.<test>. It finds
# the repository's files below RIDGELINE_SOURCE_DIR. A program with libtorch takes a
# second to start: ctest knows all its tests as one, <word>.
function(ridgeline_test program)
  cmake_parse_arguments(ARG "TORCH" "PREFIX;APART" "SOURCES;LINK;PROPERTIES;PROPERTIES_APART" ${ARGN})
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
  ridgeline_precompile(${program} test HEADERS <gmock/gmock.h> <gtest/gtest.h> <filesystem>
    <fmt/format.h> <nlohmann/json.hpp>
    LINK GTest::gmock ${RIDGELINE_LIBRARY_fmt} ${RIDGELINE_LIBRARY_json})
  set(rest)
  if(ARG_APART)
    gtest_discover_tests(${program} TEST_PREFIX "${ARG_PREFIX}." DISCOVERY_MODE PRE_TEST
      TEST_FILTER "${ARG_APART}" PROPERTIES ${hang} ${ARG_PROPERTIES_APART})
    set(rest TEST_FILTER "-${ARG_APART}")
  endif()
  gtest_discover_tests(${program} TEST_PREFIX "${ARG_PREFIX}." DISCOVERY_MODE PRE_TEST ${rest}
    PROPERTIES ${hang} ${ARG_PROPERTIES})
endfunction()
