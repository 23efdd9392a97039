# Mistakes put on purpose into what launches small kernels as one: the tests of batch.sh
# must show each.
# usage: batch-mutants.sh
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"
. "$srcdir/mutant-lib.sh"

on_emulated_gpu
export ACCRETE_EMU_GPU=mini ACCRETE_EMU_STATS=1 ACCRETE_GEOMETRY=model
export ACCRETE_GRAPHS=3 ACCRETE_PAIR=auto
apart="$with_plugin $with_post -fplugin-arg-accrete-disable=resident-loops,vertical-fusion"
for m in acc mp; do
  compile batch-$m batch.c -fopen$m $apart
done
for m in acc mp; do
  compile borders-$m borders.c -fopen$m $apart
done
compile corners borders.c -fopenacc $apart -DCORNERS
compile batch-nowait batch.c -fopenmp $apart -DNOWAIT
export ACCRETE_NOWAIT_MIN=50000000
compile prints batch.c -fopenacc $apart -DPRINTS
compile global batch.c -fopenacc $apart -DGLOBAL

survives () {
  lib=$tmp/mutant
  for m in acc mp nowait; do
    for seed in 0 1 2 3 4; do
      ours "$tmp/batch-$m" 20 $seed 20
      [ "$status$out" = "00 wrong" ] || return 1
      [ $seed -ne 0 ] || [ "$(field batched)" -gt 200 ] || return 1
    done
  done
  for m in acc mp; do
    for seed in 0 1 2 3 4 5; do
      ACCRETE_EMU_CHECK=2 ours "$tmp/borders-$m" 20 $seed 20
      [ "$status$out" = "00 wrong" ] || return 1
    done
  done
  ours "$tmp/borders-acc" 60 0 12
  [ "$(calls cuLaunchKernel)" -lt 150 ] || return 1
  ACCRETE_EMU_CHECK=2 ours "$tmp/corners" 60 0 12
  [ "$status$out" = "00 wrong" ] || return 1
  ACCRETE_GEOMETRY=2x32 ours "$tmp/batch-acc" 20 0 20
  [ "$status$out" = "00 wrong" ] || return 1
  for program in prints global; do
    ours "$tmp/$program" 20 0 20
    [ "$status$out $(field batched)" = "00 wrong 0" ] || return 1
  done
}

mutants "$top_srcdir/libgomp-ext" <<'END'
batch-code.c@@unchanged, it passes
batch-code.c@/^write_kernel/,/^}/s/sub.u32/add.u32/@numbers of blocks of the second kernel
batch-code.c@/^write_kernel/,/^}/s/setp.ge/setp.gt/@a block too many
batch-code.c@/^write_text/,/^}/s/is (word, "%ctaid") ||//@the number of a block of the batch
batch-code.c@/^write_text/,/^}/s/|| is (word, "%nctaid")//@how many blocks the batch has
batch-code.c@/^write_text/,/^}/s/is_param (c, word)/false/@all kernels have one kernel's parameters
batch-code.c@/^write_between/,/^}/s/putc (.*from, to)/(void)0/@nothing between words
batch.c@/^hand_over/,/^}/s/&l.i.->grid/\&l[0]->grid/@the first one's number of blocks
batch.c@/^hand_over/,/^}/s/nparams += own/nparams = own/@parameters of two kernels
batch.c@/^is_of/,/^}/s/b->kernel.i. == l.i.->kernel/true/;s/h = acr_hash_word (h, .*/;/@other kernels' batch
batch.c@/^acr_batch_launch/,/^}/s/made .. hand_over (b, l, n)/made/@a batch that is not launched
hold.c@/^is_behind/,/^}/s/!a->free || !b->free/false/@kernels that cannot be in a batch change places
hold.c@/^is_behind/,/^}/s/acr_uses_conflict (.*)/false/@dependent kernels
hold.c@/^find_levels/,/^}/s/level + 1;/level;/@no levels
hold.c@/^add (/,/^}/s/acr_uses_tell_all (c)/true/@kernels that print, and static variables
uses.c@/^add_sections/,/^}/s/s->write/false/@what sections say is written
uses.c@/^add_sections/,/^}/s/s->slot != (int)i/any || s->slot != (int)i/@one section a slot
uses.c@/^add_operand/,/^}/s/is_untouched (op) || add_sections (.*))/is_untouched (op))/@no sections
uses.c@/^is_untouched/,/^}/s/op->access == ACR_ACCESS_NONE/!(op->access \& ACR_ACCESS_WRITE)/@what is read alone
section.c@/^add_loop/,/^}/s/(distance - 1) . step/(distance - 1) \/ step - (distance > 1)/@a row or column too few
section.c@/^acr_pieces_meet/,/^}/s/b->piece - 1/0/@the first byte of a piece alone
section.c@/^may_add/,/^}/s/x <= to/x < to/@sections never meet
launch.c@/^take_batch/,/^}/s/l->level != all->level/false/@kernels of any level
launch.c@/^launch_levels/,/^}/s/launch_late (batch.i.)/CUDA_SUCCESS/@kernels of no batch are not launched
defer.c@/^acr_defer_launch/,/^}/s/return c->apart/return c->apart \&\& !c->call->leaves/@nowait regions alone
END
done_testing
