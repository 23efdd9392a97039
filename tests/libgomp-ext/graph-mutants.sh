# Mistakes put on purpose into launches as graphs: results of graphs.c are wrong.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"
on_emulated_gpu
. "$srcdir/mutant-lib.sh"
export ACCRETE_EMU_GPU=mini ACCRETE_GRAPHS=1
for m in acc mp; do
  compile graphs-$m graphs.c -fopen$m -lpthread "$with_plugin" "$with_post" \
    -fplugin-arg-accrete-disable=resident-loops,vertical-fusion
done

survives () {
  for m in acc mp; do
    for entry in cuGraphUpload cuGraphLaunch cuGraphExecKernelNodeSetParams; do
      got=$(ACCRETE_EMU_FAIL=$entry:1 LD_LIBRARY_PATH=$cuda \
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
graph-launch.c@/^ready (/,/^}/s/if (set (p, l))/set (p, l);if (1)/@parameters that the driver refuses
graph-launch.c@/^acr_graph_launch (/,/^}/s/bool done = p \&\& !/bool done = p \&\& 1 | /@a graph that the driver refuses
END
done_testing
