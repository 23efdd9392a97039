# The runtime under real programs and the real libgomp: what reaches the
# driver, with it and without, and every way to go wrong.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

compile jacobi jacobi.c -fopenacc
compile teams teams.c -fopenmp
compile traffic traffic.c -fopenmp -lpthread
compile queues queues.c -fopenacc
compile life life.c -fopenacc -ldl -lpthread
compile load library.c -ldl
compile one.so library.c -DLIBRARY -fopenacc -shared -fPIC
compile two.so library.c -DLIBRARY -fopenacc -shared -fPIC
link="-L$lib -Wl,--no-as-needed -lgomp-ext"
compile linked jacobi.c -fopenacc $link
compile linked.so library.c -DLIBRARY -fopenacc -shared -fPIC $link \
  "-Wl,-rpath,$lib"

# ---- What reaches the driver ----------------------------------------------
for p in 'jacobi 30' 'teams 10' 'traffic 200' 'queues 300'; do
  set -- $p
  stock "$tmp/$1" $2
  wanted
  stock_counts=$(all fake)
  export ACCRETE_OFF=1
  ours "$tmp/$1" $2
  unset ACCRETE_OFF
  is "$status$out" "$want" "$1: --off gives stock's output"
  is "$(all accrete)" "$stock_counts" "$1: and stock's counts"
  ours "$tmp/$1" $2
  is "$status$out" "$want" "$1: stock's output"
  is "$(all accrete)" "$(all fake)" "$1: the report agrees with the driver"
done

ours "$tmp/jacobi" 1
first=$(field allocs)
ours "$tmp/jacobi" 50
is "$(field allocs)" "$first" "jacobi: no driver allocation after the first step"
is "$(field constructs)" 101 "jacobi: every construct is counted"
ours "$tmp/teams" 1
first=$(field allocs) frees=$(field frees)
ours "$tmp/teams" 20
is "$(field allocs)" "$first" "teams: no driver allocation after the first construct"
is "$(field frees)" "$frees" "teams: nor a free"
stock "$tmp/teams" 20
is "$(field allocs fake)" 40 "teams: stock has two a construct"

# ---- Settings ---------------------------------------------------------------
export ACCRETE_DISABLE=pool
ours "$tmp/teams" 20
is "$(field allocs)" 40 "ACCRETE_DISABLE=pool"
like "$err" '"disabled":\{"caching-allocator":"ACCRETE_DISABLE","speculative-download":"the pool is off","upload-coalescing":"the pool is off","pinned-bounce-buffers":"the pool is off","deferred-synchronisation":"the pool is off","kernel-copy-reordering":"the pool is off","lazy-copy-back":"the pool is off","dead-copy-out-elimination":"the pool is off","redundant-update-elimination":"the pool is off"' \
  "the report says why"
ACCRETE_DISABLE=caching-allocator
ours "$tmp/teams" 20
is "$(field allocs)" 40 "ACCRETE_DISABLE=caching-allocator, the same by its name"
ACCRETE_DISABLE=read-only-loads,libraries
ours "$tmp/teams" 20
unlike "$err" "no optimisation is named" "names of other parts are known"
ACCRETE_DISABLE=nosuch,all
ours "$tmp/teams" 2
is "$(printf '%s\n' "$err" | grep -c nosuch)" 1 "an unknown name: one line"
like "$err" "nosuch.*accrete-run --help" "that says where they are listed"
is "$(field allocs)" 4 "and the rest of the list holds"
# Each name is off by itself, and all are by "all"; others may be off without them.
names=$(sed -n 's/^OPT_RUNTIME ([^,]*, "\([^"]*\)".*/\1/p' \
        "$top_srcdir/libgomp-ext/abi/optimisations.def")
off='' all=''
for ACCRETE_DISABLE in $names; do
  ours "$tmp/teams" 1
  off="$off $(printf '%s\n' "$err" | grep -o '"[a-z0-9-]*":"ACCRETE_DISABLE"')"
  all="$all \"$ACCRETE_DISABLE\":\"ACCRETE_DISABLE\""
