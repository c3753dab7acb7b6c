# The ns-3 that the project is built with: 3.37 or later. CMake needs to know two things of its version: what its headers
# are written in, and what its targets are called. model/wire/ns3-version.h has what differs in C++.
find_package(ns3 REQUIRED)
if(ns3_VERSION VERSION_LESS 3.37)
  message(FATAL_ERROR "${ns3_DIR}: got ns-3 ${ns3_VERSION}, expected 3.37 or later")
endif()

if(ns3_VERSION VERSION_LESS 3.41)
  set(CMAKE_CXX_STANDARD 17)
elseif(ns3_VERSION VERSION_LESS 3.46)
  set(CMAKE_CXX_STANDARD 20)
else()
  set(CMAKE_CXX_STANDARD 23)
endif()

# Since 3.43 ns3::libcore is called ns3::core.
foreach(module core network bridge internet point-to-point config-store flow-monitor applications)
  if(TARGET ns3::${module} AND NOT TARGET ns3::lib${module})
    add_library(ns3::lib${module} ALIAS ns3::${module})
  endif()
endforeach()
