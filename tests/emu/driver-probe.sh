#!/bin/sh
# The emulated driver's environment variables: statistics, trace, faults, and
# the choice of devices.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"

calls () { "$builddir/driver-calls" 2>"$tmp/err" | tr '\n' ';'; }
all='init 0;context 0;alloc 0;alloc 0;alloc 0;alloc 0;sync 0;'

is "$(calls)" "${all}1 of NVIDIA H200;" "defaults"
is "$(cat "$tmp/err")" "" "nothing on stderr"

ACCRETE_EMU_STATS=1 calls >/dev/null
like "$(cat "$tmp/err")" \
  '^accrete-emu: cuInit=1 cuDeviceGetCount=1 cuDeviceGetName=1 cuCtxCreate=1 cuCtxSynchronize=1 cuMemAlloc=4 blocks=0 instructions=0 fences=0 mallocs=0$' \
  "statistics count every call once"

ACCRETE_EMU_TRACE=1 calls >/dev/null
like "$(cat "$tmp/err")" \
  '^accrete-emu: cuMemAlloc \(0x[0-9a-f]+, 64\) = CUDA_SUCCESS$' \
  "trace shows arguments and result"
like "$(cat "$tmp/err")" '^accrete-emu: cuCtxSynchronize \(\) = CUDA_SUCCESS$' \
  "trace without arguments"
is "$(grep -c . "$tmp/err")" 9 "one line a call"

fail () { ACCRETE_EMU_FAIL=$1 calls; }
like "$(fail cuMemAlloc:3)" 'alloc 0;alloc 0;alloc 2;alloc 0;sync 0' \
  "the third allocation fails, out of memory"
like "$(fail cuMemAlloc:2+)" 'alloc 0;alloc 2;alloc 2;alloc 2;sync 0' \
  "all from the second on"
like "$(fail cuCtxSynchronize:1)" 'sync 999' "other calls: unknown error"
like "$(fail cuCtxSynchronize:1=719,cuMemAlloc:1=CUDA_ERROR_NOT_READY)" \
  'alloc 600;alloc 0;alloc 0;alloc 0;sync 719' "errors by number and by name"
like "$(fail cuInit:1=100)" 'init 100;context 3' "a machine without a GPU"
for bad in cuNonsense:1 cuMemAlloc cuMemAlloc:0 cuMemAlloc:x cuMemAlloc:1=none \
  cuMemAlloc:1=12345 cuMemAlloc:1x; do
  is "$(fail "$bad")" "${all}1 of NVIDIA H200;" "no fault: $bad"
  like "$(cat "$tmp/err")" 'ACCRETE_EMU_FAIL: no such fault' "is reported: $bad"
done

is "$(ACCRETE_EMU_GPU=v100 calls)" "${all}1 of Tesla V100-SXM2-32GB;" "a model"
is "$(ACCRETE_EMU_GPU=gtx calls)" "${all}1 of NVIDIA H200;" "an unknown model"
like "$(cat "$tmp/err")" 'ACCRETE_EMU_GPU=gtx is none of: h200 .*; using h200$' \
  "is reported with the known ones"
is "$(grep -c . "$tmp/err")" 1 "in one line"
is "$(ACCRETE_EMU_DEVICES=3 calls)" "${all}3 of NVIDIA H200;" "three devices"
like "$(ACCRETE_EMU_DEVICES=0 calls)" '^init 100;' "no device"
is "$(ACCRETE_EMU_DEVICES=99 calls)" "${all}1 of NVIDIA H200;" "too many"
like "$(cat "$tmp/err")" 'ACCRETE_EMU_DEVICES=99 is not a number from 0 to 16' \
  "is reported"
done_testing
