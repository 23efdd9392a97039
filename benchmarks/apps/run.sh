#!/bin/sh
# Runs what build.sh has built, from its folder or packed by pack.sh.
# Usage: run.sh [emulate|check|times] [NAME...]
#   emulate  small, on the emulated GPU of PREFIX: whether each form is right, and what
#            became of the program's regions
#   check    small, on the GPU (the default, with times): whether each form is right
#   times    large, on the GPU, forms by turns: CSV with the first process's wall time
#            (no cache anywhere), the median of later ones', that of the program's own
#            figure, and the sum of the kernels' times
# FORMS (cuda stock ours aot), REPEATS (3), ROW_SECONDS (60) for a process, RUN_SECONDS
# (1500) for all, COMMIT, PREFIX (accrete beside this file), TIMES (times, beside it)
# SPDX-License-Identifier: GPL-3.0-or-later
set -u
here=$(cd "$(dirname "$0")" && pwd)
case ${1-} in emulate | check | times) modes=$1; shift ;; *) modes='check times' ;; esac
: "${FORMS:=cuda stock ours aot}" "${REPEATS:=3}" "${ROW_SECONDS:=60}" "${RUN_SECONDS:=1500}"
: "${PREFIX:=$here/accrete}" "${TIMES:=$here/times}" "${COMMIT:=$(cat "$here/commit" 2>/dev/null)}"
tmp=$(mktemp -d) || exit
trap 'rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
LD_LIBRARY_PATH=$here/lib:$PREFIX/lib/accrete${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export LD_LIBRARY_PATH
# shellcheck disable=SC3045  # where there is one
ulimit -s unlimited 2>/dev/null || :
end=$(($(date +%s) + RUN_SECONDS))
bad='FAIL|Fail|NOT PASSED|NOT VALID|dismatch|valid: false|libgomp: |accrete-emu: '
failed=0

# Run COMMAND with the row's arguments of SIZE where what it reads is: $tmp/out is what
# it prints, $wall its microseconds, $status its status, 137 when it took too long.
process () {			# SIZE COMMAND...
  eval "words=\$$1"
  rm -rf "$tmp/cwd"
  mkdir "$tmp/cwd"
  [ ! -d "$here/data/$name/$1" ] || cp -R "$here/data/$name/$1/." "$tmp/cwd"
  shift
  left=$((end - $(date +%s)))
  [ $left -lt "$ROW_SECONDS" ] || left=$ROW_SECONDS
  if [ $left -le 0 ]; then
    echo 'no time left' >"$tmp/out"
    status=124
    return
  fi
  [ "$words" != . ] || words=
  from=$(date +%s%N)
  # shellcheck disable=SC2086  # a list of words
  (cd "$tmp/cwd" && exec timeout -s KILL "$left" "$@" $words) >"$tmp/out" 2>&1 </dev/null
  status=$?
  wall=$((($(date +%s%N) - from) / 1000))
  [ ! -f "$tmp/cwd/output.txt" ] || cat "$tmp/cwd/output.txt" >>"$tmp/out"
}

# Was the last process right?  Results that the program does not check by itself are
# those of FILE, but for figures that differ by 1e-5; where there is no FILE it is made of
# them, "alone".  (Some of these end with 1, as they know the results of other sizes.)
verified () {			# FILE
  case $status$right in 0* | 1=*) ;; 124* | 137*) echo late; return ;;
    *) echo "status $status"; return ;; esac
  ! grep -qE -- "$bad" "$tmp/out" || { echo wrong; return; }
  case $right in
    =*) grep -oE -- "${right#=}" "$tmp/out" >"$tmp/got" || { echo wrong; return; }
	[ -f "$1" ] || { cp "$tmp/got" "$1"; echo alone; return; }
	paste -d ' ' "$1" "$tmp/got" | awk '{
	    for (i = 1; i <= NF / 2; i++) {
	      a = $i; b = $(i + NF / 2); d = a - b
	      if (a "" != b "" && (a !~ /[.]/ || d * d > 1e-10 * a * a))
	        exit bad = 1
	    } if (NF % 2) exit bad = 1 } END { exit bad }' && echo right || echo wrong ;;
    *) grep -qE -- "$right" "$tmp/out" && echo right || echo wrong ;;
  esac
}

# The results of the row's small run on the host are what others are compared with.
# There are ports from CUDA that need so many threads.
on_host () {
  case $right in
    =*) OMP_TARGET_OFFLOAD=disabled ACC_DEVICE_TYPE=host ACCRETE_DEVICE=0 \
	  OMP_NUM_THREADS=256 OMP_WAIT_POLICY=passive \
	  process small "$here/$name.ours" 2>/dev/null
	verified "$tmp/$name.host" >/dev/null ;;
  esac
}

# What became of the regions: SPMD kernels, generic mode, one thread; the reasons.
regions () {
  sort -u "$here/logs/$name.ours" 2>/dev/null | awk '
    /region: becomes an SPMD kernel/ && !/one GPU thread executes it/ { spmd++ }
    /region: stays in/ { generic++ }
    /runs on one GPU thread/ { single++ }
    END { printf "%4d %4d %4d", spmd, generic, single }' | tee -a "$tmp/regions"
  echo >>"$tmp/regions"
}
reasons () {
  sort -u "$here/logs/$name.ours" 2>/dev/null \
    | sed -n "/region: stays in\|runs on one GPU thread/s/^/  /p"
}

