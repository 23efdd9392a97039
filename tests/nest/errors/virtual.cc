// A virtual call leads to the host's code.
// SPDX-License-Identifier: GPL-3.0-or-later

struct shape
{
  virtual int area () const;
};

void
f (shape *s, int *a)
{
#pragma omp target map (tofrom : a[0 : 1]) firstprivate (s)
  {
#pragma omp target map (tofrom : a[0 : 1])
    a[0] = s->area ();	// ERROR: a virtual call
  }
}
