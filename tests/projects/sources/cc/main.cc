// SPDX-License-Identifier: GPL-3.0-or-later
#include "part.h"
#include <iostream>
#include <vector>

int
main ()
{
  std::vector<int> a (100);
  for (int i = 0; i < 100; i++)
    a[i] = i;
  std::cout << part (a.data (), 100) << std::endl;
}
