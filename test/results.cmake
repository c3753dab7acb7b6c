# The files that every scenario writes at a reduced size, and replays of captured workloads, compared with
# the digests of test/data/results.sha256. Record: results/witness.py SIMULATOR --update
foreach(part RANGE 1 2)
  add_test(NAME results.${part} COMMAND /usr/bin/python3 ${CMAKE_CURRENT_SOURCE_DIR}/results/witness.py
                                        $<TARGET_FILE:nfsrdma-sim> --jobs 1 --part ${part}/2
  )
  set_tests_properties(
    results.${part} PROPERTIES LABELS results TIMEOUT 1800 SKIP_RETURN_CODE 77 ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1"
  )
endforeach()

# The device's own TCP and ns-3's, IPv4 and IPv6: every scenario over either. The goodput of both TCPs under loss.
foreach(what tcp ip)
  foreach(part RANGE 1 2)
    add_test(NAME results.either-${what}.${part}
             COMMAND /usr/bin/python3 ${CMAKE_CURRENT_SOURCE_DIR}/results/either.py ${what} $<TARGET_FILE:nfsrdma-sim>
                     --jobs 1 --part ${part}/2
    )
    set_tests_properties(
      results.either-${what}.${part} PROPERTIES LABELS results TIMEOUT 1800 ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1"
    )
  endforeach()
endforeach()
add_test(NAME results.tcp-goodput COMMAND /usr/bin/python3 ${CMAKE_CURRENT_SOURCE_DIR}/results/tcp_goodput.py
                                          $<TARGET_FILE:nfsrdma-sim> --jobs 1
)
set_tests_properties(
  results.tcp-goodput PROPERTIES LABELS results TIMEOUT 1800 ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1"
)

# All experiments of scenarios/validation, run again, and their kept results.
add_test(NAME results.validation COMMAND /usr/bin/python3 ${CMAKE_CURRENT_SOURCE_DIR}/results/validation.py
                                         $<TARGET_FILE:nfsrdma-sim> --jobs 1
)
set_tests_properties(
  results.validation PROPERTIES LABELS nightly TIMEOUT 1800 ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1"
)

# All systems of scenarios/validation, calibrated again, and their kept values.
add_test(NAME results.calibration COMMAND /usr/bin/python3 ${CMAKE_CURRENT_SOURCE_DIR}/results/calibration.py
                                          $<TARGET_FILE:nfsrdma-sim> --jobs 1
)
set_tests_properties(
  results.calibration PROPERTIES LABELS nightly TIMEOUT 3600 ENVIRONMENT "PYTHONDONTWRITEBYTECODE=1"
)