done
is "$off" "$all" "each of $(echo "$names" | wc -l) names switches its optimisation off"
ACCRETE_DISABLE=all
ours "$tmp/teams" 1
is "$(printf '%s\n' "$err" | grep -o '"[a-z0-9-]*":"ACCRETE_DISABLE"' | wc -l)" \
  "$(echo "$names" | wc -l)" "ACCRETE_DISABLE=all switches all of them off"
ACCRETE_DISABLE=caching-alocator
ours "$tmp/teams" 2
like "$err" "'caching-alocator'; is 'caching-allocator' meant" "or one that is like it"
unset ACCRETE_DISABLE
ACCRETE_REPROT=text ACCRETE_EMU_GPUS=mini ACCRETE_ROOT=/opt ACCRETE_SM=70 \
  ours "$tmp/teams" 2
is "$(printf '%s\n' "$err" | grep 'no such variable')" \
  "accrete: ACCRETE_REPROT: there is no such variable; is ACCRETE_REPORT meant?
accrete: ACCRETE_EMU_GPUS: there is no such variable; is ACCRETE_EMU_GPU meant?" \
  "variables that there are not, and those of other parts"
ACCRETE_DEBUG=1 ours "$tmp/teams" 2
unlike "$err" "no device was used" "nothing is said of devices before there are any"
ACCRETE_POOL_MAX=1M ours "$tmp/teams" 20
is "$(field allocs)" 21 "ACCRETE_POOL_MAX: large blocks are not kept"
ACCRETE_POOL_MAX=many ours "$tmp/teams" 1
like "$err" "ACCRETE_POOL_MAX: 'many' is not valid" "a bad size is named"
ACCRETE_DEVICE=0 ours "$tmp/teams" 3
is "$(field allocs fake)" 6 "ACCRETE_DEVICE=0 leaves libgomp alone"
like "$err" 'switched off by ACCRETE_DEVICE' "and the report says so"
report=counters
ours "$tmp/jacobi" 3
like "$err" '^accrete: launches +6 ' "report as a list of counters"
ACCRETE_TIMES=1 ours "$tmp/jacobi" 3
like "$err" '^accrete: kernel main\$_omp_fn\$0: 3 launches timed, median 100.00 us, least 100.00, together 300$' \
  "what kernels took"
report=
ours "$tmp/jacobi" 3
unlike "$err" accrete "no report unless asked for"
unset report
ours "$tmp/jacobi" 30
syncs=$(field syncs)
ACCRETE_TIMES=1 ours "$tmp/jacobi" 30
is "$(field timed) $(field syncs)" "30 $syncs" \
  "all launches are timed, without a wait"
ACCRETE_DEBUG=2 ours "$tmp/teams" 2
like "$err" '^accrete: GOMP_target_ext' "ACCRETE_DEBUG=2 shows constructs"

# ---- Without a device --------------------------------------------------------
stock "$tmp/teams" 5
host=$out
cuda=$none
stock "$tmp/teams" 5
host=$out
ours "$tmp/teams" 5
is "$out" "$host" "no driver: the host does it"
is "$(printf '%s\n' "$err" | wc -l)" 1 "and the report is one line"
like "$err" 'no usable NVIDIA device' "that says why"
report=
ours "$tmp/teams" 5
is "$err" "" "nothing is said unless asked for"
unset report
cuda=$fake
FAKE_CUDA_DEVICES=0 ours "$tmp/teams" 5
is "$out" "$host" "no device: the host does it"
cuda=$poor
ours "$tmp/teams" 5
if [ $interface -lt 3 ]; then
  is "$out" "$host" "a driver without a wanted entry point: the host does it"
  like "$err" 'no usable NVIDIA device' "and the report says why"
else
  is "$status" 1 "a driver without a wanted entry point: GCC 14 ends the program"
  like "$err" "is missing 'cuModuleUnload'" "and says why"
fi
cuda=$fake
ours sh -c 'exit 3'
is "$status$err" 3 "a program without libgomp is left alone"

