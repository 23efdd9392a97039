#!/bin/sh
# What the emulated GPU makes of wrong input against what a GPU's driver does.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
./gpu-compare --errors \
  --emulated="$top_builddir/ptx-post/emu/.libs/libcuda.so.1" >"$tmp/out" 2>&1
ok $? "wrong input gives the results of errors.def and errors.c"
diag "$(cat "$tmp/out")"
done_testing
