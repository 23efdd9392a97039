# HeCBench's ports from CUDA: which regions become SPMD kernels, in a table, and the
# reasons of others; what small runs say of themselves.  Nothing is fetched.
#
# HECBENCH  its folder src; without it all is skipped
# ONLY      one of its programs
# BUNDLE    a folder that gets those with arguments for a GPU, by stock GCC and by
#           ours, and run.sh, which prints what they say of their time
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
ACCRETE_EMU_GPU=mini
export ACCRETE_EMU_GPU
[ -d "${HECBENCH-}" ] || { skip "no folder HECBENCH" "HeCBench"
                           done_testing; exit; }
flags='-std=c++17 -O2 -w -fopenmp -foffload-options=-lm'
flags="$flags -foffload-options=nvptx-none=-latomic"

# Compile the sources $2 with the flags $3 and ours into $1.
compile_all () {
  for source in $2; do
    # shellcheck disable=SC2086
    "$CXX" $flags $stock_flags $3 -fopt-info-omp-all -c "$source" \
      -o "$1-$(basename "$source").o" || return
  done
}

# Run what was compiled into $1 with $2; it prints $3.
run_small () {
  # shellcheck disable=SC2086
  "$CXX" $flags $stock_flags -specs="$specs" "$1"-*.o -o "$1" \
    && "$run" --emulate "$1" $2 && return
}

# Link what was compiled into $1 with the flags $2 as the bundle's $3.
bundle () {
  # shellcheck disable=SC2086
  "$CXX" $flags $stock_flags $2 "$1"-*.o -o "$BUNDLE/$3" >>"$tmp/log" 2>&1
}

while IFS='|' read -r program sources more args good gpu; do
  case $program in '#'* | '') continue ;; esac
  [ "${ONLY-$program}" = "$program" ] && cd "$HECBENCH/$program" 2>/dev/null \
    || continue
  rm -f "$tmp"/ours* "$tmp"/stock*
  if ! compile_all "$tmp/stock" "$sources" "$more" >"$tmp/log" 2>&1; then
    skip "stock GCC does not compile it" "$program"
    continue
  fi
  compile_all "$tmp/ours" "$sources" "$more -specs=$specs" >"$tmp/log" 2>&1
  ok $? "$program: compiles" || diag "$(tail "$tmp/log")"
  sort -u "$tmp/log" | awk -v program="$program" '
    /becomes an SPMD kernel/ { kernels++ }
    /region: stays in/ { generic++ }
    END { print program, kernels + 0, generic + 0 }' >>"$tmp/table"
  sort -u "$tmp/log" | sed -n "s/.*stays in [a-z' ]* mode: //p" >>"$tmp/reasons"
  if [ -n "${BUNDLE-}" ] && [ "$gpu" != - ]; then
    mkdir -p "$BUNDLE"
    bundle "$tmp/stock" '' "$program.stock"
    bundle "$tmp/ours" "-specs=$specs" "$program.ours"
    for form in stock ours; do
      printf '%s\n' "echo '== $program $form'; ./$program.$form $gpu 2>&1 | grep -iE 'time|pass|fail|result|verif'"
    done >>"$BUNDLE/run.sh"
  fi
  [ "$args" != - ] || continue
  run_small "$tmp/ours" "$args" </dev/null >"$tmp/out" 2>&1
  ok $? "$program: runs" || diag "$(tail -n 5 "$tmp/out")"
  grep -q "$good" "$tmp/out" && ! grep -qE 'FAIL|dismatch' "$tmp/out"
  ok $? "$program: is right" || diag "$(tail -n 5 "$tmp/out")"
done <"$srcdir/hecbench.list"

diag "program, SPMD kernels, regions in generic mode:" \
  "$(awk '{ k += $2; g += $3; printf "%-24s %4d %4d\n", $1, $2, $3 }
          END { printf "%-24s %4d %4d\n", "all", k, g }' "$tmp/table")" \
  "$(sort "$tmp/reasons" | uniq -c | sort -rn)"
done_testing
