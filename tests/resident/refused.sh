# What keeps a resident loop's kernel from being launched leaves the loop to the host:
# a driver that refuses the launch, for want of room or altogether, or has no word
# about the GPU.  Another failure ends the program with libgomp's message.  A part's
# teams are warps.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
# Kernels are there from the beginning; late.sh has what is else.
export ACCRETE_DISABLE=tiered-compilation
export ACCRETE_EMU_GPU=mini ACC_DEVICE_TYPE=nvidia

cat >"$tmp/loop.c" <<'END'
#include <stdio.h>
int a[100], b[100];
int
main (void)
{
  int t;
#pragma acc data copy (a, b)
  for (t = 0; t < 6; t++)
    {
#pragma acc parallel loop
      for (int i = 0; i < 100; i++)
	a[i] = b[99 - i] + t;
#pragma acc parallel loop
      for (int i = 0; i < 100; i++)
	b[i] += a[i] * 3 + i;
    }
  unsigned h = t;
  for (int i = 0; i < 100; i++)
    h = h * 31 + a[i] + 7 * b[i];
  printf ("%u\n", h);
}
END
# shellcheck disable=SC2086  # a list of words
"$CC" -specs="$specs" -O2 -fopenacc $stock_flags \
  "$tmp/loop.c" -o "$tmp/loop" || exit 99
"$CC" -O2 -w "$tmp/loop.c" -o "$tmp/host" && want=$("$tmp/host")

# with LAUNCHES WHAT VARIABLE...: the result is right with so many launches.
with () {
  launches=$1 what=$2
  shift 2
  got=$(env "$@" "$run" --emulate --report=json "$tmp/loop" 2>"$tmp/err")
  is "$got" "$want" "$what: the result" || diag "$(head -n 3 "$tmp/err")"
  is "$(json resident "$tmp/err")" $((launches > 2 ? 0 : 11)) \
    "$what: regions without a launch"
  # One that is refused counts as well.
  is "$(json launches "$tmp/err")" "$launches" "$what: launches"
}

cooperative=cuLaunchCooperativeKernel
with 1 'as it is' A=
with 13 'too many blocks' ACCRETE_EMU_FAIL=$cooperative:1=720
with 13 'no such launches' ACCRETE_EMU_FAIL=$cooperative:1=801
with 12 'switched off' ACCRETE_DISABLE=cooperative-launch
with 12 'switched off by its short name' ACCRETE_DISABLE=cooperative
with 1 'two blocks' ACCRETE_GEOMETRY=2x64
with 1 'more than there is room for' ACCRETE_GEOMETRY=4000x64
with 1 'less than a warp, and said' ACCRETE_GEOMETRY=2x7,print
like "$(cat "$tmp/err")" 'geometry: main._omp_fn[^:]*: 2 blocks of 32x1 threads' \
  'less than a warp, and said: a warp'
with 12 'no occupancy' \
  ACCRETE_EMU_FAIL=cuOccupancyMaxActiveBlocksPerMultiprocessor:1+=1
ACCRETE_EMU_FAIL=$cooperative:1=719 "$run" --emulate "$tmp/loop" \
  >"$tmp/out" 2>"$tmp/err"
is $? 1 'a launch that fails: the status'
like "$(cat "$tmp/err")" 'libgomp: ' 'a launch that fails: a message'

# The GPU is lost while the kernel is under way.
for status in 700 702 719 999; do
  ACCRETE_EMU_FAIL=cuStreamSynchronize:1+=$status timeout 60 "$run" --emulate "$tmp/loop" \
    >"$tmp/out" 2>"$tmp/err"
  is "$?$(cat "$tmp/out")" 1 "the kernel ends with $status: the status"
  like "$(cat "$tmp/err")" 'libgomp: ' "the kernel ends with $status: a message"
done

# Where there is no room, it is not tried again and again.
sed 's/^main (void)/once (void)/' "$tmp/loop.c" >"$tmp/times.c"
cat >>"$tmp/times.c" <<'END'
int
main (void)
{
  for (int k = 0; k < 40; k++)
    once ();
}
END
# shellcheck disable=SC2086  # a list of words
"$CC" -specs="$specs" -O2 -fopenacc $stock_flags \
  -w "$tmp/times.c" -o "$tmp/times" || exit 99
"$CC" -O2 -w "$tmp/times.c" -o "$tmp/host" && want=$("$tmp/host")
got=$(ACCRETE_DEBUG=2 ACCRETE_EMU_FAIL=$cooperative:1+=720 "$run" --emulate "$tmp/times" \
  2>"$tmp/err")
is "$got" "$want" 'never any room, 40 times: the result'
is "$(grep -c 'cooperative launch' "$tmp/err")" 1 'never any room, 40 times: it is tried once'

# Where a part has teams, these are warps.
cat >"$tmp/teams.c" <<'END'
#include <stdio.h>
int a[100][40], b[100];
int
main (void)
{
  int t;
#pragma acc data copy (a, b)
  for (t = 0; t < 5; t++)
    {
#pragma acc parallel loop gang
      for (int i = 0; i < 100; i++)
	{
	  int sum = b[i];
#pragma acc loop vector reduction (+: sum)
	  for (int k = 0; k < 40; k++)
	    sum += a[i][k];
	  if (sum & 1)
	    sum += b[i];
	  b[i] = sum;
	}
#pragma acc parallel loop
      for (int i = 0; i < 100; i++)
	a[i][t] += b[i] ^ a[99 - i][t + 1];
    }
  unsigned h = t;
  for (int i = 0; i < 100; i++)
    h = h * 31 + b[i] + 7 * a[i][3];
  printf ("%u\n", h);
}
END
# shellcheck disable=SC2086  # a list of words
"$CC" -specs="$specs" -O2 -fopenacc $stock_flags \
  "$tmp/teams.c" -o "$tmp/loop" || exit 99
"$CC" -O2 -w "$tmp/teams.c" -o "$tmp/host" && want=$("$tmp/host")
is "$(ACCRETE_DEBUG=2 "$run" --check=fail "$tmp/loop" 2>"$tmp/err")" "$want" 'teams: the result'
like "$(cat "$tmp/err")" 'cooperative launch of .* blocks of 32x[0-9]* threads: status 0' \
  'teams: warps'
is "$(ACCRETE_GEOMETRY=2x96 "$run" --emulate "$tmp/loop" 2>"$tmp/err")" "$want" \
  'teams: of three warps a block'
done_testing
