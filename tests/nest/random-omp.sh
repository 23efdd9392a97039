# Random programs with nested regions in OpenMP; see random.sh.
# SPDX-License-Identifier: GPL-3.0-or-later
language=omp
. "$srcdir/random.sh"
