/* Three kernels a round, whose operands go there and back by FORM: 1 updates, 2 clauses
   on the constructs, 3 data constructs around them; -DSHARED: one input is of all.
   ALL opens a construct around the rounds; ROUND (r, step, sum) is one, which adds what
   came back, every STEP-th of N, to SUM.  There are float a0[N] to a2, b0 to b2, c0 to c2.

   SPDX-License-Identifier: GPL-3.0-or-later  */

/* One input is of all kernels.  */
#ifdef SHARED
# define B1 b0
# define B2 b0
#else
# define B1 b1
# define B2 b2
#endif

#define TEXT(...) #__VA_ARGS__
#define DO(...) _Pragma (TEXT (__VA_ARGS__))
#define BOTH(a, b) DO (acc a) DO (omp b)

#if FORM == 1
# define ALL                                                                  \
   BOTH (data create (a0[:N], a1[:N], a2[:N], b0[:N], b1[:N], b2[:N],         \
                      c0[:N], c1[:N], c2[:N]),                                \
	 target data map (alloc: a0[:N], a1[:N], a2[:N], b0[:N], b1[:N],      \
			  b2[:N], c0[:N], c1[:N], c2[:N]))
# define KERNEL(a, b, c)                                                      \
   BOTH (update device (a[:N], b[:N]), target update to (a[:N], b[:N]))       \
   BOTH (parallel loop present (a[:N], b[:N], c[:N]),                         \
	 target teams distribute parallel for)
# define BACK(c) BOTH (update self (c[:N]), target update from (c[:N]))
#elif FORM == 2
# define ALL
# define KERNEL(a, b, c)                                                      \
   BOTH (parallel loop if (argc) copyin (a[:N], b[:N]) copyout (c[:N]),       \
	 target teams distribute parallel for if (argc) map (to: a[:N], b[:N]) \
	   map (from: c[:N]))
# define BACK(c)
#else
# define ALL
# define KERNEL(a, b, c)                                                      \
   BOTH (data copyin (a[:N], b[:N]) copyout (c[:N]),                          \
	 target data map (to: a[:N], b[:N]) map (from: c[:N]))                \
   BOTH (parallel loop present (a[:N], b[:N], c[:N]),                         \
	 target teams distribute parallel for)
# define BACK(c)
#endif

#define SET(r)                                                                \
  for (int i = 0; i < N; i++)                                                 \
    {                                                                         \
      a0[i] = i + r;                                                          \
      a1[i] = (i ^ r) - 9;                                                    \
      a2[i] = r - i;                                                          \
      b0[i] = 2 * i + r;                                                      \
      b1[i] = i * r & 127;                                                    \
      b2[i] = 7 * i - 5 * r;                                                  \
    }

#define DO_ALL(a, b, c, op)                                                   \
  KERNEL (a, b, c)                                                            \
  for (int i = 0; i < N; i++)                                                 \
    c[i] = a[i] op b[i];                                                      \
  BACK (c)

#define ROUND(r, step, sum)                                                   \
  SET (r)                                                                     \
  DO_ALL (a0, b0, c0, +)                                                      \
  DO_ALL (a1, B1, c1, -)                                                      \
  DO_ALL (a2, B2, c2, *)                                                      \
  for (int i = 0; i < N; i += step)                                           \
    sum += c0[i] + 2 * c1[i] + 3 * c2[i];
