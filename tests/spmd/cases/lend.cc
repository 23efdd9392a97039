/* Variables that all threads have, whose addresses calls are given: a callee may store
   through another parameter, and give the address back.

   ACCEPT: 9
   REJECT: the loop sets a variable that its threads share
   REJECT: the loop sets a variable that its threads share
   REJECT: the loop sets a variable that its threads share
   REJECT: the loop sets a variable that its threads share
   REJECT: the loop sets a variable that its threads share
   REJECT: the loop sets a variable that its threads share
   REJECT: the loop sets a variable that its threads share
   REJECT: the loop sets a variable that its threads share
   REJECT: the loop sets a variable that its threads share
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <algorithm>

#include "check.h"

enum
{
  ROWS = 29,
  COLUMNS = 31,
  N = ROWS * COLUMNS
};

static int in[N], out[N], want[N];
static int *kept;
#pragma omp declare target to(kept)

struct pair
{
  int first, second;
};

#pragma omp declare target
inline void
clip (const bool &hard, const int &limit, int &value)
{
  if (value >= limit)
    value = hard ? limit - 1 : value - limit;
}

inline pair
both (const pair &p, int by, int *sum)
{
  *sum += p.second;
  pair q = { p.first * by, p.second + by };
  return q;
}

inline int
total (const int *of, int from, int to, int &steps)
{
  int sum = 0;
  for (int k = from; k < to; k++, steps++)
    sum += of[k];
  return sum;
}

inline int &
larger (int &a, int &b)
{
  int *result = &a;
  if (a < b)
    result = &b;
  return *result;
}

inline void
through_copy (int *limit, int &value)
{
  int *same = limit;
  value++;
  if (value < 0)
    *same = 0;
}

inline void
deeper (int &limit, int &value)
{
  value++;
  if (value < 0)
    through_copy (&limit, value);
}

inline void
keep (int &limit, int &value)
{
  value++;
  if (value < 0)
    kept = &limit;
}

inline void
compare (int &limit, int &value)
{
  value += &limit == &value;
}

inline void
count (int &limit, int &value)
{
  value++;
  if (value < 0)
    limit++;
}

/* With a jump, so that statements have labels.  */
inline void
again (int &limit, int &value)
{
  int *at = &value;
 next:
  ++*at;
  if (*at < 0)
    {
      at = &limit;
      goto next;
    }
}
#pragma omp end declare target

static void
accepted (bool hard, int limit, int low, pair p)
{
  int weights[4] = { 3, 1, 4, 1 };
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    {
      int v = in[i];
      clip (hard, limit, v);
      out[i] = v;
    }
#pragma omp target teams distribute parallel for collapse(2)
  for (int i = 0; i < ROWS; i++)
    for (int j = 0; j < COLUMNS; j++)
      out[i * COLUMNS + j] += std::min (in[i * COLUMNS + j] + 1, limit);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    out[i] += std::max (std::min (in[i], limit), low);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    {
      int sum = i;
      pair q = both (p, in[i], &sum);
      out[i] += q.first + 2 * q.second + sum;
    }
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    {
      int steps = 0;
      out[i] += total (weights, i % 3, 4, steps);
      out[i] += steps;
    }
#pragma omp target teams distribute
  for (int i = 0; i < ROWS; i++)
    {
      int row = 3 * i;
#pragma omp parallel for
      for (int j = 0; j < COLUMNS; j++)
	out[i * COLUMNS + j] += std::min (row + j, limit);
    }
#pragma omp target teams num_teams(ROWS) thread_limit(32)
#pragma omp distribute
  for (int i = 0; i < ROWS; i++)
    {
      int line[COLUMNS], top = limit + i;
#pragma omp parallel for
      for (int j = 0; j < COLUMNS; j++)
	{
	  int v = in[i * COLUMNS + j];
	  clip (hard, top, v);
	  line[j] = v;
	}
#pragma omp parallel for
      for (int j = 0; j < COLUMNS; j++)
	out[i * COLUMNS + j] += line[COLUMNS - 1 - j];
    }
  /* What comes back has a name, and is loaded from twice.  */
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    {
      int mine = in[i];
      const int &large = larger (limit, mine);
      out[i] += large + 2 * large;
    }
  /* Each iteration's own.  */
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    {
      int one = in[i], other = i;
      larger (one, other) += 5;
      out[i] += one - other;
    }
}

static void
accepted_want (bool hard, int limit, int low, pair p)
{
  int weights[4] = { 3, 1, 4, 1 };
  for (int i = 0; i < N; i++)
    {
      int v = in[i], line = i / COLUMNS, steps = 0;
      clip (hard, limit, v);
      want[i] = v;
      want[i] += in[i] + 1 < limit ? in[i] + 1 : limit;
      v = in[i] < limit ? in[i] : limit;
      want[i] += v > low ? v : low;
      want[i] += p.first * in[i] + 2 * (p.second + in[i]) + i + p.second;
      want[i] += total (weights, i % 3, 4, steps);
      want[i] += steps;
      v = 3 * line + i % COLUMNS;
      want[i] += v < limit ? v : limit;
      v = in[line * COLUMNS + COLUMNS - 1 - i % COLUMNS];
      clip (hard, limit + line, v);
      want[i] += v;
      want[i] += 3 * (in[i] > limit ? in[i] : limit);
      want[i] += in[i] < i ? in[i] - i - 5 : in[i] + 5 - i;
    }
}

/* Addresses that something is stored through, or that go elsewhere.  */
static void
rejected (int limit, int **where)
{
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    count (limit, out[i]);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    through_copy (&limit, out[i]);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    deeper (limit, out[i]);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    keep (limit, out[i]);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    compare (limit, out[i]);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    again (limit, out[i]);
  /* What comes back is stored through, goes into memory, and to a callee that
     stores.  */
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    {
      int mine = 1000000 + i;
      larger (limit, mine) += 1;
      out[i] += mine - 1000000 - i;
    }
#pragma omp target teams distribute parallel for map(tofrom : where[0 : N])
  for (int i = 0; i < N; i++)
    {
      int mine = i;
      int &large = larger (mine, limit);
      where[i] = &large;
      out[i]++;
    }
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    {
      int mine = i;
      count (larger (mine, limit), out[i]);
    }
}

static int *where[N];

int
main ()
{
  pair p = { 3, 8 };
  for (int i = 0; i < N; i++)
    in[i] = i * 7919 % 1009;
#pragma omp target data map(to : in) map(from : out)
  {
    accepted (true, 500, 40, p);
#pragma omp target update from(out)
    accepted_want (true, 500, 40, p);
    check_ints ("lent", out, want, N);
    accepted (false, 300, 70, p);
#pragma omp target update from(out)
    accepted_want (false, 300, 70, p);
    check_ints ("lent again", out, want, N);
    rejected (5000, where);
#pragma omp target update from(out)
    for (int i = 0; i < N; i++)
      want[i] += 8;
    check_ints ("not lent", out, want, N);
  }
  return check_status ();
}
