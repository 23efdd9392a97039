# What the program is told of free memory, on the emulated GPU: blocks that the
# pool keeps are free.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

on_emulated_gpu
export ACCRETE_EMU_GPU=mini
compile stock-memory memory.c -fopenacc
compile memory memory.c -fopenacc -O2 "-fplugin=$top_builddir/plugin/.libs/accrete.so"
stock "$tmp/stock-memory"
is "$status $out" "0 0 wrong" "stock"
for program in stock-memory memory; do
  for off in none pool late; do
    ACCRETE_DISABLE=${off#none} ours "$tmp/$program"
    is "$status $out" "0 0 wrong" "$program without $off"
  done
  ACCRETE_POOL_MAX=0 ours "$tmp/$program"
  is "$status $out" "0 0 wrong" "$program, nothing is kept"
done
done_testing
