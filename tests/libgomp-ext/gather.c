/* Constructs of any shape against a model of the device: allocations, copies
   both ways in any order and overlap, kernels, frees.

   The device does nothing before it must (gather-device.c).  A shadow says
   what each byte must be, at once (gather-model.c).  Constructs repeat, so
   that their copies back are foretold, and then deviate.

   Some kernels may be held until later copies have passed them; they write
   some operands of their constructs and read others.  Operands' blocks are freed
   meanwhile, and serve others or go back to the driver, whose memory faults then.

   In half of the constructs, what is copied are operands: the host's side of a
   block, which is compared when the construct is over.  In the others it is
   memory that is compared and overwritten at once, as libgomp's own may be.
   Sometimes another thread begins to use the device in the midst, and compares
   everything there and then.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "transfer/gather.h"
#include "config.h"

#include "abi/map-kind.h"
#include "ext.h"
#include "gather-device.h"
#include "gather-model.h"
#include "interpose/events.h"
#include "launch/launch.h"
#include "memory/pool.h"
#include "tap.h"
#include "transfer/address.h"
#include "transfer/defer.h"
#include "transfer/unchanged.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

/* ---- What the tested parts need from the rest of the runtime ----------- */

struct acr_env acr_env = { .pool_max = 1 << 20,
                           .staging_max = 2 << 20,
                           .unchanged_max = 1 << 20,
                           .copiers = 2 };
struct acr_counters acr_counters;
struct acr_driver acr_driver;

void
acr_warn (const char *fmt, ...)
{
  (void)fmt;
}

const char *_Atomic acr_opt_why[ACR_OPT_COUNT];

void
acr_opt_disable (enum acr_opt o, const char *why)
{
  (void)o, (void)why;
}

/* No kernels are left, and no copies are lost.  */
static void
bail_out (const char *fmt, ...)
{
  printf ("Bail out! %s\n", fmt);
  exit (1);
}

struct acr_libgomp acr_libgomp = { .error = bail_out };

const char *
acr_cuda_error (CUresult r)
{
  (void)r;
  return "";
}

/* ---- The walk ---------------------------------------------------------- */

static operation *const op_any[]
    = { op_hold,  op_h2d,  op_h2d,    op_h2d_row, op_h2d_row,
        op_alloc, op_free, op_alloc,  op_alloc,   op_fresh,
        op_d2h,   op_d2h,  op_launch, op_thread };

/* A construct of COUNT operations, of the first KINDS of OP; or any, of
   anything.  Regions have some of the blocks.  */
static void
construct_of (unsigned site, bool region, unsigned count, operation *const *op,
              unsigned kinds)
{
  void *addr[NBLOCKS];
  size_t size[NBLOCKS], n = 0;
  unsigned short kind[NBLOCKS];
  unsigned parts = 1 + rnd (3), part = rnd (parts);
  operands = kinds || rnd (2);
  alignment = 3 + rnd (3);
  if (!region || !kinds)
    scribble ();
  tagged = region && operands && (kinds || rnd (3));
  for (struct block *b = blocks; b < blocks + NBLOCKS && operands; b++)
    if (b->n && (!tagged || (b->n < 100000 && (b - blocks) % parts == part)))
      {
        operand[n] = b;
        addr[n] = b->host;
        /* Kernels may get an address alone.  */
        size[n] = tagged && rnd (6) == 0 ? 0 : b->n;
        kind[n] = 3 | (alignment + n % 2 * 3) << 8;
        n++;
      }
  noperands = n;
  /* What closes a construct has no operands of its own.  */
  bool ends = !region && operands && rnd (3) == 0;
  struct acr_call call = { .name = "test",
                           .from = host + site,
                           .region = tagged   ? (void *)&regions[n]
                                     : region ? (void *)op
                                              : NULL,
                           .unseen = tagged || ends,
                           .n = ends ? 0 : n,
                           .hostaddrs = addr,
                           .sizes = size,
                           .kinds = ends ? NULL : kind,
                           .ends = ends };
  acr_construct_begin (&call);
  /* One that frees what it allocates does the same the next time.  */
  bool leaves = rnd (2);
  for (struct block *b = blocks; b < blocks + NBLOCKS; b++)
    b->mine = false;
  for (unsigned i = count; i-- > 0;)
    op[rnd (kinds ? kinds : sizeof op_any / sizeof *op_any)]();
  for (struct block *b = blocks; b < blocks + NBLOCKS && !leaves; b++)
    if (b->n && b->mine)
      release (b);
  acr_construct_end ();
  if (!call.unseen)
    compare_hosts ();
  for (struct block *b = blocks; b < blocks + NBLOCKS; b++)
    if (b->must && (!b->n || rnd (3) == 0))
      {
        acr_look (b->host, b->host_n);
        compare (b->host, b->host_must, b->host_known, b->host_n);
        if (!b->n)
          forget (b);
      }
}

