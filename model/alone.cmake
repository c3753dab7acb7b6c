# Sources of model/ that cannot be compiled together with others.
nfsrdma_alone(
  ${CMAKE_CURRENT_LIST_DIR}/nfs/v4/protocol/linux-call-size.cc
  ${CMAKE_CURRENT_LIST_DIR}/nfs/v4/protocol/linux-reply-size.cc
  ${CMAKE_CURRENT_LIST_DIR}/nfs/v4/protocol/operation-rules.cc
  ${CMAKE_CURRENT_LIST_DIR}/workload/replay/compound-trace-reader.cc
  ${CMAKE_CURRENT_LIST_DIR}/workload/replay/trace-reader.cc
  ${CMAKE_CURRENT_LIST_DIR}/workload/replay/tree-reader.cc
)
