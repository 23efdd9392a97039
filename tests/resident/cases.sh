# Every file in cases/ is a program of host loops over regions.  It says in comments
#   FLAGS: compiler flags
#   REMARK: what -fopt-info-omp must say about the loop whose first region begins in
#     the line below (ERE)
#   KERNELS: how many loops become kernels that are launched
# and prints the same on the emulated GPU as when it is compiled for the host
# without directives, as when it has no cooperative launches, and as when it has no
# runtime.  The checker finds nothing.
#
# CASES   some of the files, a pattern
#
# SPDX-License-Identifier: GPL-3.0-or-later

. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/comments.sh"
. "$top_srcdir/tests/system/stage.sh"
# Kernels are there from the beginning; late.sh has what is else.
export ACCRETE_DISABLE=tiered-compilation
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia

check_remarks () {		# FILE
  expected_at "$1" REMARK >"$tmp/expected"
  while read -r line text; do
    found=$(awk -F: -v line="$line" '$2 == line + 1' "$tmp/remarks")
    like "$found" "$text" "$name: remark on line $line"
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
  ACCRETE_DEBUG=2 "$run" --check=fail --report=json "$tmp/ours" >"$tmp/got" \
    2>"$tmp/err"
  ok $? "$name: nothing is found" || diag "$(grep check: "$tmp/err" | head -n 5)"
  is "$(cat "$tmp/got")" "$(cat "$tmp/want")" "$name: as on the host"
  is "$(grep -c 'cooperative launch of .* status 0' "$tmp/err")" \
    "$(expected "$file" KERNELS)" "$name: kernels that are launched"
  [ $(($(json resident "$tmp/err") + $(json chained "$tmp/err"))) -gt 0 ]
  ok $? "$name: the report counts regions without launches"
  ACCRETE_DISABLE=cooperative-launch "$run" --emulate --report=json \
    "$tmp/ours" >"$tmp/got" 2>"$tmp/err"
  is "$(cat "$tmp/got")" "$(cat "$tmp/want")" "$name: as host loops"
  is "$(json resident "$tmp/err")" 0 "$name: then no kernel runs"
  is "$("$run" --emulate --off "$tmp/ours" 2>"$tmp/err")" "$(cat "$tmp/want")" \
    "$name: without the runtime"
  grep 'loop over [0-9r]' "$tmp/messages" >"$tmp/remarks"
  check_remarks "$file"
}

for file in "$srcdir"/cases/${CASES-*}; do check_case "$file"; done
done_testing
