/* Connected component labelling: frames are parents, their pixels children, in
   three launches one after the other: each pixel is a tree of its own; the
   trees of neighbours are joined, the root with the smaller number above; each
   pixel learns its root.

   Source: Komura, "GPU-based cluster-labeling algorithm without the use of
   conventional iteration", Computer Physics Communications 194, 2015.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "ccl.h"
#include "forms.h"

#pragma acc routine seq
#pragma omp declare target
static inline int
root_of (int *label, int p)
{
  int above;
  while ((above = __atomic_load_n (&label[p], __ATOMIC_RELAXED)) != p)
    p = above;
  return p;
}
#pragma omp end declare target

/* Others may do the same at the same time: what is below a root that is none
   any more has to be joined with what that has been joined with.  */
#pragma acc routine seq
#pragma omp declare target
static inline void
join (int *label, int p, int q)
{
  for (;;)
    {
      int a = root_of (label, p), b = root_of (label, q);
      if (a == b)
        return;
      int low = a < b ? a : b, high = a < b ? b : a, old = high;
      if (__atomic_compare_exchange_n (&label[high], &old, low, 0,
                                       __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return;
    }
}
#pragma omp end declare target

static void
label_all (int frames, int height, int width, int pixels,
           const char *restrict pixels_of, int *restrict labels)
{
  PARENTS (SECTION (pixels_of, frames * pixels)
               SECTION (labels, frames * pixels))
  for (int f = 0; f < frames; f++)
    {
      const char *pixel = pixels_of + (size_t)f * pixels;
      int *label = labels + (size_t)f * pixels;
      CHILDREN ()
      for (int p = 0; p < pixels; p++)
        label[p] = pixel[p] ? p : BACKGROUND;
      CHILDREN ()
      for (int p = 0; p < pixels; p++)
        if (pixel[p])
          {
            if (p % width && pixel[p - 1])
              join (label, p, p - 1);
            if (p >= width && pixel[p - width])
              join (label, p, p - width);
          }
      CHILDREN ()
      for (int p = 0; p < pixels; p++)
        if (pixel[p])
          {
            int root = root_of (label, p);
            __atomic_store_n (&label[p], root, __ATOMIC_RELAXED);
          }
    }
}

static void
label_frames (int frames, int height, int width, const char *pixel, int *label)
{
  label_all (frames, height, width, height * width, pixel, label);
}
