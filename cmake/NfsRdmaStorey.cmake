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

set(NFSRDMA_PRECOMPILED
    <algorithm>
    <array>
    <cstdint>
    <deque>
    <functional>
    <map>
    <memory>
    <optional>
    <set>
    <string>
    <utility>
    <variant>
    <vector>
    <ns3/boolean.h>
    <ns3/log.h>
    <ns3/node.h>
    <ns3/nstime.h>
    <ns3/object.h>
    <ns3/simulator.h>
    <ns3/string.h>
    <ns3/traced-callback.h>
    <ns3/uinteger.h>
)

# nfsrdma_precompile(<target> <owner> [<header>...])
#
# Has <target> compiled with the headers that most sources include, precompiled once for all targets of
# <owner>. It saves time and nothing else: every source includes what it needs, and the linter's build
# tree, which has no precompiled headers, would tell.
function(nfsrdma_precompile target owner)
  # A macro of its own for each library would keep the libraries from sharing.
  set_target_properties(${target} PROPERTIES DEFINE_SYMBOL "")
  if(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE ${NFSRDMA_PRECOMPILED} ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

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
  if(NOT name STREQUAL wire)
    nfsrdma_precompile(${target} nfsrdma-link)
  endif()
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
  # These two know nothing of ns-3.
  if(NOT folder MATCHES "^(wire|topology)$")
    nfsrdma_precompile(${target} test-link <gmock/gmock.h> <gtest/gtest.h>)
  endif()
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
