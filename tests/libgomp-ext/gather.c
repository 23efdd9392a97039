/* Constructs of any shape against a model of the device: allocations, copies
   both ways in any order and overlap, kernels, frees.

   The device's memory is the test's; copies and kernels on the NULL stream
   happen only when something waits for them.  A shadow says what each byte
   must be, at once.  Constructs repeat, so that their copies back are
   foretold, and then deviate.

   Some kernels may be held until later copies have passed them; they use
   operands of their constructs.

   In half of the constructs, what is copied are operands: the host's side of a
   block, which is compared when the construct is over.  In the others it is
   memory that is compared and overwritten at once, as libgomp's own may be.
   Sometimes another thread begins to use the device in the midst, and compares
   everything there and then.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gather.h"
#include "config.h"

#include "defer.h"
#include "ext.h"
#include "hold.h"
#include "kept.h"
#include "lend.h"
#include "pool.h"
#include "readback.h"
#include "tap.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

/* ---- What the tested parts need from the rest of the runtime ----------- */

struct acr_env acr_env
    = { .pool_max = 1 << 20, .staging_max = 2 << 20, .copiers = 2 };
struct acr_counters acr_counters;
struct acr_driver acr_driver;

void
acr_warn (const char *fmt, ...)
{
  (void)fmt;
}

const char *
acr_opt_off (enum acr_opt o)
{
  (void)o;
  return NULL;
}

void
acr_opt_disable (enum acr_opt o, const char *why)
{
  (void)o, (void)why;
}

CUresult
acr_cuda_alloc (CUdeviceptr *p, size_t n)
{
  return acr_driver.mem_alloc (p, n);
}

CUresult
acr_cuda_free (CUdeviceptr p)
{
  acr_kept_clear ();
  acr_gather_hand_over ();
  return acr_driver.mem_free (p);
}

_Noreturn void
acr_cuda_fatal (CUresult r)
{
  printf ("Bail out! a copy failed with %d\n", r);
  exit (1);
}

/* No kernels are left, and no copies. */
struct acr_libgomp acr_libgomp;

void
acr_defer_check (CUresult r)
{
  (void)r;
}

void
acr_defer_seen (void)
{
}

const char *
acr_cuda_error (CUresult r)
{
  (void)r;
  return "";
}

/* ---- The device -------------------------------------------------------- */

/* One piece of work on the NULL stream: a copy, or a kernel that adds K to
   every byte or makes it ~K.  */
struct work
{
  void *dst;
  const void *src;
  size_t n;
  int k;
};

enum
{
  NWORK = 1 << 12
};

static struct work queue[NWORK];
static unsigned head, tail; /* numbers of work done and submitted */
static unsigned fail_in;    /* 1: the next asynchronous copy fails */

static void
kernel (unsigned char *p, size_t n, int k)
{
  if (k < 0)
    memset (p, ~k, n);
  for (size_t i = 0; k > 0 && i < n; i++)
    p[i] += k;
}

static void
drain (void)
{
  for (; head != tail; head++)
    {
      struct work *w = &queue[head % NWORK];
      if (w->src)
        memcpy (w->dst, w->src, w->n);
      else
        kernel (w->dst, w->n, w->k);
    }
}

static CUresult
submit (struct work w)
{
  if (tail - head == NWORK)
    drain ();
  queue[tail++ % NWORK] = w;
  return CUDA_SUCCESS;
}

static bool
fails (void)
{
  return fail_in && --fail_in == 0;
}

/* Device memory, and where each allocation begins.  */
#define DEVICE ((size_t)16 << 30)
enum
{
  NALLOCATIONS = 1 << 16
};
static struct
{
  char *base, *next;
  char *from[NALLOCATIONS];
  unsigned count;
} memory;

/* Whether N bytes at P are in one allocation.  */
static bool
is_valid (CUdeviceptr p, size_t n)
{
  unsigned lo = 0, hi = memory.count;
  while (hi - lo > 1)
    {
      unsigned mid = (lo + hi) / 2;
      if ((CUdeviceptr)(uintptr_t)memory.from[mid] <= p)
        lo = mid;
      else
        hi = mid;
    }
  const char *end = hi < memory.count ? memory.from[hi] : memory.next;
  return p + n <= (uintptr_t)end;
}

