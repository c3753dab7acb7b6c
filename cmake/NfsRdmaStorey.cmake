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
  nfsrdma_join(${target})
  # A macro of its own for each library would keep the libraries from sharing.
  set_target_properties(${target} PROPERTIES DEFINE_SYMBOL "")
  if(target STREQUAL owner)
    target_precompile_headers(${target} PRIVATE ${NFSRDMA_PRECOMPILED} ${ARGN})
  else()
    target_precompile_headers(${target} REUSE_FROM ${owner})
  endif()
endfunction()

# nfsrdma_join(<target>)
#
# What a target whose sources are compiled several at a time (CMAKE_UNITY_BUILD, as the presets say) needs:
# each source that has an ns-3 log component keeps its own. Names of unnamed namespaces are the sources' to
# keep apart; nfsrdma_alone() is for those that cannot.
function(nfsrdma_join target)
  set_target_properties(
    ${target}
    PROPERTIES
      UNITY_BUILD_UNIQUE_ID NFSRDMA_SOURCE_ID
      UNITY_BUILD_CODE_BEFORE_INCLUDE
      "#undef g_log
#define NFSRDMA_PASTE(prefix, id) prefix##id
#define NFSRDMA_JOIN(prefix, id) NFSRDMA_PASTE(prefix, id)
#define g_log NFSRDMA_JOIN(g_log_, NFSRDMA_SOURCE_ID)"
  )
endfunction()

# nfsrdma_alone(<source>...)
#
# Sources that are tables of short names which other sources have too: each is compiled by itself.
function(nfsrdma_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
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

# nfsrdma_discover(<target> <prefix> <filter> PROPERTIES...)
#
# The cases of a test program that match the GoogleTest <filter>: each is a ctest case of its own, so that
# each has a fresh simulator; with NFSRDMA_TEST_PROGRAMS they are four processes of many cases.
function(nfsrdma_discover target prefix filter)
  if(NOT NFSRDMA_TEST_PROGRAMS)
    gtest_discover_tests(
      ${target}
      NO_PRETTY_VALUES
      DISCOVERY_MODE PRE_TEST
      TEST_PREFIX "${prefix}."
      TEST_FILTER "${filter}"
      ${ARGN}
    )
    return()
  endif()
  string(SHA1 case "${filter}")
  string(SUBSTRING "${case}" 0 4 case)
  foreach(shard RANGE 3)
    set(name "${prefix}.${case}.${shard}")
    add_test(NAME ${name} COMMAND ${target} "--gtest_filter=${filter}" --gtest_brief=1)
    set_tests_properties(
      ${name} ${ARGN} ENVIRONMENT "GTEST_TOTAL_SHARDS=4;GTEST_SHARD_INDEX=${shard}" TIMEOUT 3000
    )
  endforeach()
endfunction()

# nfsrdma_test(<folder> [LABELS <label>...] [LIBRARIES <target>...] [SLOW <filter>] [NIGHTLY <filter>])
#
# Test program test-<folder> from test/<folder>/*.cc. Label "quick" unless LABELS says otherwise, and
# "slow" for those that match the filter SLOW, "nightly" for those that match NIGHTLY.
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
  # GCC takes the value that a std::optional has not for one (its bug 80635), where it inlines much. What
  # takes time in a test is in the libraries: more than -O1 costs the build more than it gives.
  target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized $<$<CONFIG:Release>:-O1>)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/test)
  target_compile_definitions(
    ${target} PRIVATE NFSRDMA_SOURCE_DIR="${PROJECT_SOURCE_DIR}" NFSRDMA_BINARY_DIR="${CMAKE_BINARY_DIR}"
  )
  # These two know nothing of ns-3.
  if(NOT folder MATCHES "^(wire|topology)$")
    nfsrdma_precompile(${target} test-link <gmock/gmock.h> <gtest/gtest.h>)
  endif()
  set(others)
  foreach(length SLOW NIGHTLY)
    if(TEST_${length})
      string(TOLOWER ${length} label)
      string(APPEND others ":${TEST_${length}}")
      nfsrdma_discover(${target} ${folder} "${TEST_${length}}" PROPERTIES LABELS ${label} TIMEOUT 3000)
    endif()
  endforeach()
  string(REGEX REPLACE "^:" "-" others "${others}")
  nfsrdma_discover(${target} ${folder} "*${others}" PROPERTIES LABELS "${TEST_LABELS}" TIMEOUT 300)
endfunction()
