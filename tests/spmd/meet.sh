# Where threads meet: no more often than there is something to be seen.  A block that
# names a barrier by a register is given 16, and four such blocks are all that a Hopper
# multiprocessor holds; an update that is no news costs no exchange, and no fence.
#
# SPMD_STAGE  the installed tree to test
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
ACCRETE_EMU_STATS=1 ACCRETE_DISABLE=jit_cache
export ACCRETE_EMU_STATS ACCRETE_DISABLE
stage=${SPMD_STAGE-$stage}

# How often INSTRUCTION is in the kernel of function NAME.
count () {			# NAME INSTRUCTION
  tr '\000' '\n' <"$tmp/meet" | grep -a '' | awk -v name="$1" -v what="$2" '
    /BEGIN FUNCTION D/ { in_it = index ($0, "DEF: " name) }
    in_it && index ($0, what) { n++ } END { print n + 0 }'
}

# check NUMBERED FLAGS...: whether barriers are named by registers.
check () {
  numbered=$1
  shift
  gcc -specs="$stage/lib/accrete/accrete.specs" -O2 "$@" $stock_flags \
    "$srcdir/meet.c" -o "$tmp/meet" -lm >"$tmp/log" 2>&1
  ok $? "$*: builds" || diag "$(cat "$tmp/log")"
  named=$(tr '\000' '\n' <"$tmp/meet" | grep -ac 'barrier\.sync %r[0-9]*,%r[0-9]*')
  is "$((named > 0))" "$numbered" "$*: barriers named by registers"
  # When all have a warp's partial result, when all have read these, and when the
  # first has stored.
  is "$(count rows 'bar.warp.sync -1')" 3 "$*: barriers of a row"
  # Of a warp, and of many warps.
  is "$(count rows shfl.sync.bfly)" 10 "$*: lanes add up"
  out=$(ACCRETE_EMU_GPU=mini ACCRETE_GEOMETRY=64 \
        "$stage/bin/accrete-run" --check=fail "$tmp/meet" 2>"$tmp/err")
  is "$?$out" "00 wrong" "$*: no race" || diag "$(head -n 5 "$tmp/err")"
  for gpu in mini h100; do
    for geometry in '' 32 64 128 512; do
      out=$(ACCRETE_EMU_GPU=$gpu ACCRETE_GEOMETRY=$geometry \
            "$stage/bin/accrete-run" --emulate "$tmp/meet" 2>"$tmp/err")
      is "$?$out" "00 wrong" "$*: results on $gpu, blocks of ${geometry:-any}"
    done
  done
  fences=$(sed -n 's/^accrete-emu: .*\<fences=\([0-9]*\).*/\1/p' "$tmp/err")
  ok $((${fences:-99} >= 70)) "$*: no more fences than there is news" \
    || diag "$fences"
}

check 0 -fopenmp
check 0 -fopenacc
check 0 -fopenacc -DLANES=32 -DWORKERS=16
check 0 -fopenacc -DLANES=128 -DWORKERS=4
check 1 -fopenacc -DLANES=64 -DWORKERS=8
done_testing
