/* Calls the sequences of blas.h with data on the device, checks and times them.
   usage: blas [-q] [-n REPEATS] [-w WARM] [ELEMENTS [ROWS [SEQUENCE...]]]
   Vectors have ELEMENTS numbers, matrices ROWS x ROWS.  For each sequence prints its
   name, the median and the least time in microseconds, and the gigabytes per second
   of kernels that move what they have to and take as long as the median; WRONG, and
   status 1, where results differ from the host's.  With -q nothing is checked.

   A matrix's rows are contiguous, or with COLUMNS its columns, as in Fortran.  With
   BENCH_TURN in the environment (../bench.h), programs that run at once time their
   calls in turn; with -q, all calls of a program are one turn, and so are its copies to
   the device.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "../bench.h"
#include "../named.h"

#include "blas.h"

static long n = 1 << 16, m = 200;

/* The place of a matrix's element.  */
static long
place (long row, long column)
{
#ifdef COLUMNS
  return column * m + row;
#else
  return row * m + column;
#endif
}

enum array
{
  A, B, C, P, Q, R, S, U1, U2, V1, V2, W, X, Y, Z, ARRAYS
};

/* Each array as the host has it, before the sequence and behind it, and as the
   sequence gets it.  */
static struct
{
  float *before, *host, *device;
  long n;
} array[ARRAYS];

static float *
device (enum array a)
{
  return array[a].device;
}

static const float *
before (enum array a)
{
  return array[a].before;
}

static float result;
static bool quick;

/* ---- What is called ----------------------------------------------------- */

static void
call_axpydot (void)
{
  result = axpydot (n, device (W), device (X), device (Y), device (Z));
}

static void
call_sscal (void)
{
  sscal (n, device (X));
}

static void
call_vadd (void)
{
  vadd (n, device (W), device (Y), device (Z), device (X));
}

static void
call_waxpby (void)
{
  waxpby (n, device (X), device (Y), device (W));
}

static void
call_madd (void)
{
  madd (m, device (A), device (B), device (C));
}

static void
call_sgemv (void)
{
  sgemv (m, device (A), device (X), device (Y), device (Z));
}

static void
call_atax (void)
{
  atax (m, device (A), device (X), device (Y), device (Z));
}

static void
call_bicgk (void)
{
  bicgk (m, device (A), device (P), device (R), device (Q), device (S));
}

static void
call_sgemvt (void)
{
  sgemvt (m, device (A), device (Y), device (Z), device (X), device (W));
}

static void
call_gemver (void)
{
  gemver (m, device (A), device (U1), device (V1), device (U2), device (V2),
	  device (Y), device (Z), device (B), device (X), device (W));
}

static void
call_gesummv (void)
{
  gesummv (m, device (A), device (B), device (X), device (Y));
}

/* ---- What the results should be ----------------------------------------- */

/* Elements of ARRAY that are not near WANT, all numbers being positive.  */
static long
count_wrong (enum array which, const double *want)
{
  long wrong = 0;
  for (long i = 0; i < array[which].n; i++)
    wrong += !(fabs (array[which].host[i] - want[i]) <= 1e-4 * fabs (want[i]));
  return wrong;
}

static double *
numbers (long count)
{
  return (double *)bench_alloc (count, sizeof (double));
}

static long
wrong_and_free (enum array which, double *want)
{
  long wrong = count_wrong (which, want);
  free (want);
  return wrong;
}

/* FACTOR M X + PLUS, or of M transposed; in the order of M's elements.  */
static double *
product (double factor, const float *matrix, const double *vector, bool transposed,
	 double plus_factor, const float *plus)
{
  double *sum = numbers (m);
  bool along = transposed == (place (0, 1) != 1);
  for (long k = 0; k < m; k++)
    for (long l = 0; l < m; l++)
      if (along)
	sum[k] += (double)matrix[k * m + l] * vector[l];
      else
	sum[l] += (double)matrix[k * m + l] * vector[k];
  for (long i = 0; i < m; i++)
    sum[i] = factor * sum[i] + (plus ? plus_factor * plus[i] : 0);
  return sum;
}

static double *
as_double (enum array which)
{
  double *v = numbers (array[which].n);
  for (long i = 0; i < array[which].n; i++)
    v[i] = before (which)[i];
  return v;
}

static long
wrong_product (enum array to, double factor, const float *matrix, enum array by,
	       bool transposed, double plus_factor, const float *plus)
{
  double *vector = as_double (by);
  double *want = product (factor, matrix, vector, transposed, plus_factor, plus);
  free (vector);
  return wrong_and_free (to, want);
}

static long
wrong_axpydot (void)
{
  double *want = numbers (n), sum = 0, size = 0;
  for (long i = 0; i < n; i++)
    {
      want[i] = (double)before (W)[i] - ALPHA * before (X)[i];
      sum += want[i] * before (Y)[i];
      size += fabs (want[i] * before (Y)[i]);
    }
  long wrong = !(fabs (result - sum) <= 1e-4 * size);
  /* A difference may be near 0.  */
  for (long i = 0; i < n; i++)
    wrong += !(fabs (array[Z].host[i] - want[i]) <= 1e-6);
  free (want);
  return wrong;
}

