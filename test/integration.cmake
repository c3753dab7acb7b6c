# Two programs from test/integration: scenario/*.cc looks at files, keys and tables without a network;
# *.cc beside it runs whole clusters, through the classes and through the program nfsrdma-sim itself.
# test/faults runs the inputs of test/data/faults, which the simulator once got wrong. A filter behind the
# label names the cases that are "nightly".

function(nfsrdma_integration_test target folder label)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cc)
  if(NOT sources)
    return()
  endif()
  add_executable(${target} ${sources})
  target_link_libraries(
    ${target} PRIVATE nfsrdma-scenario nfsrdma-options GTest::gtest_main GTest::gmock
  )
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized> $<$<CONFIG:Release>:-O0>)
  target_include_directories(
    ${target} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_SOURCE_DIR}/integration
  )
  target_compile_definitions(
    ${target} PRIVATE NFSRDMA_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
                      NFSRDMA_BINARY_DIR="${CMAKE_BINARY_DIR}"
                      NFSRDMA_SIM="$<TARGET_FILE:nfsrdma-sim>"
                      NFSRDMA_TWO_NODES="$<TARGET_FILE:two-nodes>"
  )
  nfsrdma_precompile(${target} test-link)
  add_dependencies(${target} nfsrdma-sim two-nodes)
  set(others "*")
  if(ARGC GREATER 3)
    nfsrdma_cases(${target} ${target} "${ARGV3}" nightly)
    string(APPEND others "-${ARGV3}")
  endif()
  nfsrdma_cases(${target} ${target} "${others}" ${label})
endfunction()

nfsrdma_integration_test(test-scenario integration/scenario quick)
nfsrdma_integration_test(test-integration integration cluster "Nightly/*")
nfsrdma_integration_test(test-faults faults faults "Nightly/*")
target_sources(test-faults PRIVATE integration/simulator-process.cc)
target_link_libraries(test-faults PRIVATE nfsrdma-capture)
