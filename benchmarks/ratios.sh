#!/bin/sh
# The ratios of docs/results.md, from the measurements in results/*.csv: for
# each line how many rows, their geometric mean, the least and the most.
# Usage: ratios.sh
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
cd "$(dirname "$0")/results"

# ratio WHAT FILE OVER UNDER [COLUMN PATTERN]...: OVER by UNDER, in rows whose
# columns match.
ratio () {
  what=$1 file=$2 over=$3 under=$4
  shift 4
  awk -F , -v what="$what" -v over="$over" -v under="$under" -v only="$*" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split (only, o, " ")
	      next }
    { for (i = 1; i < n; i += 2)
	if ($at[o[i]] !~ o[i + 1])
	  next
      a = $at[over]; b = $at[under]
      if (a == "" || b == "")
	next
      r = a / b; sum += log (r); rows++
      if (rows == 1 || r < least) least = r
      if (rows == 1 || r > most) most = r }
    END { printf "| %s | %d | %.2f | %.2f | %.2f |\n", what, rows,
	    exp (sum / rows), least, most }' "$file.csv"
}

echo '| what | rows | mean | least | most |'
echo '| --- | --- | --- | --- | --- |'
ratio 'programs, OpenACC: stock over accrete' programs stock_us accrete_us \
  program '-(acc|worker)$'
ratio 'programs, OpenMP: stock over accrete' programs stock_us accrete_us \
  program '-(omp|split)$'
ratio 'programs: CUDA by hand over accrete' programs cuda_us accrete_us
ratio 'applications: figure of merit, accrete over CUDA' applications accrete cuda
ratio 'applications: time of kernels, accrete over CUDA' applications \
  accrete_kernels_us cuda_kernels_us
ratio 'constructs, OpenACC: stock over accrete' constructs stock_us accrete_us \
  language OpenACC
ratio 'constructs, OpenMP: stock over accrete' constructs stock_us accrete_us \
  language OpenMP
ratio 'constructs: stock over the same binary under accrete-run' constructs \
  stock_us stock_built_us
for n in 4096 65536 1048576; do
  ratio "transfers of $n floats: stock over accrete" transfers stock_us \
    accrete_us floats "^$n\$"
done
ratio 'copies of 4 KiB to 256 KiB: stock over accrete' bulk stock_us accrete_us \
  bytes '^.....?.?$'
ratio 'copies of 1 MiB to 1 GiB: stock over accrete' bulk stock_us accrete_us \
  bytes '^........*$'
ratio '`acc kernels` over `acc parallel`' kernels kernels_us parallel_us
ratio 'one row a thread over the default' shuffle plain_us auto_us
for language in OpenACC OpenMP; do
  ratio "neighbouring constructs, $language: apart over fused" fusion unfused_ms \
    fused_ms language $language elements '^67108864$'
done
for inputs in klap cgo2022; do
  ratio "nested, $inputs: launches by each thread over \`auto\`" nest naive_us \
    auto_us inputs $inputs
  ratio "nested, $inputs: flat, a thread a parent, over \`auto\`" nest \
    flat_a_us auto_us inputs $inputs
  ratio "nested, $inputs: flat, a warp or team a parent, over \`auto\`" nest \
    flat_b_us auto_us inputs $inputs
done
ratio 'compile time: accrete over stock' compile accrete_wall_ms stock_wall_ms
