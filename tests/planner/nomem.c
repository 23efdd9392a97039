/* Every malloc that planning makes fails once: a status comes back, and
   nothing leaks or breaks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "random.h"

/* The linker sends the planner's allocations here (--wrap).  */
void *__real_malloc (size_t);
void *__real_calloc (size_t, size_t);
void *__real_reallocarray (void *, size_t, size_t);
void __real_free (void *);
void *__wrap_malloc (size_t);
void *__wrap_calloc (size_t, size_t);
void *__wrap_reallocarray (void *, size_t, size_t);
void __wrap_free (void *);

static long left = -1;	/* allocations that succeed, -1 for all */
static long live;	/* blocks */

static bool
fails (void)
{
  return left >= 0 && left-- == 0;
}

void *
__wrap_malloc (size_t n)
{
  if (fails ())
    return NULL;
  live++;
  return __real_malloc (n);
}

void *
__wrap_calloc (size_t n, size_t size)
{
  if (fails ())
    return NULL;
  live++;
  return __real_calloc (n, size);
}

void *
__wrap_reallocarray (void *p, size_t n, size_t size)
{
  if (fails ())
    return NULL;
  live += !p;
  return __real_reallocarray (p, n, size);
}

void
__wrap_free (void *p)
{
  live -= p != NULL;
  __real_free (p);
}

/* Build and plan a graph that needs several arena chunks.  */
static enum acr_plan_status
run (size_t cap)
{
  enum { VECTORS = 200, KERNELS = 400 };
  struct acr_plan_options opt = acr_plan_defaults;
  struct acr_plan *p = NULL;
  enum acr_plan_status s = ACR_PLAN_OK;
  uint64_t rng = 5;
  unsigned index;
  struct acr_graph *g = acr_graph_new ();
  if (!g)
    return ACR_PLAN_NOMEM;
  opt.cap = cap;
  for (unsigned v = 0; v < VECTORS && !s; v++)
    s = acr_graph_vector (g, 1, ACR_HOST, ACR_HOST, &index);
  for (unsigned k = 0; k < KERNELS && !s; k++)
    {
      s = acr_graph_kernel (g, roll (&rng, 3) ? ACR_DEVICE : ACR_HOST);
      for (unsigned i = 0; i < 3 && !s; i++)
	s = acr_graph_operand (g, roll (&rng, VECTORS), 1 + roll (&rng, 3));
    }
  if (!s)
    s = acr_plan_make (g, &opt, &p);
  if (s && p)
    s = ACR_PLAN_UNDEFINED;
  acr_plan_free (p);
  acr_graph_free (g);
  return s;
}

int
main (void)
{
  const size_t caps[] = { SIZE_MAX, 20 };
  for (unsigned i = 0; i < 2; i++)
    {
      unsigned failed = 0, wrong = 0;
      enum acr_plan_status s;
      do
	{
	  left = failed;
	  s = run (caps[i]);
	  wrong += live != 0 || (s && s != ACR_PLAN_NOMEM);
	  failed++;
	}
      while (s && !wrong);
      left = -1;
      ok (failed > 20, "%u allocations fail, one by one", failed - 1);
      ok_int (wrong, 0, "each gives a status and leaks nothing");
    }
  return done_testing ();
}
