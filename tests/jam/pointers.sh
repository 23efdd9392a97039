# pointers.F90: what is said about the addresses of each nest, and that it prints
# on the emulated GPU what it prints when it is compiled for the host without
# directives, with the addresses as GCC has them as well as with ours.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia
file=$srcdir/pointers.F90
cd "$tmp" || exit 1

$FC -O2 -ffp-contract=off -w "$file" -o host && ./host >want

# build NAME FLAGS...: and compare.
build () {
  name=$1
  shift
  if ! "$FC" -specs="$specs" -fopenacc -ffp-contract=off -w "$@" "$file" \
       -o "$name" >"$name.log" 2>&1; then
    ok 1 "$name: compiles"
    diag "$(cat "$name.log")"
    return 1
  fi
  is "$("$run" --emulate "./$name" 2>&1)" "$(cat want)" "$name: as on the host"
}

build O2 -O2 -fopt-info-omp
grep -n REMARK: "$file" | sed '1d; s/:.*REMARK: */ /' >expected
while read -r line text; do
  found=$(grep addresses: O2.log | awk -F: -v line="$line" '$2 == line + 1')
  like "$found" " $text" "the remark on line $line"
done <expected
is "$(grep -c addresses: O2.log)" "$(wc -l <expected)" "and on no other"

build row -O2 -fplugin-arg-accrete-disable=jam
build debug -O2 -g
build disabled -O2 -fplugin-arg-accrete-disable=pointer -fopt-info-omp
is "$(grep -c addresses: disabled.log)" 0 "it can be disabled"
build neither -O2 -fplugin-arg-accrete-disable=jam,pointer
done_testing