static CUresult
h2d_async (CUdeviceptr dst, const void *src, size_t n, CUstream s)
{
  (void)s;
  if (fails () || !is_valid (dst, n))
    return CUDA_ERROR_INVALID_VALUE;
  return submit ((struct work){ (void *)dst, src, n, 0 });
}

static CUresult
d2h_async (void *dst, CUdeviceptr src, size_t n, CUstream s)
{
  (void)s;
  if (fails () || !is_valid (src, n))
    return CUDA_ERROR_INVALID_VALUE;
  return submit ((struct work){ dst, (void *)src, n, 0 });
}

static CUresult
h2d_now (CUdeviceptr dst, const void *src, size_t n)
{
  if (!is_valid (dst, n))
    return CUDA_ERROR_INVALID_VALUE;
  drain ();
  memcpy ((void *)dst, src, n);
  return CUDA_SUCCESS;
}

static CUresult
d2h_now (void *dst, CUdeviceptr src, size_t n)
{
  drain ();
  memcpy (dst, (void *)src, n);
  return CUDA_SUCCESS;
}

/* Allocations lie side by side, and none of their addresses serves twice.  */
static CUresult
device_alloc (CUdeviceptr *p, size_t n)
{
  if (!memory.base)
    memory.next = memory.base
        = mmap (NULL, DEVICE, PROT_READ | PROT_WRITE,
                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory.count == NALLOCATIONS
      || n > (size_t)(memory.base + DEVICE - memory.next))
    return CUDA_ERROR_OUT_OF_MEMORY;
  memory.from[memory.count++] = memory.next;
  *p = (uintptr_t)memory.next;
  memory.next += n;
  memset ((void *)*p, 0x5a, n);
  return CUDA_SUCCESS;
}

static CUresult
device_free (CUdeviceptr p)
{
  (void)p;
  drain ();
  return CUDA_SUCCESS;
}

static CUresult
device_info (size_t *idle, size_t *total)
{
  *idle = *total = (size_t)1 << 30;
  return CUDA_SUCCESS;
}

static CUresult
current (CUcontext *c)
{
  static int context;
  *c = (CUcontext)&context;
  return CUDA_SUCCESS;
}

static CUresult
host_alloc (void **p, size_t n, unsigned flags)
{
  (void)flags;
  *p = malloc (n);
  return CUDA_SUCCESS;
}

static CUresult
host_free (void *p)
{
  drain ();
  free (p);
  return CUDA_SUCCESS;
}

/* An event is the number of the work before it.  */
static CUresult
event_create (CUevent *e, unsigned flags)
{
  (void)flags;
  *e = malloc (sizeof (unsigned));
  return CUDA_SUCCESS;
}

static CUresult
event_destroy (CUevent e)
{
  free (e);
  return CUDA_SUCCESS;
}

static CUresult
event_record (CUevent e, CUstream s)
{
  (void)s;
  *(unsigned *)e = tail;
  return CUDA_SUCCESS;
}

static CUresult
event_query (CUevent e)
{
  return (int)(*(unsigned *)e - head) > 0 ? CUDA_ERROR_NOT_READY
                                          : CUDA_SUCCESS;
}

static CUresult
event_wait (CUevent e)
{
  (void)e;
  drain ();
  return CUDA_SUCCESS;
}

static CUresult
stream_wait (CUstream s)
{
  (void)s;
  drain ();
  return CUDA_SUCCESS;
}

/* A kernel that is held, on some blocks.  */
struct held
{
  struct work work[24];
  unsigned n;
};

CUresult
acr_launch_now (const struct acr_launch *l)
{
  struct held *h = (struct held *)l->fn;
  for (unsigned i = 0; i < h->n; i++)
    submit (h->work[i]);
  free (h);
  return CUDA_SUCCESS;
}

/* ---- The walk ---------------------------------------------------------- */

enum
{
  NBLOCKS = 24,
  HOST = 1 << 20
};

static struct block
{
  CUdeviceptr p;
  size_t n;             /* 0: free */
  bool mine;            /* of the construct at hand */
  unsigned char *must;  /* what the device must hold */
  unsigned char *known; /* where anything was written */
  /* The same of the host's side.  */
  unsigned char *host, *host_must, *host_known;
  size_t host_n;
} blocks[NBLOCKS];