static long
wrong_sscal (void)
{
  double *want = numbers (n);
  for (long i = 0; i < n; i++)
    want[i] = ALPHA * before (X)[i];
  return wrong_and_free (X, want);
}

static long
wrong_vadd (void)
{
  double *want = numbers (n);
  for (long i = 0; i < n; i++)
    want[i] = (double)before (W)[i] + before (Y)[i] + before (Z)[i];
  return wrong_and_free (X, want);
}

static long
wrong_waxpby (void)
{
  double *want = numbers (n);
  for (long i = 0; i < n; i++)
    want[i] = (double)ALPHA * before (X)[i] + (double)BETA * before (Y)[i];
  return wrong_and_free (W, want);
}

static long
wrong_madd (void)
{
  double *want = numbers (m * m);
  for (long i = 0; i < m * m; i++)
    want[i] = (double)before (A)[i] + before (B)[i];
  return wrong_and_free (C, want);
}

static long
wrong_sgemv (void)
{
  return wrong_product (Z, ALPHA, before (A), X, false, BETA, before (Y));
}

static long
wrong_atax (void)
{
  double *x = as_double (X), *z = product (1, before (A), x, false, 0, NULL);
  double *y = product (1, before (A), z, true, 0, NULL);
  free (x);
  return wrong_and_free (Z, z) + wrong_and_free (Y, y);
}

static long
wrong_bicgk (void)
{
  return wrong_product (Q, 1, before (A), P, false, 0, NULL)
	 + wrong_product (S, 1, before (A), R, true, 0, NULL);
}

/* X and W, of the products with MATRIX that end SGEMVT and GEMVER.  */
static long
wrong_products (const float *matrix)
{
  double *y = as_double (Y), *x = product (BETA, matrix, y, true, 1, before (Z));
  double *w = product (ALPHA, matrix, x, false, 0, NULL);
  free (y);
  return wrong_and_free (X, x) + wrong_and_free (W, w);
}

static long
wrong_sgemvt (void)
{
  return wrong_products (before (A));
}

static long
wrong_gemver (void)
{
  double *b = as_double (A);
  for (long i = 0; i < m; i++)
    for (long j = 0; j < m; j++)
      b[place (i, j)] += (double)before (U1)[i] * before (V1)[j]
			 + (double)before (U2)[i] * before (V2)[j];
  return wrong_and_free (B, b) + wrong_products (array[B].host);
}

static long
wrong_gesummv (void)
{
  double *x = as_double (X), *y = product (ALPHA, before (A), x, false, 0, NULL),
	 *z = product (BETA, before (B), x, false, 0, NULL);
  for (long i = 0; i < m; i++)
    y[i] += z[i];
  free (x);
  free (z);
  return wrong_and_free (Y, y);
}

/* ---- The table ---------------------------------------------------------- */

/* A set of arrays, and how many of them have to be read or written: of their size,
   matrices where there are some.  SGEMVT and GEMVER read one again, as the second
   product needs all of the first.  */
#define IN(a) (1u << (a))
static const struct sequence
{
  const char *name;
  void (*call) (void);
  long (*wrong) (void);
  unsigned arrays;
  double moves;
} sequences[] = {
  { "AXPYDOT", call_axpydot, wrong_axpydot, IN (W) | IN (X) | IN (Y) | IN (Z), 4 },
  { "SSCAL", call_sscal, wrong_sscal, IN (X), 2 },
  { "VADD", call_vadd, wrong_vadd, IN (W) | IN (X) | IN (Y) | IN (Z), 4 },
  { "WAXPBY", call_waxpby, wrong_waxpby, IN (W) | IN (X) | IN (Y), 3 },
  { "MADD", call_madd, wrong_madd, IN (A) | IN (B) | IN (C), 3 },
  { "SGEMV", call_sgemv, wrong_sgemv, IN (A) | IN (X) | IN (Y) | IN (Z), 1 },
  { "ATAX", call_atax, wrong_atax, IN (A) | IN (X) | IN (Y) | IN (Z), 1 },
  { "BiCGK", call_bicgk, wrong_bicgk,
    IN (A) | IN (P) | IN (Q) | IN (R) | IN (S), 1 },
  { "SGEMVT", call_sgemvt, wrong_sgemvt,
    IN (A) | IN (W) | IN (X) | IN (Y) | IN (Z), 2 },
  { "GEMVER", call_gemver, wrong_gemver,
    IN (A) | IN (B) | IN (U1) | IN (U2) | IN (V1) | IN (V2) | IN (W) | IN (X)
      | IN (Y) | IN (Z), 3 },
  { "GESUMMV", call_gesummv, wrong_gesummv, IN (A) | IN (B) | IN (X) | IN (Y), 2 },
};

