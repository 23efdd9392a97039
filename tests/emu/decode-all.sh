#!/bin/sh
# Every instruction of GCC's device libraries, and of what nvcc makes of a
# SPMD kernel where there is one, is emulated.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"

unpack () { # ARCHIVE INTO: members, also those that share a name
  mkdir -p "$2" && (cd "$2" && ar x "$1")
}

dir=$(dirname "$($CC -print-file-name=accel/nvptx-none/libc.a)")
for sub in . mgomp; do
  [ -r "$dir/$sub/libc.a" ] || { skip "no device libraries" "$sub"; continue; }
  for lib in c m gcc gomp gfortran; do
    [ ! -r "$dir/$sub/lib$lib.a" ] \
      || unpack "$dir/$sub/lib$lib.a" "$tmp/$sub/$lib"
  done
  find "$tmp/$sub" -path "$tmp/./mgomp" -prune -o -name '*.o' -print | sort >"$tmp/list"
  # shellcheck disable=SC2046
  ./decode-all $(cat "$tmp/list") >"$tmp/out" 2>&1
  ok $? "GCC's libraries, $sub" || diag "$(tail -n 20 "$tmp/out")"
  diag "$(tail -n 1 "$tmp/out")"
  rm -rf "${tmp:?}/$sub/c" "$tmp/$sub/m" "$tmp/$sub/gcc" "$tmp/$sub/gomp" "$tmp/$sub/gfortran"
done

# NVCC names one that is not on PATH.
nvcc=${NVCC-nvcc}
for flags in "-arch=sm_80" "-arch=sm_90 -G" "-arch=sm_80 -use_fast_math"; do
  # shellcheck disable=SC2086
  if ! $nvcc -ptx $flags "$top_srcdir/tests/ptx-post/kernels.cu" \
      -o "$tmp/k.ptx" >/dev/null 2>&1; then
    skip "no nvcc that takes it" "what nvcc $flags makes of kernels"
    continue
  fi
  ./decode-all "$tmp/k.ptx" >"$tmp/out" 2>&1
  ok $? "what nvcc $flags makes of kernels" || diag "$(tail -n 20 "$tmp/out")"
done
done_testing
