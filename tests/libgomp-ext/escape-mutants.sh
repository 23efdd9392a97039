# Mistakes put on purpose into what finds out that a device address may have got
# out, and who has a use for it: escape.c must show each.
# usage: escape-mutants.sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

on_emulated_gpu
export ACCRETE_EMU_GPU=mini ACCRETE_EMU_DELAY=1
. "$srcdir/mutant-lib.sh"

driver=$srcdir/escape-driver.c linked=$cuda/libcuda.so.1
$CC -O1 -c -DOPENED "$driver" -o "$tmp/opened.o" || exit 99
compile stock escape.c -fopenacc "$tmp/opened.o" -lpthread
compile marked escape.c -fopenacc "$tmp/opened.o" -lpthread "-fplugin=$plugin"
compile linked escape.c -fopenacc "$driver" "$linked" -lpthread

# survives FILE: no program that gets an address finds anything.
survives () {
  marked=marked with=$lib
  case $1 in
    *.cc)
      compile mutant-program escape.c -fopenacc "$tmp/opened.o" -lpthread \
	"-fplugin=$tmp/plugin/accrete.so"
      marked=mutant-program ;;
    *) with=$tmp/mutant ;;
  esac
  for run in stock:number stock:attach stock:routine stock:release \
	     stock:thread \
	     linked:number $marked:store $marked:swap $marked:bits \
	     $marked:compare $marked:difference; do
    for own in '' own; do
      # shellcheck disable=SC2086  # a word, or none
      want=$(LD_LIBRARY_PATH=$cuda "$tmp/stock" ${run#*:} $own)
      # shellcheck disable=SC2086
      got=$(LD_LIBRARY_PATH=$cuda LD_PRELOAD=$with/libgomp-ext.so.0 \
	    timeout 60 "$tmp/${run%:*}" ${run#*:} $own 2>&1)
      [ "$got" = "$want" ] || return 1
    done
  done
}

mutants "$top_srcdir/plugin" "$top_srcdir/libgomp-ext" <<'END'
entry.c@@unchanged, it passes
leak.cc@@unchanged, it passes
foreign.c@/^leads_there/,/^}/s/"dlopen", "dlmopen", "dlsym", "dlvsym"/"dlopen_"/@who opens the driver
foreign.c@/^leads_there/,/^}/s/return name.2. >= 'A'/return false \&\& name[2] >= 'A'/@who is linked with the driver
foreign.c@s/"libgomp.so.",/"", "libgomp.so.",/@everybody is trusted
import.c@/^acr_import_any/,/^}/s/value.DT_PLTRELSZ./0/@functions that are called through the table
address.c@/^acr_call_may_tell/,/^}/s/(!r || r->compares)/(r \&\& r->compares)/@regions that are not closed
address.c@/^acr_call_may_tell/,/^}/s/(!r || r->compares)/!r/@regions that compare addresses
kind.c@/KIND_ATTACH. =/s/ACR_ATTACHES/0/@attached pointers
entry.c@/^tell (/,/^}/s/expose ()/(void)0/@acc_attach
entry.c@/^expose (/,/^}/s/acr_cuda_share ()/(void)0/@frees that wait
cuda.c@/^wait_as_free/,/^}/s/!shared/true/@freed while the program's own stream works there
stream.c@/^acr_stream_exposed/,/^}/s/acr_staging_drain ()/(void)0/@what is on its way from other threads
leak.cc@/^statement_compares_p/,/^}/s/if (gcond .cond = .*/gcond *cond = NULL; if (cond)/@comparisons in conditions
leak.cc@/^compares_p/,/^}/s/code == POINTER_DIFF_EXPR/false/@differences
leak.cc@/^assignment_leaks_p/,/^}/s/gimple_clobber_p (stmt)/true/@addresses that are stored
END
done_testing
