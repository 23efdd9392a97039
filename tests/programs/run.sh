# Every program of benchmarks/programs.sh: builds with stock GCC, passes its
# own check on the host and, where the build tree has it, on the emulated GPU.
# The operators of the paper's Table 2 have the number of loads it says.
. "$top_srcdir/tests/tap.sh"
bench=$top_srcdir/benchmarks
emulator=$top_builddir/ptx-post/emu/.libs

# Leaves out a check by a ptxas that may not know GCC's default architecture.
sh "$bench/programs.sh" | sh "$bench/build-programs.sh" "$tmp/bin" \
  -foffload-options=nvptx-none=-Wa,--no-verify

# On the host, or not at all on the host.
on_host () {
  ACC_DEVICE_TYPE=host OMP_TARGET_OFFLOAD=DISABLED OMP_NUM_THREADS=2 "$@"
}
on_emulator () {
  ACC_DEVICE_TYPE=nvidia OMP_TARGET_OFFLOAD=MANDATORY \
    LD_LIBRARY_PATH=$emulator${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} "$@"
}

passes () {			# WHERE NAME ARGS...
  where=$1 name=$2
  shift 2
  out=$("on_$where" timeout 60 "$tmp/bin/$name" "$@" 2>&1)
  ok $? "$name $*: right on the $where" || { diag "$out"; return 0; }
  like "$out" ' checksum ' "$name: prints its checksum"
}

sh "$bench/programs.sh" >"$tmp/table"
while read -r name compiler _ _ small large; do
  if [ "$compiler" = nvcc ] && ! [ -e "$tmp/bin/$name.log" ]; then
    skip 'no nvcc' "$name"
    continue
  fi
  [ -x "$tmp/bin/$name" ]
  ok $? "$name: builds" || { diag "$(cat "$tmp/bin/$name.log")"; continue; }
  [ "$compiler" != nvcc ] || continue
  # shellcheck disable=SC2046  # a list of arguments
  passes host "$name" $(echo "$small" | tr , ' ')
  if [ -e "$emulator/libcuda.so.1" ]; then
    # shellcheck disable=SC2046  # a list of arguments
    passes emulator "$name" $(echo "$small" | tr , ' ')
  else
    skip 'no emulated GPU in this build' "$name on the emulator"
  fi
done <"$tmp/table"

# The device code stands in the program as text.  (Tricubic2 has its loads in
# loops, matmul and matvec have two in a loop that the paper's compiler
# unrolls; the game of life is one of integers, with its three arguments.)
while read -r operator loads type; do
  is "$(grep -aoE "ld\.$type[[:space:]]" "$tmp/bin/$operator-acc" | wc -l)" \
    "$loads" "$operator: $loads loads a point"
done <<END
divergence 6 f32
gameoflife 12 u32
gaussblur 25 f32
gradient 6 f32
jacobi-f 9 f32
lapgsrb 25 f32
laplacian 7 f32
matmul 2 f32
matvec 2 f32
sincos 2 f32
tricubic 67 f32
uxx1 17 f32
vecadd 2 f32
wave13pt 14 f32
whispering 19 f32
END
done_testing
