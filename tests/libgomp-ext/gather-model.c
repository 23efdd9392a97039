/* Operations on blocks of device memory and their model; see gather-model.h.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gather-model.h"
#include "config.h"

#include "ext.h"
#include "gather-device.h"
#include "interpose/construct.h"
#include "interpose/events.h"
#include "interpose/image.h"
#include "interpose/submit.h"
#include "launch/kernel.h"
#include "memory/pool.h"
#include "transfer/address.h"
#include "transfer/gather.h"
#include "transfer/hold.h"
#include "transfer/lend.h"
#include "transfer/late.h"
#include "transfer/transfer.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct block blocks[NBLOCKS];

unsigned char host[HOST];
bool operands;

struct block *operand[NBLOCKS];
unsigned noperands;
bool tagged;
char regions[NBLOCKS + 1], pointer_region;
CUdeviceptr arguments;
const struct block *pointer;

/* The tag for N operands says that the kernel has children (abi.h, launches).  Those
   that leave some in a queue may do anything.  */
static unsigned
launches (unsigned n)
{
  return n % 4;
}

static bool
is_closed (void)
{
  return tagged && launches (noperands) < 2;
}

void
make_tags (void)
{
  static struct acr_host_entry table[NBLOCKS + 2];
  static char tag[NBLOCKS + 2][32 * NBLOCKS + 128];
  for (unsigned n = 0; n <= NBLOCKS; n++)
    {
      int at = sprintf (tag[n],
                        "ACCRETE-TAG 1 fn=f%u src=t.c:1 "
                        "kind=acc-parallel dims=1,1,1 closed=1",
                        n);
      if (launches (n))
        at += sprintf (tag[n] + at, " launches=%u", launches (n));
      for (unsigned i = 0; i < n; i++)
        at += sprintf (tag[n] + at, " op=%u,,data,%s,?,1", i,
                       i % 2 ? "r" : "rw");
      table[n] = (struct acr_host_entry){ &regions[n], tag[n] };
    }
  char *at = stpcpy (tag[NBLOCKS + 1], tag[POINTER_TO]);
  sprintf (at, " op=%u,,other,-,?,0", POINTER_TO);
  table[NBLOCKS + 1]
      = (struct acr_host_entry){ &pointer_region, tag[NBLOCKS + 1] };
  acr_register_regions (table, NBLOCKS + 2);
}

uint64_t seed;
unsigned wrong;

unsigned
rnd (unsigned n)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (seed >> 11) % n;
}

bool
whim (unsigned one_in)
{
  static uint64_t x = 1;
  x = x * 6364136223846793005u + 1442695040888963407u;
  return (x >> 33) % one_in == 0;
}

unsigned alignment, placed;

void
prepare (struct block *b, size_t n)
{
  b->must = malloc (n);
  b->known = calloc (1, n);
  b->host = malloc (n);
  b->host_n = n;
  b->host_must = malloc (n);
  b->host_known = calloc (1, n);
}

void
place (struct block *b)
{
  size_t asked
      = b->host_n + ((size_t)1 << alignment) * (1 + rnd (2)) - 1;
  b->n = b->host_n;
  b->mine = true;
  CUdeviceptr p = acr_record_wants (asked);
  if (p && acr_pool_alloc_at (p, asked))
    b->p = p, placed++;
  else if (acr_pool_alloc (&b->p, asked))
    abort ();
  acr_construct_alloc (b->p, asked);
}

unsigned
prepare_row (struct block *b[], unsigned most, size_t n)
{
  unsigned found = 0;
  for (struct block *x = blocks; x < blocks + NBLOCKS && found < most; x++)
    if (!x->must)
      b[found++] = x;
  unsigned char *host = found ? malloc (found * n) : NULL;
  struct row *row = found ? calloc (1, sizeof *row) : NULL;
  for (unsigned i = 0; i < found; i++)
    {
      prepare (b[i], n);
      free (b[i]->host);
      b[i]->host = host + i * n;
      b[i]->row = row;
      row->host = host;
      row->known++;
    }
  return found;
}

void
place_row (struct block *b[], unsigned n)
{
  struct row *row = b[0]->row;
  size_t each = b[0]->host_n, asked = n * each + ((size_t)1 << alignment) - 1;
  if (acr_pool_alloc (&row->p, asked))
    abort ();
  acr_construct_alloc (row->p, asked);
  for (unsigned i = 0; i < n; i++)
    {
      b[i]->p = row->p + i * each;
      b[i]->n = each;
      row->used++;
    }
}

void
allocate (struct block *b, size_t n)
{
  prepare (b, n);
  place (b);
}

