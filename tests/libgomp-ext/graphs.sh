# Launches as CUDA graphs (ACCRETE_GRAPHS), of one kernel (1) and of several (2 and 3),
# under real programs on the emulated GPU: how many there are, results when everything
# asynchronous is as late as it may be, and driver entries that fail.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

on_emulated_gpu
ACCRETE_EMU_GPU=mini ACCRETE_EMU_STATS=1; export ACCRETE_EMU_GPU ACCRETE_EMU_STATS
unset ACCRETE_GRAPHS
marked jacobi jacobi.c -fopenacc
marked async async.c -fopenacc
compile model-acc model.c -fopenacc -lpthread "$with_plugin"
compile model-mp model.c -fopenmp -lpthread "$with_plugin"

# ---- What is launched --------------------------------------------------------
export ACCRETE_GRAPHS=0
ours "$tmp/jacobi" 40
want=$status$out
is "$(calls cuLaunchKernel) $(calls cuGraphLaunch)" "80 0" "none with 0"
unset ACCRETE_GRAPHS
ours "$tmp/jacobi" 40
is "$status$out" "$want" "results"
# Two kernels, from the 16th launch on; the one behind a copy does not count.
is "$(calls cuLaunchKernel) $(calls cuGraphLaunch)" "31 49" "launches and graphs"
is "$(field graphs) $(field launches)" "49 80" "counted"
is "$(calls cuGraphCreate) $(calls cuGraphExecDestroy)" "2 2" "two graphs, none left"
for off in ACCRETE_DISABLE=graph-launch CUDA_INJECTION64_PATH=/none \
	   "ACCRETE_TRACE=$tmp/trace"; do
  export "$off"
  ours "$tmp/jacobi" 40
  is "$status$out $(calls cuGraphLaunch)" "$want 0" "${off%%=*}: none"
  unset "${off%%=*}"
done

# Lists that come round: of eight kernels, or cut where the host looks.
export ACCRETE_GRAPHS=3
ours "$tmp/jacobi" 40
is "$status$out" "$want" "results of lists"
is "$(calls cuLaunchKernel) $(field graphs) $(field launches)" "0 80 80" \
  "all kernels are launched as graphs"
ok $(($(calls cuGraphLaunch) * 4 > 80)) "of four and more" || diag "$(calls cuGraphLaunch)"
is "$(calls cuGraphCreate)" "$(calls cuGraphExecDestroy)" "no graph is left"
ACCRETE_TIMES=1 ours "$tmp/jacobi" 40
is "$status$out $(calls cuGraphLaunch)" "$want 80" "kernels that are timed: each by itself"

# ---- Parameters that change, queues, threads ---------------------------------
for m in acc mp; do
  compile graphs-$m graphs.c -fopen$m -lpthread "$with_plugin" "$with_post" \
    -fplugin-arg-accrete-disable=resident-loops,vertical-fusion
done
for run in 0:1 1:1 0:3 1:3 1:2; do
  delay=${run%:*} ACCRETE_GRAPHS=${run#*:} ACCRETE_EMU_DELAY=$delay
  export ACCRETE_EMU_DELAY
  for how in acc:1 acc:2 mp:1 mp:2; do
    what="${how%:*}, threads ${how#*:}, delay $delay, graphs $ACCRETE_GRAPHS"
    ours "$tmp/graphs-${how%:*}" 100 "${how#*:}"
    is "$status$out" "00 wrong" "results: $what"
    [ "$(field graphs)" -gt 100 ] \
      && [ "$(calls cuGraphExecKernelNodeSetParams)" -gt 50 ]
    ok $? "graphs, with parameters that change: $what"
  done
  for how in acc:1 acc:3 mp:1 mp:3; do
    ours "$tmp/model-${how%:*}" 300 $((delay + 5)) "${how#*:}"
    is "$status$out" "0300 steps, 0 wrong" "random constructs: $how, delay $delay, graphs $ACCRETE_GRAPHS"
  done
  ACCRETE_GRAPHS=0 ours "$tmp/async" 100 5
  wanted
  ours "$tmp/async" 100 5
  is "$status$out" "$want" "queues, delay $delay, graphs $ACCRETE_GRAPHS"
done
unset ACCRETE_EMU_DELAY

# ---- What the driver refuses is launched as ever -----------------------------
for entry in cuGraphCreate cuGraphAddKernelNode cuGraphInstantiateWithFlags \
	     cuGraphExecKernelNodeSetParams cuGraphLaunch cuGraphDestroy \
	     cuGraphExecDestroy; do
  for on in '' +; do
    for ACCRETE_GRAPHS in 1 3; do
      for m in acc mp; do
	ACCRETE_EMU_FAIL=$entry:1$on ours "$tmp/graphs-$m" 60 1
	is "$status$out" "00 wrong" \
	  "$entry fails${on:+, always}: $m, graphs $ACCRETE_GRAPHS"
      done
    done
  done
done
for n in 2 3 5 8 11; do
  ACCRETE_EMU_FAIL=cuGraphAddKernelNode:$n ours "$tmp/graphs-mp" 60 1
  is "$status$out" "00 wrong" "node $n fails"
done
done_testing
