#!/bin/sh
# NVIDIA's own assembler, where there is one, takes every instruction form and
# random program: a GPU's driver then does, too.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
give_up () { skip "$1" "programs assemble"; done_testing; exit; }
command -v ptxas >/dev/null || give_up "no ptxas"
cd "$tmp" || exit 99
compare=$builddir/gpu-compare
"$compare" --print >unit.ptx
ptxas -arch=sm_90 unit.ptx -o unit.cubin 2>/dev/null \
  || give_up "ptxas does not know the GPU"

assembles () {
  ptxas -O0 -arch=sm_90 unit.ptx -o unit.cubin >log 2>&1
  ok $? "$1" || diag "$(head -n 20 log | while read -r line; do
      echo "$line"
      at=$(echo "$line" | sed -n 's/.*line \([0-9]*\);.*/\1p/p')
      [ -z "$at" ] || sed -n "$at" unit.ptx
    done)"
}
"$compare" --print-table >unit.ptx
assembles "every instruction form"
for seed in ${SEEDS:-1 1001 2001}; do
  "$compare" --print --programs=100 --seed="$seed" >unit.ptx
  assembles "100 random programs from $seed on"
done
done_testing
