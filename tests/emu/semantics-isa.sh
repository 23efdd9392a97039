#!/bin/sh
# The handlers compiled for less than this host's best instruction set.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
for isa in base v3; do
  ACCRETE_EMU_ISA=$isa ./semantics >"$tmp/out" 2>&1
  is "$(grep '^not ok' "$tmp/out" || tail -n 1 "$tmp/out" | cut -c 1-3)" 1.. \
    "instruction set $isa"
done
done_testing