static void
construct (unsigned site, bool region, unsigned count, unsigned kinds)
{
  construct_of (site, region, count, op_any, kinds);
}

/* Free all blocks.  */
static void
clear (unsigned site)
{
  struct acr_call call = { .name = "test", .from = host + site };
  operands = false;
  acr_construct_begin (&call);
  for (struct block *b = blocks; b < blocks + NBLOCKS; b++)
    if (b->n)
      release (b);
  acr_construct_end ();
  for (struct block *b = blocks; b < blocks + NBLOCKS; b++)
    if (b->must)
      forget (b);
}

/* A directive that maps blocks in one, and sends some of them.  */
static void
enter_row (unsigned site)
{
  enum
  {
    MOST = 6
  };
  struct block *b[MOST];
  void *addr[MOST];
  size_t size[MOST];
  unsigned short kind[MOST];
  static const size_t bytes[] = { 64, 512, 4000, 4096 };
  unsigned n = prepare_row (b, 2 + rnd (MOST - 1), bytes[rnd (4)]);
  if (!n)
    return;
  for (unsigned i = 0; i < n; i++)
    {
      fill (b[i]);
      addr[i] = b[i]->host;
      size[i] = b[i]->host_n;
      kind[i] = 3 | 3 << 8;
    }
  operands = true;
  alignment = 3;
  struct acr_call call = { .name = "enter",
                           .from = host + site,
                           .n = n,
                           .hostaddrs = addr,
                           .sizes = size,
                           .kinds = kind };
  acr_construct_begin (&call);
  place_row (b, n);
  for (unsigned i = 0; i < n; i++)
    if (rnd (3))
      to_device (b[i], 0, b[i]->n);
  acr_construct_end ();
}

/* A loop over what was mapped so, once: directives that send some of it, regions with
   some of it that nobody waits for, one that fetches.  */
static void
rows (unsigned site)
{
  static operation *const some[] = { op_h2d }, *const leave[] = { op_d2h };
  clear (site);
  for (unsigned i = 1 + rnd (3); i-- > 0;)
    enter_row (site + 1);
  for (unsigned times = 1 + rnd (4); times-- > 0;)
    {
      for (unsigned i = 2; i < 6; i++)
        if (!whim (60))
          construct_of (site + i, i % 2, 1 + rnd (2), i % 2 ? op_any : some, 1);
      construct_of (site + 6, false, 1 + rnd (3), leave, 1);
    }
}

/* The loop of a program, once: directives that allocate and send, regions that
   nobody waits for, a directive that fetches; most of the time the same.  */
static void
program (unsigned site)
{
  static operation *const enter[] = { op_enter }, *const leave[] = { op_d2h };
  clear (site);
  for (unsigned i = 1; i < 7; i++)
    {
      bool region = i % 3 == 0;
      if (!whim (120))
        construct_of (site + i, region, 1 + !region * rnd (3),
                      region ? op_any : enter, 1);
    }
  construct_of (site + 7, false, 3, leave, 1);
}

/* Directives that send and regions that nobody waits for, in turn, as programs
   have them; most of the time the same as before.  */
static void
sequence (unsigned site)
{
  for (unsigned i = 0; i < 6; i++)
    if (!whim (30))
      construct (site + i, i % 2, 1 + rnd (3), i % 2 ? 1 : 5 + 2 * rnd (2));
}

/* ---- Regions that map all that they need ------------------------------- */

enum
{
  OPERANDS = POINTER_TO,
  ARGUMENTS = 32
};

/* What libgomp sends of its own to ARGS, and overwrites.  */
static void
send_arguments (struct block *args, unsigned char k)
{
  unsigned char buffer[ARGUMENTS];
  for (unsigned i = 0; i < ARGUMENTS; i++)
    buffer[i] = args->must[i] = i + k;
  memset (args->known, KNOWN, ARGUMENTS);
  send (args, 0, buffer, ARGUMENTS);
  memset (buffer, 0, ARGUMENTS);
}

