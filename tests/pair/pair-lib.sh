# Sourced by the tests of pairs: kernels run one after the other, then as a pair,
# on the emulated GPU under its checker, in $tmp.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
: "${post:=$top_builddir/ptx-post/ptx-post}"
run=$top_builddir/tests/pair/pair-run
unset ACCRETE_DISABLE ACCRETE_SM
export ACCRETE_EMU_GPU=mini ACCRETE_EMU_CHECK=2
cd "$tmp" || exit 99

# ptxas of a CUDA installation, and nvcc, where there are any.
find_cuda () {
  for dir in "${CUDA_HOME:-/nowhere}/bin" "${CUDA_PATH:-/nowhere}/bin" \
      /usr/local/cuda/bin; do
    [ ! -x "$dir/$1" ] || { echo "$dir/$1"; return; }
  done
  command -v "$1" || :
}
ptxas=$(find_cuda ptxas) nvcc=$(find_cuda nvcc)

# accepts FILE: does ptxas, for a GPU that it knows?
accepts () {
  [ -z "$ptxas" ] || "$ptxas" -arch=sm_90 "$1" -o /dev/null >log 2>&1
}

# pair NAME SCRIPT A:K B:K OPTION...: the pair that this makes gives the results in
# the file "want", is right for the checker, and ptxas takes it.
pair () {
  what=$1 script=$2
  shift 2
  if ! "$post" --pair "$@" -o pair.ptx 2>log; then
    ok 1 "$what: is made" || diag "$(cat log)"
    return 1
  fi
  "$run" "$script" pair.ptx >got 2>log && cmp -s want got
  ok $? "$what: the same results" || {
    diag "$(cat log)"; diag "$(diff want got)"; return 1; }
  accepts pair.ptx || {
    ok 1 "$what: ptxas takes it" || diag "$(head -n 5 log)"; return 1; }
}