# ---- Other plugins -----------------------------------------------------------
plugin=$($CC -print-file-name=libgomp-plugin-nvptx.so.1)
mkdir "$tmp/blind" "$tmp/less" "$tmp/bad"
ln -s "$builddir/.libs/libblindplugin.so" "$tmp/blind/libgomp-plugin-nvptx.so.1"
cuda=$fake:$tmp/blind
REAL_PLUGIN=$plugin ours "$tmp/teams" 5
is "$(field allocs fake)" 10 "a plugin without a driver table works as stock"
like "$err" 'no table of driver entry points' "and the report says so"
is "$(field constructs)" 5 "constructs are counted all the same"
LC_ALL=C sed s/openacc_cuda_set_stream/openacc_cuda_set_xxxxxx/ "$plugin" \
  >"$tmp/less/libgomp-plugin-nvptx.so.1"
cuda=$fake:$tmp/less
stock "$tmp/teams" 5
want=$out$err
like "$want" 'missing OpenACC CUDA handler' "a plugin that lacks an entry"
report=
ours "$tmp/teams" 5
unset report
is "$(echo "$out$err" | grep -v fake)" "$(echo "$want" | grep -v fake)" \
  "stock's diagnosis"
cp -L "$($CC -print-file-name=libgomp.so.1)" "$tmp/bad/"
echo none >"$tmp/bad/libgomp-plugin-nvptx.so.1"
cuda=$tmp/bad:$fake
stock "$tmp/teams" 5
want=$status$out$err
report=
ours "$tmp/teams" 5
unset report
is "$status$out$err" "$want" "no plugin: as stock"
ours "$tmp/teams" 5
like "$err" "plugin cannot be opened" "and the report says so"
cuda=$fake

# ---- Out of memory ----------------------------------------------------------
# At every allocation: stock's own message and status, and it ends.
n=1 same=0
while [ $n -le 6 ]; do
  export FAKE_CUDA_FAIL=$n
  stock "$tmp/jacobi" 2
  want="$status $out $(printf '%s\n' "$err" | grep -i libgomp)"
  export ACCRETE_DISABLE=pool
  ours "$tmp/jacobi" 2
  [ "$want" = "$status $out $(printf '%s\n' "$err" | grep -i libgomp)" ] \
    || { same=1; diag "$n: want $want" "got $status $out $err"; }
  unset ACCRETE_DISABLE
  n=$((n + 1))
done
is $same 0 "memory is out at allocation N, without the pool: as stock"
for p in jacobi teams; do
  n=1 same=0
  while [ $n -le 2 ]; do
    export FAKE_CUDA_FAIL=$n
    stock "$tmp/$p" 2
    want=$(printf '%s\n' "$err" | grep -i libgomp)
    ours "$tmp/$p" 2
    [ "$status" = 1 ] && [ "$want" = "$(printf '%s\n' "$err" | grep -i libgomp)" ] \
      || { same=1; diag "$n: want $want" "got $status $out $err"; }
    n=$((n + 1))
  done
  is $same 0 "$p: memory is out at once: stock's diagnosis"
done
unset FAKE_CUDA_FAIL
# Little memory: what is kept makes room.
export FAKE_CUDA_MEMORY=12000000
stock "$tmp/traffic" 400
wanted
ours "$tmp/traffic" 400
is "$status$out" "$want" "little memory is enough"
unset FAKE_CUDA_MEMORY

# ---- Traffic ----------------------------------------------------------------
for seed in 1 2 3; do
  ours "$tmp/traffic" 1000 $seed
  is "$status$out" "01 devices, 0 wrong" "traffic, seed $seed"
  ours "$tmp/queues" 3000 $seed
  is "$status$out" "01 devices, 0 wrong" "queues, seed $seed"
