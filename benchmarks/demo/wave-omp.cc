/* SPDX-License-Identifier: GPL-3.0-or-later  */
// A damped wave on a square membrane, OpenMP C++: each time step is one
// default `target teams distribute parallel for`.
// Usage: wave-omp [N [STEPS]]; prints the energy and a checksum.
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace {

class Membrane
{
public:
  explicit Membrane (int n)
    : n_ (n), now_ (n * n), before_ (n * n)
  {
    now_[(n / 2) * n + n / 3] = 1.0f;
  }

  void
  run (int steps)
  {
    float *now = now_.data (), *before = before_.data ();
    int n = n_, size = n * n;
#pragma omp target data map(tofrom: now[0:size], before[0:size])
    for (int step = 0; step < steps; step++)
      {
#pragma omp target teams distribute parallel for collapse(2)
	for (int i = 1; i < n - 1; i++)
	  for (int j = 1; j < n - 1; j++)
	    {
	      int k = i * n + j;
	      float bend = now[k - 1] + now[k + 1] + now[k - n] + now[k + n]
			   - 4.0f * now[k];
	      before[k] = 1.99f * now[k] - 0.99f * before[k] + 0.2f * bend;
	    }
	std::swap (now, before);
      }
    if (steps % 2)
      now_.swap (before_);
  }

  double
  energy () const
  {
    double e = 0;
    for (float x : now_)
      e += x * x;
    return e;
  }

  double
  sum () const
  {
    double s = 0;
    for (float x : now_)
      s += x;
    return s;
  }

private:
  int n_;
  std::vector<float> now_, before_;
};

} // namespace

int
main (int argc, char **argv)
{
  int n = argc > 1 ? std::atoi (argv[1]) : 128;
  int steps = argc > 2 ? std::atoi (argv[2]) : 20;
  if (n < 3)
    return 1;
  Membrane m (n);
  m.run (steps);
  std::printf ("energy %.9g checksum %.9g\n", m.energy (), m.sum ());
  return 0;
}
