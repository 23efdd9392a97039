# Transfers: how many reach the driver, and that the bytes are right whatever
# happens on the way.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"
# Every target nowait is a task.
export ACCRETE_NOWAIT_MIN=0

bench=../../benchmarks/runtime/constructs.c
compile constructs-acc $bench -fopenacc
compile constructs-omp $bench -fopenmp
compile model-acc model.c -fopenacc -lpthread
compile model-omp model.c -fopenmp -lpthread

# rows MODEL ROW: run ROW 14 times.
rows () { ours "$tmp/constructs-$1" 10 "$2"; }

# ---- Copies back ------------------------------------------------------------
# The first construct finds the device closed, two teach, then there is one copy
# each.
for m in acc omp; do
  for row in from_3=$((3 * 3 + 11)) tofrom_16=$((3 * 16 + 11)) \
             enter_exit_16=$((2 * 16 + 12)) to_3=0 present_16=30; do
    rows $m ${row%=*}
    is "$(field d2h_copies)" "${row#*=}" "$m ${row%=*}: copies back"
    is "$(all accrete)" "$(all fake)" "$m ${row%=*}: as the driver counts"
    is "$(field d2h_unused)" 0 "$m ${row%=*}: none in vain"
  done
done
ACCRETE_DISABLE=readback rows acc tofrom_16
is "$(field d2h_copies)" $((14 * 16)) "ACCRETE_DISABLE=readback"
ACCRETE_STAGING_MAX=0 rows acc tofrom_16
is "$(field d2h_copies)" $((14 * 16)) "no pinned memory: as stock"

