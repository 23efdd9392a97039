# Sums of doubles add to memory by one instruction, where the GPU has it
# (jit/addition.c): the same results, and fewer instructions.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

on_emulated_gpu
ACCRETE_EMU_STATS=1; export ACCRETE_EMU_STATS
for model in openmp openacc; do
  marked sums-$model sums.c -f$model
  for gpu in mini p100; do
    ACCRETE_EMU_GPU=$gpu; export ACCRETE_EMU_GPU
    ACCRETE_DISABLE=addition ours "$tmp/sums-$model"
    is "$status$out" "00 wrong" "$model on $gpu, by exchange"
    exchanges=$(calls instructions)
    ours "$tmp/sums-$model"
    is "$status$out" "00 wrong" "$model on $gpu, by addition"
    is "$(($(calls instructions) < exchanges))" 1 "with fewer instructions"
    # Exchanges want few blocks.
    for name in none addition; do
      case $name in none) wide=256 ;; *) wide=1024 ;; esac
      ACCRETE_DISABLE=$name ACCRETE_GEOMETRY=print ours "$tmp/sums-$model"
      is "$(printf '%s\n' "$err" | sed -n 's/.*open_sum.* blocks of \([0-9]*\)x1 .*/\1/p')" \
        "$wide" "$model on $gpu: threads of a block, off: $name"
    done
  done
  # A driver that refuses the unit gets it as it was.  Kernels compiled beside it might
  # come first.
  ACCRETE_DISABLE=jit_cache,chunks ACCRETE_DEBUG=1 \
    ACCRETE_EMU_FAIL=cuLinkAddData:1 ours "$tmp/sums-$model"
  is "$status$out" "00 wrong" "$model, refused"
  like "$err" ' as it was: ' "is linked as it was"
done
done_testing
