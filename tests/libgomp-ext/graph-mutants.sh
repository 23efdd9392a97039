# Mistakes put on purpose into launches as graphs: results of graphs.c are wrong.
# Lists of kernels (ACCRETE_GRAPHS=3) run as the nodes' dependences let them.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"
on_emulated_gpu
. "$srcdir/mutant-lib.sh"
export ACCRETE_EMU_GPU=mini
for m in acc mp; do
  compile graphs-$m graphs.c -fopen$m -lpthread "$with_plugin" "$with_post" \
    -fplugin-arg-accrete-disable=resident-loops,vertical-fusion
done

survives () {
  for m in acc mp; do
    for entry in 1:cuGraphUpload 1:cuGraphLaunch \
		 1:cuGraphExecKernelNodeSetParams 3:cuGraphUpload; do
      got=$(ACCRETE_GRAPHS=${entry%%:*} ACCRETE_EMU_FAIL=${entry#*:}:1 \
	    ACCRETE_EMU_DELAY=1 LD_LIBRARY_PATH=$cuda \
            LD_PRELOAD=$tmp/mutant/libgomp-ext.so.0 timeout 60 \
	    "$tmp/graphs-$m" 80 1 2>&1)
      [ "$got" = "0 wrong" ] || return 1
    done
  done
}

mutants "$top_srcdir/libgomp-ext" <<'END'
graph-launch.c@@unchanged, it passes
graph-launch.c@/^note (/,/^}/s/return news/return false/@parameters that change
graph-launch.c@/^note (/,/^}/s/news |= memcmp/news = memcmp/;/^note (/,/^}/s/bool news = memcmp/bool news = 0 \& memcmp/@another grid, or all parameters but the last
graph-launch.c@/^size_of (/,/^}/s/k->args ? k->args/k->args ? 8/@arguments behind the first
graph-launch.c@/^set (/,/^}/s/return false;/continue;/@parameters that the driver refuses
graph-launch.c@/^set (/,/^}/s/i < p->n/i < 1/@the first kernel's parameters alone
graph-launch.c@/^add (/,/^}/s/n ? &node\[-1\].handle : NULL, n > 0/NULL, 0/@kernels of a list in no order
graph-launch.c@/^launch (/,/^}/s/bool done = p \&\& !/bool done = p \&\& 1 | /@a graph that the driver refuses
launch.c@/^launch_list (/,/^}/s/r = launch_late (l\[i++\])/i++/@a kernel behind a copy
launch.c@/^launch_list (/,/^}/s/acr_graph_launch_list (l + i, n - i)/acr_graph_launch_list (l, n)/@a list with what is launched already
END
done_testing
