# ACCRETE_REPORT=text: what it says is what the counters have and the source has.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

on_emulated_gpu
export ACCRETE_EMU_GPU=mini ACCRETE_LIMITS=0
unset OMPI_COMM_WORLD_RANK PMI_RANK SLURM_PROCID ACCRETE_TIMES
plugin=$top_builddir/plugin/.libs/accrete.so
# Kernels of OpenMP as libgomp has them: SPMD kernels need ptx-post.
tagged="-fplugin=$plugin -fplugin-arg-accrete-disable=spmd"

# reported PROGRAM...: with a report for people, in $text.
reported () {
  report=text
  ours "$@"
  report=json text=$(printf '%s\n' "$err" | grep '^accrete:')
}
# rows: each construct as "HOST TIMES SENT FETCHED GEOMETRY PLACE", bytes without
# unit; of a report with times the GPU's comes first.
rows () {
  printf '%s\n' "$text" | sed -n '/ grid x block /,$p' | sed 1d \
    | grep -E '^accrete: +(-|[0-9.]+ (us|ms|s)) ' \
    | sed 's/^accrete: *//; s/\([0-9]\) \(us\|ms\|s\) /\1\2 /g; s/ B / /g
	   s/\([0-9]\) x \([0-9]\)/\1:\2/; s/  */ /g'
}
# column N: of all rows, added.
column () {
  rows | awk -v n="$1" '{ sum += $n } END { print sum + 0 }'
}
# says ERE WHAT, never ERE WHAT
says () { like "$text" "$1" "$2"; }
never () { unlike "$text" "$1" "$2"; }
# below WORD: what the report says of the construct whose line in the source,
# $source, has WORD.
below () {
  line=$(grep -n "acc.*$1\|omp.*$1" "$srcdir/$source" | sed "$pick!d; s/:.*//")
  printf '%s\n' "$text" | awk -v at="$source:$line " '
    !/^accrete:   [a-zA-Z]/ { on = 0 }
    on { print }
    index ($0, at) { on = 1 }'
}
# What stock would issue, as our own run says and as nothing optimised issues.  The
# stacks of OpenMP's kernels, which libgomp allocates once, are not in the first.
stocks='h2d_copies h2d_bytes d2h_copies d2h_bytes syncs blocking'
would () { for c in $stocks; do printf '%s=%s ' $c "$(field stock_$c)"; done; }
did () { for c in $stocks; do printf "%s=%s " $c "$(field $c)"; done; }

# ---- Bytes, lines, launches ------------------------------------------------------
for m in acc mp; do
  compile tc-$m trace.c -fopen$m -lpthread $tagged
  CC=$FC compile tf-$m trace.f90 -fopen$m $tagged
  for p in c f; do
    case $p in c) source=trace.c ;; *) source=trace.f90 ;; esac
    program=$tmp/t$p-$m how=$p-$m
    stock "$program"
    want="0 $out"
    is "$status" 0 "$how: stock"
    ACCRETE_OFF=1 ours "$program"
    nothing=$(did) allocs=$(field allocs) frees=$(field frees)
    is "$(would) $(field stock_allocs) $(field stock_frees)" "$nothing $allocs $frees" \
      "$how: nothing optimised, libgomp gets what it asks for"
    [ $m = acc ] || allocs=$((allocs - 1)) frees=$((frees - 1))
    ours "$program"
    is "$(would) $(field stock_allocs) $(field stock_frees)" "$nothing $allocs $frees" \
      "$how: stock's numbers"
    for off in 1 0; do
      how="$p-$m, ACCRETE_OFF=$off"
      export ACCRETE_OFF=$off
      ours "$program"
      numbers="$(field h2d_bytes) $(field d2h_bytes) $(field constructs)"
      copies="$(field h2d_copies) $(field stock_h2d_copies)"
      reported "$program"
      is "$status $out" "$want" "$how: the program's own output"
      is "$(column 3) $(column 4) $(column 2)" "$numbers" "$how: bytes and constructs"
      never 'outside of constructs' "$how: of constructs, all of them"
      says "^accrete: copies to the GPU: ${copies% *}, .*would: ${copies#* }," \
	"$how: the summary"
      case $m in
        acc) kind='acc parallel' ;;
        *) kind='omp target' ;;
      esac
      is "$(rows | grep -o "$source:[0-9]* .*" | sort)" \
	"$({ regions $source $m; data $source $m; } | sort)" "$how: lines"
      ACCRETE_DEBUG=3 ours "$program"
      launches=$(printf '%s\n' "$err" | sed -n 's/.*cuLaunchKernel .*(\(.*\)) (\(.*\)): .*/\1:\2/p' \
	| sed 's/,/x/g; s/x1:/:/; s/x1:/:/; s/x1$//; s/x1$//' | sort -u)
      is "$(rows | cut -d ' ' -f 5 | grep : | sort -u)" "$launches" "$how: grid and block"
      ACCRETE_TIMES=1 reported "$program"
      is "$(rows | grep -c "^[0-9.]*[mu]*s .*:[0-9]* $kind")" 2 "$how: kernels have their times"
      is "$(rows | cut -d ' ' -f 1 | sed 's/ms/ 1000/; s/us/ 1/; s/-/0/' \
	    | awk '{ t = $1 * ($2 ? $2 : 1); if (NR > 1 && t > last) print "later"; last = t }')" \
	"" "$how: the longest first"
    done
    unset ACCRETE_OFF
  done
