/* Teams that are blocks, in C++: their objects, templates, lambdas.

   ACCEPT: 2
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"
#include <omp.h>
enum { TEAMS = 7, THREADS = 64, N = TEAMS * THREADS };
static int in[N], out[N], want[N];
/* GCC has no aliases on the device.  */
#define INLINE __attribute__ ((always_inline)) inline

#pragma omp declare target
struct counter
{
  int n;
  INLINE counter () : n (1) {}
  INLINE explicit counter (int k) : n (k) {}
  INLINE counter (const counter &o) : n (o.n + 1) {}
  INLINE ~counter () { n = -5; }
  void add (int k) { n += k; }
  int get () const { return n; }
};
template <typename T, int M> struct tile
{
  T a[M];
  T &operator[] (int i) { return a[i]; }
  T sum () const { T s = 0; for (int i = 0; i < M; i++) s += a[i]; return s; }
};
#pragma omp end declare target
static void objects (int teams)
{
#pragma omp target teams num_teams (teams) thread_limit (THREADS) map (to: in) map (tofrom: out)
  {
    counter c, d (4);
    tile<int, THREADS> t;
    int &first = t[0];
    int team = omp_get_team_num ();
    c.add (team);
#pragma omp parallel
    {
      int n = omp_get_num_threads ();
      counter mine (3);
      for (int i = omp_get_thread_num (); i < THREADS; i += n)
        { t[i] = in[team * THREADS + i]; mine.add (1); }
#pragma omp critical
      d.add (mine.get () - 3);
#pragma omp barrier
      for (int i = omp_get_thread_num (); i < THREADS; i += n)
        out[team * THREADS + i] = t[THREADS - 1 - i] + c.get () + first;
    }
    out[team * THREADS] = t.sum () + d.get ();
  }
  for (int t = 0; t < teams; t++)
    {
      int s = 0;
      for (int i = 0; i < THREADS; i++)
        {
          s += in[t * THREADS + i];
          want[t * THREADS + i] = in[t * THREADS + THREADS - 1 - i] + 1 + t + in[t * THREADS];
        }
      want[t * THREADS] = s + 4 + THREADS;
    }
  check_ints ("objects", out, want, N);
}
template <int K> static void lambda (int teams)
{
  int add = 3;
#pragma omp target teams num_teams (teams) thread_limit (THREADS) map (to: in) map (tofrom: out)
  {
    int t[THREADS];
    auto at = [&] (int i) -> int & { return t[(i + K) % THREADS]; };
#pragma omp parallel for
    for (int i = 0; i < THREADS; i++)
      at (i) = in[omp_get_team_num () * THREADS + i] + add;
#pragma omp parallel for
    for (int i = 0; i < THREADS; i++)
      out[omp_get_team_num () * THREADS + i] = at (THREADS - 1 - i);
  }
  for (int i = 0; i < teams * THREADS; i++)
    want[i] = in[i / THREADS * THREADS + THREADS - 1 - i % THREADS] + add;
  check_ints ("a lambda", out, want, N);
}
int main ()
{
  for (int i = 0; i < N; i++) in[i] = i * 7 % 31;
  objects (TEAMS);
  lambda<3> (TEAMS);
  return check_status ();
}
