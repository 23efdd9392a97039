#!/bin/sh
# run-libfuzzer.sh BUILDDIR HARNESS [libFuzzer options]: fuzz with HARNESS
# (ptx-parse, emu-load or emu-run) under clang's libFuzzer with AddressSanitizer and
# UBSan.  BUILDDIR is configured (for config.h); new inputs are kept in
# BUILDDIR/tests/fuzz/corpus-HARNESS.
# SPDX-License-Identifier: GPL-3.0-or-later
set -e
top=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
harness=$2
shift 2
cd "$build/tests/fuzz"
post=$top/ptx-post
sources="$(find "$post" -name emu -prune -o -name '*.c' ! -name main.c \
  ! -name wrap.c ! -name link.c -print) $(find "$top/libgomp-ext/abi" -name '*.c')"
case $harness in
  emu-*) sources="$sources $(find "$post/emu" -name '*.c')" ;;
esac
# shellcheck disable=SC2086  # a list of words
clang -O1 -g -w -ffp-contract=off -pthread \
  $(uname -m | sed -n "s/x86_64/-mcx16/p") \
  -fsanitize=fuzzer,address,undefined -fno-sanitize=alignment \
  -I"$build" -I"$post" -I"$post/emu" -I"$top/libgomp-ext" \
  -o "$harness-libfuzzer" "$top/tests/fuzz/$harness.c" $sources -lz3 -lm -ldl
mkdir -p "corpus-$harness"
exec "./$harness-libfuzzer" "$@" "corpus-$harness" "$top/tests/ptx-post" \
  "$top/tests/ptx-post/cases"
