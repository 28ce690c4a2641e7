# build.sh under the contract's environment. Each compiles the targets anew, which takes minutes.
foreach(engine IN ITEMS libfuzzer afl)
  add_test(NAME oss_fuzz.builds_for_${engine}
    COMMAND ${CMAKE_CURRENT_LIST_DIR}/test_build ${engine} ${CMAKE_CURRENT_BINARY_DIR}/oss-fuzz-${engine})
  set_tests_properties(oss_fuzz.builds_for_${engine} PROPERTIES
    LABELS long SKIP_RETURN_CODE 77 TIMEOUT 3600)
endforeach()
