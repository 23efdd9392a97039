# Kernels with divisions, and with products of complex numbers (hoist.c), give what stock
# GCC's build gives, bit for bit, in each
# form: with the loads behind divisions in front of these, and with fewer registers.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
ACCRETE_EMU_GPU=mini
export ACCRETE_EMU_GPU
emu=$stage/lib/accrete/emu

for level in -O2 -O3; do
  # shellcheck disable=SC2086  # a list of words
  "$CC" $level -fopenmp -foffload-options=-lm $stock_flags "$srcdir/hoist.c" \
    -o "$tmp/stock" -lm >"$tmp/log" 2>&1
  ok $? "$level: stock builds" || diag "$(cat "$tmp/log")"
  LD_LIBRARY_PATH=$emu "$tmp/stock" >"$tmp/want" 2>"$tmp/log"
  ok $? "$level: stock's runs" || diag "$(cat "$tmp/log")"
  # shellcheck disable=SC2086
  "$CC" $level -fopenmp -foffload-options=-lm $stock_flags -specs="$specs" \
    "$srcdir/hoist.c" -o "$tmp/ours" -lm >"$tmp/log" 2>&1
  ok $? "$level: ours builds" || diag "$(cat "$tmp/log")"
  for form in 0 1 2 3; do
    ACCRETE_FORM=$form "$run" --emulate "$tmp/ours" >"$tmp/got" 2>"$tmp/log"
    ok $? "$level: form $form: runs" || diag "$(tail -n 3 "$tmp/log")"
    is "$(cat "$tmp/got")" "$(cat "$tmp/want")" "$level: form $form: the same bits"
  done
  # Each kernel has a form with loads that moved; those that call nothing, two with
  # fewer registers; the one that stores complex numbers, one with pairs.
  for form in 1:5 2:4 3:3; do
    is "$(ACCRETE_FORM=${form%:*} ACCRETE_DEBUG=3 "$run" --emulate "$tmp/ours" 2>&1 \
      | grep -c "cuLaunchKernel.*, form ${form%:*} ")" "${form#*:}" \
      "$level: form ${form%:*}: is launched"
  done
done
done_testing