static unsigned char host[HOST];
static bool operands; /* the construct's */

/* The blocks that are the operands of the region at hand; REGIONS, by number of
   operands, have tags.  */
static struct block *operand[NBLOCKS];
static unsigned noperands;
static bool tagged;
static char regions[NBLOCKS + 1];
static CUdeviceptr arguments; /* a kernel's */

static void
make_tags (void)
{
  static struct acr_host_entry table[NBLOCKS + 1];
  for (unsigned n = 0; n <= NBLOCKS; n++)
    {
      static char tag[NBLOCKS + 1][32 * NBLOCKS + 128];
      int at = sprintf (tag[n], "ACCRETE-TAG 1 fn=f%u src=t.c:1 "
                                "kind=acc-parallel dims=1,1,1 closed=1", n);
      for (unsigned i = 0; i < n; i++)
        at += sprintf (tag[n] + at, " op=%u,,data,rw,?,1", i);
      table[n] = (struct acr_host_entry){ &regions[n], tag[n] };
    }
  acr_register_regions (table, NBLOCKS + 1);
}
static uint64_t seed;
static unsigned wrong;

static unsigned
rnd (unsigned n)
{
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (seed >> 11) % n;
}

/* The same, but other than RND's when a construct is repeated.  */
static bool
whim (unsigned one_in)
{
  static uint64_t x = 1;
  x = x * 6364136223846793005u + 1442695040888963407u;
  return (x >> 33) % one_in == 0;
}

/* As libgomp does, which aligns the data itself.  */
static void
allocate (struct block *b, size_t n)
{
  size_t asked = n + 8 * (1 + rnd (2)) - 1;
  b->n = n;
  b->mine = true;
  if (acr_pool_alloc (&b->p, asked))
    abort ();
  acr_construct_alloc (b->p, asked);
  b->must = malloc (b->n);
  b->known = calloc (1, b->n);
  b->host = malloc (b->n);
  b->host_n = b->n;
  b->host_must = malloc (b->n);
  b->host_known = calloc (1, b->n);
}

static void
op_alloc (void)
{
  static const size_t size[]
      = { 24, 24, 500, 512, 4000, 4000, 16391, 70000, 300000 };
  struct block *b = &blocks[rnd (NBLOCKS)];
  if (!b->must)
    allocate (b, size[rnd (sizeof size / sizeof *size)]);
}

static void
compare (const unsigned char *got, const unsigned char *must,
         const unsigned char *known, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (known[i] && got[i] != must[i])
      {
        wrong++;
        return;
      }
}

static void
release (struct block *b)
{
  if (!acr_gather_holds () && acr_gather_flush ())
    wrong++;
  acr_construct_freed (b->p);
  acr_pool_free (b->p);
  b->n = 0;
}

/* A block that was freed in a construct may be an operand to its end.  */
static void
forget (struct block *b)
{
  free (b->must);
  free (b->known);
  free (b->host);
  free (b->host_must);
  free (b->host_known);
  *b = (struct block){ 0 };
}

static void
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

/* As cuda.c's wrapper.  */
static void
send (struct block *b, size_t at, const void *src, size_t n)
{
  acr_readback_changed (b->p + at, n);
  if (!acr_gather_copy (b->p + at, src, n))
    {
      if (acr_gather_flush ())
        wrong++;
      h2d_now (b->p + at, src, n);
      acr_gather_wrote (b->p + at, n);
    }
}

static void
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
      memset (b->known + at, 1, n);
    }
  send (b, at, src, n);
  if (!operands)
    memset (host, 0, n < 100 ? n : 100);
}

static void
op_h2d (void)
{
  struct block *b;
  size_t at, n;
  if (some (&b, &at, &n))
    to_device (b, at, n);
}

/* Operands side by side, or nearly so, as libgomp puts them.  */
static void
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
op_d2h (void)
{
  struct block *b;
  size_t at, n;
  if (!some (&b, &at, &n))
    return;
  if (acr_gather_flush ())
    wrong++;
  if (n > 4 && whim (20))
    {
      at += n / 4;
      n /= 2;
    }
  unsigned char *dst = operands ? b->host + at : host;
  if (!acr_readback_copy (dst, b->p + at, n))
    d2h_now (dst, b->p + at, n);
  if (operands)
    {
      memcpy (b->host_must + at, b->must + at, n);
      memcpy (b->host_known + at, b->known + at, n);
    }
  else
    compare (dst, b->must + at, b->known + at, n);
}

