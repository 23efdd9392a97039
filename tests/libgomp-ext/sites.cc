// Data constructs in C++: in templates and functions that two units share, in
// members and in lambda expressions.
// SPDX-License-Identifier: GPL-3.0-or-later
#include <cstdio>

enum { N = 2000 };

template <typename T>
struct vec
{
  T *v;
  int n;
  vec (int n) : v (new T[n] ()), n (n)
  {
    T *w = v;
#pragma acc enter data copyin(w[0:n]) // NAMES w
#pragma omp target enter data map(to: this[:1], v[0:n]) // NAMES this-%3Ev
  }
  ~vec ()
  {
#pragma omp target exit data map(delete: v[0:n], this[:1]) // NAMES this-%3Ev
    delete[] v;
  }
};

inline void
both (float *p)
{
#pragma acc update self(p[0:N]) // NAMES p
#pragma omp target update from(p[0:N]) // NAMES p
}

template <typename T>
void
each (T *p)
{
#pragma acc data copyin(p[0:N]) // NAMES p
#pragma omp target data map(to: p[0:N]) // NAMES p
  if (sizeof *p == sizeof (float))
    both ((float *) p);
}

void other (float *, double *);

#ifdef SECOND
void
other (float *f, double *d)
{
  each (f);
  each (d);
}
#else
int
main ()
{
  vec<float> f (N);
  vec<double> d (N);
  other (f.v, d.v);
  each (f.v);
  auto lambda = [] (float *p) {
#pragma acc update device(p[0:N]) // NAMES p
#pragma omp target update to(p[0:N]) // NAMES p
  };
  lambda (f.v);
  try
    {
      float *w = f.v;
#pragma acc update self(w[0:N]) // NAMES w
#pragma omp target update from(f.v[0:N]) // NAMES f
      throw 1;
    }
  catch (int i)
    {
      std::printf ("%d\n", i);
    }
}
#endif
