# ridgeline_module(<room>
#   DEPENDS <rooms...>     rooms it may include; only rooms declared before it
#   EXTERNAL <words...>    libraries it may include, by their word in Libraries.cmake
#   LINK <targets...>      anything else to link
#   SOURCES <files...>     none: the room is headers only
#   TESTS <files...>)      GoogleTest files, one program <room>_tests
#
# Declares one room of src/ as one static library. Rooms exist in the order of
# add_subdirectory() in src/CMakeLists.txt, so that order is the layering and a
# cycle cannot be written down. Each declaration also becomes one line of
# layers.txt, which tests/rooms_test.cc holds against the #include lines.
include(GoogleTest)
include(cmake/PrecompiledHeaders.cmake)

function(ridgeline_module room)
  cmake_parse_arguments(ARG "" "" "DEPENDS;EXTERNAL;LINK;SOURCES;TESTS" ${ARGN})
  if(ARG_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "ridgeline_module(${room}): what is '${ARG_UNPARSED_ARGUMENTS}'?")
  endif()

  if(ARG_SOURCES)
    set(linkage PUBLIC)
    add_library(ridgeline_${room} STATIC ${ARG_SOURCES})
    target_link_libraries(ridgeline_${room} PRIVATE ridgeline_warnings)
    if(NOT "torch" IN_LIST ARG_EXTERNAL)
      ridgeline_precompile(ridgeline_${room} room HEADERS <algorithm> <filesystem>
        <functional> <map> <memory> <optional> <set> <span> <string> <string_view> <variant>
        <vector>)
    endif()
  else()
    set(linkage INTERFACE)
    add_library(ridgeline_${room} INTERFACE)
  endif()
  add_library(ridgeline::${room} ALIAS ridgeline_${room})
  target_include_directories(ridgeline_${room} ${linkage} ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(ridgeline_${room} ${linkage} ${ARG_LINK})

  foreach(dep IN LISTS ARG_DEPENDS)
    if(NOT TARGET ridgeline::${dep})
      message(FATAL_ERROR "'${room}' may not depend on '${dep}': it is not a room below")
    endif()
    target_link_libraries(ridgeline_${room} ${linkage} ridgeline::${dep})
  endforeach()
  foreach(word IN LISTS ARG_EXTERNAL)
    if(NOT DEFINED RIDGELINE_LIBRARY_${word})
      message(FATAL_ERROR "'${room}' uses '${word}', which cmake/Libraries.cmake lacks")
    endif()
    target_link_libraries(ridgeline_${room} ${linkage} ${RIDGELINE_LIBRARY_${word}})
  endforeach()

  string(JOIN " " deps ${ARG_DEPENDS})
  string(JOIN " " external ${ARG_EXTERNAL})
  set_property(GLOBAL APPEND PROPERTY RIDGELINE_LAYERS "${room}|${deps}|${external}")

  if(BUILD_TESTING AND ARG_TESTS)
    set(torch)
    if("torch" IN_LIST ARG_EXTERNAL)
      set(torch TORCH)
    endif()
    ridgeline_test(${room}_tests PREFIX ${room} SOURCES ${ARG_TESTS} LINK ridgeline::${room}
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
    LINK GTest::gmock)
  set(rest)
  if(ARG_APART)
    gtest_discover_tests(${program} TEST_PREFIX "${ARG_PREFIX}." DISCOVERY_MODE PRE_TEST
      TEST_FILTER "${ARG_APART}" PROPERTIES ${hang} ${ARG_PROPERTIES_APART})
    set(rest TEST_FILTER "-${ARG_APART}")
  endif()
  gtest_discover_tests(${program} TEST_PREFIX "${ARG_PREFIX}." DISCOVERY_MODE PRE_TEST ${rest}
    PROPERTIES ${hang} ${ARG_PROPERTIES})
endfunction()
