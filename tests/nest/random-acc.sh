# Random programs with nested regions in OpenACC; see random.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
language=acc
. "$srcdir/random.sh"
