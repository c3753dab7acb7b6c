# The repository as contrib/nfsrdma of an ns-3 tree: one module, library libnfsrdma, of all storeys and helpers. Suite
# nfsrdma of ns-3's tests runs programs of GoogleTest, and the examples with ns3::CommandLine are the module's.
include(${CMAKE_CURRENT_LIST_DIR}/NfsRdmaStorey.cmake)

set(NFSRDMA_TEST_FOLDERS
    wire settings link toe host ipsec tls ddp rdmap rpc nfs/mount nfs/store nfs/v2 helper/topology
    CACHE STRING "Folders of test/ whose quick tests suite nfsrdma runs; all: every one that the module can build"
)

if(NOT NFSRDMA_TEST_FOLDERS STREQUAL all)
  foreach(folder ${NFSRDMA_TEST_FOLDERS})
    if(NOT IS_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/test/${folder})
      message(FATAL_ERROR "NFSRDMA_TEST_FOLDERS: got '${folder}', expected folders of test/, or all")
    endif()
  endforeach()
endif()

find_package(Boost 1.74 REQUIRED)
find_package(Microsoft.GSL REQUIRED)
find_package(tl-expected REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto SSL)
find_package(ZLIB REQUIRED)
find_path(ISAL_INCLUDE_DIR isa-l/crc.h REQUIRED)
find_library(ISAL_LIBRARY isal REQUIRED)

# nfsrdma_contrib_units(<prefix> <source>...)
#
# Has sources compiled as many at a time as presets say. Only those of one library are compiled together, so that
# names of unnamed namespaces are apart where they are in the other build.
function(nfsrdma_contrib_units prefix)
  set(size 12)
  set(place 0)
  foreach(source ${ARGN})
    get_source_file_property(is_alone ${source} SKIP_UNITY_BUILD_INCLUSION)
    if(NOT is_alone)
      math(EXPR unit "${place} / ${size}")
      math(EXPR place "${place} + 1")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP "${prefix}-${unit}")
    endif()
  endforeach()
endfunction()

# nfsrdma_contrib_compile(<target>)
#
# ns-3's own warnings stay, but those of what its headers are instantiated with (TracedValue compared with a number), since
# they are no system headers in its tree; and one that GCC gives for values that are there (its bug 80635).
function(nfsrdma_contrib_compile target)
  nfsrdma_join(${target})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  target_compile_options(
    ${target} PRIVATE -Wno-sign-compare $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
  )
endfunction()

