/* Connected component labelling in C++, otherwise as ccl.c.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "ccl.h"
#include "forms.h"

namespace
{

#pragma omp declare target
/* Labels as a forest: a pixel has the number of the one above it, a root its
   own.  */
template <typename number> struct forest
{
  number *label;
};

#pragma acc routine seq
template <typename number>
inline number
root (const forest<number> &f, number p)
{
  number above;
  while ((above = __atomic_load_n (&f.label[p], __ATOMIC_RELAXED)) != p)
    p = above;
  return p;
}

/* Others may do the same at the same time: what is below a root that is none
   any more has to be joined with what that has been joined with.  */
#pragma acc routine seq
template <typename number>
inline void
join (const forest<number> &f, number p, number q)
{
  for (;;)
    {
      number a = root (f, p), b = root (f, q);
      if (a == b)
        return;
      number low = a < b ? a : b, high = a < b ? b : a, old = high;
      if (__atomic_compare_exchange_n (&f.label[high], &old, low, false,
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return;
    }
}
#pragma omp end declare target

void
label_all (int frames, int width, int pixels, const char *__restrict pixels_of,
           int *__restrict labels)
{
  PARENTS (SECTION (pixels_of, frames * pixels)
               SECTION (labels, frames * pixels))
  for (int f = 0; f < frames; f++)
    {
      const char *pixel = pixels_of + std::size_t (f) * pixels;
      int *label = labels + std::size_t (f) * pixels;
      CHILDREN ()
      for (int p = 0; p < pixels; p++)
        label[p] = pixel[p] ? p : BACKGROUND;
      CHILDREN ()
      for (int p = 0; p < pixels; p++)
        if (pixel[p])
          {
            const forest<int> all = { label };
            if (p % width && pixel[p - 1])
              join (all, p, p - 1);
            if (p >= width && pixel[p - width])
              join (all, p, p - width);
          }
      CHILDREN ()
      for (int p = 0; p < pixels; p++)
        if (pixel[p])
          {
            const forest<int> all = { label };
            __atomic_store_n (&label[p], root (all, p), __ATOMIC_RELAXED);
          }
    }
}

}

static void
label_frames (int frames, int height, int width, const char *pixel, int *label)
{
  label_all (frames, width, height * width, pixel, label);
}