/* A kernel that reads ARGS and every other operand, and writes the others; or, without
   a tag, all.  */
static void
launch_mapped (struct block *args)
{
  struct acr_launch l = { 0 };
  acr_events->launches (&l);
  flush ();
  for (unsigned i = 0; i < OPERANDS; i += 2)
    launch_on (operand[i], ~(int)rnd (256), rnd (2) ? args : operand[i + 1]);
  if (!tagged)
    {
      launch_on (operand[1], ~(int)rnd (256), args);
      launch_on (args, ~(int)rnd (256), args);
    }
  acr_events->launched (NULL);
}

/* A region with operands and ARGS, which are B and on.  */
static void
map_and_launch (unsigned site, struct block *b, size_t bytes, unsigned char k)
{
  void *addr[OPERANDS + 1];
  size_t size[OPERANDS + 1] = { 0 };
  unsigned short kind[OPERANDS + 1];
  struct block *args = b + OPERANDS;
  for (unsigned i = 0; i < OPERANDS; i++)
    {
      operand[i] = b + i;
      prepare (operand[i], bytes);
      fill (operand[i]);
      addr[i] = operand[i]->host;
      size[i] = bytes;
      kind[i] = 3 | 3 << 8;
    }
  prepare (args, ARGUMENTS);
  addr[OPERANDS] = args->host;
  kind[OPERANDS] = ACR_MAP_KIND_POINTER | 3 << 8;
  noperands = OPERANDS;
  operands = true;
  alignment = 3;
  tagged = !whim (8);
  /* What libgomp sends of its own is a pointer, and the kernel may stay.  */
  pointer = tagged && rnd (2) ? args : NULL;
  struct acr_call call
      = { .name = "mapped",
          .from = host + site,
          .region = pointer  ? (void *)&pointer_region
                    : tagged ? (void *)&regions[OPERANDS]
                             : (void *)host,
          .unseen = tagged && rnd (2),
          .n = OPERANDS + (pointer != NULL),
          .hostaddrs = addr,
          .sizes = size,
          .kinds = kind };
  acr_construct_begin (&call);
  place (args);
  send_arguments (args, k);
  for (unsigned i = 0; i < OPERANDS; i++)
    {
      place (operand[i]);
      to_device (operand[i], 0, bytes);
    }
  if (whim (8))
    send_arguments (args, k + 1);
  if (whim (8))
    op_other (args);
  if (whim (16))
    op_thread ();
  for (unsigned times = 1 + whim (8); times-- > 0;)
    if (pointer)
      op_hold ();
    else
      launch_mapped (args);
  pointer = NULL;
  for (unsigned i = 0; i < OPERANDS; i++)
    from_device (operand[i], 0, bytes);
  if (whim (16))
    op_thread ();
  for (unsigned i = 0; i <= OPERANDS; i++)
    release (b + i);
  acr_construct_end ();
}

/* The host looks at what the region with B has given back.  */
static void
look_at_mapped (struct block *b)
{
  for (unsigned i = 0; i <= OPERANDS; i++, b++)
    {
      acr_look (b->host, b->host_n);
      compare (b->host, b->host_must, b->host_known, b->host_n);
      forget (b);
    }
}

/* A region, or two before the host looks, of which the second may get the memory of the
   first.  */
static void
map_once (unsigned site, size_t bytes, unsigned char k)
{
  struct block *other = &blocks[OPERANDS + 1];
  bool two = rnd (2);
  map_and_launch (site, blocks, bytes, k);
  if (two)
    map_and_launch (site + 1, other, bytes, ~k);
  look_at_mapped (blocks);
  if (two)
    look_at_mapped (other);
}

/* Most often with the same arguments.  Other constructs get the blocks sometimes.  */
static void
mapped (unsigned site)
{
  static const size_t size[] = { 24, 24, 500, 4000 };
  size_t bytes = size[rnd (4)];
  unsigned char k = rnd (256);
  clear (site);
  for (unsigned times = 3 + rnd (6); times-- > 0;)
    {
      if (whim (4))
        k = rnd (256);
      map_once (site + 1, bytes, k);
      if (whim (8))
        {
          construct (site + 3, rnd (2), 4, 0);
          clear (site);
        }
    }
}

/* ---- Updates ----------------------------------------------------------- */