include(${CMAKE_CURRENT_SOURCE_DIR}/model/alone.cmake)
set(NFSRDMA_MODULE_SOURCES)
file(GLOB rooms CONFIGURE_DEPENDS LIST_DIRECTORIES true ${CMAKE_CURRENT_SOURCE_DIR}/model/*)
foreach(room ${rooms})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${room}/*.cc)
  cmake_path(GET room FILENAME name)
  nfsrdma_contrib_units(${name} ${sources})
  list(APPEND NFSRDMA_MODULE_SOURCES ${sources})
endforeach()
foreach(room helper helper/capture helper/charts helper/topology)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${room}/*.cc)
  string(REPLACE "/" "-" name ${room})
  nfsrdma_contrib_units(${name} ${sources})
  list(APPEND NFSRDMA_MODULE_SOURCES ${sources})
endforeach()

set(NFSRDMA_GENERATED_DIR ${CMAKE_CURRENT_BINARY_DIR}/generated)
block(SCOPE_FOR VARIABLES)
  set(PROJECT_VERSION ${NFSRDMA_VERSION})
  set(ns3_VERSION ${NS3_VER})
  configure_file(helper/version.h.in ${NFSRDMA_GENERATED_DIR}/helper/version.h @ONLY)
endblock()

set(NFSRDMA_MODULE_INCLUDES ${CMAKE_CURRENT_SOURCE_DIR}/model ${CMAKE_CURRENT_SOURCE_DIR} ${NFSRDMA_GENERATED_DIR})
foreach(library Boost::headers Microsoft.GSL::GSL tl::expected)
  get_target_property(folders ${library} INTERFACE_INCLUDE_DIRECTORIES)
  list(APPEND NFSRDMA_MODULE_INCLUDES ${folders})
endforeach()
list(REMOVE_DUPLICATES NFSRDMA_MODULE_INCLUDES)
# The compiler looks there anyway, and after the folders of its own.
list(REMOVE_ITEM NFSRDMA_MODULE_INCLUDES /usr/include)

# <ns3/nfsrdma-module.h> includes these, and with them what programs need; the others are included by the paths that they
# have below model/, or with helper/.
file(
  GLOB headers
  RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}
  CONFIGURE_DEPENDS helper/*-helper.h
)
list(APPEND headers model/mpa/internet-address.h model/mpa/tcp-preset.h model/rnic/connect/cm-id.h)

set(NFSRDMA_OTHER_LIBRARIES ${OPENSSL_LIBRARIES} ${ZLIB_LIBRARIES} ${ISAL_LIBRARY} ${CMAKE_DL_LIBS})
set(tests)
if(ENABLE_TESTS)
  set(tests test/contrib/nfsrdma-test-suite.cc)
endif()
build_lib(
  LIBNAME nfsrdma
  SOURCE_FILES ${NFSRDMA_MODULE_SOURCES}
  HEADER_FILES ${headers}
  LIBRARIES_TO_LINK ${NFSRDMA_NS3_LIBRARIES} ${NFSRDMA_OTHER_LIBRARIES}
  TEST_SOURCES ${tests}
  IGNORE_PCH
)

if(TARGET ${libnfsrdma-obj})
  set(compiled ${libnfsrdma-obj})
else()
  set(compiled ${libnfsrdma})
endif()
nfsrdma_contrib_compile(${compiled})
if(PRECOMPILE_HEADERS_ENABLED)
  target_precompile_headers(${compiled} PRIVATE ${NFSRDMA_PRECOMPILED})
endif()
target_include_directories(
  ${compiled} PRIVATE ${NFSRDMA_MODULE_INCLUDES} ${OPENSSL_INCLUDE_DIR} ${ZLIB_INCLUDE_DIRS} ${ISAL_INCLUDE_DIR}
)
foreach(folder ${NFSRDMA_MODULE_INCLUDES})
  target_include_directories(${libnfsrdma} PUBLIC $<BUILD_INTERFACE:${folder}>)
endforeach()
target_include_directories(${libnfsrdma} INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/nfsrdma>)
install(
  DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/model/ ${CMAKE_CURRENT_SOURCE_DIR}/helper ${NFSRDMA_GENERATED_DIR}/helper
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/nfsrdma
  FILES_MATCHING
  PATTERN "*.h"
  PATTERN "*.def"
)

# nfsrdma_test(<folder> ...)
#
# Test program test-<folder> as nfsrdma_test() of the other build makes it, for a case of suite nfsrdma that runs its
# quick tests. Left out: what NFSRDMA_TEST_FOLDERS does not name, and folders that need what the module has not.
function(nfsrdma_test folder)
  cmake_parse_arguments(TEST "SANITIZED" "SLOW;NIGHTLY" "LABELS;LIBRARIES;SOURCES" ${ARGN})
  if(TEST_LABELS OR NOT (NFSRDMA_TEST_FOLDERS STREQUAL all OR folder IN_LIST NFSRDMA_TEST_FOLDERS))
    return()
  endif()
  set(ns3_libraries ${NFSRDMA_NS3_LIBRARIES})
  foreach(library ${TEST_LIBRARIES})
    if(library MATCHES "^ns3::lib(.*)$")
      if(NOT CMAKE_MATCH_1 IN_LIST ns3-all-enabled-modules)
        return()
      endif()
      list(APPEND ns3_libraries ${lib${CMAKE_MATCH_1}})
      continue()
    endif()
    string(REGEX REPLACE "^nfsrdma-" "" name ${library})
    if(NOT EXISTS ${NFSRDMA_SOURCE_DIR}/model/${name} AND NOT name MATCHES "^(helper|capture|charts|topology)$")
      return()
    endif()
  endforeach()
  string(REPLACE "/" "-" name ${folder})
  file(GLOB sources CONFIGURE_DEPENDS ${NFSRDMA_SOURCE_DIR}/test/${folder}/*.cc)
  nfsrdma_contrib_units(test-${name} ${sources})
  add_executable(test-${name} ${sources} ${TEST_SOURCES})
  nfsrdma_contrib_compile(test-${name})
  target_compile_options(test-${name} PRIVATE -O0)
  target_compile_definitions(
    test-${name} PRIVATE NFSRDMA_SOURCE_DIR="${NFSRDMA_SOURCE_DIR}" NFSRDMA_BINARY_DIR="${CMAKE_BINARY_DIR}"
  )
  target_include_directories(test-${name} PRIVATE ${NFSRDMA_SOURCE_DIR}/test)
  target_link_libraries(
    test-${name} PRIVATE ${libnfsrdma} ${ns3_libraries} ${NFSRDMA_OTHER_LIBRARIES} GTest::gtest_main GTest::gmock
  )
  set_target_properties(
    test-${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/contrib/nfsrdma/test
  )
  add_dependencies(${testnfsrdma} test-${name})
  set(others "-${TEST_SLOW}:${TEST_NIGHTLY}")
  set_property(
    GLOBAL APPEND_STRING
    PROPERTY NFSRDMA_TEST_PROGRAMS "    {\"$<TARGET_FILE:test-${name}>\", \"*${others}\"},\n"
  )
endfunction()

if(TARGET "${testnfsrdma}")
  set(NFSRDMA_SOURCE_DIR ${CMAKE_CURRENT_SOURCE_DIR})
  add_subdirectory(test)
  get_property(programs GLOBAL PROPERTY NFSRDMA_TEST_PROGRAMS)
  file(
    GENERATE
    OUTPUT ${NFSRDMA_GENERATED_DIR}/contrib/test-programs.h
    CONTENT "// Program, filter.\n${programs}"
  )
  target_include_directories(${testnfsrdma} PRIVATE ${NFSRDMA_GENERATED_DIR})
endif()
