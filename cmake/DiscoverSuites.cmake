# Read by ctest before the tests of PROGRAM: makes each suite of it a test, PREFIX.<suite>.
# In one process a suite takes little longer than one of its tests, where loading the
# program takes most of the time.
if(NOT EXISTS ${PROGRAM})
  add_test(${PREFIX}_NOT_BUILT ${PROGRAM})
  return()
endif()
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listed
  COMMAND_ERROR_IS_FATAL ANY)
# "ClockTest." or "All/ClockTest.  # TypeParam = int", then a line for each test: "  Runs".
string(REGEX MATCHALL "(^|\n)[^ \n]+[.]" suites "${listed}")
foreach(suite IN LISTS suites)
  string(REGEX REPLACE "^\n|[.]$" "" suite "${suite}")
  add_test(${PREFIX}.${suite} ${PROGRAM} --gtest_filter=${suite}.*)
  set_tests_properties(${PREFIX}.${suite} PROPERTIES ${PROPERTIES})
endforeach()
