# Random chains of constructs leave behind what they do when stock GCC has compiled
# them, bit by bit (../random.sh).  The checker finds races that do no harm by
# chance.
#
# SPDX-License-Identifier: GPL-3.0-or-later

. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
. "$top_srcdir/tests/random.sh"

fused=0 checked=0
count () {			# MODEL
  one_program "$1" random-chains 30 chain 'check: race'
  fused=$((fused + $(grep -c 'fused with' messages)))
  checked=$((checked + $(grep -c 'fused with .* after a check' messages)))
}
each_program count
[ $fused -gt 20 ] && [ $checked -gt 5 ] && [ $checked -lt $fused ]
ok $? "$fused constructs were fused, $checked after a check"
done_testing
