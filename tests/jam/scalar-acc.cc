// Firstprivate scalars of OpenACC regions in C++: static members, references and
// variables of namespaces.
// SPDX-License-Identifier: GPL-3.0-or-later
#include "value.h"

static float a[N];

namespace grid
{
int nx;
static double dx;
}

struct model
{
  static int order;
  int own;
};
int model::order;

static void
members (int k)
{
  grid::nx = N - k;
  grid::dx = k / 8.;
  model::order = k + 1;
  // REMARK: region: 3 scalars in the argument block
#pragma acc parallel loop copy(a)
  for (int i = 0; i < grid::nx; i++)
    a[i] += grid::dx * model::order;
}

__attribute__ ((noipa)) static void
by_reference (const int &n, double &f)
{
  // REMARK: region: 2 scalars in the argument block
#pragma acc parallel loop copy(a)
  for (int i = 0; i < n; i++)
    a[i] += f;
  f += 1;
  // REMARK: region: 2 scalars in the argument block
#pragma acc parallel loop copy(a) async
  for (int i = 0; i < n; i++)
    a[i] += f;
  f = 1e9;
#pragma acc wait
}

template <typename T>
static void
of_type (const T &value)
{
  // REMARK: region: 1 scalar in the argument block
#pragma acc parallel loop copy(a)
  for (int i = 0; i < N; i++)
    a[i] += value;
}

static void
references (int k)
{
  int n = N / 2 + k;
  double f = k * .5;
  by_reference (n, f);
  int &alias = model::order;
  alias = 3 * k;
  of_type (alias);
  of_type (k / 3.f);
  auto inner = [&] {
#pragma acc parallel loop copy(a)
    for (int i = 0; i < n; i++)
      a[i] += n;
  };
  inner ();
}

static void
present (int k)
{
  int n = k;
  int &r = n;
#pragma acc enter data copyin(n)
  n = 30;
#pragma acc parallel loop copy(a)
  for (int i = 0; i < N; i++)
    a[i] += r;
  of_type (r);
#pragma acc exit data delete(n)
}

int
main ()
{
  void (*step[]) (int) = { members, references, present };
  for (int k = 0; k < 6; k++)
    for (unsigned i = 0; i < sizeof step / sizeof *step; i++)
      {
	step[i] (k);
	show (i, k, a);
      }
}
