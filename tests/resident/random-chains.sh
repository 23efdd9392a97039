# Random host loops over tiles leave behind what they do when stock GCC has compiled
# them, bit by bit (../random.sh), when their rounds are executed by blocks beside each
# other, by one block, and when they are not.  The checker finds nothing.
#
# SPDX-License-Identifier: GPL-3.0-or-later

. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
# Kernels are there from the beginning; late.sh has what is else.
export ACCRETE_DISABLE=tiered-compilation
. "$top_srcdir/tests/random.sh"

found=0 ran=0 looking=0 appending=0
count () {			# MODEL
  # Fusion makes one region of many; half of the programs do without.
  # At -O3 GCC copies and takes apart loops, also those in which lanes wait.
  how=
  [ $((seed % 2)) = 0 ] || how="-O3 -fplugin-arg-accrete-disable=fuse"
  # shellcheck disable=SC2086  # words
  one_program "$1" random-chains 12 loop 'check: ' -fplugin-arg-accrete-chain $how \
    || return
  found=$((found + $(grep -c 'loop over .* rounds beside each other' messages)))
  appending=$((appending + $(grep -c 'loop over .* and append' messages)))
  looking=$((looking + $(grep -c 'loop over .* which look back' messages)))
  ran=$((ran + $(grep -c 'cooperative launch of .* status 0' err)))
  is "$(ACCRETE_GEOMETRY=1x32 timeout 300 "$run" --check ./ours 2>err)" "$got" \
    "$1, seed $seed: by one block"
  is "$(ACCRETE_GEOMETRY=3x64 timeout 300 "$run" --emulate ./ours 2>err)" "$got" \
    "$1, seed $seed: by three"
  is "$(ACCRETE_DISABLE=chain,tiers "$run" --emulate ./ours 2>err)" "$got" \
    "$1, seed $seed: by one kernel, round by round"
  is "$(ACCRETE_DISABLE=cooperative-launch "$run" --emulate ./ours 2>err)" "$got" \
    "$1, seed $seed: by a launch for each region"
  # Where chains are not asked for, a rule says which loops are.
  # shellcheck disable=SC2086  # words
  "$CC" -specs="$specs" -O2 -w $flag $how $stock_flags prog.c -o ours 2>messages
  is "$(timeout 300 "$run" --check ./ours 2>err)" "$got" "$1, seed $seed: by the rule"
  unlike "$(cat err)" 'check: ' "$1, seed $seed: nothing is found by the rule"
}
each_program count
[ $found -ge 10 ] && [ $ran -ge 10 ]
ok $? "$found loops have rounds beside each other, $ran became kernels that ran"
[ $looking -ge 3 ] && [ $appending -ge 2 ]
ok $? "$looking of them look back, $appending append"
done_testing
