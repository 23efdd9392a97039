# What a cluster does: ranks of MPI with a GPU each and ranks that share one, addresses
# on the device handed to MPI, reports by rank, and one cache for many processes.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$srcdir/stage.sh"

export ACCRETE_EMU_GPU=mini
XDG_CACHE_HOME=$tmp/cache
export XDG_CACHE_HOME
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# ---- Ranks --------------------------------------------------------------------
# mpi DEVICES RANKS COMMAND...: its sum, and each rank's device.
mpi () {
  # shellcheck disable=SC2086  # an option or none
  ACCRETE_EMU_DEVICES=$1 timeout 100 mpirun --oversubscribe -n "$2" \
    "$run" --emulate $how "$tmp/$3" >"$tmp/out" 2>"$tmp/err"
  echo "$? $(cat "$tmp/out")" "$(grep '^rank' "$tmp/err" | sort | cut -d' ' -f4 | tr -d '\n')"
}
if command -v mpicc >/dev/null && command -v mpirun >/dev/null; then
  OMPI_CC=$CC
  export OMPI_CC
  # shellcheck disable=SC2086  # lists of words
  { mpicc -O2 -fopenacc $stock_flags "$srcdir/cluster/halo.c" -o "$tmp/stock" \
      && mpicc -O2 -fopenacc $stock_flags "-specs=$specs" "$srcdir/cluster/halo.c" \
	-o "$tmp/halo"; } >"$tmp/log" 2>&1
  ok $? 'a program of MPI is built' || diag "$(cat "$tmp/log")"
  how=--off
  want=$(mpi 1 1 stock)
  like "$want" '^0 sum [0-9.]* 0$' 'stock, by itself' || diag "$(cat "$tmp/err")"
  sum=${want% *}
  how=
  # Asynchronous work is done as late as the driver may: whoever looks at a
  # device's memory by an address must have waited for it.
  for delay in 0 1; do
    export ACCRETE_EMU_DELAY=$delay
    is "$(mpi 4 4 halo)" "$sum 0123" "a GPU for each rank, delay $delay" \
      || diag "$(cat "$tmp/err")"
    is "$(mpi 2 4 halo)" "$sum 0101" "two ranks share a GPU, delay $delay" \
      || diag "$(cat "$tmp/err")"
    is "$(mpi 1 4 stock)" "$sum 0000" "a stock binary, four on one GPU, delay $delay" \
      || diag "$(cat "$tmp/err")"
  done
  unset ACCRETE_EMU_DELAY
  export ACCRETE_REPORT=json ACCRETE_REPORT_FILE="$tmp/report.%r"
  is "$(mpi 1 4 halo)" "$sum 0000" 'with reports'
  unset ACCRETE_REPORT ACCRETE_REPORT_FILE
  is "$(for r in 0 1 2 3; do json launches "$tmp/report.$r"; done | tr '\n' ' ')" \
    '40 40 40 40 ' 'each rank has a report of its own'
else
  skip 'no Open MPI' 'ranks'
fi

# ---- The cache of many processes -----------------------------------------------
# All of them begin with none; what they leave serves the next one.
cat >"$tmp/a.c" <<'EOF'
#include <stdio.h>
int a[1000];
int main (void)
{
#pragma acc parallel loop copy(a)
  for (int i = 0; i < 1000; i++)
    a[i] = i * i;
  printf ("%d\n", a[999]);
}
EOF
# shellcheck disable=SC2086  # a list of words
"$CC" -O2 -fopenacc $stock_flags "-specs=$specs" "$tmp/a.c" -o "$tmp/a" >"$tmp/log" 2>&1
ok $? 'a program is built' || diag "$(cat "$tmp/log")"
# many HOW: 64 processes at once, all right.
many () {
  for i in $(seq 64); do
    timeout 100 "$run" --emulate "$tmp/a" >"$tmp/many$i" 2>&1 &
  done
  wait
  is "$(cat "$tmp"/many* | sort | uniq -c | tr -s ' ')" ' 64 998001' "64 processes, $1"
}
rm -rf "$tmp/cache"
many 'an empty cache'
"$run" --emulate --report=json "$tmp/a" >"$tmp/out" 2>"$tmp/err"
is "$(cat "$tmp/out") $(json jit_hits "$tmp/err") $(json jit_stores "$tmp/err")" \
  '998001 1 0' 'the next one finds its code'
is "$(find "$tmp/cache" -type f ! -name '*.jit' ! -name '*.tune' | head)" '' \
  'no file is left half written'
done_testing
