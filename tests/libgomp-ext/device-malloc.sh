# Kernels that allocate: a warp does so once, from memory of the runtime's
# (memory/device-heap.c), of which every piece may be freed by anybody, in any
# order; nothing fails that does not in stock.
#
# MALLOC_SEEDS   for each model, 1 to 2
# MALLOC_ROUNDS  of a run, 12
# SPDX-License-Identifier: GPL-3.0-or-later
. "$srcdir/lib.sh"

on_emulated_gpu
export ACCRETE_EMU_GPU=mini ACCRETE_EMU_STATS=1
for model in openmp openacc; do
  marked malloc-$model device-malloc.c -f$model
  for seed in ${MALLOC_SEEDS-1 2}; do
    for level in ours malloc-aggregation; do
      ACCRETE_DISABLE=$level \
	ours "$tmp/malloc-$model" random "$seed" "${MALLOC_ROUNDS-12}"
      like "$out" ' 0 refused, 0 wrong' "$model, seed $seed, off: $level"
      joint=$(field mallocs) driver=$(calls mallocs)
      case $level in
        ours) [ "$joint" -gt $((driver * 3)) ] ;;
        *) [ "$joint" -eq 0 ] && [ "$driver" -gt 0 ] ;;
      esac
      ok $? "$joint by warps, $driver by the driver"
    done
  done

  # No less than the driver's heap has, as often as one likes.
  ACCRETE_DISABLE=malloc-aggregation ours "$tmp/malloc-$model" all
  like "$out" ' 0 wrong' "$model, all, off"
  most=${out%% *}
  ours "$tmp/malloc-$model" all
  like "$out" ' 0 wrong' "$model, all"
  set -- $out
  [ "$1" -gt "$most" ] && [ "$2" -ge $(($1 * 9 / 10)) ]
  ok $? "$1 pieces and again $2, without $most"

  # It goes back when the host needs it, unless it is in use.
  ACCRETE_DISABLE=malloc-aggregation ours "$tmp/malloc-$model" short 3 4
  wanted
  like "$want" ' 0 wrong' "$model, with hardly any memory left, off"
  ours "$tmp/malloc-$model" short 3 4
  is "$status$out" "$want" "$model, with hardly any memory left"

  # Where there is none, all is as without.
  for fail in cuMemGetInfo:1 cuModuleGetGlobal:1 cuModuleGetGlobal:2 \
              cuMemAlloc:1 cuMemcpyHtoD:1 cuMemcpyHtoD:2; do
    ACCRETE_EMU_FAIL=$fail ours "$tmp/malloc-$model" random 1 2
    is "$status" 0 "$model, $fail"
    like "$out" ' 0 wrong' "$model, $fail: right"
  done
  # A driver that refuses a unit that was changed gets it as it was; then nobody
  # takes from the heap.
  refused=0
  for unit in 1 2 3 4 5 6 7 8; do
    ACCRETE_DISABLE=jit_cache ACCRETE_DEBUG=1 ACCRETE_EMU_FAIL=cuLinkAddData:$unit \
      ours "$tmp/malloc-$model" random 1 2
    case $err in *' as it was: '*) ;; *) continue ;; esac
    refused=$((refused + 1))
    is "$status" 0 "$model, unit $unit refused"
    like "$out" ' 0 wrong' "$model, unit $unit refused: right"
    is "$(field mallocs)" 0 "by the driver"
  done
  [ $refused -ge 2 ]; ok $? "$refused units were refused"
done
done_testing