static void
op_launch (void)
{
  int k = rnd (2) ? (int)rnd (256) : ~(int)rnd (256);
  if (acr_gather_flush ())
    wrong++;
  for (unsigned i = rnd (4); i < NBLOCKS; i += 3)
    if (blocks[i].n)
      {
        submit ((struct work){ (void *)blocks[i].p, NULL, blocks[i].n, k });
        kernel (blocks[i].must, blocks[i].n, k);
        if (k < 0)
          memset (blocks[i].known, 1, blocks[i].n);
      }
  acr_construct_launched (NULL);
  if (rnd (2))
    {
      drain ();
      acr_readback_synced ();
      acr_gather_synced ();
    }
}

/* A kernel on some of the operands, that may wait.  */
static void
op_hold (void)
{
  int k = rnd (2) ? (int)rnd (256) : ~(int)rnd (256);
  unsigned step = 1 + rnd (4), first = rnd (4);
  CUdeviceptr words[NBLOCKS];
  if (!tagged)
    return;
  struct held *h = calloc (1, sizeof *h);
  struct acr_launch l = { .fn = (CUfunction)h,
                          .words = words,
                          .nwords = noperands,
                          .value = { arguments } };
  for (unsigned i = 0; i < noperands; i++)
    {
      struct block *b = operand[i];
      words[i] = b->p;
      if (!b->n || i < first || (i - first) % step)
        continue;
      h->work[h->n++] = (struct work){ (void *)b->p, NULL, b->n, k };
      kernel (b->must, b->n, k);
      if (k < 0)
        memset (b->known, 1, b->n);
    }
  if (!acr_gather_hold (&l))
    {
      wrong += acr_gather_flush () != CUDA_SUCCESS;
      acr_launch_now (&l);
    }
  acr_construct_launched (NULL);
}

static void
compare_all (void)
{
  drain ();
  for (struct block *b = blocks; b < blocks + NBLOCKS; b++)
    {
      compare ((unsigned char *)b->p, b->must, b->known, b->n);
      if (b->must)
        compare (b->host, b->host_must, b->host_known, b->host_n);
    }
}

/* The thread copies everything back, as cuda.c's wrapper does.  */
static void
look (void)
{
  if (acr_gather_flush ())
    wrong++;
  compare_all ();
}

static void *
other_thread (void *arg)
{
  acr_construct_thread ();
  compare_all ();
  return arg;
}

static void
op_thread (void)
{
  pthread_t t;
  if (rnd (3) || pthread_create (&t, NULL, other_thread, NULL))
    return;
  pthread_join (t, NULL);
}

/* The program writes to its side of some operands.  */
static void
scribble (void)
{
  for (struct block *b = blocks + rnd (2); b < blocks + NBLOCKS; b += 2)
    if (b->n)
      {
        unsigned char k = rnd (256);
        for (size_t i = 0; i < b->n; i++)
          b->host[i] = b->host_must[i] = i * 3 + k;
        memset (b->host_known, 1, b->n);
      }
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
  memset (b->known, 1, n);
  for (size_t at = 0, step = rnd (2) ? n : n / 3 + 1; at < n; at += step)
    send (b, at, buffer + at, step < n - at ? step : n - at);
  acr_lend_free (buffer);
}

/* Parts of blocks that lie side by side, and that nobody has written, in any
   order.  */
static void
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

typedef void operation (void);

