# Mistakes put on purpose into large copies: bytes are wrong, or it hangs.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"
on_emulated_gpu
. "$srcdir/mutant-lib.sh"
export ACCRETE_EMU_GPU=mini ACCRETE_COPIERS=2
compile bulk bulk.c -fopenacc -lpthread

survives () {
  for seed in 1 2 3 4; do
    for delay in 0 1; do
      got=$(ACCRETE_EMU_DELAY=$delay LD_LIBRARY_PATH=$cuda \
            LD_PRELOAD=$tmp/mutant/libgomp-ext.so.0 timeout 60 "$tmp/bulk" 2 \
            $seed 50000000 2>&1)
      [ "$got" = "0 bytes wrong" ] || return 1
    done
  done
}

mutants "$top_srcdir/libgomp-ext" <<'END'
bulk.c@@unchanged, it passes
bulk.c@/^is_free (/,/^}/s/if (r)/if (0)/@a buffer that is used while it is on its way
bulk.c@/^send (/,/^}/s/|| !acr_copy_done (sent)/|| 0/@a chunk sent before it is copied
bulk.c@/^fetch (/,/^}/s/copied + ACR_RING/copied + ACR_RING + 4/@a chunk fetched over one that is not copied
bulk.c@/^fetch (/,/^}/s/copied < arrived \&\& acr_copy_done (copied)/copied < arrived/@the end before the last chunk is copied
bulk.c@/^lay_out (/,/^}/s/end += k/end += k - (k > 5000)/@chunks that are not side by side
bulk.c@s/c->ring_at += p->count/c->ring_at += 0 * p->count/;/^is_free (/,/^}/s/!s->busy/1/@the buffers of the last copy while it is on its way
bulk.c@/^pass_tail (/,/^}/s/ACR_RING - (/ACR_RING + 12 - (/@the next copy over chunks that are not copied
bulk.c@/^finish_tail (/,/^}/s/< p->count)/< 0)/@a tail that nobody waits for
readback.c@/^acr_readback_drop (/,/^}/s/ACR_ARRIVED/ACR_COPIES/@a tail that is not there when the construct has ended
END
done_testing
