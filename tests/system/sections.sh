# Pointers that OpenACC regions follow lead to data that are present; without
# libgomp-ext, too.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/stage.sh"
ACCRETE_EMU_GPU=mini; export ACCRETE_EMU_GPU
emu=$stage/lib/accrete/emu

try () {			# HOW COMMAND...
  how=$1
  shift
  "$@" >"$tmp/out" 2>&1
  ok $? "$name: $how" || diag "$(head -n 20 "$tmp/out")"
}

for file in "$srcdir"/sections/*; do
  for level in '-O0 -g' -O2 '-O3 -funroll-loops'; do
    name="${file##*/} $level"
    # shellcheck disable=SC2046,SC2086  # lists of words
    $(compiler "$file") "-specs=$specs" -fopenacc $level $stock_flags -w \
      -fopt-info-omp "$file" -o "$tmp/a" >"$tmp/log" 2>&1
    ok $? "$name: builds" || diag "$(cat "$tmp/log")"
    try 'runs' env ACC_DEVICE_TYPE=nvidia "$run" --check=fail "$tmp/a"
    try 'without libgomp-ext' \
      env ACC_DEVICE_TYPE=nvidia ACCRETE_DEVICE=0 LD_LIBRARY_PATH="$emu" "$tmp/a"
    try 'on the host' env ACC_DEVICE_TYPE=host "$tmp/a"
  done
done
done_testing
