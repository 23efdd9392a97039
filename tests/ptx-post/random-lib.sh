# Sourced by random.sh and mutants.sh: random programs, whose device code is
# made once and linked with one choice of passes after the other, in $tmp.
# SPDX-License-Identifier: GPL-3.0-or-later
: "${post:=$top_builddir/ptx-post/ptx-post}"
stock_as=$($CC -print-prog-name=accel/nvptx-none/as)
lto1=$($CC -print-prog-name=accel/nvptx-none/lto1)
plugin=$top_builddir/plugin/.libs/accrete.so
emulated=$top_builddir/ptx-post/emu/.libs
regions=${RANDOM_REGIONS:-16}
unset ACCRETE_DISABLE ACCRETE_SM
export post stock_as lto1 tmp ACCRETE_EMU_GPU=mini
cd "$tmp" || exit 99
mkdir b

# The device compiler, once a program.
cat >b/lto1 <<'EOF'
#!/bin/sh
for a; do
  [ "$previous" != -o ] || out=$a
  previous=$a
done
requires=$GCC_OFFLOAD_OMP_REQUIRES_FILE	# from GCC 13 on
if [ -e "$tmp/device.s" ]; then
  cp "$tmp/device.s" "$out" && { [ -z "$requires" ] || cp "$tmp/requires" "$requires"; }
else
  "$lto1" "$@" && cp "$out" "$tmp/device.s" \
    && { [ -z "$requires" ] || cp "$requires" "$tmp/requires"; }
fi
EOF
# Passes in the order that $steps says, then the stock assembler; without
# ptxas, which would only take time.
cat >b/as <<'EOF'
#!/bin/sh
for in; do :; done
cp "$in" "$tmp/result.s"
for step in $steps; do
  "$post" --shuffle=always --passes="$step" "$tmp/result.s" -o "$tmp/result.s" \
    || exit
done
while [ "$1" != "$in" ]; do
  [ "$1" != -o ] || out=$2
  shift
done
exec "$stock_as" --no-verify -o "$out" "$tmp/result.s"
EOF
chmod +x b/lto1 b/as

# compile SEED acc|omp FLAG...: the host's part, and all of the device's
# that precedes the assembler.
compile () {
  rm -f device.s x.o
  "$builddir/random-kernels" "$1" $regions "$2" >x.c || return
  model=-fopenacc
  [ "$2" = acc ] || model=-fopenmp
  shift 2
  $CC "$@" -w $model -fplugin="$plugin" -c x.c -o x.o >log 2>&1
}

# link PASSES...: with these passes, one ptx-post after the other.
link () {
  steps=$*
  export steps
  $CC $model "-foffload-options=nvptx-none=-B$tmp/b/" x.o -o x \
    >log 2>&1 || diag "$(cat log)"
}

run () {
  LD_LIBRARY_PATH=$emulated ACC_DEVICE_TYPE=nvidia OMP_TARGET_OFFLOAD=MANDATORY \
    ./x 2>&1
}

# What the checker finds.
check () {
  ACCRETE_EMU_CHECK=1 run | grep -A 9 -m 1 'check: \(race\|stale\|out of\)'
}
