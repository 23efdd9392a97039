// A virtual call leads to the host's code, in OpenACC, too.
// SPDX-License-Identifier: GPL-3.0-or-later
// FLAGS: -fopenacc

struct shape
{
  virtual int area () const;
};

void
f (shape *s, int *a, int n)
{
#pragma acc parallel loop copy (a[0 : n]) firstprivate (s)
  for (int i = 0; i < n; i++)
    {
#pragma acc parallel loop
      for (int j = 0; j < 3; j++)
        a[i] += s->area ();	// ERROR: a virtual call
    }
}
