# What "cmake --install" puts where: component Runtime has the programs, the libraries and the scenarios, component
# Development the headers, the CMake package and the pkg-config file. All paths are relative to the prefix, so that the
# installed tree can be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(NFSRDMA_INCLUDE_DIR ${CMAKE_INSTALL_INCLUDEDIR}/nfsrdma)
set(NFSRDMA_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/nfsrdma)
set(NFSRDMA_DATA_DIR ${CMAKE_INSTALL_DATADIR}/nfsrdma)
file(RELATIVE_PATH NFSRDMA_DATA_FROM_BIN ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_DATADIR}/nfsrdma)
file(RELATIVE_PATH NFSRDMA_LIB_FROM_BIN ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})

# nfsrdma_install_library(<name>)
#
# Installs library nfsrdma-<name>, which a program finds as nfsrdma::<name>.
function(nfsrdma_install_library name)
  set_target_properties(
    nfsrdma-${name}
    PROPERTIES EXPORT_NAME ${name}
               VERSION ${PROJECT_VERSION}
               SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
               INSTALL_RPATH "$ORIGIN"
  )
  target_compile_features(nfsrdma-${name} PUBLIC cxx_std_${CMAKE_CXX_STANDARD})
  target_include_directories(nfsrdma-${name} INTERFACE $<INSTALL_INTERFACE:${NFSRDMA_INCLUDE_DIR}>)
  install(
    TARGETS nfsrdma-${name}
    EXPORT nfsrdma
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT Runtime NAMELINK_COMPONENT Development
  )
  set_property(GLOBAL APPEND PROPERTY NFSRDMA_LIBRARIES ${name})
endfunction()

# nfsrdma_install_program(<target>)
function(nfsrdma_install_program target)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/${NFSRDMA_LIB_FROM_BIN}")
  install(TARGETS ${target} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT Runtime)
endfunction()

# nfsrdma_install_package()
#
# Headers, scenarios, and what find_package(nfsrdma) and pkg-config read. It comes after all libraries.
function(nfsrdma_install_package)
  install(
    DIRECTORY ${PROJECT_SOURCE_DIR}/model/
    DESTINATION ${NFSRDMA_INCLUDE_DIR}
    COMPONENT Development
    FILES_MATCHING
    PATTERN "*.h"
    PATTERN "*.def"
  )
  install(
    DIRECTORY ${PROJECT_SOURCE_DIR}/helper
    DESTINATION ${NFSRDMA_INCLUDE_DIR}
    COMPONENT Development
    FILES_MATCHING
    PATTERN "*.h"
  )
  install(
    DIRECTORY ${PROJECT_SOURCE_DIR}/scenarios
    DESTINATION ${NFSRDMA_DATA_DIR}
    COMPONENT Runtime
    PATTERN "simulator" EXCLUDE
    PATTERN "CMakeLists.txt" EXCLUDE
  )
  install(
    DIRECTORY ${PROJECT_SOURCE_DIR}/analysis
    DESTINATION ${NFSRDMA_DATA_DIR}
    COMPONENT Runtime
    USE_SOURCE_PERMISSIONS
    PATTERN "__pycache__" EXCLUDE
    PATTERN "*.md" EXCLUDE
    PATTERN "gallery" EXCLUDE
  )
  # Debian's Python looks there when the prefix is /usr; elsewhere PYTHONPATH has to name share/nfsrdma/analysis.
  install(
    CODE "
    foreach(package nfsrdma nfsrdma_capture nfsrdma_figures nfsrdma_method nfsrdma_validation)
      set(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/lib/python3/dist-packages\")
      file(MAKE_DIRECTORY \"\${folder}\")
      file(CREATE_LINK ../../../${CMAKE_INSTALL_DATADIR}/nfsrdma/analysis/\${package} \"\${folder}/\${package}\" SYMBOLIC)
    endforeach()"
    COMPONENT Runtime
  )
  install(
    CODE "
    set(program \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/nfsrdma\")
    file(CREATE_LINK ${NFSRDMA_DATA_FROM_BIN}/analysis/nfsrdma.sh \"\${program}\" SYMBOLIC)
    message(STATUS \"Installing: \${program}\")"
    COMPONENT Runtime
  )

  install(
    EXPORT nfsrdma
    NAMESPACE nfsrdma::
    FILE nfsrdmaTargets.cmake
    DESTINATION ${NFSRDMA_CMAKE_DIR}
    COMPONENT Development
  )
  get_property(names GLOBAL PROPERTY NFSRDMA_LIBRARIES)
  list(JOIN names " " NFSRDMA_LIBRARY_NAMES)
  configure_file(
    ${PROJECT_SOURCE_DIR}/cmake/nfsrdmaConfig.cmake.in ${CMAKE_BINARY_DIR}/package/nfsrdmaConfig.cmake @ONLY
  )
  write_basic_package_version_file(${CMAKE_BINARY_DIR}/package/nfsrdmaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(
    FILES ${CMAKE_BINARY_DIR}/package/nfsrdmaConfig.cmake ${CMAKE_BINARY_DIR}/package/nfsrdmaConfigVersion.cmake
    DESTINATION ${NFSRDMA_CMAKE_DIR}
    COMPONENT Development
  )

  list(TRANSFORM names PREPEND -lnfsrdma-)
  list(JOIN names " " NFSRDMA_PKGCONFIG_LIBS)
  file(RELATIVE_PATH NFSRDMA_PREFIX_FROM_PKGCONFIG ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/nfsrdma.pc.in ${CMAKE_BINARY_DIR}/package/nfsrdma.pc @ONLY)
  install(
    FILES ${CMAKE_BINARY_DIR}/package/nfsrdma.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT Development
  )
endfunction()
