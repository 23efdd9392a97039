/* Loops in members and templates.
   FLAGS: -fopenacc
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <cstdio>

template <class T> struct field
{
  T *data;
  int size;

  void
  scale (T by)
  {
    T *p = data;
    int n = size;
/* REMARK: its loop runs in parallel$ */
#pragma acc kernels copy(p[0:n])
    for (int i = 0; i < n; ++i)
      p[i] *= by;
  }

  template <class F>
  void
  prefix (const F *from)
  {
    T *p = data;
    int n = size;
/* REMARK: on one GPU thread: iterations may touch the same memory */
#pragma acc kernels copy(p[0:n]) copyin(from[0:n])
    for (int i = 1; i < n; ++i)
      p[i] = p[i - 1] + from[i];
  }
};

static long
count (const field<int> &f, int limit)
{
  const int *p = f.data;
  int n = f.size;
  long found = 0;
/* REMARK: its loop runs in parallel$ */
#pragma acc kernels copyin(p[0:n])
  for (int i = 0; i < n; ++i)
    {
      bool small = p[i] < limit;
      if (small)
	found++;
    }
  return found;
}

int
main ()
{
  int data[50];
  for (int i = 0; i < 50; i++)
    data[i] = i * 13 % 17;
  field<int> f = { data, 50 };
  f.scale (3);
  long few = count (f, 20);
  f.prefix (data);
  std::printf ("%ld %ld %d\n", few, count (f, 500), data[49]);
}
