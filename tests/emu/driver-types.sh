#!/bin/sh
# Every constant and structure of cuda-types.h against NVIDIA's cuda.h.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"

types=$top_srcdir/libgomp-ext/interpose/cuda-types.h
cuda=${CUDA_HOME:-/usr/local/cuda}/include
if [ ! -r "$cuda/cuda.h" ]; then
  skip "no cuda.h" "constants and layouts as NVIDIA's"
  done_testing
  exit
fi

# Both programs print the same list of expressions, each with its header.
cat >"$tmp/main.c" <<'END'
#include HEADER
#include <stddef.h>
#include <stdio.h>
int main (void)
{
#define V(e) printf ("%s %lld\n", #e, (long long) (e));
#define F(t, f) V (offsetof (t, f))
#include "list.h"
}
END
{
  grep -oE '\b(CU|CUDA)_[A-Z0-9_]+\b' "$types" \
    | grep -vE '^CUDA_(RESULTS|MEMCPY[23]D(_st)?|[A-Z]+_NODE_PARAMS)$' | sort -u \
    | sed 's/.*/V (&)/'
  # Members, structure by structure.
  awk '/^typedef struct .*_st$/ { n = 0; inside = 1; next }
       inside && /^}/ {
	 gsub (/[};]/, ""); t = $1; inside = 0; print "V (sizeof (" t "))"
	 for (i = 0; i < n; i++) print "F (" t ", " m[i] ")" }
       inside && /;/ {
	 sub (/;.*/, ""); k = split ($0, w, ",")
	 for (i = 1; i <= k; i++) {
	   sub (/\[.*/, "", w[i]); j = split (w[i], v, /[ *]+/); m[n++] = v[j] } }
      ' "$types"
} >"$tmp/list.h"

n=$(wc -l <"$tmp/list.h")
[ "$n" -gt 250 ]; ok $? "constants and members are found ($n)"
for which in ours theirs; do
  case $which in
    ours) header=interpose/cuda-types.h dir=$top_srcdir/libgomp-ext ;;
    theirs) header=cuda.h dir=$cuda ;;
  esac
  $CC -w -I"$tmp" -I"$dir" -DHEADER="\"$header\"" "$tmp/main.c" \
    -o "$tmp/$which" 2>"$tmp/log" && "$tmp/$which" >"$tmp/$which.txt"
  ok $? "$which compile" || diag "$(head -5 "$tmp/log")"
done
diff "$tmp/theirs.txt" "$tmp/ours.txt" >"$tmp/diff"
ok $? "all values and offsets agree" || diag "$(cat "$tmp/diff")"

# What the emulated library exports, NVIDIA's has as well.
stub=$(find "$cuda/.." -name libcuda.so -path '*stubs*' 2>/dev/null | head -n 1)
lib=$top_builddir/ptx-post/emu/.libs/libcuda.so.1
if [ -r "$stub" ] && [ -r "$lib" ]; then
  exports () { nm -D --defined-only "$1" | awk '{ print $3 }' | sort; }
  exports "$stub" >"$tmp/theirs"
  exports "$lib" >"$tmp/ours"
  is "$(comm -23 "$tmp/ours" "$tmp/theirs")" "" "no entry point of our own"
else
  skip "no stub library" "no entry point of our own"
fi
done_testing
