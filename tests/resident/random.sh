# Random host loops over regions leave behind what they do when stock GCC has
# compiled them, bit by bit (../random.sh).  The checker finds races that do no harm
# by chance, and data that come through the read-only path though the loop changes
# them.
#
# SPDX-License-Identifier: GPL-3.0-or-later

. "$top_srcdir/tests/tap.sh"
. "$top_srcdir/tests/system/stage.sh"
# Kernels are there from the beginning; late.sh has what is else.
export ACCRETE_DISABLE=tiered-compilation
. "$top_srcdir/tests/random.sh"

found=0 ran=0
count () {			# MODEL
  one_program "$1" random-loops 20 loop 'check: '
  found=$((found + $(grep -c 'loop over .*: becomes one kernel' messages)))
  ran=$((ran + $(grep -c 'cooperative launch of .* status 0' err)))
}
each_program count
[ $found -gt 20 ] && [ $ran -gt 15 ]
ok $? "$found loops became kernels, $ran of them ran"
done_testing
