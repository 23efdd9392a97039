# Kernels that are not waited for at once, and what is left to the next
# construct: who could see it sees what stock shows.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

on_emulated_gpu
# The emulated GPU is slow: any kernel counts as short.
export ACCRETE_EMU_GPU=mini ACCRETE_DEFER_MAX=1000000000 ACCRETE_NOWAIT_MIN=0

for m in acc mp; do
  compile defer-$m defer.c -fopen$m
  compile print-$m defer.c -fopen$m -DPRINT
  compile loader-$m defer.c -fopen$m -DLOADER
  compile model-$m model.c -fopen$m -lpthread
done
# said: the status, and the first message.
said () { echo "$status $(printf '%s\n' "$err" | sed -n '/^libgomp/{p;q}')"; }

for m in acc mp; do
  for what in sum address trap last own value; do
    for delay in 0 1; do
      export ACCRETE_EMU_DELAY=$delay
      stock "$tmp/defer-$m" $what
      case $what in trap | last) want=$status$out ;; *) wanted ;; esac
      said=$(said)
      ours "$tmp/defer-$m" $what
      is "$status$out$(said)" "$want$said" "$m, delay $delay: $what, as stock"
    done
  done
  unset ACCRETE_EMU_DELAY
  ours "$tmp/defer-$m" sum
  [ "$(field unwaited)" -gt 40 ]; ok $? "$m: most kernels are not waited for" \
    || diag "$(field unwaited)"
  [ "$(field syncs)" -lt 20 ]; ok $? "$m: few waits" || diag "$(field syncs)"
  ours "$tmp/defer-$m" value
  is "$(field unwaited)" 0 "$m, value: all are waited for"
  # Memory of the program's own is reached by libgomp's routines, or by the driver's.
  # OpenMP passes its address as a value.
  case $m in acc) most=80 ;; mp) most=40 ;; esac
  ours "$tmp/defer-$m" own
  [ "$(field unwaited)" -gt $most ]; ok $? "$m, own: most are not" \
    || diag "$(field unwaited)"
  ours "$tmp/loader-$m" own
  is "$(field unwaited)" 0 "$m, own, and the program may have the driver's: all are"
  ACCRETE_DISABLE=defer ours "$tmp/defer-$m" sum
  is "$(field unwaited)" 0 "$m: ACCRETE_DISABLE=defer"
  ACCRETE_DEFER_MAX=0 ours "$tmp/defer-$m" sum
  is "$(field unwaited)" 0 "$m: ACCRETE_DEFER_MAX=0"

  stock "$tmp/print-$m"
  wanted
  ours "$tmp/print-$m"
  is "$status$out" "$want" "$m: what kernels print comes in stock's order"
done

# The program as such knows no device address here, else nothing is left.
for delay in 0 1; do
  export ACCRETE_EMU_DELAY=$delay
  for threads in 1 3; do
    for m in acc:8000 mp:400; do
      ours "$tmp/model-${m%:*}" ${m#*:} $((delay + 7)) $threads hidden
      is "$status$out" "0${m#*:} steps, 0 wrong" \
        "${m%:*}, delay $delay, threads $threads: every byte"
      # The helpers of nowait are threads that use devices.
      [ $threads,$m = 1,acc:8000 ] || continue
      [ "$(field unwaited)" -gt 20 ]; ok $? "and kernels are left" \
        || diag "$(field unwaited)"
    done
  done
done
done_testing