enum
{
  UPDATED = 8
};

/* One directive that updates blocks, most of them as the last one did, some of
   them both ways.  */
static void
update (unsigned site, bool back)
{
  void *addr[NBLOCKS];
  size_t size[NBLOCKS], n = 0;
  unsigned short kind[NBLOCKS];
  operands = true;
  for (struct block *b = blocks; b < blocks + NBLOCKS; b++)
    if (b->n)
      {
        operand[n] = b;
        addr[n] = b->host;
        size[n] = b->n;
        kind[n++] = 3;
      }
  noperands = n;
  struct acr_call call = { .name = "update",
                           .from = host + site + back,
                           .n = n,
                           .hostaddrs = addr,
                           .sizes = size,
                           .kinds = kind };
  acr_construct_begin (&call);
  for (size_t i = 0; i < n && i < UPDATED; i++)
    {
      struct block *b = operand[i];
      size_t at = (i % 3 == 2) != whim (20) ? b->n / 3 : 0;
      bool from = back != whim (15);
      for (unsigned ways = 1 + whim (10); ways-- > 0; from = !from)
        if (from)
          from_device (b, at, b->n - at);
        else
          to_device (b, at, b->n - at);
      if (whim (40))
        op_thread ();
    }
  acr_construct_end ();
  for (size_t i = 0; i < n; i++)
    compare (operand[i]->host, operand[i]->host_must, operand[i]->host_known,
             operand[i]->host_n);
}

/* One of them; it may be gone.  */
static struct block *
updated (void)
{
  unsigned n = noperands < UPDATED ? noperands : UPDATED;
  return n ? operand[rnd (n)] : &blocks[0];
}

/* The host changes a byte, where a sample may not see it.  */
static void
touch (void)
{
  struct block *b = updated ();
  if (!b->n)
    return;
  size_t i = rnd (b->n);
  b->host[i] = b->host_must[i] = rnd (256);
  b->host_known[i] = KNOWN;
}

/* A region of which nothing is known.  */
static void
unknown (unsigned site)
{
  struct acr_call call
      = { .name = "test", .from = host + site, .region = host };
  tagged = false;
  acr_construct_begin (&call);
  op_launch ();
  acr_construct_end ();
}

/* Memory of libgomp's own is sent to one of them; or another variable of the
   same value comes in its place, to be written by a kernel.  */
static void
replace (unsigned site, bool all)
{
  struct acr_call call = { .name = "test", .from = host + site };
  struct block *b = updated ();
  size_t n = b->n;
  if (!n)
    return;
  acr_construct_begin (&call);
  if (all)
    {
      struct block old = *b;
      release (&old);
      *b = (struct block){ 0 };
      allocate (b, n);
      memcpy (b->host, old.host, n);
      memcpy (b->host_must, old.host_must, n);
      memcpy (b->host_known, old.host_known, n);
      forget (&old);
    }
  else
    {
      operands = false;
      to_device (b, 0, n);
    }
  acr_construct_end ();
  if (all)
    construct (site + 1, true, 1, 1);
}

/* Another thread's kernel on a block, for the time between its hooks and its
   launch.  */
static struct
{
  struct block *b;
  sem_t announced, go;
} other;

static void *
other_kernel (void *arg)
{
  void *addr = other.b->host;
  unsigned short kind = 3;
  struct acr_call call = { .name = "other",
                           .from = host,
                           .region = &regions[1],
                           .n = 1,
                           .hostaddrs = &addr,
                           .sizes = &other.b->n,
                           .kinds = &kind };
  struct acr_launch l = { 0 };
  acr_construct_begin (&call);
  acr_events->launches (&l);
  sem_post (&other.announced);
  sem_wait (&other.go);
  launch_on (other.b, ~(int)rnd (256), other.b);
  acr_events->launched (NULL);
  acr_construct_end ();
  return arg;
}

static void
meanwhile (unsigned site)
{
  pthread_t t;
  other.b = updated ();
  if (!other.b->n || sem_init (&other.announced, 0, 0)
      || sem_init (&other.go, 0, 0)
      || pthread_create (&t, NULL, other_kernel, NULL))
    return;
  sem_wait (&other.announced);
  update (site, false);
  update (site, false);
  sem_post (&other.go);
  pthread_join (t, NULL);
  update (site, false);
}

