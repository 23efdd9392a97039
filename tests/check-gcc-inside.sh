#!/bin/sh
# What check-gcc.sh runs in a system with one version of GCC, from the top of the
# sources: configure, build, a program whose launches are looked at, the tests.
#
#   sh check-gcc-inside.sh CHECK
#
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
./setup deps || exit 1
[ -x configure ] || autoreconf -i || exit 1
mkdir -p build
(cd build && ../configure --prefix="$PWD/../stage" --enable-werror -q) || exit 1
echo configured
make -C build -s -j"$(nproc)" && make -C build -s install >/dev/null || exit 1
echo built

# Eleven launches, all of kernels that need no device runtime; loops stay the host's.
gcc -O2 -fopenmp -specs=stage/lib/accrete/accrete.specs \
  -fplugin-arg-accrete-disable=resident-loops \
  tests/system/versions/launches.c -o build/launches-11 || exit 1
ACCRETE_EMU_GPU=mini GOMP_DEBUG=1 stage/bin/accrete-run --emulate \
  --report=counters build/launches-11 >build/launches-11.log 2>&1
sed -n 's/^accrete: plain *\([0-9]*\).*/spmd \1 11/p' build/launches-11.log
sed -n 's/^ *accrete: kernel .* launch \(.*\)$/geometry \1/p' \
  build/launches-11.log | head -n 1
eval "$1"
