/* Who calls it, without regions.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>

int part (int n);

int
main (void)
{
  printf ("%d\n", part (100));
}
