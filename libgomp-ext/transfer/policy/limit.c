/* Limits of copies, by measurement; see limit.h.

   A lab has host and device memory for a ROW of operands.  The ways that it
   times are those of gather.c and readback.c, made of the same buffers
   (staging.h) and the same threads that copy (copier.h), and what libgomp's
   plugin does.  Nothing is in flight yet: the context has just been opened.

   A machine is noisy: a limit changes only when one way is faster by more than
   MARGIN in each of ACR_LIMIT_ROUNDS rounds.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "base/hash.h"
#include "ext.h"
#include "launch/choice.h"
#include "memory/copier.h"
#include "memory/staging.h"
#include "transfer/policy/limit.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN 0.1

static const struct
{
  const char *what;
  size_t bytes, most;
} limits[] = {
#define LIMIT(name, bytes, most, what) { what, bytes, most },
#include "transfer/policy/limit.def"
};

/* Powers of two from what the table says, or from STANDARD.  */
static _Atomic int steps[ACR_LIMITS];

/* Of an H200.  */
static size_t
standard (enum acr_limit l)
{
  return limits[l].bytes;
}

static size_t
scaled (size_t bytes, int n)
{
  return n < 0 ? bytes >> -n : bytes << n;
}

size_t
acr_limit (enum acr_limit l)
{
  return scaled (standard (l),
                 atomic_load_explicit (&steps[l], memory_order_relaxed));
}

/* ---- Which way --------------------------------------------------------- */

/* Is the one way clearly faster than the other for N bytes?  */
static bool
faster (acr_limit_time *time, void *data, size_t n, int ours)
{
  /* What is new to the caches or the driver takes longer.  */
  time (data, n, ours);
  time (data, n, !ours);
  for (unsigned i = 0; i < ACR_LIMIT_ROUNDS; i++)
    {
      double this = time (data, n, ours), other = time (data, n, !ours);
      if (this < 0 || other < 0 || this > (1 - MARGIN) * other)
        return false;
    }
  return true;
}

int
acr_limit_decide (acr_limit_time *time, void *data, size_t bytes, size_t most)
{
  int n = 0;
  while (n > -ACR_LIMIT_STEPS && faster (time, data, scaled (bytes, n), 0))
    n--;
  if (n < 0)
    return n;
  while (n < ACR_LIMIT_STEPS && scaled (bytes, n + 1) <= most
         && faster (time, data, scaled (bytes, n + 1), 1))
    n++;
  return n;
}

/* ---- The lab ----------------------------------------------------------- */

enum
{
  ROW = 2,    /* operands */
  PIECES = 8, /* with gaps between them */
  PIECE = 4096
};

struct lab
{
  CUdeviceptr device;
  char *host; /* as the program's memory is */
  size_t bytes;
  enum acr_limit limit; /* that is measured */
};

static bool
lab_open (struct lab *l)
{
  for (unsigned i = 0; i < ACR_LIMITS; i++)
    if (l->bytes < ROW * limits[i].most)
      l->bytes = ROW * limits[i].most;
  l->host = malloc (l->bytes);
  if (!l->host || acr_driver.mem_alloc (&l->device, l->bytes))
    {
      free (l->host);
      return false;
    }
  memset (l->host, 1, l->bytes);
  return true;
}

static void
lab_close (struct lab *l)
{
  acr_driver.mem_free (l->device);
  free (l->host);
}

/* The ways: operands of N bytes, or pieces with gaps of N bytes between them, by
   way of S where OURS.  Each returns what the driver said first that was not
   success.  */
typedef CUresult way (const struct lab *l, size_t n, struct acr_staging *s,
                      bool ours);

static CUresult
send (const struct lab *l, size_t n, struct acr_staging *s, bool ours)
{
  CUresult r = CUDA_SUCCESS;
  for (size_t at = 0; at < ROW * n && !r; at += n)
    {
      if (ours)
        acr_copy (s->mem + at, l->host + at, n);
      r = ours ? acr_driver.memcpy_h2d_async (l->device + at, s->mem + at, n,
                                              NULL)
               : acr_driver.memcpy_h2d (l->device + at, l->host + at, n);
    }
  CUresult done = acr_driver.stream_synchronize (NULL);
  return r ? r : done;
}

static CUresult
fetch (const struct lab *l, size_t n, struct acr_staging *s, bool ours)
{
  CUresult r = CUDA_SUCCESS;
  for (size_t at = 0; at < ROW * n && !r; at += n)
    r = ours ? acr_driver.memcpy_d2h_async (s->mem + at, l->device + at, n,
                                            NULL)
             : acr_driver.memcpy_d2h (l->host + at, l->device + at, n);
  if (!r && ours && !(r = acr_staging_submitted (s)))
    r = acr_driver.event_synchronize (s->event);
  for (size_t at = 0; at < ROW * n && !r && ours; at += n)
    acr_copy (l->host + at, s->mem + at, n);
  return r;
}

