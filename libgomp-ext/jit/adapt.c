/* Edits of the PTX of the device's libgomp; see adapt.h.

   Why a narrower fence is enough.  A fence of libgomp's orders what one thread
   did before it with what another one does that sees its store to libgomp's
   structure, and these two are in one block where the structure is a team's.
   What a third thread in another block sees it owes to a fence of the
   program's own between it and one of these (an atomic, a flush), which is
   left as wide as it was; causality order goes through all of them, each at
   its own scope (PTX ISA, Memory Consistency Model, Causality Order).  That
   model holds from sm_70 on.

   Source: libgomp/config/nvptx/{team,bar,allocator}.c, team.c, work.c,
   basic-allocator.c (GCC 12 to 16).

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "jit/adapt.h"
#include "jit/addition.h"
#include "jit/device-malloc.h"

#include <stdio.h>
#include <string.h>

#define FIRST_MODEL 7 /* compute capability with a memory model */

static const char arena[] =
#include "arena-ptx.h"
    ;

/* What comes before the name of a function in global scope, on a line of its
   own, where it is defined.  */
#define DEFINITION ACR_TEXT_PART "GLOBAL FUNCTION DEF: "
#define DEFINES(function) DEFINITION function "\n"

#define FENCE "membar.sys"

/* Functions of the units of libgomp that have fences, and whom these are for.  */
static const struct
{
  const char *function, *fence;
} fenced[] = {
  { "gomp_team_barrier_wait_end", "membar.cta" },
  { "gomp_team_start", "membar.cta" },
  { "gomp_resolve_num_threads", "membar.cta" },
  { "gomp_work_share_start", "membar.cta" },
  { "gomp_iter_dynamic_next", "membar.cta" },
  { "gomp_iter_ull_dynamic_next", "membar.cta" },
  { "gomp_ordered_sync", "membar.cta" },
  { "GOMP_loop_start", "membar.cta" },
  { "GOMP_loop_ull_start", "membar.cta" },
  { "GOMP_sections_start", "membar.cta" },
  { "GOMP_single_start", "membar.cta" },
  { "GOMP_scope_start", "membar.cta" },
  { "GOMP_task", "membar.cta" },
  { "GOMP_critical_start", "membar.gl" },
  { "GOMP_atomic_start", "membar.gl" },
  { "gomp_init_lock_30", "membar.gl" },
};

/* ---- The arena --------------------------------------------------------- */

/* Of the low-latency heap's end, for the arena, and the least heap: an empty one
   has a head and an end.  */
#define HEAP_ALIGN 16

unsigned
acr_adapt_arena (unsigned heap)
{
  return (heap + HEAP_ALIGN - 1) / HEAP_ALIGN * HEAP_ALIGN;
}

/* From GCC 14 on, gomp_nvptx_main, at MAIN in T, gives all dynamic shared memory
   to the low-latency heap,

     mov.u32 SIZE,%dynamic_smem_size;  ...  call __nvptx_lowlat_init

   Leave what is behind the heap.  False when that cannot be done.  */
static bool
bound_heap (struct acr_text *t, size_t main, unsigned heap)
{
  static const char size[] = ",%dynamic_smem_size;";
  char with[64], reg[16];
  const char *at = acr_text_find (t, main, size), *line = at;
  while (line && line > t->p && line[-1] != '\n')
    line--;
  if (!at || !heap
      || acr_text_find (t, at - t->p + 1, size)
      || sscanf (line, "mov.u32 %15[%r0-9]", reg) != 1)
    return false;
  snprintf (with, sizeof with, "\nmin.u32 %s,%s,%u;", reg, reg,
            heap);
  acr_text_splice (t, at + strlen (size), 0, with);
  return true;
}

/* Give the unit of gomp_nvptx_main, T, an arena.  False when it looks
   otherwise.  */