void
op_alloc (void)
{
  static const size_t size[]
      = { 24, 24, 500, 512, 4000, 4000, 16391, 70000, 300000 };
  struct block *b = &blocks[rnd (NBLOCKS)];
  if (!b->must)
    allocate (b, size[rnd (sizeof size / sizeof *size)]);
}

/* A new block, most often sent whole.  */
void
op_enter (void)
{
  struct block *b = blocks;
  while (b < blocks + NBLOCKS && b->must)
    b++;
  if (b == blocks + NBLOCKS)
    return;
  allocate (b, rnd (4) ? 4000 : 16391);
  if (rnd (3))
    to_device (b, 0, b->n);
}

static uint64_t
word (const unsigned char *p)
{
  uint64_t x;
  memcpy (&x, p, sizeof x);
  return x;
}

/* By words, as most of the time goes here.  */
void
compare (const unsigned char *got, const unsigned char *must,
         const unsigned char *known, size_t n)
{
  uint64_t other = 0;
  size_t i = 0;
  for (; n - i >= sizeof other; i += sizeof other)
    other |= (word (got + i) ^ word (must + i)) & word (known + i);
  for (; i < n; i++)
    other |= (got[i] ^ must[i]) & known[i];
  wrong += other != 0;
}

/* What is held back leaves, without a failure.  */
void
flush (void)
{
  wrong += acr_submit_ready () != CUDA_SUCCESS;
}

void
release (struct block *b)
{
  CUdeviceptr p = b->row ? b->row->p : b->p;
  b->n = 0;
  if (b->row && --b->row->used)
    return;
  acr_events->frees (p);
  if (!acr_late_freed (p))
    acr_pool_free (p);
}

static void
free_host (struct block *b)
{
  if (!b->row)
    free (b->host);
  else if (!--b->row->known)
    {
      free (b->row->host);
      free (b->row);
    }
}

void
forget (struct block *b)
{
  acr_look (b->host, b->host_n);
  free (b->must);
  free (b->known);
  free_host (b);
  free (b->host_must);
  free (b->host_known);
  *b = (struct block){ 0 };
}

void
op_free (void)
{
  struct block *b = &blocks[rnd (NBLOCKS)];
  if (b->n)
    release (b);
}

/* Some bytes of a block in use, often at its beginning; false without.  */
static bool
some (struct block **b, size_t *at, size_t *n)
{
  *b = &blocks[rnd (NBLOCKS)];
  if (!(*b)->n)
    return false;
  size_t m = (*b)->n;
  *at = rnd (2) ? 0 : rnd (m);
  *n = rnd (3) ? m - *at : 1 + rnd (m - *at);
  return true;
}

void
send (struct block *b, size_t at, const void *src, size_t n)
{
  wrong += acr_transfer_send (b->p + at, src, n) != CUDA_SUCCESS;
}

void
to_device (struct block *b, size_t at, size_t n)
{
  unsigned char k = rnd (256);
  const unsigned char *src = operands ? b->host + at : host;
  if (operands)
    {
      memcpy (b->must + at, b->host_must + at, n);
      memcpy (b->known + at, b->host_known + at, n);
    }
  else
    {
      for (size_t i = 0; i < n; i++)
        host[i] = b->must[at + i] = k + i;
      memset (b->known + at, KNOWN, n);
    }
  send (b, at, src, n);
  if (!operands)
    memset (host, 0, n < 100 ? n : 100);
}

void
op_h2d (void)
{
  struct block *b;
  size_t at, n;
  if (some (&b, &at, &n))
    to_device (b, at, n);
}

/* Operands side by side, or nearly so, as libgomp puts them.  */
void
op_h2d_row (void)
{
  struct block *b;
  size_t at, n;
  if (!some (&b, &at, &n))
    return;
  for (size_t end = at + n, step = n / 4 + 1; at < end; at += step)
    to_device (b, at, step > end - at ? end - at : step - rnd (2) * step / 9);
}

static void
fetch (void *dst, CUdeviceptr src, size_t n)
{
  wrong += acr_transfer_fetch (dst, src, n) != CUDA_SUCCESS;
}

void
from_device (struct block *b, size_t at, size_t n)
{
  unsigned char *dst = operands ? b->host + at : host;
  fetch (dst, b->p + at, n);
  if (operands)
    {
      memcpy (b->host_must + at, b->must + at, n);
      memcpy (b->host_known + at, b->known + at, n);
    }
  else
    compare (dst, b->must + at, b->known + at, n);
}

void
op_d2h (void)
{
  struct block *b;
  size_t at, n;
  if (!some (&b, &at, &n))
    return;
  if (n > 4 && whim (20))
    {
      at += n / 4;
      n /= 2;
    }
  from_device (b, at, n);
}

