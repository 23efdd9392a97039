# The runtime under ThreadSanitizer: queues and target tasks of several threads
# on the emulated GPU.  Only libgomp-ext is instrumented, so that what libgomp
# and the driver do among themselves is not looked at.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

cuda=$top_builddir/ptx-post/emu/.libs
tsan=$(readlink -f "$($CC -print-file-name=libtsan.so)")
code=$top_srcdir/libgomp-ext
[ -e "$cuda/libcuda.so.1" ] && [ -e "$tsan" ] \
  || { skip "not built, or no ThreadSanitizer" "races"; done_testing; exit; }
compile async async.c -fopenacc -lpthread
compile nowait nowait.c -fopenmp
compile bulk bulk.c -fopenacc -lpthread
compile model model.c -fopenacc -lpthread \
  "-fplugin=$top_builddir/plugin/.libs/accrete.so"

is "$(find "$code" -name '*.c' -printf '%f\n' | sort | uniq -d)" "" \
  "no two files of one name, of which one would not be built"

# build FOLDER FILE...: libgomp-ext with FILE in place of its own of that name.
build () {
  to=$tmp/$1
  shift
  mkdir -p "$to/device"
  for f in $(find "$code" -name '*.c'); do
    case ${f##*/} in
      forward.c | start.c | plan-main.c | plan-read.c | plan-print.c) ;;
      *) set -- "$@" "$f" ;;
    esac
  done
  files=
  for f; do
    case " $files" in
      *"/${f##*/} "*) ;;
      *) files="$files$f " ;;
    esac
  done
  $CC -w -g -O1 -fsanitize=thread -fPIC -shared -fvisibility=hidden \
    -D_GNU_SOURCE -I"$top_builddir" -I"$top_builddir/libgomp-ext" -I"$code" $files "$code/interpose/call-words.S" \
    -Wl,-soname,libgomp-ext.so.0 -Wl,-z,nodelete \
    -Wl,--version-script="$top_builddir/libgomp-ext/libgomp-ext.map" \
    -o "$to/libgomp-ext.so.0" -ldl -lpthread >"$tmp/log" 2>&1 \
    || { cat "$tmp/log" >&2; exit 99; }
  ln -s "$ext/libgomp-plugin-nvptx.so.1" "$to/device/"
}
# The driver's functions are looked up once, and kernels' names noted, under a lock of
# libgomp's that every thread takes before it comes here.
printf 'race:%s\n' acr_driver acr_stock_loaded >"$tmp/suppressions"
# races FOLDER PROGRAM...: what is found, in $out.
races () {
  with=$tmp/$1
  shift
  out=$(LD_LIBRARY_PATH=$cuda LD_PRELOAD="$tsan $with/libgomp-ext.so.0" \
        TSAN_OPTIONS="ignore_noninstrumented_modules=1:suppressions=$tmp/suppressions:print_suppressions=0" ACCRETE_EMU_GPU=mini \
        timeout 120 setarch -R "$@" 2>&1)
  status=$?
}

build clean
for delay in 0 1; do
  export ACCRETE_EMU_DELAY=$delay
  for how in serial threads pthreads end; do
    races clean "$tmp/nowait" $how 2
    is "$status$out" "00 wrong" "target nowait, delay $delay: $how"
  done
  races clean "$tmp/async" 200 3 4
  is "$status$out" "00 wrong" "queues of four threads, delay $delay"
done
for threads in 1 3; do
  for ACCRETE_EMU_DEVICES in 1 2; do
    export ACCRETE_EMU_DEVICES
    ACCRETE_COPIERS=1 races clean "$tmp/model" 1500 7 $threads
    is "$status$out" "01500 steps, 0 wrong" \
      "transfers, threads $threads, devices $ACCRETE_EMU_DEVICES"
  done
done
unset ACCRETE_EMU_DELAY ACCRETE_EMU_DEVICES

# Kernels beside each other, of several queues and of one.
marked beside async.c -fopenacc -DN=6000 -lpthread
for choice in 1:1 streams serial auto; do
  ACCRETE_GEOMETRY=model ACCRETE_PAIR=$choice ACCRETE_EMU_DELAY=1 \
    races clean "$tmp/beside" 60 3 4
  is "$status$out" "00 wrong" "kernels beside each other, $choice"
done

# Launches as graphs, by two threads.
for m in acc mp; do
  compile graphs-$m graphs.c -fopen$m -lpthread "$with_plugin"
  ACCRETE_GRAPHS=1 ACCRETE_EMU_DELAY=1 races clean "$tmp/graphs-$m" 100 2
  is "$status$out" "00 wrong" "launches as graphs, $m"
done

# All that copies large operands, with more helpers than CPUs.
export ACCRETE_EMU_GPU=mini
ACCRETE_COPIERS=4 races clean "$tmp/bulk" 2 1
is "$status$out" "00 bytes wrong" "large copies"
unset ACCRETE_EMU_GPU

# It would see one.
sed '/^land (/,/^}/s/pthread_mutex_lock (&lock)/(void)0/
     /^land (/,/^}/s/pthread_mutex_unlock (&lock)/(void)0/' \
  "$code/launch/run.c" >"$tmp/run.c"
build broken "$tmp/run.c"
for how in pthreads threads serial pthreads threads pthreads threads pthreads \
           threads pthreads threads; do
  races broken "$tmp/nowait" $how 3
  case $out in *WARNING*) break ;; esac
done
like "$out" "WARNING: ThreadSanitizer: data race" "a lock that is not taken"

done_testing
