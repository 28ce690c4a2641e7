#!/bin/bash -eu
# Builds the fuzz targets under the contract of OSS-Fuzz: the fleet names compilers, flags and engine
# (CC CXX CFLAGS CXXFLAGS LIB_FUZZING_ENGINE), the source is in $SRC/convproof, and everything that is to
# run goes to $OUT: targets, TARGET_seed_corpus.zip, TARGET.dict, TARGET.options.
#
# In $SRC may stand the sources of fmt and json (see the Dockerfile); otherwise the system's are used.

source="$SRC/convproof"
dependencies="$WORK/dependencies"
# No build type of CMake's: optimisation and debug information are the fleet's business.
common=(-G Ninja -DCMAKE_BUILD_TYPE=Fleet
  "-DCMAKE_C_COMPILER=$CC" "-DCMAKE_CXX_COMPILER=$CXX"
  "-DCMAKE_C_FLAGS=$CFLAGS" "-DCMAKE_CXX_FLAGS=$CXXFLAGS"
  "-DCMAKE_PREFIX_PATH=$dependencies")

# Compiled with the fleet's flags: its C++ library need not be the system's.
for name in fmt json; do
  [ -d "$SRC/$name" ] || continue
  cmake -S "$SRC/$name" -B "$WORK/$name" "${common[@]}" -DCMAKE_INSTALL_PREFIX="$dependencies" \
    -DFMT_TEST=OFF -DFMT_DOC=OFF -DJSON_BuildTests=OFF
  cmake --build "$WORK/$name" --target install
done

cmake -S "$source" -B "$WORK/build" "${common[@]}" \
  -DCONVPROOF_TOOLS=OFF -DCONVPROOF_LIBFUZZER=ON "-DCONVPROOF_FUZZING_ENGINE=$LIB_FUZZING_ENGINE" \
  ${CONVPROOF_CMAKE_ARGUMENTS:-}
cmake --build "$WORK/build" --target fuzz_targets write_fuzz_seeds

rm -rf "$WORK/seeds"
mkdir -p "$WORK/seeds"
CORPUS="$source/corpus" SEEDS="$WORK/seeds" "$WORK/build/bin/write_fuzz_seeds" -runs=0
while read -r target max_length; do
  cp "$WORK/build/bin/$target" "$OUT/$target"
  rm -f "$OUT/${target}_seed_corpus.zip"
  (cd "$WORK/seeds/$target" && zip -q "$OUT/${target}_seed_corpus.zip" -r .)
  if [ -e "$source/fuzz/dictionaries/$target.dict" ]; then
    cp "$source/fuzz/dictionaries/$target.dict" "$OUT/$target.dict"
  fi
  printf '[libfuzzer]\nmax_len = %s\nlen_control = 0\ntimeout = 25\n' "$max_length" >"$OUT/$target.options"
done <"$WORK/seeds/targets"