done
ACCRETE_POOL_MAX=0 ours "$tmp/queues" 3000 4
is "$status$out" "01 devices, 0 wrong" "queues, nothing kept"
is "$(all accrete)" "$(all fake)" "the driver takes every free"
ours "$tmp/traffic" 500 9 4
is "$status$out" "01 devices, 0 wrong" "traffic of four threads"
FAKE_CUDA_DEVICES=3 ours "$tmp/traffic" 300 1 5
is "$status$out" "03 devices, 0 wrong" "traffic of five threads on three devices"
is "$(all accrete)" "$(all fake)" "the report agrees with the driver"
is "$(field live fake)" 0 "nothing is left on the device"

# ---- Life and death ----------------------------------------------------------
for what in fork child shutdown thread pause shared; do
  stock "$tmp/life" $what
  wanted
  ours "$tmp/life" $what
  is "$status$out" "0$what: 0 wrong" "$what: right"
  is "$status$out" "$want" "$what: as stock"
  is "$(printf '%s\n' "$err" | grep -c '^{"accrete"')" \
    "$([ $what = child ] && echo 2 || echo 1)" "$what: reports of who offloads"
done
stock "$tmp/load" "$tmp/one.so" "$tmp/two.so"
wanted
ours "$tmp/load" "$tmp/one.so" "$tmp/two.so"
is "$status$out" "$want" "libraries with regions, unloaded and reloaded"
out=$(LD_LIBRARY_PATH=$fake ACCRETE_REPORT=json \
      "$tmp/load" "$tmp/linked.so" "$tmp/one.so" 2>"$tmp/err")
is "$?$out" "00 wrong" "a library linked with libgomp-ext, in a program that is not"
err=$(cat "$tmp/err")
like "$err" '"device":"active"' "has the device layer"

# ---- Linked and preloaded ----------------------------------------------------
out=$(LD_LIBRARY_PATH=$fake:$lib ACCRETE_REPORT=json "$tmp/linked" 5 2>"$tmp/err")
err=$(cat "$tmp/err")
is "$(field constructs)" 11 "linked"
export LD_LIBRARY_PATH=$fake:$lib
ours "$tmp/linked" 5
is "$(field constructs)" 11 "linked and preloaded: counted once"
is "$(printf '%s\n' "$err" | grep -c '^{"accrete"')" 1 "one report"
unset LD_LIBRARY_PATH

# ---- The emulated GPU ----------------------------------------------------------
# It runs kernels, and counts the driver's calls independently.
if [ -e "$top_builddir/ptx-post/emu/.libs/libcuda.so.1" ]; then
  cuda=$top_builddir/ptx-post/emu/.libs
  stock "$tmp/jacobi" 20
  want=$out
  export ACCRETE_EMU_STATS=1 ACCRETE_EMU_DELAY=1
  ours "$tmp/jacobi" 20
  is "$out" "$want" "emulated GPU: jacobi, stock's results"
  like "$err" " cuLaunchKernel=$(field launches) .* cuMemAlloc=$(field allocs) .*cuStreamSynchronize=$(field syncs)" \
    "its counts are the report's"
  stock "$tmp/teams" 2
  want=$out
  ours "$tmp/teams" 2
  is "$out" "$want" "emulated GPU: teams, stock's results"
  is "$(field allocs)" 2 "one allocation for the data, one for the soft stack"
  for seed in 1 2; do
    ours "$tmp/traffic" 500 $seed 3
    is "$status$out" "01 devices, 0 wrong" "emulated GPU: traffic, seed $seed"
    ours "$tmp/queues" 2000 $seed
    is "$status$out" "01 devices, 0 wrong" "emulated GPU: queues, seed $seed"
  done
  for n in 1 2 3; do
    export ACCRETE_EMU_FAIL=cuMemAlloc:$n
    ours "$tmp/jacobi" 3
    is "$status" 0 "emulated GPU: allocation $n fails once, and is tried again"
    export ACCRETE_EMU_FAIL=cuMemAlloc:1+
    ours "$tmp/jacobi" 3
    like "$status $err" '^1 |libgomp: .*out of memory' "or fails for good"
  done
else
  skip "not built" "emulated GPU"
fi

done_testing