/* Updates of what has changed, and what has not, with regions between.  */
static void
updates (unsigned site)
{
  operands = false;
  for (struct block *b = blocks; b < blocks + NBLOCKS; b++)
    if (b->must)
      {
        if (b->n)
          release (b);
        forget (b);
      }
  construct (site + 2, false, 6, 8);
  scribble ();
  for (unsigned i = 0, times = 4 + rnd (20); i < times; i++)
    {
      update (site, rnd (4) == 0);
      switch (rnd (16))
        {
        case 0:
        case 1:
          construct (site + 3, true, 1, 1);
          break;
        case 2:
          scribble ();
          break;
        case 11:
        case 12:
          replace (site + 6, rnd (2));
          break;
        case 3:
          construct (site + 4, rnd (2), 4, 0);
          break;
        case 4:
          op_thread ();
          break;
        case 5:
        case 6:
          op_own (updated ());
          break;
        case 7:
          op_other (updated ());
          break;
        case 8:
        case 9:
          touch ();
          break;
        case 10:
          if (rnd (3) == 0)
            unknown (site + 5);
          break;
        case 13:
          meanwhile (site);
          break;
        }
    }
  look ();
}

/* The end of one allocation and the beginning of the next, in either order. */
static void
neighbours (void)
{
  enum
  {
    BYTES = 70000,
    PART = 1000
  };
  for (int turn = 0; turn < 2; turn++)
    {
      struct acr_call call = { .name = "test", .from = host };
      struct block *a = &blocks[0], *b = &blocks[1];
      operands = false;
      acr_construct_begin (&call);
      allocate (a, BYTES);
      allocate (b, BYTES);
      to_device (turn ? b : a, turn ? 0 : BYTES - PART, PART);
      to_device (turn ? a : b, turn ? BYTES - PART : 0, PART);
      release (a);
      release (b);
      acr_construct_end ();
      forget (a);
      forget (b);
      acr_pool_trim ();
    }
}

/* Copies almost to the end of a block's data, and to the beginning of the next
   block: what is between them is nobody's only behind the data, which ends as
   far in front of the block's end as the least aligned operand says.  */
static void
last_bytes (void)
{
  enum
  {
    BYTES = 4000
  };
  void *addr[] = { host, host + 8 };
  size_t size[] = { 8, 8 };
  unsigned short kind[] = { 3 | 3 << 8, 3 | 6 << 8 };
  struct acr_call call = { .name = "test",
                           .from = host,
                           .n = 2,
                           .hostaddrs = addr,
                           .sizes = size,
                           .kinds = kind };
  struct block *a = &blocks[0], *b = &blocks[1];
  operands = false;
  alignment = 3;
  acr_construct_begin (&call);
  allocate (a, BYTES);
  allocate (b, BYTES);
  acr_construct_end ();
  for (int turn = 0; turn < 4; turn++)
    {
      acr_construct_begin (&call);
      to_device (b, 0, BYTES);
      to_device (a, 0, BYTES);
      acr_construct_end ();
      look ();
      /* With a window on the last copies, and without.  */
      call.from = turn < 2 ? host : host + turn;
      acr_construct_begin (&call);
      if (turn % 2)
        to_device (b, 0, 100);
      to_device (a, 0, BYTES - 20);
      if (turn % 2 == 0)
        to_device (b, 0, 100);
      acr_construct_end ();
      look ();
    }
  release (a);
  release (b);
  forget (a);
  forget (b);
  acr_pool_trim ();
}

/* Copies of spans of any size, with help.  */
static void
copy_spans (void)
{
  enum
  {
    BYTES = 3 << 20
  };
  unsigned char *from = malloc (BYTES), *to = malloc (BYTES);
  for (size_t i = 0; i < BYTES; i++)
    from[i] = rnd (256);
  for (unsigned t = 0; t < 20; t++)
    {
      struct acr_span spans[100];
      size_t n = 0, end = 0;
      while (n < 100 && end < BYTES)
        {
          size_t most = BYTES - end < 100000 ? BYTES - end : 100000;
          spans[n] = (struct acr_span){ to + end, from + end, 1 + rnd (most) };
          end += spans[n++].n;
        }
      memset (to, 0, end);
      acr_copy_all (spans, n);
      wrong += !!memcmp (to, from, end);
    }
  free (from);
  free (to);
}

static unsigned rounds;
static uint64_t walk; /* the seed of the next */

