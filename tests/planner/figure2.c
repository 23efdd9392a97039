/* The running example of the paper: intervals, components, and the schedule
   that it prints, for the order that its heuristic found.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "random.h"

enum { A, B, C, D, E, F, G, H, I, J, K, L, M, VECTORS };

static struct acr_graph *
build (void)
{
  static const struct
  {
    enum acr_where where;
    unsigned in[2], out[2];
  } kernels[] = {
    { ACR_DEVICE, { B, A }, { D, E } }, { ACR_HOST, { E, B }, { F, G } },
    { ACR_DEVICE, { C, F }, { H, I } }, { ACR_DEVICE, { F, H }, { J, K } },
    { ACR_DEVICE, { H, E }, { L, M } },
  };
  struct acr_graph *g = acr_graph_new ();
  unsigned index;
  for (unsigned v = A; v < VECTORS; v++)
    acr_graph_vector (g, 1, v <= C ? ACR_HOST : ACR_NOWHERE,
		      v == D || v == G || v >= I ? ACR_HOST : ACR_NOWHERE,
		      &index);
  for (unsigned k = 0; k < 5; k++)
    {
      acr_graph_kernel (g, kernels[k].where);
      for (unsigned i = 0; i < 2; i++)
	acr_graph_operand (g, kernels[k].in[i], ACR_ACCESS_READ);
      for (unsigned i = 0; i < 2; i++)
	acr_graph_operand (g, kernels[k].out[i], ACR_ACCESS_WRITE);
    }
  return g;
}

/* The paper's diagram: for each time a letter where a transfer in direction
   DIR is possible.  */
static void
diagram (const struct acr_work *w, enum acr_direction dir, char *out)
{
  for (unsigned time = 0; time < w->nsteps; time++)
    {
      unsigned boundary = time + (dir == ACR_DOWN);
      for (unsigned i = 0; i < w->ntransfers; i++)
	{
	  const struct acr_transfer *t = &w->transfers[i];
	  if (t->dir == dir && t->earliest <= boundary
	      && boundary <= t->latest)
	    *out++ = 'A' + t->vector;
	}
      *out++ = ' ';
    }
  *out = '\0';
}

/* Transfers and their times as text, in the order V.  */
static void
times (const struct acr_work *w, const unsigned *v, unsigned n, char *out)
{
  for (unsigned i = 0; i < n; i++)
    for (unsigned t = w->transfer_of[v[i]]; t < w->transfer_of[v[i] + 1]; t++)
      out += sprintf (out, "%c%u ", 'A' + v[i],
		      w->transfers[t].at
			- (w->transfers[t].dir == ACR_DOWN));
}

static void
order (const struct acr_plan *p, char *out)
{
  for (unsigned c = 0; c < p->ncomponents; c++)
    {
      for (unsigned i = p->component[c]; i < p->component[c + 1]; i++)
	*out++ = 'A' + p->order[i];
      *out++ = ' ';
    }
  *out = '\0';
}

int
main (void)
{
  static const unsigned up[] = { B, A, C, F }, down[] = { E, D, I, J, K, L, M };
  struct acr_arena arena = { .chunks = NULL };
  struct acr_graph *g = build ();
  struct acr_work w = { .arena = &arena, .g = g, .nvectors = VECTORS,
			.nsteps = 5 };
  char text[200];
  if (setjmp (arena.nomem))
    return 99;

  acr_work_analyse (&w);
  diagram (&w, ACR_UP, text);
  ok_str (text, "ABC C CF   ", "intervals of uploads");
  diagram (&w, ACR_DOWN, text);
  ok_str (text, "DE D DI DIJK DIJKLM ", "intervals of downloads");

  /* Operands of the same kernel weigh more.  */
  struct acr_weights a = acr_affinity_weights (&w, up, 4);
  ok_int (a.a[0 * 4 + 1], ACR_AFFINITY_UNIT + 1, "affinity of A and B");
  ok_int (a.a[1 * 4 + 2], ACR_AFFINITY_UNIT, "affinity of A and C");
  ok_int (a.a[2 * 4 + 3], ACR_AFFINITY_UNIT + 1, "affinity of C and F");
  ok_int (a.a[1 * 4 + 3], 0, "affinity of A and F");

  ok_int (acr_emit_ordered (&w, up, 4, ACR_EMIT_GREEDY), 2,
	  "uploads saved, in the paper's order");
  times (&w, up, 4, text);
  ok_str (text, "B0 A0 C0 F2 ", "their times");
  ok_int (acr_emit_ordered (&w, down, 7, ACR_EMIT_GREEDY), 5,
	  "downloads saved, in the paper's order");
  times (&w, down, 7, text);
  ok_str (text, "E0 D0 I4 J4 K4 L4 M4 ", "their times");

  struct acr_plan_options opt = acr_plan_defaults;
  struct acr_plan *p;
  if (acr_plan_make (g, &opt, &p))
    return 99;
  order (p, text);
  ok_str (text, "ABCF DEIJKLM G H ", "components and placement");
  ok_int (p->startups_before - p->startups_after, 7, "greedy saves 7");
  ok_int (p->startups_least, p->startups_after, "which is optimal");
  ok_int (p->transfers[C].at, 0, "greedy uploads C with A and B");
  acr_plan_free (p);

  opt.emit = ACR_EMIT_TIGHT;
  if (acr_plan_make (g, &opt, &p))
    return 99;
  ok_int (p->startups_before - p->startups_after, 7, "tight saves 7");
  ok_int (p->transfers[C].at, 2, "tight uploads C with F");
  acr_plan_free (p);

  opt.cap = acr_graph_least_cap (g, NULL) - 1;
  ok_int (acr_plan_make (g, &opt, &p), ACR_PLAN_CAP, "too small a cap");
  ok (!p, "gives no plan");
  opt.cap = SIZE_MAX;
  opt.exact = ACR_EXACT_LIMIT + 1;
  ok_int (acr_plan_make (g, &opt, &p), ACR_PLAN_RANGE,
	  "too large a component for exact search");
  ok_int (acr_graph_operand (g, H, 0), ACR_PLAN_OK, "no access");

  unsigned v;
  acr_graph_vector (g, 1, ACR_NOWHERE, ACR_NOWHERE, &v);
  ok_int (acr_graph_operand (g, v, ACR_ACCESS_READ), ACR_PLAN_UNDEFINED,
	  "a vector without a value cannot be read");
  ok_int (acr_graph_vector (g, SIZE_MAX, ACR_HOST, ACR_HOST, &v),
	  ACR_PLAN_RANGE, "sizes that do not add up");
  ok_int (acr_graph_vector (g, 0, ACR_HOST, ACR_HOST, &v), ACR_PLAN_RANGE,
	  "no size");
  acr_graph_free (g);

  /* Nothing at all, and nothing to do.  */
  g = acr_graph_new ();
  opt = acr_plan_defaults;
  ok_int (acr_plan_make (g, &opt, &p), ACR_PLAN_OK, "an empty graph");
  ok_int (p->ndmas + p->ncomponents + p->ncopies, 0, "has an empty plan");
  acr_plan_free (p);
  acr_graph_free (g);
  acr_arena_free (&arena);
  return done_testing ();
}
