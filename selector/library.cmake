# convproof_library(NAME SOURCES ... [PUBLIC ...] [PRIVATE ...])
#   One folder of the map as a library `convproof_NAME`, alias `convproof::NAME`.
#   `PUBLIC` and `PRIVATE` name what it links, so that an arrow that points up fails to link.
function(convproof_library name)
  cmake_parse_arguments(arg "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
  add_library(convproof_${name} STATIC ${arg_SOURCES})
  add_library(convproof::${name} ALIAS convproof_${name})
  target_include_directories(convproof_${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/convproof>)
  target_compile_features(convproof_${name} PUBLIC cxx_std_23)
  target_link_libraries(convproof_${name} PUBLIC ${arg_PUBLIC}
    PRIVATE ${arg_PRIVATE} $<BUILD_INTERFACE:convproof_warnings>)
  set_target_properties(convproof_${name} PROPERTIES EXPORT_NAME ${name})
endfunction()

# convproof_tests(NAME LABEL label SOURCES ... [LINK ...] [PROPERTIES ...])
#   A GoogleTest program `NAME`, each test of it registered with ctest under `NAME.` and the label.
function(convproof_tests name)
  if(NOT CONVPROOF_TOOLS)
    return()
  endif()
  cmake_parse_arguments(arg "" "LABEL" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK} GTest::gtest_main convproof_warnings)
  target_compile_definitions(${name} PRIVATE
    CONVPROOF_EXTRA_CASES="${CONVPROOF_EXTRA_CASES}" CONVPROOF_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  gtest_discover_tests(${name} TEST_PREFIX ${name}. DISCOVERY_TIMEOUT 60 PROPERTIES LABELS ${arg_LABEL})
endfunction()

# convproof_benchmark(NAME SOURCES ... [LINK ...]): a Google Benchmark program, never run as a test.
function(convproof_benchmark name)
  if(NOT CONVPROOF_TOOLS)
    return()
  endif()
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK} benchmark::benchmark benchmark::benchmark_main
    convproof_warnings)
endfunction()