done
source=trace.c pick=1
reported "$tmp/tc-acc"
like "$(below 'parallel loop copy')" 'applied: .*lazy-copy-back [0-9]' "what was applied"
is "$(rows | grep 'acc data' | cut -d ' ' -f 2-4)" "20 80000 80000" \
  "a data construct's end is its own"
reported "$tmp/tc-acc" threads
like "$(below 'parallel loop copy')" 'refused: lazy-copy-back [0-9]+ times, as several threads' \
  "what was refused, and why"
ACCRETE_DISABLE=lazy-copy-back,caching-allocator reported "$tmp/tc-acc"
says '^accrete: off \(ACCRETE_DISABLE\): caching-allocator.* lazy-copy-back' \
  "optimisations that are off"
ACCRETE_OFF=1 reported "$tmp/tc-acc"
is "$(printf '%s\n' "$text" | grep -c '^accrete: off')" 1 "all are off: one line"

# ---- Hints -----------------------------------------------------------------------
for m in acc mp; do
  compile c-$m report.c -fopen$m $tagged
  CC=$FC compile f-$m report.f90 -fopen$m -fplugin=$plugin
  case $m in acc) pick=1 ;; *) pick=2 ;; esac
  for p in c f; do
    case $p in c) source=report.c ;; *) source=report.f90 ;; esac
    reported "$tmp/$p-$m"
    like "$(below back)" 'hint: the same 8000 B went .* 12 times' "$p-$m: there and back"
    unlike "$(below alone)" 'the same' "$p-$m: a little, or once"
    # Of OpenMP's regions in generic mode that is not known.
    [ $m = mp ] \
      || like "$(below alone)" "hint: it shares no loop" "$p-$m: one thread"
    unlike "$(below back)" 'shares no loop|on the host' "$p-$m: no more than that"
  done
  source=report.c
  reported "$tmp/c-$m"
  unlike "$(below elsewhere)" 'hint' "$m: another place each time"
  is "$(printf '%s\n' "$text" | grep -A 9 ' data$' | grep -c 'hint: the same 8000 B .* 12 times')" \
    1 "$m: a data construct, there and back"
  like "$(below host)" 'hint: it ran on the host once' "$m: on the host"
  ACCRETE_DEVICE=0 reported "$tmp/c-$m"
  never 'hint' "$m: nothing is known without the device layer"
done
compile bare report.c -fopenmp -foffload=disable
reported "$tmp/bare"
says 'hint: there is a GPU, but the program has no device code' "no device code"
never 'accrete\.specs' "and nothing else is said of it"
compile untagged report.c -fopenacc
reported "$tmp/untagged"
like "$(rows)" ' untagged\+0x[0-9a-f]+ acc data' "no site records: where and what"
says 'not compiled with accrete.specs' "no tags"
never 'no device code' "but there is code"

# ---- Refused when compiled ---------------------------------------------------------
cat >"$tmp/refused.c" <<'END'
float a[100], sum;
int
main (void)
{
#pragma acc kernels copy(a) /* order */
#pragma omp target teams map(tofrom: a) /* order */
  {
    for (int i = 1; i < 100; i++)
      a[i] += a[i - 1];
  }
  return 0;
}
END
for m in acc mp; do
  case $m in
    acc) want='kernels-parallelisation: iterations may touch the same memory' ;;
    *) want='spmd-kernels: an assignment between the constructs' ;;
  esac
  srcdir=$tmp compile refused refused.c -fopen$m -fplugin=$plugin
  reported "$tmp/refused"
  says "^accrete:   refused when compiled: $want\$" "$m: why"
  case $m in acc) mode="GCC's partitioned mode" ;; *) mode='generic mode' ;; esac
  says "^accrete:   $mode, as stock" "$m: its mode"
done

# ---- Tasks -----------------------------------------------------------------------
pick=1
reported "$tmp/c-mp" tasks
like "$(below task)" 'refused: asynchronous-target [0-9]+ times, as .*short' "a short nowait region"
ACCRETE_NOWAIT_MIN=0 reported "$tmp/c-mp" tasks
unlike "$(below task)" 'refused: asynch|on the host' "a task is launched for its region"
says 'outside of constructs, or by tasks' "and copies for none"

# ---- Where it goes ---------------------------------------------------------------
report=
ours "$tmp/c-acc"
unlike "$err" accrete "not asked for: nothing"
export ACCRETE_REPORT_FILE=$tmp/out.%r.%p
reported "$tmp/c-acc" fork
is "$text" "" "to a file: nothing on stderr"
set -- "$tmp"/out.0.*
is "$# $(cat "$@" | grep -c '^accrete: device layer')" "2 2" "two processes: a file each"
text=$(cat "$1") first=$(column 3)
text=$(cat "$2")
is "$(column 2) $(column 3)" "50 $first" "of one process each"
rm -f "$tmp"/out.*
PMI_RANK=3 ACCRETE_REPORT_FILE=$tmp/out.%r.%h ours "$tmp/c-acc"
is "$(cat "$tmp/out.3.$(uname -n)" | cut -c 1-10)" '{"accrete"' "%r and %h; JSON as well"
ACCRETE_REPORT_FILE=$tmp/same reported "$tmp/c-acc" fork
is "$(sed 's/ .*//' "$tmp/same" | sort -u) $(grep -n 'device layer' "$tmp/same" | wc -l)" \
  "accrete: 2" "one file: one behind the other"
ACCRETE_REPORT_FILE=$tmp/nowhere/such reported "$tmp/c-acc"
says 'ACCRETE_REPORT_FILE: cannot open' "a file that cannot be: named"
says '^accrete: device layer' "and stderr has the report"

done_testing
