# Mistakes put on purpose into the device's malloc: pieces overlap, do not come
# back, or are given back while in use.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"
on_emulated_gpu
. "$srcdir/mutant-lib.sh"
export ACCRETE_EMU_GPU=mini
marked malloc device-malloc.c -fopenmp

mutated () {
  ACCRETE_DISABLE=jit_cache LD_LIBRARY_PATH=$cuda \
    LD_PRELOAD=$tmp/mutant/libgomp-ext.so.0 timeout 60 "$tmp/malloc" "$@" \
    2>/dev/null
}

ACCRETE_DISABLE=malloc-aggregation ours "$tmp/malloc" short 3 4
want=$out

survives () {
  for seed in 1 2; do
    case $(mutated random $seed 8) in
      *' 0 refused, 0 wrong') ;;
      *) return 1 ;;
    esac
  done
  # shellcheck disable=SC2046  # words
  set -- $(mutated all)
  [ "${2-0}" -ge $((${1-0} * 9 / 10)) ] && [ "${3-} ${4-}" = '0 wrong' ] \
    && [ "$1" -gt 5000 ] && [ "$(mutated short 3 4)" = "$want" ]
}

# ptx SED: the sed command that includes such an edit of malloc.ptx.
ptx () {
  from=$top_srcdir/libgomp-ext/jit/malloc.ptx
  to=$tmp/$(printf '%s' "$1" | cksum | tr -d ' ').h
  sed "$1" "$from" >"$to.ptx"
  cmp -s "$from" "$to.ptx" \
    || sed '/^\/\/ BEGIN/!{/^\/\//d;};s/.*/"&\\n"/' "$to.ptx" >"$to"
  echo "s|malloc-ptx.h|$to|"
}

mutants "$top_srcdir/libgomp-ext" <<END
device-malloc.c@@unchanged, it passes
device-malloc.c@$(ptx 's/popc.b32 %k,%same/mov.u32 %k,1/')@one piece of several counts
device-malloc.c@$(ptx 's/popc.b32 %k,%same/popc.b32 %k,%mask/')@pieces of other chunks count
device-malloc.c@$(ptx '/and.b32 %votes,%votes,%below/d')@a scan of all lanes
device-malloc.c@$(ptx 's/shl.b32 %all,%all,4/shl.b32 %all,%all,3/')@half of the room
device-malloc.c@$(ptx '/^neg.s32 %n,%n/d')@a full chunk counts up
device-malloc.c@$(ptx '/^setp.ge.u64 %c,%x,%n;/{n;/driver/d}')@any piece is the heap's
device-malloc.c@$(ptx '/^call acr_heap_push/d')@chunks that do not come back
device-malloc.c@$(ptx 's/^setp.ne.u32 %c,%chunk,%old/setp.eq.u32 %c,%chunk,%chunk/')@nobody brings a chunk
device-malloc.c@s/ACR_HEAP_CHUNK_BITS - 8/ACR_HEAP_CHUNK_BITS - 9/@a scan of too few bits
device-malloc.c@s/"ACR_PIECE", ACR_HEAP_PIECE/"ACR_PIECE", 4 * ACR_HEAP_PIECE/@pieces that are too large
device-heap.c@/^is_unused/,/^}/s/return pieces == 0/return true/@a heap in use is given back
device-heap.c@/^is_unused/,/^}/s/return pieces == 0/return false/@a heap is never given back
device-heap.c@s/^#define NO_CHUNK .*/#define NO_CHUNK 0/@slots that begin with one chunk
END
done_testing
