# Targets of the house: one library per storey of model/, one test program per folder of test/.

add_library(nfsrdma-options INTERFACE)
target_compile_options(
  nfsrdma-options
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -Wnon-virtual-dtor
            $<$<BOOL:${NFSRDMA_WERROR}>:-Werror>
)

# nfsrdma_storey(<name> [DEPENDS <storey>...] [LIBRARIES <target>...])
#
# Library nfsrdma-<name> from model/<name>/*.cc. It is shared and linked with --no-undefined, so a call
# into a storey that DEPENDS does not lead to does not link.
function(nfsrdma_storey name)
  cmake_parse_arguments(STOREY "" "" "DEPENDS;LIBRARIES" ${ARGN})
  set(target nfsrdma-${name})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/model/${name}/*.cc
       ${PROJECT_SOURCE_DIR}/model/${name}/*/*.cc)
  if(NOT sources)
    add_library(${target} INTERFACE)
    return()
  endif()
  add_library(${target} SHARED ${sources})
  list(TRANSFORM STOREY_DEPENDS PREPEND nfsrdma-)
  target_link_libraries(
    ${target}
    PUBLIC ${STOREY_DEPENDS} ${STOREY_LIBRARIES} Microsoft.GSL::GSL tl::expected
    PRIVATE $<BUILD_INTERFACE:nfsrdma-options>
  )
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/model)
  if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    target_link_options(${target} PRIVATE -Wl,--no-undefined)
  endif()
endfunction()

# nfsrdma_test(<folder> [LABELS <label>...] [LIBRARIES <target>...] [SLOW <filter>] [NIGHTLY <filter>])
#
# Test program test-<folder> from test/<folder>/*.cc; every GoogleTest case is a ctest case of its own,
# so that each has a fresh simulator. Label "quick" unless LABELS says otherwise, and "slow" for those that
# match the filter SLOW, "nightly" for those that match NIGHTLY.
function(nfsrdma_test folder)
  cmake_parse_arguments(TEST "" "SLOW;NIGHTLY" "LABELS;LIBRARIES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/test/${folder}/*.cc)
  if(NOT sources)
    return()
  endif()
  if(NOT TEST_LABELS)
    set(TEST_LABELS quick)
  endif()
  set(target test-${folder})
  add_executable(${target} ${sources})
  target_link_libraries(${target} PRIVATE ${TEST_LIBRARIES} nfsrdma-options GTest::gtest_main GTest::gmock)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/test)
  target_compile_definitions(
    ${target} PRIVATE NFSRDMA_SOURCE_DIR="${PROJECT_SOURCE_DIR}" NFSRDMA_BINARY_DIR="${CMAKE_BINARY_DIR}"
  )
  set(filter)
  foreach(length SLOW NIGHTLY)
    if(TEST_${length})
      string(TOLOWER ${length} label)
      string(APPEND filter ":${TEST_${length}}")
      gtest_discover_tests(
        ${target}
        NO_PRETTY_VALUES
        DISCOVERY_MODE PRE_TEST
        TEST_PREFIX "${folder}."
        TEST_FILTER "${TEST_${length}}"
        PROPERTIES LABELS ${label} TIMEOUT 3000
      )
    endif()
  endforeach()
  if(filter)
    string(REGEX REPLACE "^:" "-" filter "${filter}")
    set(filter TEST_FILTER "${filter}")
  endif()
  gtest_discover_tests(
    ${target}
    NO_PRETTY_VALUES
    DISCOVERY_MODE PRE_TEST
    TEST_PREFIX "${folder}."
    ${filter}
    PROPERTIES LABELS "${TEST_LABELS}" TIMEOUT 300
  )
endfunction()
