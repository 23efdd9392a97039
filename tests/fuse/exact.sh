# Fused constructs round as stock's kernels do, on the emulated GPU; and where the
# store of a product is dropped, ptxas has no product left to contract with a sum:
# that is seen in the PTX, as the emulated GPU contracts nothing.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia
source=$srcdir/exact.c
cd "$tmp" || exit 99

# shellcheck disable=SC2086  # a list of words
(PATH=/usr/bin:/bin "$CC" -fopenacc -O2 -w "$source" $stock_flags -o stock) \
  && "$run" --emulate --off ./stock >want 2>err
ok $? 'stock' || diag "$(head -n 5 err)"
# shellcheck disable=SC2086
"$CC" -fopenacc -O2 -w -specs="$specs" $stock_flags -fopt-info-omp "$source" \
  -o ours >messages 2>&1
ok $? 'compiles' || diag "$(head -n 5 messages)"
is "$(grep -c 'fused with' messages)" 5 'all five pairs are fused'
is "$(grep -c 'inside became one' messages)" 1 'loops inside are one'
is "$(grep -c '2 loads .* 1 store is dropped' messages)" 1 'one store is dropped'
"$run" --check=fail ./ours >got 2>err
ok $? 'no race' || diag "$(head -n 5 err)"
cmp -s got want
ok $? 'every bit as in stock' || diag "$(diff got want | head -n 5)"
tr '\0' '\n' <ours | sed -n '/\.entry dropped/,/^}/p' >ptx
is "$(grep -c 'fma\.rn\.f64' ptx) $(grep -c 'mul\.f64' ptx)" '1 0' \
  'the dropped product is contracted with -0'
done_testing
