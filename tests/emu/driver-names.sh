#!/bin/sh
# Each driver entry that the installed libgomp's plugin asks for by name, or
# that a newer GCC's does, is there; and each entry is called by a test.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
lib=$top_builddir/ptx-post/emu/.libs/libcuda.so.1
nm -D --defined-only "$lib" | awk '{ print $3 }' | sort >"$tmp/exports"
missing () { sort -u | comm -13 "$tmp/exports" -; }

plugin=$LIBGOMP_PLUGIN_DIR/libgomp-plugin-nvptx.so.1
if [ -r "$plugin" ]; then
  is "$(grep -aoE '\bcu[A-Z][A-Za-z0-9]+(_v[0-9])?\b' "$plugin" | missing)" "" \
    "what the installed plugin asks for"
else
  skip "no plugin" "what the installed plugin asks for"
fi
is "$(printf '%s\n' cuMemHostAlloc cuMemcpy2D_v2 cuMemcpy2DUnaligned_v2 \
	cuMemcpy3D_v2 | missing)" "" "what GCC 14's asks for besides"
is "$(printf '%s\n' cuMemAllocManaged cuMemcpyPeer cuMemcpyPeerAsync \
	cuMemHostRegister_v2 cuMemHostUnregister cuMemsetD8_v2 cuMemsetD8Async \
	cuPointerGetAttribute cuStreamGetCtx cuDeviceGetUuid_v2 | missing)" "" \
  "what GCC 16's may"

grep -oE '^CU_ENTRY[A-Z0-9_]* \(cu[A-Za-z0-9_]+' \
  "$top_srcdir/ptx-post/emu/driver/driver.def" | sed 's/.*(//' | sort -u >"$tmp/entries"
cat "$top_srcdir"/tests/emu/driver-*.c "$top_srcdir/tests/emu/nested-host.c" \
  | grep -oE '\bcu[A-Z][A-Za-z0-9_]+' | sort -u >"$tmp/called"
sed 's/_v2$//; s/_pt[sd][sz]$//; s/_v2$//' "$tmp/called" | sort -u "$tmp/called" - \
  >"$tmp/names"
is "$(comm -23 "$tmp/entries" "$tmp/names")" "" "every entry has a test"
done_testing
