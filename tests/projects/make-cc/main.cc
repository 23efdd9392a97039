// SPDX-License-Identifier: GPL-3.0-or-later
#include "part.h"
#include <iostream>
#include <vector>

int
main ()
{
  std::vector<int> a (100);
  int *p = a.data ();
#pragma omp target teams distribute parallel for map(from : p[ : 100])
  for (int i = 0; i < 100; i++)
    p[i] = i;
  std::cout << part (p, 100) << std::endl;
}