emulate () {
  ACCRETE_EMU_GPU=${ACCRETE_EMU_GPU:-mini}
  export ACCRETE_EMU_GPU
  [ "$small" != twin ] && [ -f "$here/logs/$name.ours" ] || return
  line=$(printf '%-22s%s' "$name" "$(regions)")
  if [ "$small" != - ] && [ -x "$here/$name.ours" ]; then
    on_host
    for form in $FORMS; do
      [ "$form" != cuda ] && [ -x "$here/$name.$form" ] || continue
      off=
      [ "$form" != stock ] || off=--off
      process small "$PREFIX/bin/accrete-run" --emulate $off "$here/$name.$form"
      is=$(verified "$tmp/$name.host")
      line="$line  $form $is"
      case $form-$is in
	*-right | *-alone) ;;
	*) cp "$tmp/out" "$here/logs/$name.$form.out"
	   [ "$form" = stock ] || failed=1 ;;
      esac
    done
  fi
  echo "$line"
  reasons
}

check () {
  case $small in twin | -) return ;; esac
  [ ! -x "$here/$name.ours" ] || on_host
  for form in $FORMS; do
    [ -x "$here/$name.$form" ] || continue
    process small "$here/$name.$form"
    is=$(verified "$tmp/$name.host")
    case $form-$is in
      *-right | *-alone) ;;
      *) echo "$name $form $is: $(tail -n 1 "$tmp/out")"
	 [ "$form" = stock ] || failed=1 ;;
    esac
  done >&2
}

median () { sort -g "$1" 2>/dev/null | awk '{ x[NR] = $1 } END { print x[int ((NR + 1) / 2)] }'; }

# A large process of form $form: its wall time in ms and its figure, a line each.
timed () {			# WALLS
  caches=$tmp/caches.$form
  mkdir -p "$caches"
  HOME=$caches XDG_CACHE_HOME=$caches CUDA_CACHE_PATH=$caches/cuda \
    process large "$here/$name.$form"
  is=$(verified "$tmp/$name.large")
  case $is in right | alone) ;; *) echo "$is" >"$tmp/$form.not"; return ;; esac
  echo "$wall" | awk '{ print $1 / 1000 }' >>"$1"
  sed 's/,//g' "$tmp/out" | grep -oE -- "${merit#[-+]}[^0-9]*[0-9][0-9.eE+]*" | tail -n 1 \
    | grep -oE '[0-9][0-9.eE+]*$' >>"$tmp/$form.merit"
}

# The sum of the kernels' times, of all forms as the GPU has them (kernels.c; each in
# times/NAME.FORM); without CUPTI by the driver's events, for what goes through libgomp.
kernels () {
  if [ -e "$here/kernels.so" ]; then
    mkdir -p "$TIMES"
    rm -f "$TIMES/$name.$form"
    KERNELS=$TIMES/$name.$form CUDA_INJECTION64_PATH=$here/kernels.so \
      process large "$here/$name.$form"
    sort -gr -o "$TIMES/$name.$form" "$TIMES/$name.$form" 2>/dev/null
    awk '{ n += $1 } END { print n }' "$TIMES/$name.$form" 2>/dev/null
    return
  fi
  case $form in cuda) return ;; stock) off=--off ;; *) off= ;; esac
  ACCRETE_TIMES=1 ACCRETE_REPORT=json ACCRETE_REPORT_FILE=$tmp/report \
    process large "$PREFIX/bin/accrete-run" $off "$here/$name.$form"
  grep -oE '"total_us":[0-9.e+]+' "$tmp/report" 2>/dev/null | awk -F: '{ n += $2 } END { print n }'
  rm -f "$tmp/report"
}

measure () {
  [ "$large" != - ] || return
  [ "$(date +%s)" -lt $end ] || { echo "$name: no time left" >&2; return; }
  there=
  for form in $FORMS; do
    [ ! -x "$here/$name.$form" ] || there="$there $form"
  done
  rm -rf "$tmp"/*.first "$tmp"/*.later "$tmp"/*.merit "$tmp"/*.not "$tmp"/caches.*
  for form in $there; do timed "$tmp/$form.first"; done
  for _ in $(seq "$REPEATS"); do
    for form in $there; do
      [ -f "$tmp/$form.not" ] || timed "$tmp/$form.later"
    done
  done
  for form in $there; do
    us=
    [ -f "$tmp/$form.not" ] || us=$(kernels)
    echo "$(date +%Y-%m-%d),$gpu,$COMMIT,$name,$form,$(median "$tmp/$form.first"),$(
      median "$tmp/$form.later"),$(echo "$merit" | tr -d ',()'),$(median "$tmp/$form.merit"),$us,$(
      cat "$tmp/$form.not" 2>/dev/null || echo right)"
  done
}

gpu=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null \
	| sed -n '1s/, /,/p')
: "${gpu:=none,}"
tab=$(printf '\t')
for mode in $modes; do
  [ "$mode" != times ] \
    || echo date,gpu,driver,commit,program,form,first_ms,later_ms,merit,figure,kernels_us,verified
  while IFS=$tab read -r name _ _ _ _ small large right merit _; do
    for wanted in "${@:-*}"; do
      # shellcheck disable=SC2254  # a pattern
      case $name in $wanted) break ;; *) false ;; esac
    done || continue
    case $mode in emulate) emulate ;; check) check ;; times) measure ;; esac
  done <"$here/apps.txt"
  [ ! -f "$tmp/regions" ] || awk '{ spmd += $1; generic += $2; single += $3 }
    END { printf "%-22s%4d %4d %4d\n", "all", spmd, generic, single }' "$tmp/regions"
done
exit $failed
