# The CUDA forms of the programs in benchmarks/nest pass their checks on the
# emulated GPU, children launched into any kind of stream; its checker finds
# nothing wrong.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
bench=$(cd "$top_srcdir/benchmarks" && pwd)

if ! command -v nvcc >/dev/null; then
  skip 'no nvcc' 'the CUDA programs'
  done_testing
  exit
fi
: "${CUDA_HOME:=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")}"
sh "$bench/programs.sh" '*-cu*' | grep ' nest/' >"$tmp/table"
"$CC" -I"$top_srcdir/libgomp-ext" -I"$top_srcdir/ptx-post/emu" \
  -c "$srcdir/cudart.c" -o "$tmp/cudart.o"
ok $? 'the run-time library compiles'
printf '!<arch>\n' >"$tmp/empty.a"
cd "$tmp" || exit 99

# Host and device code have to be of one compilation: names are made up in it.
build () {			# SOURCE FLAGS...
  source=$1
  shift
  nvcc "$@" -rdc=true -arch=sm_80 --keep -c "$bench/$source" -o host.o \
    && nvcc -rdc=true -arch=sm_80 -dlink host.o -o device.o -lcudadevrt \
    && "$CXX" host.o device.o cudart.o -o prog -L"$CUDA_HOME/lib64" \
	 -lcudadevrt "$stage/lib/accrete/emu/libcuda.so.1" \
	 -Wl,-rpath,"$stage/lib/accrete/emu" -Wl,-rpath,"$stage/lib/accrete"
}

while read -r name _ flags source small _; do
  # shellcheck disable=SC2046  # a list
  build "$source" $(echo "$flags" | tr , ' ') >log 2>&1
  ok $? "$name: builds" || { diag "$(cat log)"; continue; }
  case $name in *-cunest) streams='null tail forget' ;; *) streams=any ;; esac
  for STREAM in $streams; do
    export STREAM
    # shellcheck disable=SC2046
    CUDART_PTX=$(basename "$source" .cu).ptx CUDART_LIBRARY=empty.a \
      ACCRETE_EMU_CHECK=2 timeout 60 ./prog $(echo "$small" | tr , ' ') \
      >out 2>&1
    ok $? "$name, $STREAM stream: right" || diag "$(cat out)"
    unlike "$(cat out)" 'check: [0-9]+ finding' "$name, $STREAM stream: checked"
  done
done <table
done_testing
