/* The same in OpenMP: of grow and halve each level of the recursion is
   executed at once, and where that is not possible threads of a block take
   turns with a soft stack.
   NESTED: 12
   LAUNCHES: 6
   DEFERS: 4
   TOGETHER: -O2
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "levels.c"
