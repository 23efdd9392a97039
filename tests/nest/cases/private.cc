/* Objects that are private in nested regions are constructed and destroyed.
   Without optimization GCC cannot have constructors on the device.
   FLAGS: -fopenmp -O1
   NESTED: 3
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstdio>

#pragma omp declare target
static int alive;

struct counted
{
  int value;
  static void
  count (int by)
  {
#pragma omp atomic
    alive += by;
  }
  counted () : value (5) { count (1); }
  counted (const counted &other) : value (other.value + 100) { count (1); }
  ~counted () { count (-1); }
};

#pragma omp end declare target

int
main ()
{
  int kept[16] = {}, total = 0;
#pragma omp target teams distribute parallel for map (tofrom : kept, total)
  for (int i = 0; i < 16; i++)
    {
      counted c, d;
      c.value = i;
#pragma omp target map (tofrom : c)
      {
#pragma omp parallel for firstprivate (c) private(d) reduction (+ : total)
        for (int k = 0; k < i; k++)
          total += c.value + d.value;
      }
#pragma omp target parallel for firstprivate(c) reduction(+ : total) \
  map (tofrom : total)
      for (int k = 0; k < i; k++)
        total += c.value;
#pragma omp target teams distribute parallel for
      for (int k = 0; k < 1; k++)
        kept[i] = c.value;
    }
  int sum = 0, left = 1;
  for (int i = 0; i < 16; i++)
    sum = sum * 3 + kept[i];
#pragma omp target map (from : left)
  left = alive;
  std::printf ("%d %d %d\n", sum, total, left);
  return 0;
}
