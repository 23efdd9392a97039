# pointers.F90: what is said about the addresses of each nest, and what it prints,
# with the addresses as GCC has them as well as with ours.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/build.sh"
for_host pointers.F90 -ffp-contract=off
nests () { build "$@" -fopenacc -ffp-contract=off; }

nests O2 -O2 -fopt-info-omp
expected_at "$file" REMARK | sed 1d >expected
while read -r line text; do
  found=$(grep 'strength reduction:' O2.log | awk -F: -v line="$line" '$2 == line + 1')
  like "$found" " $text" "the remark on line $line"
done <expected
is "$(grep -c 'strength reduction:' O2.log)" "$(wc -l <expected)" "and on no other"

nests row -O2 -fplugin-arg-accrete-disable=jam
nests debug -O2 -g
nests disabled -O2 -fplugin-arg-accrete-disable=pointer -fopt-info-omp
is "$(grep -c 'strength reduction:' disabled.log)" 0 "it can be disabled"
nests neither -O2 -fplugin-arg-accrete-disable=jam,pointer
done_testing
