# nests.c: what is said about each nest, and that it prints on the emulated GPU
# what it prints when it is compiled for the host without directives.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia
file=$srcdir/nests.c

$CC -O2 -ffp-contract=off -w "$file" -o "$tmp/host" && "$tmp/host" >"$tmp/want"

# build NAME FLAGS...: and compare.
build () {
  name=$1
  shift
  if ! "$CC" -specs="$specs" -fopenacc -ffp-contract=off -w "$@" "$file" \
       -o "$tmp/$name" >"$tmp/$name.log" 2>&1; then
    ok 1 "$name: compiles"
    diag "$(cat "$tmp/$name.log")"
    return 1
  fi
  is "$("$run" --emulate "$tmp/$name" 2>&1)" "$(cat "$tmp/want")" \
    "$name: as on the host"
}

build O2 -O2 -fopt-info-omp-all
grep 'loop nest\|keeps' "$tmp/O2.log" >"$tmp/remarks"
grep -n REMARK: "$file" | sed '1d; s/ *\*\/$//; s/:.*REMARK: */ /' >"$tmp/expected"
while read -r line text; do
  found=$(awk -F: -v line="$line" '$2 == line + 1' "$tmp/remarks")
  like "$found" "$text" "the remark on line $line"
done <"$tmp/expected"

# The forms of its kernels: as many rows as the plugin takes, twice as many, one;
# all with 64 registers, and with 48.
for form in 0 1 2 4 5 8; do
  is "$(ACCRETE_FORM=$form "$run" --emulate "$tmp/O2" 2>&1)" "$(cat "$tmp/want")" \
    "form $form: as on the host"
done
forms () { ACCRETE_FORM=$1 ACCRETE_DEBUG=3 "$run" --emulate "$tmp/O2" 2>&1 \
	     | grep -c "cuLaunchKernel.*, form $1 "; }
[ "$(forms 2)" -gt 20 ] && [ "$(forms 5)" -gt 20 ] && [ "$(forms 8)" -gt 5 ] \
  && [ "$(forms 9)" -eq 0 ]
ok $? "... which are launched"

build O3 -O3
build debug -O2 -g
build O1 -O1 -fopt-info-omp-all
is "$(grep -c 'loop nest' "$tmp/O1.log")" 0 "nothing below -O2"
build two -O2 -fplugin-arg-accrete-rows=2 -fopt-info-omp-all
is "$(grep -c 'computes [48] rows' "$tmp/two.log")" 0 "rows=2"
build eight -O2 -fplugin-arg-accrete-rows=8 -fopt-info-omp-all
[ "$(grep -c 'computes 8 rows' "$tmp/eight.log")" -gt 0 ]
ok $? "rows=8"
like "$("$CC" -specs="$specs" -fopenacc -fplugin-arg-accrete-rows=3 -S "$file" \
          -o "$tmp/three.s" 2>&1)" 'not 1, 2, 4, 8 or 16' "rows=3"

# Tiles of other shapes.
for shape in 32*8 128*2; do
  is "$(ACCRETE_GEOMETRY="5x$shape" "$run" --emulate "$tmp/O2" 2>&1)" \
    "$(cat "$tmp/want")" "blocks of $shape: as on the host"
done
build disabled -O2 -fplugin-arg-accrete-disable=jam -fopt-info-omp-all
is "$(grep -c 'loop nest' "$tmp/disabled.log")" 0 "it can be disabled"

# On the host the nest is what it was.
is "$(ACC_DEVICE_TYPE=host "$tmp/O2" 2>&1)" "$(cat "$tmp/want")" "host fallback"
done_testing
