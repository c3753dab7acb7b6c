# The Debian package, nfsrdma_VERSION_ARCH.deb: all that is installed, manual pages and completion too. ./start package
# makes it.
find_program(HELP2MAN_PROGRAM help2man)
if(HELP2MAN_PROGRAM)
  # nfsrdma_manual(<program> <executable> <name> [<dependency>...])
  function(nfsrdma_manual program executable name)
    set(page ${CMAKE_BINARY_DIR}/package/${program}.1)
    # The page is named as the file is called.
    set(called ${CMAKE_BINARY_DIR}/package/${program})
    add_custom_command(
      OUTPUT ${page}
      COMMAND ${CMAKE_COMMAND} -E create_symlink ${executable} ${called}
      COMMAND ${HELP2MAN_PROGRAM} --no-info --version-string=${PROJECT_VERSION} --name=${name} --output=${page} ${called}
      DEPENDS ${ARGN}
      VERBATIM
    )
    list(APPEND NFSRDMA_MANUALS ${page})
    set(NFSRDMA_MANUALS ${NFSRDMA_MANUALS} PARENT_SCOPE)
  endfunction()
  nfsrdma_manual(nfsrdma-sim $<TARGET_FILE:nfsrdma-sim> "runs a simulated cluster of NFS/RDMA hosts" nfsrdma-sim)
  nfsrdma_manual(
    nfsrdma ${PROJECT_SOURCE_DIR}/analysis/nfsrdma.sh "runs simulated NFS/RDMA clusters and draws their results"
    ${PROJECT_SOURCE_DIR}/analysis/nfsrdma.sh
  )
  add_custom_target(manuals DEPENDS ${NFSRDMA_MANUALS})
  install(
    FILES ${NFSRDMA_MANUALS}
    DESTINATION ${CMAKE_INSTALL_MANDIR}/man1
    COMPONENT Runtime
    OPTIONAL
  )
endif()
# bash looks for a file that is named as the program.
foreach(program nfsrdma nfsrdma-sim)
  install(
    FILES ${PROJECT_SOURCE_DIR}/analysis/nfsrdma.bash-completion
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    COMPONENT Runtime
    RENAME ${program}
  )
endforeach()
install(
  FILES ${PROJECT_SOURCE_DIR}/LICENSE
  DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/nfsrdma
  COMPONENT Runtime
  RENAME copyright
)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR nfsrdma)
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/package)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The authors of nfsrdma <nfsrdma@localhost>")
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "python3, python3-matplotlib, python3-numpy, python3-pandas, python3-scipy")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS tshark)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
    "cmake, g++, libns3-dev, ns3, libgsl-dev, libsqlite3-dev, libxml2-dev, libboost-dev, libmsgsl-dev, libexpected-dev, libssl-dev, zlib1g-dev, libisal-dev"
)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "simulator of NFS over RDMA on iWARP, made of ns-3 modules")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
    "RNICs (queue pairs, memory registration, a TCP offload engine), MPA, DDP,
RDMAP, RPC-over-RDMA and NFS versions 2 to 4.2 on a simulated Ethernet, with
hosts that have cores, locks and storage. Clusters run deterministically,
with faults and adversaries, and write captures that Wireshark dissects."
)
include(CPack)
