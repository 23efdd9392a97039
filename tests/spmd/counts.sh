# How many threads SPMD kernels start with: as many as the loop has iterations,
# wherever its bounds come from, or as the program asks for.  The programs in
# counts/ say by the names of their functions what is right: count_N_..., or
# asked_N_... for gangs, team_N_M_... for N blocks of M threads.
#
# SPMD_STAGE  the installed tree to test
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
ACCRETE_EMU_GPU=mini ACCRETE_GEOMETRY=print
export ACCRETE_EMU_GPU ACCRETE_GEOMETRY
stage=${SPMD_STAGE-$stage}

# Lines of ACCRETE_GEOMETRY=print that are wrong, and names of functions, as
# "NAME is wrong" and "NAME".  OpenACC counts whole gangs.
judge () {
  sed -n 's/^accrete: geometry: \([^:]*\): \([0-9]*\) blocks of \([0-9]*\)x\([0-9]*\) threads\(, \([0-9]*\) iterations\)*$/\1 \2 \3 \4 \6/p' \
    | awk '{
        match ($1, /(count|asked|team)_[0-9]+_[0-9]*/)
        split (substr ($1, RSTART, RLENGTH), word, "_")
        want = word[2]; threads = $2 * $3 * $4
        bad = word[1] == "team" ? $2 != want || threads != want * word[3] \
              : word[1] == "asked" ? $2 != want \
              : $5 < want || $5 >= want + 1024 \
                || threads <= 1 || threads > 2 * want + 1024
        print $1, bad ? "is wrong: " $0 : "is right"
      }'
}

check () {			# FILE FUNCTIONS FLAGS...
  file=$srcdir/counts/$1 functions=$2 name="$1 $3"
  shift 2
  for level in ${levels--O0 -O2}; do
    # shellcheck disable=SC2086
    if ! "$(compiler "$file")" -specs="$stage/lib/accrete/accrete.specs" $level \
         "$@" $stock_flags -foffload-options=nvptx-none=-latomic -J "$tmp" \
         "$file" -o "$tmp/prog" >"$tmp/log" 2>&1; then
      ok 1 "$name $level: builds" || diag "$(cat "$tmp/log")"
      continue
    fi
    "$stage/bin/accrete-run" --emulate "$tmp/prog" >"$tmp/out" 2>"$tmp/err"
    ok $? "$name $level: results" || diag "$(tail -n 5 "$tmp/out" "$tmp/err")"
    judge <"$tmp/err" >"$tmp/lines"
    is "$(grep -c . "$tmp/lines")" "$functions" "$name $level: kernels"
    is "$(grep wrong "$tmp/lines")" '' "$name $level: threads"
  done
}

check members.c 12 -fopenmp
check members.c 12 -fopenacc
check objects.cc 8 -fopenmp
check procedures.F90 11 -fopenmp
check procedures.F90 12 -fopenacc
check gangs.c 7 -fopenacc
# Without optimization a block has at most 32.
levels=-O2 check blocks.c 3 -fopenmp
levels=-O2 check many.c 80 -fopenmp
done_testing