/* Some work on a block: a kernel's, or the program's own.  It reads a byte of
   FROM, if it knows one.  */
static struct work
work_on (struct block *b, int k, const struct block *from)
{
  struct work w = { (void *)b->p, NULL, b->n, k, NULL };
  size_t at = from->n ? rnd (from->n) : 0;
  if (from->n && from->known[at])
    w.read = (void *)(from->p + at);
  device_kernel (b->must, b->n, k, w.read ? from->must[at] : 0);
  if (k < 0)
    memset (b->known, KNOWN, b->n);
  return w;
}

void
launch_on (struct block *b, int k, const struct block *from)
{
  wrong += !device_submit (work_on (b, k, from));
}

/* One that nothing is known of stores addresses, too.  */
void
op_launch (void)
{
  int k = rnd (2) ? (int)rnd (256) : ~(int)rnd (256);
  unsigned first = rnd (4);
  struct acr_launch l = { 0 };
  acr_events->launches (&l);
  flush ();
  if (is_closed ())
    for (unsigned i = first & ~1; i < noperands; i += 4)
      {
        if (operand[i]->n)
          launch_on (operand[i], k, operand[(i + 1) % noperands]);
      }
  else
    for (unsigned i = 0; i < NBLOCKS; i++)
      {
        blocks[i].known_to_all |= blocks[i].n;
        if (i % 3 == first && blocks[i].n)
          launch_on (&blocks[i], k, &blocks[(i + 1) % NBLOCKS]);
      }
  acr_events->launched (NULL);
  if (rnd (2))
    wrong += acr_cuda_wait (NULL) != CUDA_SUCCESS;
}

void
op_own (struct block *b)
{
  if (!b->n || (!b->known_to_all && !acr_address_known ()))
    return;
  flush ();
  launch_on (b, ~(int)rnd (256), b);
}

void
op_other (struct block *b)
{
  if (!b->n)
    return;
  flush ();
  size_t at = rnd (b->n), n = 1 + rnd (b->n - at);
  int k = ~(int)rnd (256);
  struct work w = { (void *)(b->p + at), NULL, n, k, NULL };
  wrong += !device_submit (w);
  device_kernel (b->must + at, n, k, 0);
  memset (b->known + at, KNOWN, n);
  acr_events->changed (b->p + at, n);
}

/* A kernel that is held, on some blocks, with the parameters that it must
   have.  */
struct held
{
  struct work work[24];
  unsigned n;
  size_t bytes;
  CUdeviceptr first[NBLOCKS], second;
};

enum
{
  MARK = 8080
};

unsigned
acr_kernel_params (const struct acr_kernel *k)
{
  (void)k;
  return 2;
}

unsigned long in_lists, out_of_order;

/* One of the N kernels of L of the lowest level that are not in DONE: any.  By numbers of
   its own, as what a program does must not depend on when lists leave.  */
static unsigned
any_next (const struct acr_launch *const *l, unsigned n, uint64_t done)
{
  static uint32_t x;
  unsigned level = UINT32_MAX, i;
  for (i = 0; i < n; i++)
    if (!(done >> i & 1) && l[i]->level < level)
      level = l[i]->level;
  do
    {
      x = x * 1664525 + 1013904223;
      i = (x >> 8) % n;
    }
  while (done >> i & 1 || l[i]->level != level);
  return i;
}

/* Kernels of a list are executed level by level.  */
static CUresult
launch_now (const struct acr_launch *const *l, unsigned n)
{
  in_lists += n > 1 ? n : 0;
  uint64_t done = 0;
  for (unsigned k = 0; k < n; k++)
    {
      unsigned i = any_next (l, n, done);
      done |= UINT64_C (1) << i;
      out_of_order += i != k;
      struct held *h = (struct held *)l[i]->fn;
      wrong += memcmp (l[i]->params[0], h->first, h->bytes)
               || memcmp (l[i]->params[1], &h->second, sizeof h->second);
      for (unsigned w = 0; w < h->n; w++)
        wrong += !device_submit (h->work[w]);
      free (h);
    }
  return CUDA_SUCCESS;
}