/* How each thing begins, and what only some orders show.  */
static void *
begin (void *arg)
{
  CUcontext context;
  acr_driver.ctx_get_current (&context);
  acr_pool_context_created (context);
  acr_construct_follow ();
  make_tags ();
  acr_pool_alloc (&arguments, 64);
  copy_spans ();
  neighbours ();
  last_bytes ();
  return arg;
}

enum
{
  SOME = 50
};

/* The next rounds from number *ARG on.  Pinned memory is short at first; in the
   end the program has device addresses.  In half of them kernels wait for others
   wherever they may.  */
static void *
some_rounds (void *arg)
{
  unsigned *first = arg;
  acr_env.graphs = *first / SOME % 2 ? 3 : 0;
  for (unsigned r = *first; r < rounds && r < *first + SOME && !wrong; r++)
    {
      unsigned site = rnd (2) ? rnd (40) : 40 + r, times = 1 + rnd (8);
      bool region = rnd (2), calm = rnd (4) == 0, updated = rnd (4) == 0;
      bool loops = rnd (16) == 0, maps = rnd (4) == 0, in_rows = rnd (6) == 0;
      if (loops)
        times += 20;
      uint64_t x = seed;
      for (unsigned t = 0; t < times; t++)
        {
          seed = x;
          if (rnd (50) == 0)
            device_fail_in = 1 + rnd (4);
          if (loops)
            program (8 * site);
          else if (in_rows)
            rows (8 * site);
          else if (updated)
            updates (8 * site);
          else if (calm)
            sequence (8 * site);
          else if (maps)
            mapped (8 * site);
          else
            construct (site, region, 4 + rnd (20), 0);
          if (rnd (8) == 0)
            look ();
        }
      device_fail_in = 0;
      seed = walk = walk * 6364136223846793005u + 1442695040888963407u;
      if (r == rounds / 4)
        acr_env.staging_max *= 4;
      if (r == rounds - rounds / 4)
        acr_address_tell ();
    }
  return arg;
}

/* One thread that uses the device comes after another: all is new to it.  */
static void
in_thread (void *(*fn) (void *), void *arg)
{
  pthread_t t;
  if (pthread_create (&t, NULL, fn, arg) || pthread_join (t, NULL))
    abort ();
}

int
main (int argc, char **argv)
{
  rounds = argc > 1 ? atoi (argv[1]) : 1500;
  walk = seed = (argc > 2 ? atoi (argv[2]) : 1) * 0x9e3779b97f4a7c15u;
  device_open ();
  in_thread (begin, NULL);
  for (unsigned r = 0; r < rounds && !wrong; r += SOME)
    in_thread (some_rounds, &r);
  look ();
  ok_int (wrong, 0, "%u rounds of constructs: every byte", rounds);
  ok (acr_counters.h2d_staged > rounds, "%lu copies to the device gathered",
      (unsigned long)acr_counters.h2d_staged);
  ok (acr_counters.h2d_lent > rounds / 50, "%lu of what libgomp has merged",
      (unsigned long)acr_counters.h2d_lent);
  ok (acr_counters.d2h_staged > rounds / 20, "%lu copies back were fetched",
      (unsigned long)acr_counters.d2h_staged);
  ok (acr_counters.held > rounds / 20, "%lu kernels were passed by copies",
      (unsigned long)acr_counters.held);
  ok (in_lists > rounds, "%lu kernels left with others", in_lists);
  ok (out_of_order > 0, "%lu of them went in another order", out_of_order);
  ok (acr_counters.h2d_staged > acr_counters.h2d_copies,
      "by fewer copies, %lu", (unsigned long)acr_counters.h2d_copies);
  ok (acr_counters.h2d_unchanged > rounds / 8,
      "%lu copies to the device left out, nothing had changed",
      (unsigned long)acr_counters.h2d_unchanged);
  ok (acr_counters.d2h_late > rounds / 40, "%lu copies to the host later",
      (unsigned long)acr_counters.d2h_late);
  ok (acr_counters.d2h_unchanged > rounds / 20,
      "%lu copies to the host left out, nothing had changed",
      (unsigned long)acr_counters.d2h_unchanged);
  ok (acr_counters.d2h_dead > rounds / 4, "%lu copies back of what was sent",
      (unsigned long)acr_counters.d2h_dead);
  ok (placed > rounds / 4, "%lu plans, %u blocks in their places",
      (unsigned long)acr_counters.plans, placed);
  return done_testing ();
}