static bool
add_arena (struct acr_text *t, unsigned heap)
{
  static const char start[] = "st.shared.u32 [__gomp_team_num],";
  char base[16];
  const char *main = acr_text_find (t, 0, DEFINES ("gomp_nvptx_main"));
  if (!main || !acr_text_find (t, 0, "shfl.sync.idx.b32")
      || !acr_text_find (t, 0, DEFINES ("gomp_new_team")))
    return false;
  const char *first = acr_text_find (t, 0, "FUNCTION DEF: ");
  const char *starts = acr_text_find (t, main - t->p, start);
  while (first > t->p && first[-1] != '\n')
    first--;
  if (!starts || !acr_text_find (t, 0, "gomp_malloc,(")
      || !acr_text_find (t, 0, "__nvptx_uni["))
    return false;
  /* What bound_heap edits is behind both.  */
  size_t body = first - t->p, init = starts - t->p;
  /* Device code of GCC 13 has no heap, whatever a later libgomp gives it.  */
  if (!acr_text_find (t, init, "call __nvptx_lowlat_init,"))
    heap = 0;
  else if (!bound_heap (t, init, heap))
    return false;
  acr_text_splice (t, t->p + init, 0, "st.shared.u64 [acr_arena_used],0;\n");
  acr_text_replace (t, body, "gomp_malloc,(", "acr_arena_alloc,(");
  acr_text_replace (t, body, "call __nvptx_free,(", "call acr_arena_free,(");
  if (!t->failed)
    acr_text_splice (t, t->p + body, 0, arena);
  snprintf (base, sizeof base, "%u", acr_adapt_arena (heap));
  acr_text_replace (t, body, "ACR_BASE", base);
  return !t->failed;
}

/* ---- Fences ------------------------------------------------------------ */

/* What fences in T are to be, or NULL: as they are.  */
static const char *
fence_of (const struct acr_text *t)
{
  const char *at;
  for (size_t from = 0; (at = acr_text_find (t, from, DEFINITION));)
    {
      at += strlen (DEFINITION);
      from = at - t->p;
      for (size_t i = 0; i < sizeof fenced / sizeof *fenced; i++)
        {
          size_t n = strlen (fenced[i].function);
          if (n < t->n - from && at[n] == '\n'
              && !memcmp (at, fenced[i].function, n))
            return fenced[i].fence;
        }
    }
  return NULL;
}

static void
narrow_fences (struct acr_text *t)
{
  const char *fence = fence_of (t);
  if (fence && acr_text_find (t, 0, FENCE))
    acr_text_replace (t, 0, FENCE, fence);
}

/* ---- Barriers ---------------------------------------------------------- */

/* GCC 12's gomp_team_barrier_wake takes the number of threads that it is to wake
   off the number of those that wait, also where fewer wait: whoever makes many
   tasks at once (taskloop) asks for all threads, of which some are still on
   their way.  The number wraps around, and the waiting threads, none of which
   sees itself woken, wait for some 2^27 others in a bar.sync (a kin of GCC bug
   99555; GCC 13 has other barriers).  A futex, which this stands for, wakes those
   that are there.  In T, the function's

     ld.u32 WAITERS,[ADDRESS];  ...  neg.s32 N,COUNT;  ...
     atom.add.u32 _,[ADDRESS],N;

   gets the lesser of COUNT and WAITERS.  The barrier's lock is held from the
   load to the addition, so that WAITERS stays as it is.  */
static void
bound_wake (struct acr_text *t)
{
  static const char load[] = "\nld.u32 ", minus[] = "\nneg.s32 ",
                    add[] = " atom.add.u32 _,";
  char n[16], count[16], address[16], sum[16], waiters[16], from[16], text[128];
  int len = 0;
  const char *wake = acr_text_find (t, 0, DEFINES ("gomp_team_barrier_wake"));
  const char *neg = wake ? acr_text_find (t, wake - t->p, minus) : NULL;
  const char *atom = neg ? acr_text_find (t, neg - t->p, add) : NULL;
  if (!atom
      || sscanf (neg, "\nneg.s32 %15[%r0-9],%15[%r0-9];%n", n, count, &len)
             != 2
      || sscanf (atom, " atom.add.u32 _,[%15[%r0-9]],%15[%r0-9];", address,
                 sum)
             != 2
      || strcmp (n, sum))
    return;
  for (const char *at = wake;
       (at = acr_text_find (t, at - t->p, load)) && at < neg; at++)
    if (sscanf (at, "\nld.u32 %15[%r0-9],[%15[%r0-9]];", waiters, from) == 2
        && !strcmp (address, from))
      {
        snprintf (text, sizeof text, "\nmin.u32 %s,%s,%s;\nneg.s32 %s,%s;", n,
                  count, waiters, n, n);
        acr_text_splice (t, neg, len, text);
        return;
      }
}

/* ------------------------------------------------------------------------ */

bool
acr_adapt (struct acr_text *t, struct acr_adapt which, int major)
{
  bool with_arena = which.arena && add_arena (t, which.heap);
  if (major >= FIRST_MODEL && which.fence)
    narrow_fences (t);
  if (which.wake)
    bound_wake (t);
  if (which.addition)
    acr_addition_edit (t, major);
  acr_device_malloc_edit (t, major);
  return with_arena;
}
