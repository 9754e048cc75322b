# cmake -DHOST=… -DSCRIPT=… -DASSERT=… -DEXPECTED=… -P compare.cmake: the script's output must be EXPECTED.
execute_process(
  COMMAND ${HOST} ${SCRIPT} ${ASSERT}
  OUTPUT_VARIABLE actual RESULT_VARIABLE status
  TIMEOUT 60)
file(READ ${EXPECTED} expected)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "The script failed (${status}):\n${actual}")
endif()
if(NOT actual STREQUAL expected)
  message(FATAL_ERROR "Expected:\n${expected}\nGot:\n${actual}")
endif()
