# Mistakes put on purpose into what leaves copies and kernels until the host
# looks, and into what says that it looks: random programs must show each.
# usage: late-mutants.sh; LATE_SEEDS="1 2 3..." are tried one after the other
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"
. "$srcdir/late-lib.sh"

. "$srcdir/mutant-lib.sh"

# write_source NAME: a file here, or a random program's seed.
write_source () {
  case $1 in
    *.*) source=program.${1#*.} && cp "$srcdir/$1" "$tmp/$source" ;;
    *) source=program.c && "$builddir/late-program" "$1" >"$tmp/$source" ;;
  esac
}
# survives FILE: no program finds anything, nor a crash or a hang.
survives () {
  for name in look.c unwind.cc interrupted.c ${LATE_SEEDS-1 2 3 4 5 6}; do
    write_source "$name"
    [ -e "$tmp/stock-$name" ] || {
      build "stock-$name" acc -O2
      build "marked-$name" acc -O2 "-fplugin=$plugin"
    }
    program=$tmp/marked-$name with=$lib
    case $1 in
      *.cc)
	build mutant-program acc -O2 "-fplugin=$tmp/plugin/accrete.so"
	program=$tmp/mutant-program ;;
      *) with=$tmp/mutant ;;
    esac
    want=$(LD_LIBRARY_PATH=$cuda "$tmp/stock-$name")
    for delay in 0 1; do
      got=$(ACCRETE_EMU_DELAY=$delay LD_LIBRARY_PATH=$cuda \
            LD_PRELOAD=$with/libgomp-ext.so.0 timeout 60 "$program" 2>&1)
      [ "$got" = "$want" ] || return 1
    done
  done
}

mutants "$top_srcdir/plugin" "$top_srcdir/libgomp-ext" <<'END'
late.c@@unchanged, it passes
guard.cc@@unchanged, it passes
late.c@s/{ ACR_FETCHES, ACR_SUBMITS, /{ ACR_FETCHES, 0, /@a dropped flush
late.c@/^arrive/,/^}/s/acr_staging_wait (buffer)/0/@no wait for the fetch
late.c@/^acr_late_launch/,/^}/s/acr_stream_pass (.*);/(void)0;/@a lost dependence: copy back, kernel
late.c@/^acr_late_freed/,/^}/s/return kept/return false/@a lost dependence: copy back, free
late.c@/^may_write/,/^}/s/c->host/((struct acr_bytes){ (uintptr_t)c->dst + 1, (uintptr_t)c->dst + 2 })/@a kernel's operands looked at in part
late.c@/^acr_late_begin/,/^}/s/acr_stream_pass (.*);/(void)0;/@a construct reads what is owed
late.c@/^acr_look (/,/^}/s/acr_stream_pass (.*);/(void)0;/@a look at what is owed
late.c@/^acr_look (/,/^}/s/look_at_all ()/(void)0/@a look at anything
late.c@/^acr_look (/,/^}/s/\.m = n/.m = 1/@only the first byte is looked at
object.c@/^around/,/^}/s/all.begin = object.i..begin/(void)0/;/^around/,/^}/s/= object.i..end;/= host + 1;/@a byte of an object for all of it
fetch.c@s/l->at + (p->src - l->dma.from)/l->at/@neighbours not where the DMA brings them
transfer.c@/^fetch (/,/^}/s/acr_stream_drain (ACR_ARRIVALS)/(void)0/@a copy at once in front of one that is owed
late.c@/^acr_late_sends/,/^}/s/, .host = src, .m = n//@a directive sends what it got before
guard.cc@/^note_address/,/^}/s/get_base_address (place)/place/@the address of an element, and not of all
guard.cc@/^widen/,/^}/s/fold_convert (sizetype, size))/size_int (0))/@a range of one element
guard.cc@/^widen/,/^}/s/fold_convert (sizetype, less))/size_int (0))/@a range that begins where the loop does
guard.cc@/^places_in/,/^}/s/dirty && (what == STEP_ANY || leaves_p (stmt))/dirty \&\& what == STEP_ANY/@no look where the function ends
guard.cc@/^places_in/,/^}/s/dirty && (what == STEP_ANY || leaves_p (stmt))/dirty \&\& leaves_p (stmt)/@no look before calls
guard.cc@/^places_in/,/^}/s/if (dirty && what == STEP_TOUCH)/if (false)/@no look at single words
guard.cc@/^find_dirty/,/^}/s/g->dirty.bb->index. = changed = true/g->dirty[bb->index] = false/@nothing is known behind a jump
guard.cc@/^guard_constructs/,/^}/s/h->memory.any () &&/h->memory.all \&\&/@no look at ranges in front of loops
guard.cc@/^widen/,/^}/s/integer_zerop (TREE_OPERAND (n, 1)) ? 2 : 1/2/@a count whose condition is turned round
guard.cc@/^leaves_p/,/^}/s/ || .*GIMPLE_RESX//@no look where an exception goes on
guard.cc@/^pure_call_p/,/^}/s/\&\& !stmt_could_throw_p (cfun, call)//@a call that throws, and touches no memory
guard.cc@/^guard_host_code/,/^}/s/return guard_returns (fun)/return 0/@no look where setjmp comes back to
guard.cc@/^guard_host_code/,/^}/s/return guard_region (fun)/return 0/@the host's side of a region
END
done_testing
