# cmake -DHOST=… -DCOMPILER=… -DSCRIPT=… -DASSERT=… -DEXPECTED=… -DSCRATCH=… -P compare.cmake
# The script's output must be that of the file EXPECTED. TypeScript is compiled into SCRATCH first.
if(SCRIPT MATCHES "\\.ts$")
  execute_process(
    COMMAND ${COMPILER} ${SCRIPT} --target=firefox102 --format=esm --outfile=${SCRATCH}
    RESULT_VARIABLE status ERROR_VARIABLE messages)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "The script does not compile:\n${messages}")
  endif()
  set(SCRIPT ${SCRATCH})
endif()
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
