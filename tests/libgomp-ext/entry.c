/* Public entries hand on what they get, however long the list is.

   Linked with libgomp-ext before a libgomp that only notes its arguments.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fenv.h>

#include "fake-libgomp.h"
#include "tap.h"

/* As libgomp-ext's own forwarder, to make lists of any length.  */
void acr_call_words (void (*fn) (void), const uintptr_t *w, size_t n);

#define MAPS size_t n, void **h, size_t *s, unsigned short *k
void GOMP_target_ext (int, void (*) (void *), MAPS, unsigned, void **,
                      void **);
void GOMP_target_end_data (void);
void GOACC_parallel_keyed (int, void (*) (void *), MAPS, ...);
void GOACC_parallel (int, void (*) (void *), MAPS, int, int, int, int, int,
                     ...);
void GOACC_update (int, MAPS, int, int, ...);
void GOACC_enter_data (int, MAPS, int, int, ...);
void GOACC_exit_data (int, MAPS, int, int, ...);
void GOACC_enter_exit_data (int, MAPS, int, int, ...);
void GOACC_wait (int, int, ...);

static void *h[1];
static size_t s[1];
static unsigned short k[1];

static void
region (void *arg)
{
  (void)arg;
}

#define W(x) (uintptr_t) (x)
#define MAP_WORDS 1, W (h), W (s), W (k)

/* Whether the last call was NAME with the N words at W; ints compare as
   ints.  */
static bool
called (const char *name, const uintptr_t *w, unsigned n)
{
  bool same = !strcmp (last_call.name, name) && last_call.nwords == n;
  for (unsigned i = 0; same && i < n; i++)
    same = last_call.words[i] == w[i] || (int)last_call.words[i] == (int)w[i];
  last_call.name = "nothing";
  return same;
}

#define called_with(name, ...)                                                \
  called (name, (const uintptr_t[]){ __VA_ARGS__ },                           \
          sizeof (const uintptr_t[]){ __VA_ARGS__ } / sizeof (uintptr_t))

/* ENTRY, of which the LEAD words are fixed and the last of them is the number
   of ints that follow, with lists up to 2000.  */
static bool
lists (void (*entry) (void), const char *name, const uintptr_t *lead,
       unsigned nlead)
{
  static uintptr_t w[2048];
  for (unsigned n = 0; n <= 2000; n = n < 40 ? n + 1 : n * 3 / 2)
    {
      memcpy (w, lead, nlead * sizeof *w);
      w[nlead - 1] = n;
      for (unsigned i = 0; i < n; i++)
        w[nlead + i] = 7 * i + 1;
      acr_call_words (entry, w, nlead + n < 6 ? 6 : nlead + n);
      if (!called (name, w, nlead + n))
        {
          diag ("%s: wrong with %u ints", name, n);
          return false;
        }
    }
  return true;
}

#define test_lists(entry, ...)                                                \
  ok (lists ((void (*) (void))entry, #entry,                                  \
             (const uintptr_t[]){ __VA_ARGS__, 0 },                           \
             1                                                                \
                 + sizeof (const uintptr_t[]){ __VA_ARGS__ }                  \
                       / sizeof (uintptr_t)),                                 \
      #entry " with any number of waits")

int
main (void)
{
  Dl_info info;
  void *ours = dlsym (RTLD_DEFAULT, "GOACC_wait");
  ok (ours && dladdr (ours, &info) && strstr (info.dli_fname, "libgomp-ext"),
      "the program calls libgomp-ext");
  ok (dlvsym (RTLD_DEFAULT, "GOMP_target_ext", "GOMP_4.5")
          && dlvsym (RTLD_DEFAULT, "GOACC_exit_data", "GOACC_2.0.2"),
      "by the symbol versions of libgomp");

  GOMP_target_ext (-1, region, 1, h, s, k, 5, h, h + 1);
  ok (called_with ("GOMP_target_ext", -1, W (region), MAP_WORDS, 5, W (h),
                   W (h + 1)),
      "GOMP_target_ext");
  GOMP_target_end_data ();
  ok (called ("GOMP_target_end_data", NULL, 0), "GOMP_target_end_data");
  GOACC_update (-3, 1, h, s, k, -2, 2, 11, -12);
  ok (called_with ("GOACC_update", -3, MAP_WORDS, -2, 2, 11, -12),
      "GOACC_update from C");

  /* Launch tags: dimensions, a small and a large queue, waits.  */
  GOACC_parallel_keyed (0, region, 1, h, s, k, 0);
  ok (called_with ("GOACC_parallel_keyed", 0, W (region), MAP_WORDS),
      "no launch tags");
  GOACC_parallel_keyed (0, region, 1, h, s, k, 0x10000007, 8, 4, 32,
                        0x20000003, 0x30000002, 5, 6, 0);
  ok (called_with ("GOACC_parallel_keyed", 0, W (region), MAP_WORDS,
                   0x10000007, 8, 4, 32, 0x20000003, 0x30000002, 5, 6),
      "all launch tags");
  GOACC_parallel_keyed (0, region, 1, h, s, k, 0x10000002, 4, 0x2000ffff,
                        100000, 0x30000001, -1, 0);
  ok (called_with ("GOACC_parallel_keyed", 0, W (region), MAP_WORDS,
                   0x10000002, 4, 0x2000ffff, 100000, 0x30000001, -1),
      "operands of tags");

  test_lists (GOACC_update, 0, MAP_WORDS, -1);
  test_lists (GOACC_enter_data, 0, MAP_WORDS, -1);
  test_lists (GOACC_exit_data, 0, MAP_WORDS, -1);
  test_lists (GOACC_enter_exit_data, 0, MAP_WORDS, -1);
  test_lists (GOACC_parallel, 0, W (region), MAP_WORDS, 1, 2, 3, -1);
  test_lists (GOACC_wait, -1);

  /* Programs may turn floating-point exceptions into signals.  */
  feenableexcept (FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
  GOACC_wait (-2, 7, 1, 2, 3, 4, 5, 6, 7);
  volatile long double x = 1;
  x += 1;
  ok (called_with ("GOACC_wait", -2, 7, 1, 2, 3, 4, 5, 6, 7) && x == 2,
      "no floating-point trap");
  return done_testing ();
}
