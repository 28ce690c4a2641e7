#!/bin/bash -eu
exec "$SRC/convproof/ci/oss-fuzz/build.sh"
