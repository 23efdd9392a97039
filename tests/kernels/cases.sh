# Every file in cases/ is a program with kernels regions.  It says in comments
#   FLAGS: compiler flags
#   REMARK: what -fopt-info-omp must say about the construct below (ERE); the
#     line is the construct's or the loop's
# and prints the same on the emulated GPU as when it is compiled for the host
# without directives.  The checker finds no race: results may be right by chance.
#
# CASES   some of the files, a pattern
# LEVELS  not without optimization
#
# SPDX-License-Identifier: GPL-3.0-or-later

. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/comments.sh"
. "$top_srcdir/tests/system/stage.sh"
export ACCRETE_EMU_GPU=mini

check_case () {
  file=$1 level=$2 name="${1##*/} $2"
  with=$(compiler "$file")
  flags=$(expected "$file" FLAGS)
  # shellcheck disable=SC2086
  if ! $with $level ${flags#-fopenacc} -w "$file" -o "$tmp/host" -lm; then
    ok 1 "$name: compiles for the host"
    return
  fi
  # shellcheck disable=SC2086
  if ! messages=$($with -specs="$specs" $level $flags $stock_flags -w "$file" \
                  -fopt-info-omp-all -o "$tmp/ours" -lm 2>&1); then
    ok 1 "$name: compiles" || diag "$messages"
    return
  fi
  "$tmp/host" >"$tmp/want"
  ACC_DEVICE_TYPE=nvidia "$run" --emulate "$tmp/ours" >"$tmp/got" 2>&1
  is "$(cat "$tmp/got")" "$(cat "$tmp/want")" "$name: as on the host"
  ACCRETE_EMU_DELAY=1 ACCRETE_DISABLE=all ACC_DEVICE_TYPE=nvidia \
    "$run" --emulate "$tmp/ours" >"$tmp/got" 2>&1
  is "$(cat "$tmp/got")" "$(cat "$tmp/want")" "$name: queues work late, as in stock's runtime"
  ACC_DEVICE_TYPE=nvidia "$run" --check=fail "$tmp/ours" >"$tmp/got" 2>&1
  ok $? "$name: without a race" || diag "$(grep -A 3 check: "$tmp/got" | head)"

  printf '%s\n' "$messages" | grep 'kernels region' | grep -v 'operands' \
    >"$tmp/remarks"
  expected_at "$file" REMARK >"$tmp/expected"
  while read -r line text; do
    # The directive or its loop.
    found=$(awk -F: -v line="$line" '$2 > line && $2 <= line + 5' \
            "$tmp/remarks" | head -n 1)
    like "$found" "$text" "$name: remark on line $line"
  done <"$tmp/expected"
}

for file in "$srcdir"/cases/${CASES-*}; do
  [ "${LEVELS-}" ] || check_case "$file" "-O0 -g"
  check_case "$file" -O2
done
done_testing