/* A kernel on some of the operands, that may wait.  */
void
op_hold (void)
{
  int k = rnd (2) ? (int)rnd (256) : ~(int)rnd (256);
  unsigned step = 2 + 2 * rnd (2), first = 2 * rnd (2);
  CUdeviceptr words[NBLOCKS];
  if (!tagged)
    return;
  struct held *h = calloc (1, sizeof *h);
  static const struct acr_kernel by_address;
  static struct acr_kernel by_value[NBLOCKS + 1];
  unsigned nwords = noperands + (pointer != NULL);
  bool value = pointer || (noperands && rnd (2));
  CUdeviceptr address = arguments, second = MARK + rnd (100);
  by_value[nwords].args = nwords * sizeof *words;
  struct acr_launch l
      = { .kernel = value ? &by_value[nwords] : &by_address,
          .fn = (CUfunction)h,
          .words = words,
          .nwords = nwords,
          .params = (void *[]){ value ? words : &address, &second } };
  for (unsigned i = 0; i < noperands; i++)
    {
      struct block *b = operand[i];
      words[i] = b->p;
      if (!b->n || i < first || (i - first) % step)
        continue;
      h->work[h->n++]
          = work_on (b, k, pointer ? pointer : operand[(i + 1) % noperands]);
    }
  if (pointer)
    words[noperands] = pointer->p;
  h->second = second;
  h->bytes = value ? nwords * sizeof *words : sizeof address;
  memcpy (h->first, l.params[0], h->bytes);
  /* Nothing is known of a region's image here: it returns, and prints nothing.  */
  acr_construct_current ()->site->facts
      = ACR_REGION_KNOWN | ACR_REGION_RETURNS | ACR_REGION_SILENT;
  acr_events->launches (&l);
  /* What is to be fetched may stay, as in launch.c.  */
  if (!acr_hold_launch (&l, launch_now))
    {
      wrong += acr_submit_flushed () != CUDA_SUCCESS;
      launch_now (&(const struct acr_launch *){ &l }, 1);
    }
  acr_events->launched (NULL);
  memset (words, 0, sizeof words);
  address = second = 0;
}

void
compare_hosts (void)
{
  for (struct block *b = blocks; b < blocks + NBLOCKS; b++)
    if (b->must)
      compare (b->host, b->host_must, b->host_known, b->host_n);
}

static void
compare_all (void)
{
  device_wait ();
  for (struct block *b = blocks; b < blocks + NBLOCKS; b++)
    compare ((unsigned char *)b->p, b->must, b->known, b->n);
  compare_hosts ();
}

void
look (void)
{
  flush ();
  acr_look (NULL, SIZE_MAX);
  compare_all ();
}

static void *
other_thread (void *arg)
{
  acr_construct_thread ();
  compare_all ();
  return arg;
}

void
op_thread (void)
{
  pthread_t t;
  if (rnd (3) || pthread_create (&t, NULL, other_thread, NULL))
    return;
  pthread_join (t, NULL);
}

void
fill (struct block *b)
{
  unsigned char k = rnd (256);
  acr_look (b->host, b->host_n);
  for (size_t i = 0; i < b->host_n; i++)
    b->host[i] = i * 3 + k;
  memcpy (b->host_must, b->host, b->host_n);
  memset (b->host_known, KNOWN, b->host_n);
}

void
scribble (void)
{
  for (struct block *b = blocks + rnd (2); b < blocks + NBLOCKS; b += 2)
    if (b->n)
      fill (b);
}

/* A new block's operands, which libgomp has merged.  */
static void
op_merged (void)
{
  static const size_t size[] = { 500, 16384, 30000, 70000, 70000 };
  struct block *b = &blocks[rnd (NBLOCKS)];
  if (b->must)
    return;
  size_t n = size[rnd (sizeof size / sizeof *size)];
  allocate (b, n);
  unsigned char *buffer = acr_lend_malloc (n), k = rnd (256);
  if (rnd (2))
    to_device (b, n / 4, n / 8);
  for (size_t i = 0; i < n; i++)
    buffer[i] = b->must[i] = i * 5 + k;
  memset (b->known, KNOWN, n);
  for (size_t at = 0, step = rnd (2) ? n : n / 3 + 1; at < n; at += step)
    send (b, at, buffer + at, step < n - at ? step : n - at);
  acr_lend_free (buffer);
}

/* Parts of blocks that lie side by side, and that nobody has written, in any
   order.  */
void
op_fresh (void)
{
  if (rnd (4) == 0)
    {
      for (unsigned i = 1 + rnd (3); i-- > 0;)
        op_merged ();
      return;
    }
  static const size_t size[] = { 100, 4000, 4000, 300000 };
  struct block *b[3];
  unsigned n = 0, most = 1 + rnd (3);
  size_t bytes = size[rnd (4)], part = bytes / 16;
  for (unsigned i = 0; i < NBLOCKS && n < most; i++)
    if (!blocks[i].must)
      allocate (b[n++] = &blocks[i], bytes);
  for (unsigned i = 0; n && i < 8; i++)
    {
      size_t at = (rnd (3) ? i : rnd (8)) * part;
      size_t len = i && rnd (4) ? (1 + rnd (2)) * part / 2 : bytes - at;
      to_device (b[rnd (3) % n], at, len);
      if (rnd (6) == 0)
        op_launch ();
    }
}
