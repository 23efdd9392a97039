#!/bin/sh
# Launches by device code as nvcc compiles them, linked with NVIDIA's library.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"

command -v nvcc >/dev/null || {
  skip "no nvcc" "device-side launches of nvcc"
  done_testing
  exit
}

cat >"$tmp/nested.cu" <<'EOF'
extern "C" __global__ void
child (float *x, char n, double add)
{
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j < n)
    x[j] = 2 * x[j] + add;
}

extern "C" __global__ void
parent (float *x, int *error, int mode)
{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cudaStream_t s = mode == 0 ? cudaStreamFireAndForget
		   : mode == 1 ? cudaStreamTailLaunch : 0;
  child<<<dim3 (2, 1), 32, 128, s>>> (x + i * 40, i % 40, i + 1.0);
  error[i] = cudaGetLastError ();
}
EOF
nvcc -rdc=true -arch=sm_90 -ptx -o "$tmp/nested.ptx" "$tmp/nested.cu" \
  >"$tmp/log" 2>&1
ok $? "nvcc compiles" || diag "$(cat "$tmp/log")"
# What the linker gets as a library is not read.
: "${CUDA_HOME:=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")}"
library=$CUDA_HOME/lib64/libcudadevrt.a
[ -r "$library" ] || { library=$tmp/libcudadevrt.a; printf '!<arch>\n' >"$library"; }
./nested-host "$tmp/nested.ptx" "$library" >"$tmp/out" 2>&1
ok $? "its program runs" || diag "$(cat "$tmp/out")"
done_testing
