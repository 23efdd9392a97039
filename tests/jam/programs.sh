# The operators of the shuffle paper, several rows a thread: they print what they
# print with one row a thread, bit for bit, also where rows are left over.
# (So many points that a thread does take several.)
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia
benchmarks=$top_srcdir/benchmarks

sh "$benchmarks/programs.sh" '*-acc' '*-omp' \
  | grep -e ' shuffle/' -e '/\(gaussblur\|laplacian\|wave13pt\|tricubic\).F90' | grep -v '^mat' >"$tmp/list"
CC=$CC FC=$FC sh "$benchmarks/build-programs.sh" "$tmp/rows" "-specs=$specs" \
  $stock_flags -fopt-info-omp <"$tmp/list"
is $? 0 "all build"
CC=$CC FC=$FC sh "$benchmarks/build-programs.sh" "$tmp/row" "-specs=$specs" \
  $stock_flags -fplugin-arg-accrete-disable=jam <"$tmp/list"

taken=0
while read -r name _ _ _ small _; do
  grep -q 'a thread computes . rows' "$tmp/rows/$name.log" && taken=$((taken + 1))
  case $small in
    *,*,*) sizes="84,85,88" ;;
    *) sizes="4101,133 4103,136" ;;
  esac
  bad=
  for size in $sizes; do
    # shellcheck disable=SC2046  # a list of words
    set -- $(echo "$size" | tr , ' ')
    want=$("$run" --emulate "$tmp/row/$name" "$@" 2>&1) || bad="$bad $size-fails"
    [ "$("$run" --emulate "$tmp/rows/$name" "$@" 2>&1)" = "$want" ] \
      || bad="$bad $size"
  done
  is "$bad" "" "$name: the same with several rows"
done <"$tmp/list"
[ $taken -ge 18 ]
ok $? "$taken of them have several rows"
done_testing