# ---- Copies to the device ---------------------------------------------------
# libgomp merges small operands of a region itself; up to GCC 12, the arguments of an
# OpenACC kernel that stock GCC has compiled are another copy.  Items of enter data
# come one by one, and leave as one, but for those that come when the buffer is full,
# once.
if [ $interface = 1 ]; then to_3=28; else to_3=14; fi
for row in acc:enter_exit_16=29 omp:enter_exit_16=29 acc:to_3=$to_3 omp:to_3=14 \
           acc:present_16=296; do
  m=${row%%:*} row=${row#*:}
  rows $m ${row%=*}
  is "$(field h2d_copies)" "${row#*=}" "$m ${row%=*}: copies to the device"
  is "$(all accrete)" "$(all fake)" "$m ${row%=*}: as the driver counts"
done
ACCRETE_DISABLE=gather rows acc enter_exit_16
is "$(field h2d_copies)" $((14 * 16)) "ACCRETE_DISABLE=gather"
is "$(field d2h_copies)" $((2 * 16 + 12)) "leaves readback alone"
ACCRETE_STAGING_MAX=0 rows acc enter_exit_16
is "$(field h2d_copies)" $((14 * 16)) "no pinned memory: as stock"
# What libgomp merges is lent pinned memory, once the device is open.
for m in acc omp; do
  rows $m tofrom_16
  is "$(field h2d_lent)" 13 "$m tofrom_16: copies out of libgomp's buffer"
  is "$(all accrete)" "$(all fake)" "$m tofrom_16: as the driver counts"
  ACCRETE_DISABLE=lend rows $m tofrom_16
  is "$(field h2d_lent)" 0 "ACCRETE_DISABLE=lend"
done

# ---- Bytes ------------------------------------------------------------------
on_emulated_gpu
export ACCRETE_EMU_GPU=mini
# bytes MODEL STEPS SEED THREADS NAME [hidden]
bytes () {
  ours "$tmp/model-$1" $2 $3 $4 $6
  is "$status$out" "0$2 steps, 0 wrong" "$5: $1, $2 steps, seed $3, threads $4"
}
stock "$tmp/model-acc" 2000 1 3
is "$status$out" "02000 steps, 0 wrong" "the model is right about stock"
stock "$tmp/model-omp" 500 1 3
is "$status$out" "0500 steps, 0 wrong" "the model is right about stock, OpenMP"
for delay in 0 1; do
  export ACCRETE_EMU_DELAY=$delay
  for threads in 1 4; do
    bytes acc 20000 $((delay + 1)) $threads "delay $delay"
    bytes omp 1000 $((delay + 1)) $threads "delay $delay"
  done
done
# libgomp's plugin launches, copies on the device and makes queues in whatever
# context is current, so that stock is no reference here.
export ACCRETE_EMU_DEVICES=2
for threads in 1 3; do
  bytes acc 5000 $threads $threads "two devices"
  bytes omp 500 $threads $threads "two devices"
done
unset ACCRETE_EMU_DEVICES
bytes acc 5000 3 1 "learned"
[ "$(field d2h_staged)" -gt 100 ]; ok $? "and fetched"

# ---- Copies that would change nothing ---------------------------------------
for m in acc:-fopenacc omp:-fopenmp; do
  for t in '' -DTHREADS; do
    # Plain kernels also need ptx-post.
    compile dead-${m%%:*}$t dead.c ${m#*:} $t -lpthread \
      "-fplugin=$top_builddir/plugin/.libs/accrete.so" \
      -fplugin-arg-accrete-disable=spmd,value
    stock "$tmp/dead-${m%%:*}$t"
    wanted
    ours "$tmp/dead-${m%%:*}$t"
    is "$status$out" "$want" "left out copies: ${m%%:*} $t, stock's results"
    [ "$t" ] || dead=$(field d2h_dead) copies=$(field d2h_copies)
  done
  # OpenACC maps the loop's counter as well, inside the data region.
  want_dead=$((5 * (5 + 4 + 3) + 2))
  [ ${m%%:*} = omp ] || want_dead=$((want_dead + 5 * 3))
  is "$dead" $want_dead "${m%%:*}: so many are left out"
  export ACCRETE_DISABLE=dead
  ours "$tmp/dead-${m%%:*}"
  unset ACCRETE_DISABLE
  is "$(field d2h_dead)" 0 "ACCRETE_DISABLE=dead"
  [ "$(field d2h_copies)" -gt "$copies" ]; ok $? "which otherwise saves copies"
done
# The model, its regions with tags.
for m in acc:-fopenacc omp:-fopenmp; do
  compile model-${m%%:*}-tag model.c ${m#*:} -lpthread \
    "-fplugin=$top_builddir/plugin/.libs/accrete.so"
done
for threads in 1 3; do
  for m in acc-tag:5000 omp-tag:500; do
    bytes ${m%:*} ${m#*:} 4 $threads "tags"
    [ $threads,$m = 1,acc-tag:5000 ] || continue
    [ "$(field d2h_dead)" -gt 10 ]; ok $? "$(field d2h_dead) changed nothing"
  done
done

export ACCRETE_EMU_DEVICES=2 ACCRETE_EMU_DELAY=1
for threads in 1 3; do
  for h in '' hidden; do
    bytes acc-tag 5000 $((threads + 4)) $threads "two devices, tags $h" $h
    bytes omp-tag 300 $((threads + 4)) $threads "two devices, tags $h" $h
  done
done
unset ACCRETE_EMU_DEVICES

# What the device holds already; a program that knows device addresses would end
# that.
ACCRETE_EMU_DELAY=1 ours "$tmp/model-acc-tag" 5000 6 1 hidden
is "$status$out" "05000 steps, 0 wrong" "updates of unchanged data"
[ "$(field h2d_unchanged)" -gt 10 ]; ok $? "some are not sent"
[ "$(field d2h_unchanged)" -gt 10 ]; ok $? "nor fetched"
ACCRETE_DISABLE=unchanged ours "$tmp/model-acc-tag" 1000 6 1 hidden
is "$(field h2d_unchanged) $(field d2h_unchanged)" "0 0" \
  "ACCRETE_DISABLE=unchanged"

# A long walk, for check-full.
if [ "${MODEL_STEPS-}" ]; then
  limit=3600
  export ACCRETE_COPIERS=1
  bytes acc-tag $((MODEL_STEPS * 4 / 10)) 21 1 "long"
  bytes acc-tag $((MODEL_STEPS * 18 / 100)) 22 3 "long"
  bytes omp-tag $((MODEL_STEPS / 100)) 23 2 "long"
  export ACCRETE_EMU_DEVICES=2
  bytes acc-tag $((MODEL_STEPS * 2 / 10)) 24 1 "long, two devices" hidden
  bytes acc-tag $((MODEL_STEPS * 2 / 10)) 25 3 "long, two devices"
  bytes omp-tag $((MODEL_STEPS / 100)) 26 2 "long, two devices"
  unset limit ACCRETE_COPIERS ACCRETE_EMU_DEVICES
fi

# A thread keeps a buffer, and another one closes the device that it was of.
compile life life.c -fopenacc -ldl -lpthread
ACCRETE_EMU_TRACE=1 ours "$tmp/life" thread
is "$status$out" "0thread: 0 wrong" "a device closes and opens under a thread"
is "$(printf '%s\n' "$err" | grep -c 'cu\(Event\|MemFree\|Memcpy\).*CUDA_ERROR')" \
  0 "nothing of the old one is used"

# ---- Failures ---------------------------------------------------------------
# What only we call fails: nothing is lost.
for fault in cuMemHostAlloc:1+ cuMemHostAlloc:2+ cuEventCreate:1+ \
             cuEventRecord:1+ cuEventRecord:7 cuEventQuery:1+=999 \
             cuMemcpyDtoHAsync:1+=1 cuMemcpyDtoHAsync:5=1 \
             cuMemcpyHtoDAsync:1+=1 cuMemcpyHtoDAsync:5=1; do
  export ACCRETE_EMU_FAIL=$fault
  bytes omp 300 5 1 "$fault"
done
unset ACCRETE_EMU_FAIL
# What stock calls as well fails: stock's message.
said () { printf '%s\n' "$status $err" | grep -v '^{' | sed 's/[[(].*//'; }
for fault in cuMemcpyDtoH:3+=1 cuLaunchKernel:10+=719 cuMemcpyHtoD:2+=1; do
  # A copy to the device that is tried both ways fails both ways.
  export ACCRETE_EMU_FAIL=$fault,cuMemcpyHtoDAsync:${fault#*:}
  stock "$tmp/constructs-acc" 30 tofrom_3
  want=$(said)
  # Without it another copy is the N-th.
  ACCRETE_DISABLE=args ours "$tmp/constructs-acc" 30 tofrom_3
  is "$(said)" "$want" "$fault: stock's diagnosis"
done
# One that was held back can only say so at the end of the directive.
export ACCRETE_EMU_FAIL=cuMemcpyHtoD:17+=1,cuMemcpyHtoDAsync:1+=1
ours "$tmp/constructs-omp" 30 enter_exit_16
is "$status" 1 "a copy fails that was held back: the program ends"
like "$err" 'libgomp: cuMemcpyHtoD_v2 error: invalid argument' "and says why"
unset ACCRETE_EMU_FAIL

done_testing
