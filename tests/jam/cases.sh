# nests.c: what is said about each nest, and what it prints.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/build.sh"
for_host nests.c -ffp-contract=off
nests () { build "$@" -fopenacc -ffp-contract=off; }

nests O2 -O2 -fopt-info-omp-all
grep 'loop nest\|stays in\|among teams' O2.log >remarks
expected_at "$file" REMARK | sed 1d >expected
while read -r line text; do
  found=$(awk -F: -v line="$line" '$2 == line + 1' remarks)
  like "$found" "$text" "the remark on line $line"
done <expected

# The forms of its kernels: as many rows as the plugin takes, twice as many, one;
# all with 64 registers, and with 48.
for form in 0 1 2 4 5 8; do
  is "$(ACCRETE_FORM=$form "$run" --emulate ./O2 2>&1)" "$(cat want)" \
    "form $form: as on the host"
done
forms () { ACCRETE_FORM=$1 ACCRETE_DEBUG=3 "$run" --emulate ./O2 2>&1 \
	     | grep -c "cuLaunchKernel.*, form $1 "; }
[ "$(forms 2)" -gt 20 ] && [ "$(forms 5)" -gt 20 ] && [ "$(forms 8)" -gt 5 ] \
  && [ "$(forms 9)" -eq 0 ]
ok $? "... which are launched"

nests O3 -O3
nests debug -O2 -g
nests O1 -O1 -fopt-info-omp-all
is "$(grep -c 'loop nest' O1.log)" 0 "nothing below -O2"
nests two -O2 -fplugin-arg-accrete-rows=2 -fopt-info-omp-all
is "$(grep -c 'computes [48] rows' two.log)" 0 "rows=2"
nests eight -O2 -fplugin-arg-accrete-rows=8 -fopt-info-omp-all
[ "$(grep -c 'computes 8 rows' eight.log)" -gt 0 ]
ok $? "rows=8"
like "$("$CC" -specs="$specs" -fopenacc -fplugin-arg-accrete-rows=3 -S "$file" \
          -o three.s 2>&1)" 'not 1, 2, 4, 8 or 16' "rows=3"

# Tiles of other shapes.
for shape in 32*8 128*2; do
  is "$(ACCRETE_GEOMETRY="5x$shape" "$run" --emulate ./O2 2>&1)" "$(cat want)" \
    "blocks of $shape: as on the host"
done
nests disabled -O2 -fplugin-arg-accrete-disable=jam -fopt-info-omp-all
is "$(grep -c 'loop nest' disabled.log)" 0 "it can be disabled"

# On the host the nest is what it was.
is "$(ACC_DEVICE_TYPE=host ./O2 2>&1)" "$(cat want)" "host fallback"
done_testing
