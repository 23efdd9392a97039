#!/bin/sh
# Random PTX programs on the emulated GPU against the host's evaluation.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
ACCRETE_EMU_GPU=mini ./gpu-compare --programs=6000 \
  --emulated="$top_builddir/ptx-post/emu/.libs/libcuda.so.1" >"$tmp/out" 2>&1
ok $? "6000 random programs compute what the host computes"
diag "$(cat "$tmp/out")"
done_testing
