# Constructs that come round in the same order, and are planned: stock's results
# whatever comes instead, by no more copies than without a plan.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

on_emulated_gpu
export ACCRETE_EMU_GPU=mini ACCRETE_GEOMETRY=model

compile stock plan.c -fopenacc -lpthread
compile marked plan.c -fopenacc -lpthread \
  "-fplugin=$top_builddir/plugin/.libs/accrete.so"
# copies: how many, and waits.
copies () { echo "$(($(field h2d_copies) + $(field d2h_copies))) $(field syncs)"; }

for deviation in 0 1 2 3 4 5 6 7 8 9; do
  stock "$tmp/stock" 60 $deviation
  wanted
  for delay in 0 1; do
    ACCRETE_EMU_DELAY=$delay ours "$tmp/marked" 60 $deviation
    is "$status$out" "$want" "deviation $deviation, delay $delay"
  done
  [ "$(field plans)" -gt 0 ] && [ "$(field placed)" -gt 20 ]
  ok $? "deviation $deviation: planned" || diag "$(field plans) $(field placed)"
  case $deviation in
    0) is "$(field plans) $(field deviations)" "1 0" "and kept" ;;
    9) [ "$(field deviations)" -gt 0 ]; ok $? "and left" ;;
  esac
  planned=$(copies)
  ACCRETE_EMU_DELAY=1 ACCRETE_DISABLE=plan ours "$tmp/marked" 60 $deviation
  is "$status$out $(field plans)" "$want 0" "ACCRETE_DISABLE=plan"
  echo "$planned $(copies)" | awk '{ exit !($1 <= $3 && $2 <= $4) }'
  ok $? "deviation $deviation: copies and waits $(copies) -> $planned"
done
done_testing