/* Numbers come again after so many, which is no multiple of a matrix's rows.  */
enum
{
  PERIOD = (1 << 20) + 7
};

/* The elements of A in Q; 0: Q has none.  */
static long
elements (const struct sequence *q, int a)
{
  if (!(q->arrays >> a & 1))
    return 0;
  return a <= C ? m * m : q->arrays & IN (A) ? m : n;
}

static size_t
bytes_of (int a)
{
  return array[a].n * sizeof (float);
}

/* Let A have COUNT elements on the host.  */
static void
fill (int a, long count)
{
  array[a].n = count;
  array[a].before = (float *)bench_alloc (1, bytes_of (a));
  array[a].host = quick ? array[a].before : (float *)bench_alloc (1, bytes_of (a));
  for (long i = 0; i < count && i < PERIOD; i++)
    array[a].before[i] = bench_uniform (a + 1, i);
  for (long i = PERIOD; i < count; i += PERIOD)
    memcpy (array[a].before + i, array[a].before,
	    (count - i < PERIOD ? count - i : PERIOD) * sizeof (float));
  if (!quick)
    memcpy (array[a].host, array[a].before, bytes_of (a));
}

static void
send (void)
{
  for (int a = 0; a < ARRAYS; a++)
    if (array[a].n)
      array[a].device = (float *)device_in (array[a].host, bytes_of (a));
}

static void
drop (void)
{
  for (int a = 0; a < ARRAYS; a++)
    if (array[a].n)
      {
	device_drop (array[a].host, array[a].device, bytes_of (a));
	free (array[a].before);
	if (!quick)
	  free (array[a].host);
	array[a].n = 0;
      }
}

static long
count_all_wrong (const struct sequence *q)
{
  for (int a = 0; a < ARRAYS; a++)
    if (q->arrays >> a & 1)
      device_out (array[a].host, array[a].device, array[a].n * sizeof (float));
  return q->wrong ();
}

/* Wait for what the host has not waited for.  */
static void
synchronize (void)
{
#ifdef __CUDACC__
  CUDA_CHECK (cudaDeviceSynchronize ());
#endif
}

/* Call Q again and again, and print what that takes.  */
static void
time_calls (const struct sequence *q, int warm, int repeats, const char *wrong)
{
  double *t = numbers (repeats);
  for (int i = -warm; i < repeats; i++)
    {
      double start = stopwatch_seconds ();
      q->call ();
      synchronize ();
      if (i >= 0)
	t[i] = stopwatch_seconds () - start;
    }
  double median = stopwatch_median (t, repeats);
  double bytes = q->moves * sizeof (float) * (q->arrays & IN (A) ? (double)m * m : n);
  printf ("%s %.2f %.2f %.0f%s\n", q->name, median * 1e6, t[0] * 1e6,
	  bytes / median * 1e-9, wrong);
  fflush (stdout);
  free (t);
}

static bool
check_and_time (const struct sequence *q, int warm, int repeats)
{
  struct bench turn;
  turn.name = q->name;
  for (int a = 0; a < ARRAYS; a++)
    if (elements (q, a))
      fill (a, elements (q, a));
  send ();
  bench_take_turn (&turn);
  q->call ();
  synchronize ();
  bench_pass_turn (&turn);
  long wrong = count_all_wrong (q);
  bench_take_turn (&turn);
  time_calls (q, warm, repeats, wrong ? " WRONG" : "");
  bench_pass_turn (&turn);
  drop ();
  return !wrong;
}

int
main (int argc, char **argv)
{
  int option, warm = 0, repeats = 1;
  long most[ARRAYS] = { 0 };
  bool right = true;
  struct bench turn;
  turn.name = "all";
  while ((option = getopt (argc, argv, "n:qw:")) > 0)
    switch (option)
      {
      case 'n':
	repeats = atoi (optarg);
	break;
      case 'q':
	quick = true;
	break;
      case 'w':
	warm = atoi (optarg);
	break;
      default:
	return 2;
      }
  argv += optind;
  if (*argv)
    n = atol (*argv++);
  if (*argv)
    m = atol (*argv++);
  for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
    for (int a = 0; is_named (sequences[i].name, argv) && a < ARRAYS; a++)
      if (elements (&sequences[i], a) > most[a])
	most[a] = elements (&sequences[i], a);
  if (quick)
    {
      for (int a = 0; a < ARRAYS; a++)
	if (most[a])
	  fill (a, most[a]);
      bench_take_turn (&turn);
      send ();
    }
  for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++)
    if (is_named (sequences[i].name, argv))
      {
	if (quick)
	  time_calls (&sequences[i], warm, repeats, "");
	else
	  right &= check_and_time (&sequences[i], warm, repeats);
      }
  if (quick)
    {
      drop ();
      bench_pass_turn (&turn);
    }
  return !right;
}
