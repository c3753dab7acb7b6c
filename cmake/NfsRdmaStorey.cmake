# Targets of the house: one library per storey of model/, one test program per folder of test/.

# -Wshadow is GCC's to say: of sources that are compiled together Clang takes a name of one for shadowed by
# the same name of another.
add_library(nfsrdma-options INTERFACE)
target_compile_options(
  nfsrdma-options
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            $<$<CXX_COMPILER_ID:GNU>:-Wshadow>
            -Wnon-virtual-dtor
            $<$<BOOL:${NFSRDMA_WERROR}>:-Werror>
            -fno-semantic-interposition
            -fno-plt
)
# A function of a library is called by its own library without a detour, and may be inlined there: nobody
# puts another in its place. A run takes a sixth less time.
target_link_options(nfsrdma-options INTERFACE LINKER:-Bsymbolic-functions)
# What NS_ASSERT() says holds at every change is checked in Debug.
target_compile_definitions(nfsrdma-options INTERFACE $<$<CONFIG:Debug>:NS3_ASSERT_ENABLE>)

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
# Library nfsrdma-<name> from the sources below model/<name>. It is shared and linked with --no-undefined, so a call
# into a storey that DEPENDS does not lead to does not link.
function(nfsrdma_storey name)
  cmake_parse_arguments(STOREY "" "" "DEPENDS;LIBRARIES" ${ARGN})
  set(target nfsrdma-${name})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/model/${name}/*.cc)
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
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/model>)
  nfsrdma_install_library(${name})
  if(NOT name STREQUAL wire)
    nfsrdma_precompile(${target} nfsrdma-link)
  endif()
  if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    target_link_options(${target} PRIVATE -Wl,--no-undefined)
  endif()
endfunction()

# nfsrdma_cases(<target> <prefix> <filter> <label>...)
#
# The cases of a test program that match the GoogleTest <filter>, as two ctest cases: each is one process
# that runs half of them, since starting a process costs more than most cases do. What failed is in the
# output; one case alone is run by the program itself with --gtest_filter.
function(nfsrdma_cases target prefix filter)
  string(SHA1 digest "${filter}")
  string(SUBSTRING "${digest}" 0 4 digest)
  foreach(shard RANGE 1)
    set(name "${prefix}.${digest}.${shard}")
    add_test(NAME ${name} COMMAND ${target} "--gtest_filter=${filter}")
    set_tests_properties(
      ${name} PROPERTIES LABELS "${ARGN}" TIMEOUT 3000
                         ENVIRONMENT "GTEST_TOTAL_SHARDS=2;GTEST_SHARD_INDEX=${shard}"
    )
  endforeach()
endfunction()

# nfsrdma_test(<folder> [SANITIZED] [LABELS <label>...] [LIBRARIES <target>...] [SOURCES <source>...]
#              [SLOW <filter>] [NIGHTLY <filter>])
#
# Test program test-<folder>, with - for /, from test/<folder>/*.cc and what SOURCES names of other folders. Label "quick" unless LABELS says otherwise, and
# "slow" for those that match the filter SLOW, "nightly" for those that match NIGHTLY. SANITIZED: it tests
# what parses octets or a state machine, so that every change runs it under sanitizers; label and target
# "sanitized" have all of these. Where NFSRDMA_SANITIZED_TESTS is off they run in that tree only, save the
# slow ones, and are built by name only.
function(nfsrdma_test folder)
  cmake_parse_arguments(TEST "SANITIZED" "SLOW;NIGHTLY" "LABELS;LIBRARIES;SOURCES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/test/${folder}/*.cc)
  if(NOT sources)
    return()
  endif()
  if(NOT TEST_LABELS)
    set(TEST_LABELS quick)
  endif()
  set(is_elsewhere FALSE)
  if(TEST_SANITIZED)
    list(APPEND TEST_LABELS sanitized)
    if(NOT NFSRDMA_SANITIZED_TESTS)
      set(is_elsewhere TRUE)
    endif()
  endif()
  string(REPLACE "/" "-" name ${folder})
  set(target test-${name})
  add_executable(${target} ${sources} ${TEST_SOURCES})
  if(TEST_SANITIZED)
    add_dependencies(sanitized ${target})
  endif()
  target_link_libraries(${target} PRIVATE ${TEST_LIBRARIES} nfsrdma-options GTest::gtest_main GTest::gmock)
  # GCC takes the value that a std::optional has not for one (its bug 80635), where it inlines much. What
  # takes time in a test is in the libraries: to optimise the test costs the build more than it gives.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized> $<$<CONFIG:Release>:-O0>)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/test)
  target_compile_definitions(
    ${target} PRIVATE NFSRDMA_SOURCE_DIR="${PROJECT_SOURCE_DIR}" NFSRDMA_BINARY_DIR="${CMAKE_BINARY_DIR}"
  )
  # These two know nothing of ns-3.
  if(NOT folder MATCHES "^(wire|helper/topology)$")
    nfsrdma_precompile(${target} test-link <gmock/gmock.h> <gtest/gtest.h>)
  endif()
  set(others)
  foreach(length SLOW NIGHTLY)
    if(TEST_${length})
      string(TOLOWER ${length} label)
      string(APPEND others ":${TEST_${length}}")
      nfsrdma_cases(${target} ${name} "${TEST_${length}}" ${label})
    endif()
  endforeach()
  string(REGEX REPLACE "^:" "-" others "${others}")
  if(NOT is_elsewhere)
    nfsrdma_cases(${target} ${name} "*${others}" ${TEST_LABELS})
  elseif(NOT others)
    set_target_properties(${target} PROPERTIES EXCLUDE_FROM_ALL TRUE)
  endif()
endfunction()