/* All pieces by one copy, or by one each.  */
static CUresult
bridge (const struct lab *l, size_t n, struct acr_staging *s, bool to,
        bool once)
{
  CUresult r = CUDA_SUCCESS;
  size_t each = once ? PIECES * (n + PIECE) : PIECE;
  for (size_t at = 0; at < PIECES * (n + PIECE) && !r; at += n + each)
    r = to ? acr_driver.memcpy_h2d_async (l->device + at, s->mem + at, each,
                                          NULL)
           : acr_driver.memcpy_d2h_async (s->mem + at, l->device + at, each,
                                          NULL);
  CUresult done = acr_driver.stream_synchronize (NULL);
  return r ? r : done;
}

static CUresult
gap_to (const struct lab *l, size_t n, struct acr_staging *s, bool ours)
{
  return bridge (l, n, s, true, ours);
}

static CUresult
gap_from (const struct lab *l, size_t n, struct acr_staging *s, bool ours)
{
  return bridge (l, n, s, false, ours);
}

/* Operands are compared, or sent in the way that is the faster one.  */
static CUresult
same (const struct lab *l, size_t n, struct acr_staging *s, bool ours)
{
  int differs = 0;
  if (!ours)
    return send (l, n, s, n <= acr_limit (ACR_LIMIT_send));
  for (unsigned i = 0; i < ROW; i++)
    differs |= memcmp (l->host, l->host + n, n);
  return differs ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static way *const ways[] = {
#define LIMIT(name, bytes, most, what) name,
#include "transfer/policy/limit.def"
};

/* How long a lab's way takes.  */
static double
time_way (void *lab, size_t n, int ours)
{
  const struct lab *l = lab;
  way *const way = ways[l->limit];
  bool gaps = way == gap_to || way == gap_from;
  struct acr_staging *s
      = acr_staging_get (gaps ? PIECES * (n + PIECE) : ROW * n);
  if (!s)
    return -1;
  double begin = acr_now_us ();
  bool failed = way (l, n, s, ours);
  double us = acr_now_us () - begin;
  acr_staging_put (s);
  return failed ? -1 : us;
}

/* ---- Once a machine ---------------------------------------------------- */

/* What the limits depend on; 0 when that is not known.  */
static uint64_t
machine (void)
{
  struct
  {
    char gpu[128];
    int driver, copiers;
  } m = { .copiers = acr_copiers () };
  CUdevice device;
  if (!acr_driver.device_get_name || !acr_driver.driver_get_version
      || !acr_driver.ctx_get_device || acr_driver.ctx_get_device (&device)
      || acr_driver.device_get_name (m.gpu, sizeof m.gpu - 1, device)
      || acr_driver.driver_get_version (&m.driver))
    return 0;
  return acr_hash (0, &m, sizeof m);
}

/* The choice of STEPS is its number of them from -ACR_LIMIT_STEPS on.  */
static struct acr_choice_key
key_of (enum acr_limit l, uint64_t code)
{
  return (struct acr_choice_key){
    "limit 1", code, { l, standard (l) }, (1u << (2 * ACR_LIMIT_STEPS + 1)) - 1
  };
}

/* A process that took so many microseconds, beside which measuring is nothing, leaves a
   note for those of this machine after it.  Short ones, of which the first in a container
   would be behind one of stock GCC's, do not.  */
#define LONG 1e6

static struct
{
  uint64_t code; /* of the machine that nothing is known of, or 0 */
  double begin;
} unknown;

static struct acr_choice_key
note_of (uint64_t code)
{
  return (struct acr_choice_key){ "limits matter", code, { 0 }, 1 };
}

/* Is a limit of this machine known, or to be measured?  */
static bool
matters (uint64_t code)
{
  struct acr_choice_key limit = key_of (0, code), note = note_of (code);
  unsigned choice;
  return acr_choice_find (&limit, &choice) || acr_choice_find (&note, &choice);
}

static void
measure (void)
{
  uint64_t code = machine ();
  struct lab lab = { 0 };
  if (code && !matters (code))
    {
      unknown.begin = acr_now_us ();
      unknown.code = code;
      return;
    }
  for (unsigned l = 0; code && l < ACR_LIMITS; l++)
    {
      struct acr_choice_key key = key_of (l, code);
      unsigned choice;
      if (acr_choice_find (&key, &choice))
        {
          steps[l] = (int)choice - ACR_LIMIT_STEPS;
          continue;
        }
      /* Others that come meanwhile need not measure.  */
      if (!acr_choice_keep (&key, ACR_LIMIT_STEPS)
          || (!lab.bytes && !lab_open (&lab)))
        break;
      lab.limit = l;
      steps[l]
          = acr_limit_decide (time_way, &lab, standard (l), limits[l].most);
      acr_choice_keep (&key, steps[l] + ACR_LIMIT_STEPS);
      acr_count (limits_measured, 1);
      acr_debug (1, "limit: %s: %zu bytes", limits[l].what, acr_limit (l));
    }
  if (lab.bytes)
    lab_close (&lab);
}

void
acr_limit_measure (void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (acr_env.limits)
    pthread_once (&once, measure);
}

void
acr_limit_end (void)
{
  struct acr_choice_key note = note_of (unknown.code);
  if (!unknown.code || acr_now_us () - unknown.begin < LONG)
    return;
  acr_choice_keep (&note, 0);
  unknown.code = 0;
}
