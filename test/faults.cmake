# Damaged and odd captures through every reader, by test/analysis/test_capture_faults.py.
#
# NFSRDMA_CAPTURE_MUTATIONS of the environment says how many damaged ones (default: 150).
add_test(
  NAME faults.captures
  COMMAND /usr/bin/python3 -m pytest -q -p no:cacheprovider
          ${CMAKE_CURRENT_SOURCE_DIR}/analysis/test_capture_faults.py
  WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
)
set(environment "NFSRDMA_SIM=$<TARGET_FILE:nfsrdma-sim>" "PYTHONDONTWRITEBYTECODE=1")
if(CMAKE_CXX_FLAGS MATCHES "-fsanitize")
  # A sanitizer reserves more addresses than the limit leaves.
  list(APPEND environment "NFSRDMA_NO_MEMORY_LIMIT=1")
endif()
set_tests_properties(
  faults.captures PROPERTIES LABELS faults TIMEOUT 900 ENVIRONMENT "${environment}"
)