/* A construct of COUNT operations, the first KINDS of those below.  */
static void
construct (unsigned site, bool region, unsigned count, unsigned kinds)
{
  static operation *const op[]
      = { op_hold,  op_h2d, op_h2d, op_h2d_row, op_h2d_row, op_alloc, op_free,
          op_alloc, op_alloc, op_fresh, op_d2h, op_d2h, op_launch, op_thread };
  void *addr[NBLOCKS];
  size_t size[NBLOCKS], n = 0;
  unsigned short kind[NBLOCKS];
  operands = kinds || rnd (2);
  if (!region || !kinds)
    scribble ();
  tagged = region && operands && (kinds || rnd (3));
  for (struct block *b = blocks; b < blocks + NBLOCKS && operands; b++)
    if (b->n && (!tagged || b->n < 100000))
      {
        operand[n] = b;
        addr[n] = b->host;
        size[n] = b->n;
        kind[n++] = 3;
      }
  noperands = n;
  struct acr_call call = { .name = "test",
                           .from = host + site,
                           .region = tagged   ? (void *)&regions[n]
                                     : region ? (void *)op
                                              : NULL,
                           .unseen = tagged,
                           .n = n,
                           .hostaddrs = addr,
                           .sizes = size,
                           .kinds = kind };
  acr_construct_begin (&call);
  /* One that frees what it allocates does the same the next time.  */
  bool leaves = rnd (2);
  for (struct block *b = blocks; b < blocks + NBLOCKS; b++)
    b->mine = false;
  for (unsigned i = count; i-- > 0;)
    op[rnd (kinds ? kinds : sizeof op / sizeof *op)]();
  for (struct block *b = blocks; b < blocks + NBLOCKS && !leaves; b++)
    if (b->n && b->mine)
      release (b);
  acr_construct_end ();
  for (struct block *b = blocks; b < blocks + NBLOCKS; b++)
    if (b->must)
      {
        compare (b->host, b->host_must, b->host_known, b->host_n);
        if (!b->n)
          forget (b);
      }
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

/* The end of one allocation and the beginning of the next, in either order.  */
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

int
main (int argc, char **argv)
{
  unsigned rounds = argc > 1 ? atoi (argv[1]) : 1000;
  uint64_t walk = seed = (argc > 2 ? atoi (argv[2]) : 1) * 0x9e3779b97f4a7c15u;
  acr_driver = (struct acr_driver){
    .ctx_get_current = current,
    .mem_alloc = device_alloc,
    .mem_free = device_free,
    .mem_get_info = device_info,
    .mem_host_alloc = host_alloc,
    .mem_free_host = host_free,
    .event_create = event_create,
    .event_destroy = event_destroy,
    .event_record = event_record,
    .event_query = event_query,
    .event_synchronize = event_wait,
    .stream_synchronize = stream_wait,
    .memcpy_h2d = h2d_now,
    .memcpy_h2d_async = h2d_async,
    .memcpy_d2h_async = d2h_async,
  };
  CUcontext context;
  current (&context);
  acr_pool_context_created (context);
  acr_construct_follow ();
  make_tags ();
  acr_pool_alloc (&arguments, 64);
  copy_spans ();
  neighbours ();

  for (unsigned r = 0; r < rounds && !wrong; r++)
    {
      unsigned site = rnd (2) ? rnd (40) : 40 + r, times = 1 + rnd (8);
      bool region = rnd (2), calm = rnd (4) == 0;
      uint64_t x = seed;
      for (unsigned t = 0; t < times; t++)
        {
          seed = x;
          if (rnd (50) == 0)
            fail_in = 1 + rnd (4);
          if (calm)
            sequence (8 * site);
          else
            construct (site, region, 4 + rnd (20), 0);
          if (rnd (8) == 0)
            look ();
        }
      fail_in = 0;
      seed = walk = walk * 6364136223846793005u + 1442695040888963407u;
      if (r == rounds / 2)
        acr_gather_exposed ();
    }
  look ();
  ok_int (wrong, 0, "%u rounds of constructs: every byte", rounds);
  ok (acr_counters.h2d_staged > rounds, "%lu copies to the device gathered",
      (unsigned long)acr_counters.h2d_staged);
  ok (acr_counters.h2d_lent > rounds / 50,
      "%lu of what libgomp has merged",
      (unsigned long)acr_counters.h2d_lent);
  ok (acr_counters.d2h_staged > rounds / 20, "%lu copies back were fetched",
      (unsigned long)acr_counters.d2h_staged);
  ok (acr_counters.held > rounds / 10, "%lu kernels were passed by copies",
      (unsigned long)acr_counters.held);
  ok (acr_counters.h2d_staged > acr_counters.h2d_copies,
      "by fewer copies, %lu", (unsigned long)acr_counters.h2d_copies);
  return done_testing ();
}
