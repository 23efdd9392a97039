#!/bin/sh
# run-libfuzzer.sh BUILDDIR [libFuzzer options]: fuzz under clang's libFuzzer
# with AddressSanitizer and UBSan.  BUILDDIR is configured (for config.h); new
# inputs are kept in BUILDDIR/tests/fuzz/corpus.
# SPDX-License-Identifier: GPL-3.0-or-later
set -e
top=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
shift
cd "$build/tests/fuzz"
post=$top/ptx-post
clang -O1 -g -fsanitize=fuzzer,address,undefined -DFUZZ_ENGINE \
  -I"$build" -I"$post" -I"$top/libgomp-ext" -o ptx-parse-libfuzzer \
  "$top/tests/fuzz/ptx-parse.c" "$post"/[!mw]*.c "$post/mnemonic.c" \
  "$top/libgomp-ext/abi.c"
mkdir -p corpus
exec ./ptx-parse-libfuzzer "$@" corpus "$top/tests/ptx-post" \
  "$top/tests/ptx-post/cases"
