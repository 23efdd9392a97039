/* Connected component labelling: the labels of the pixels of several frames,
   all but the work on the device. Sizes: frames, their height and width.  The
   timed call labels all frames.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CCL_H
#define CCL_H

#include "../bench.h"

enum
{
  BACKGROUND = -1
};

/* 1 for a pixel of an object: squares in a grid that often touch, and noise.
 */
static char *
make_frames (int frames, int height, int width)
{
  char *pixel = (char *)bench_alloc ((size_t)frames * height, width);
  for (int f = 0; f < frames; f++)
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++)
        {
          size_t cell = ((size_t)f * height + y / 5) * width + x / 5;
          size_t p = ((size_t)f * height + y) * width + x;
          pixel[p] = (bench_uniform (14, cell) < 0.55)
                     != (bench_uniform (15, p) < 0.1);
        }
  return pixel;
}

/* The label of each pixel into LABEL: the number in its frame of the first one
   that it is connected with through neighbours in rows and columns.  All is on
   the device.  Defined by the program.  */
static void label_frames (int frames, int height, int width, const char *pixel,
                          int *label);

/* A pixel of the frame PIXEL has been reached: label it, and note it in STACK
   for its neighbours.  */
static void
reach (const char *pixel, int *label, int p, int first, int *stack, int *top)
{
  if (!pixel[p] || label[p] != BACKGROUND)
    return;
  label[p] = first;
  stack[(*top)++] = p;
}

/* The labels of one frame, object after object.  */
static void
expected_labels (int height, int width, const char *pixel, int *label,
                 int *stack)
{
  int pixels = height * width;
  for (int p = 0; p < pixels; p++)
    label[p] = BACKGROUND;
  for (int first = 0; first < pixels; first++)
    {
      int top = 0;
      reach (pixel, label, first, first, stack, &top);
      while (top)
        {
          int p = stack[--top];
          if (p % width)
            reach (pixel, label, p - 1, first, stack, &top);
          if ((p + 1) % width)
            reach (pixel, label, p + 1, first, stack, &top);
          if (p >= width)
            reach (pixel, label, p - width, first, stack, &top);
          if (p + width < pixels)
            reach (pixel, label, p + width, first, stack, &top);
        }
    }
}

int
main (int argc, char **argv)
{
  static const int sizes[] = { 3, 19, 37 };
  struct bench b;
  bench_begin (&b, "ccl", 3, sizes, argc, argv);
  int frames = b.size[0], height = b.size[1], width = b.size[2];
  int pixels = height * width;
  size_t all = (size_t)frames * pixels;
  char *pixel = make_frames (frames, height, width);
  int *label = (int *)bench_alloc (all, sizeof *label);
  int *want = (int *)bench_alloc (pixels, sizeof *want);
  int *stack = (int *)bench_alloc (pixels, sizeof *stack);
  char *its_pixel = (char *)device_in (pixel, all);
  int *its_label = (int *)device_in (label, all * sizeof *label);

  bench_take_turn (&b);
  label_frames (frames, height, width, its_pixel, its_label);
  device_out (label, its_label, all * sizeof *label);
  bench_pass_turn (&b);
  for (int f = 0; f < frames; f++)
    {
      const int *got = label + (size_t)f * pixels;
      expected_labels (height, width, pixel + (size_t)f * pixels, want, stack);
      for (int p = 0; p < pixels; p++)
        {
          b.checksum += got[p];
          if (!bench_check (&b, got[p], want[p], 0, 1) && b.failures <= 5)
            fprintf (stderr, "ccl: frame %d, pixel %d: %d, should be %d\n", f,
                     p, got[p], want[p]);
        }
    }
  while (bench_repeat (&b))
    label_frames (frames, height, width, its_pixel, its_label);

  device_drop (label, its_label, all * sizeof *label);
  device_drop (pixel, its_pixel, all);
  free (stack);
  free (want);
  free (label);
  free (pixel);
  return bench_end (&b);
}

#endif /* CCL_H */
