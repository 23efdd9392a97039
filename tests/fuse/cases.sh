# Every file in cases/ is a program of neighbouring constructs.  It says in comments
#   FLAGS: compiler flags
#   REMARK: what -fopt-info-omp must say about the fusion of the construct below
#     with the one before (ERE); "not a neighbour": nothing
#   KEPT: the same about registers and stores
#   INSIDE: yes or no, whether loops inside became one
# and prints the same on the emulated GPU as when it is compiled for the host
# without directives.  The checker finds no race.
#
# CASES   some of the files, a pattern
#
# SPDX-License-Identifier: GPL-3.0-or-later

. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/comments.sh"
. "$top_srcdir/tests/system/stage.sh"
# No kernel is compiled late.
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia ACCRETE_DISABLE=tiers

# Comments may be between one and the directive.
check_remarks () {		# FILE KEY WORDS
  expected_at "$1" "$2" >"$tmp/expected"
  grep "$3" "$tmp/messages" >"$tmp/remarks"
  while read -r line text; do
    at=$(awk -v line="$line" \
      'NR > line && !/REMARK|KEPT|INSIDE/ { print NR; exit }' "$1")
    found=$(awk -F: -v line="$at" '$2 == line' "$tmp/remarks" | tail -n 1)
    case $text in
      yes) like "$found" 'became one' "$name: $2 on line $line" ;;
      no) is "$found" '' "$name: $2 on line $line" ;;
      'not a neighbour') is "$found" '' "$name: nothing said on line $line" ;;
      *) like "$found" "$text" "$name: $2 on line $line" ;;
    esac
  done <"$tmp/expected"
}

check_case () {			# FILE
  file=$1 name=${1##*/}
  with=$(compiler "$file")
  flags=$(expected "$file" FLAGS)
  # shellcheck disable=SC2086
  $with -O2 -w "$file" -o "$tmp/host" -lm && "$tmp/host" >"$tmp/want"
  ok $? "$name: on the host"
  # shellcheck disable=SC2086
  if ! $with -specs="$specs" -O2 $flags $stock_flags -w "$file" \
       -fopt-info-omp-all -o "$tmp/ours" -lm >"$tmp/messages" 2>&1; then
    ok 1 "$name: compiles" || diag "$(cat "$tmp/messages")"
    return
  fi
  "$run" --check=fail --report=json "$tmp/ours" >"$tmp/got" 2>"$tmp/err"
  ok $? "$name: without a race" || diag "$(head -n 5 "$tmp/err")"
  is "$(cat "$tmp/got")" "$(cat "$tmp/want")" "$name: as on the host"
  [ "$(json fused "$tmp/err")" -gt 0 ]
  ok $? "$name: the report counts what was fused"
  check_remarks "$file" REMARK ' fused with '
  check_remarks "$file" KEPT ' registers have'
  check_remarks "$file" INSIDE ' loops inside became one'
}

for file in "$srcdir"/cases/${CASES-*}; do check_case "$file"; done
done_testing
