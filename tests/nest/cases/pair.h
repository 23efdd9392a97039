/* A structure, and its sum as a declared reduction.
   SPDX-License-Identifier: GPL-3.0-or-later  */

struct pair
{
  int a;
  double b;
};

#pragma omp declare target
static void
add (struct pair *x, const struct pair *y)
{
  x->a += y->a;
  x->b += y->b;
}
#pragma omp end declare target

#pragma omp declare reduction (pairs : struct pair : add (&omp_out, &omp_in)) \
  initializer (omp_priv = (struct pair){ 0, 0 })
