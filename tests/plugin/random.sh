# Random regions: what the plugin proves constant must not change when the
# program runs.  RANDOM_RUNS programs, seeds from 1.
#
# SPDX-License-Identifier: GPL-3.0-or-later

. "$top_srcdir/tests/tap.sh"
plugin=$top_builddir/plugin/.libs/accrete.so
regions=100
cd "$tmp" || exit 99

proved=0
seed=1
while [ $seed -le "${RANDOM_RUNS:-8}" ]; do
  "$builddir/random-regions" $seed $regions >prog.c
  rm -f dump
  if ! "$CC" -O1 -w -fopenmp -foffload=disable -fplugin="$plugin" \
       -fplugin-arg-accrete-dump=dump prog.c -o prog >messages 2>&1; then
    ok 1 "seed $seed compiles" || diag "$(head -n 5 messages)"
  elif ! ./prog >changed; then
    ok 1 "seed $seed runs"
  else
    grep '^ACCRETE-TAG ' dump | "$builddir/constant" >constant
    wrong=$(awk '
      NR == FNR { for (i = 2; i <= NF; i++) changed[$1, $i] = 1; next }
      { for (i = 2; i <= NF; i++) if (($1, $i) in changed) print $1, $i }
      ' changed constant)
    is "$wrong" "" "seed $seed: nothing constant changed"
    is "$(wc -l <constant)" "$(wc -l <changed)" "seed $seed: all regions seen"
    proved=$((proved + $(wc -w <constant) - $(wc -l <constant)))
  fi
  seed=$((seed + 1))
done
[ "$proved" -gt $((regions / 4)) ]
ok $? "and something was constant ($proved operands)"
done_testing
