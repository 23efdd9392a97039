# Failures end programs as they end stock's: with a message of libgomp's and
# status 1, at once and with right results up to there, wherever they are found.
# - Programs of faults/ in which each driver entry fails at each of its first
#   calls; what is printed may be all when there is another way.
# - Kernels that fault, and what may come next (faults/kernel.c).
#
# FAULTS_STEP   every N-th of these is tried (7)
# FAULTS_CALLS  calls of an entry (50)
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
. "$top_srcdir/tests/gcc.sh"
export ACCRETE_EMU_GPU=mini ACCRETE_NOWAIT_MIN=0
step=${FAULTS_STEP-7}
seconds=5

# build NAME FILE FLAGS...
build () {
  to=$tmp/$1 file=$srcdir/faults/$2
  shift 2
  # shellcheck disable=SC2086  # a list of words
  $(compiler "$file") -O2 $stock_flags "$@" "$file" -o "$to" >"$tmp/log" 2>&1 \
    || { cat "$tmp/log" >&2; exit 99; }
}

# ours PROGRAM...: $status; output is in $tmp/out and $tmp/err.
ours () {
  timeout -s KILL $seconds "$run" --emulate "$@" >"$tmp/out" 2>"$tmp/err"
  status=$?
}

# Is $tmp/out the beginning of $tmp/want?
is_beginning () {
  head -c "$(wc -c <"$tmp/out")" "$tmp/want" | cmp -s - "$tmp/out"
}

# ---- Entries that fail --------------------------------------------------------

# Has the program ended well?
fine () {
  case $status in
    0) cmp -s "$tmp/out" "$tmp/want" ;;
    1) grep -q '^libgomp: ' "$tmp/err" && is_beginning ;;
    # From GCC 13 on the plugin asserts what it has asked when it opens a device.
    134) [ $interface -gt 1 ] && grep -q 'Assertion.*pi' "$tmp/err" ;;
    *) false ;;
  esac
}

# entries PROGRAM: ENTRY=CALLS, a line each, of a first start and of another.
entries () {
  rm -rf "$XDG_CACHE_HOME"
  for start in first second; do
    ACCRETE_EMU_STATS=1 timeout 60 "$run" --emulate "$1" >"$tmp/want" 2>"$tmp/err"
    sed -n 's/^accrete-emu: cu/cu/p' "$tmp/err" | tr ' ' '\n' | grep '^cu'
  done | sort -t= -k1,1 -k2,2nr | sort -u -t= -k1,1
}

# matrix PROGRAM MODE...: variables of the environment; $on is + when all later
# calls fail as well.
matrix () {
  name=$1 bad='' tried=0 n=0
  shift
  entries "$tmp/$name" >"$tmp/entries"
  while IFS='=' read -r entry calls; do
    i=1
    while [ $i -le "$calls" ] && [ $i -le "${FAULTS_CALLS-50}" ]; do
      n=$((n + 1))
      if [ $((n % step)) -eq 0 ]; then
        # Every other start finds its code linked.
        [ $((n / step % 2)) -eq 0 ] || rm -rf "$XDG_CACHE_HOME"
        ours env "$@" ACCRETE_EMU_FAIL="$entry:$i$on" "$tmp/$name"
        tried=$((tried + 1))
        fine || bad="$bad $entry:$i$on($status)"
      fi
      i=$((i + 1))
    done
  done <"$tmp/entries"
  is "$bad" "" "$name $*: $tried calls that fail$on"
}

for m in acc mp; do
  build c-$m phases.c -fopen$m "-specs=$specs"
  build fortran-$m phases.F90 -fopen$m "-specs=$specs"
  build nested-$m nested.c -fopen$m "-specs=$specs"
done
for on in '' +; do
  for m in acc mp; do
    matrix c-$m ACCRETE_EMU_DELAY=0
    matrix fortran-$m ACCRETE_EMU_DELAY=1
    matrix nested-$m ACCRETE_NEST=grid ACCRETE_NEST_MIN=1
    matrix nested-$m ACCRETE_NEST=all
  done
done
# What may be found later than usual, or by other ways.
on=+=700
for m in acc mp; do
  matrix c-$m ACCRETE_EMU_DELAY=1 ACCRETE_DEFER_MAX=100000
  matrix c-$m ACCRETE_DISABLE=queue,launch,late
  matrix c-$m ACCRETE_DISABLE=pool
done

# ---- Kernels that fault ------------------------------------------------------

# libgomp writes a message in parts, between which another thread may write its own.
first () { grep -m 1 '^libgomp: [^ ]' "$tmp/err"; }
for m in acc mp; do
  build kernel-$m kernel.c -fopen$m "-specs=$specs"
  build kernel-$m.stock kernel.c -fopen$m
  "$tmp/kernel-$m" >"$tmp/cases"
  i=0 bad=''
  echo begins >"$tmp/want"
  while read -r name; do
    if [ $((i % step)) -eq 0 ] || [ "${name#* }" = data_ends ]; then
      ours "$tmp/kernel-$m" $i
      got="$status $(first)"
      # Stock hangs itself when it finds a failure in a queue.
      case $m-$name in
        acc-not_waited_for*) like='1 libgomp: *' ;;
        *) timeout -s KILL 60 "$run" --emulate --off "$tmp/kernel-$m.stock" $i \
             >/dev/null 2>"$tmp/err"
           like="$? $(first)" ;;
      esac
      # Two threads may have found it: which of them speaks first is chance, so
      # that a case has two tries.  One that hangs does so both times.
      case $got in
        $like) ;;
        *) ours "$tmp/kernel-$m" $i
           got="$status $(first)" ;;
      esac
      # shellcheck disable=SC2254  # a pattern
      case $got in
        # What does not depend on such a kernel may come before it fails.
        $like) is_beginning || [ "${name% *}" = not_waited_for ] \
                 || bad="$bad, $name: output" ;;
        *) bad="$bad, $name: $got" ;;
      esac
    fi
    i=$((i + 1))
  done <"$tmp/cases"
  is "$bad" "" "kernel-$m: kernels that fault"
done
done_testing
