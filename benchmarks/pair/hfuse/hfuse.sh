#!/bin/sh
# HFuse's sixteen pairs from their CUDA sources: nvcc's PTX of the kernels, the pairs
# that ptx-post makes of it and the kernels that HFuse has fused, with the same blocks
# (HFuse's fourth partition), as machine code, and hfuse.c, which compares them.
# usage: hfuse.sh TORCHKERNEL ETHMINER OUT
# The folders: public repositories of HFuse's author.  Then, on a GPU: OUT/hfuse OUT.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
here=$(cd "$(dirname "$0")" && pwd)
torch=$(cd "$1/fused" && pwd) miner=$(cd "$2/libethash-cuda" && pwd) out=$3
: "${NVCC:=nvcc}" "${PTXAS:=ptxas}" "${POST:=ptx-post}" "${ARCH:=sm_90}"
mkdir -p "$out"
cd "$out"
rm -f list
partition=3

# taken FILE: the kernel of the partition in HFuse's FILE, and its template's head.
taken () {
  awk -v "kernel=_hfuse_idx_${partition}[(]" '
    /^template/ { head = $0; on = 0 }
    /__global__/ { on = $0 ~ kernel; if (on && head != "") print head }
    on' "$1" | sed 's/ = CUDAHistogramMemoryType::MULTI_BLOCK//'
}

# blocks FILE: those of that kernel, of both sides.
blocks () {
  taken "$1" | sed -n 's/.*blockDim_\([xyz]\)_\([01]\) = \([0-9]*\);/\2 \1 \3/p' \
    | sort -k1,1r -k2,2 | awk '{ printf "%s%s", NR == 1 ? "" : NR == 4 ? "/" : ",", $3 }'
}

# function_of FILE NAME: the text of the kernel NAME in FILE.
function_of () {
  awk -v "start=__global__ void $2[(]" '
    $0 ~ start { on = 1 }
    on { print; n += gsub (/{/, "{") - gsub (/}/, "}"); if (/[{}]/) began = 1 }
    on && began && n == 0 { exit }' "$1"
}

# arguments KERNEL: of its template.
arguments () {
  case $1 in
    im2col_kernel) echo float ;;
    MaxPoolForward | upsample_bilinear2d_out_frame) echo float,float ;;
    batch_norm_*) echo InvStd,float,float,float,int ;;
    *) echo float,float,unsigned,1,1,1,CUDAHistogramMemoryType::MULTI_BLOCK,One ;;
  esac
}
networks='im2col_kernel MaxPoolForward upsample_bilinear2d_out_frame
  batch_norm_collect_statistics_kernel kernelHistogram1D'
hashes='blake2b_gpu_hash sia_blake2b_gpu_hash sha256d_gpu_hash_shared ethash_search'

# each FOLDER KERNEL...: "FIRST SECOND FILE" of all pairs that HFuse has there.
each () {
  folder=$1
  shift
  for a; do
    for b; do
      [ ! -f "$folder/${a}_${b}_.inc" ] || echo "$a $b $folder/${a}_${b}_.inc"
    done
  done
}

# symbol NAME PTX: that of the kernel NAME.
symbol () {
  sed -n 's/.*\.entry \([^(]*\).*/\1/p' "$2" | grep -E "[0-9]$1(I|E)" | head -n 1
}

# pairs UNIT: machine code of UNIT.ptx and of each pair in "pairs".
pairs () {
  "$PTXAS" -arch="$ARCH" -O3 "$1.ptx" -o "$1.cubin"
  while read -r a b file; do
    first=$(symbol "$a" "$1.ptx") second=$(symbol "$b" "$1.ptx")
    sides=$(blocks "$file")
    "$POST" --pair "$1.ptx:$first" "$1.ptx:$second" --blocks="$sides" -o "$a+$b.ptx"
    "$PTXAS" -arch="$ARCH" -O3 "$a+$b.ptx" -o "$a+$b.cubin"
    echo "$1 $a $b $first $second" \
      "$(symbol "${a}_${b}_fused_kernel_hfuse_idx_$partition" "$1.ptx") $sides" >>list
  done <pairs
}

# ---- Neural networks ---------------------------------------------------------
# shellcheck disable=SC2086  # a list
each "$torch" $networks >pairs
{
  echo '#include "torch.h"'
  cat "$torch/im2col.inc"
  sed '/__device__ inline int min/,/^}/d' "$torch/maxpool.inc"
  cat "$torch/upsample.inc"
  echo 'template <template <typename T> class VarTransform0, typename input_scalar_t1,
    typename stat_scalar_t2, typename stat_accscalar_t3, typename index_t4>'
  function_of "$torch/UpsampleNormalization.cuh" batch_norm_collect_statistics_kernel
  echo 'template <typename output_t, typename input_t, typename IndexType, int ADims,
    int PDims, int BDims, CUDAHistogramMemoryType MemoryType, typename Op>'
  function_of "$torch/SummaryUpsample.cu" kernelHistogram1D
  while read -r a b file; do taken "$file"; done <pairs
  echo 'const void *kernels[] = {'
  for a in $networks; do echo "(const void *)$a<$(arguments "$a")>,"; done
  while read -r a b file; do
    echo "(const void *)${a}_${b}_fused_kernel_hfuse_idx_$partition<$(arguments "$a"),$(
      arguments "$b")>,"
  done <pairs
  echo '};'
} | awk '/^#define CUDA_KERNEL_LOOP/ { skip = 1 }
         !skip && (!/^#include/ || /torch/)
         skip && !/\\$/ { skip = 0 }' >networks.cu
$NVCC -arch="$ARCH" -O3 -ptx -w -I"$here" networks.cu -o networks.ptx
pairs networks

# ---- Hashes -------------------------------------------------------------------
# shellcheck disable=SC2086
each "$miner" $hashes >pairs
{
  awk '/^#include "[a-z0-9_]*_\.inc"/ { exit } { print }' "$miner/four.cu"
  while read -r a b file; do taken "$file"; done <pairs
  echo '}'
} >hashes.cu
$NVCC -arch="$ARCH" -O3 -ptx -w -I"$miner" hashes.cu -o hashes.ptx
pairs hashes
# Its variables that have no value, to be filled.
sed -n '/=/d;s/^\.\(const\|global\) .* \([^ ]*\);$/\2/p' hashes.ptx | sed 's/\[.*//' >variables

${CC:-cc} -O2 -I"$here/../.." -I"$here/../../../libgomp-ext" "$here/hfuse.c" -o hfuse -ldl -lm
