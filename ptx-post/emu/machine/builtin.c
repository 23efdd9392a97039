/* Device functions that NVIDIA's driver provides: vprintf, malloc, free and
   __assertfail; the limits that govern them and device-side launches.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "machine/builtin.h"
#include "machine/mem.h"

/* ---- Arguments --------------------------------------------------------- */

/* The string at ADDR in BUF, cut to its size; false after a fault.  */
static bool
get_string (struct warp *w, const struct insn *i, unsigned l, uint64_t addr,
	    char *buf, size_t size)
{
  size_t n = 0;
  do
    {
      const char *p = emu_generic (w, i, l, addr + n, 1);
      if (!p)
	return false;
      buf[n] = *p;
    }
  while (buf[n++] && n < size);
  buf[size - 1] = 0;
  return true;
}

/* ---- Output ------------------------------------------------------------ */

static struct
{
  pthread_mutex_t lock;
  char *text;
  size_t len, size;
} out = { .lock = PTHREAD_MUTEX_INITIALIZER };

void
emu_printf_flush (void)
{
  pthread_mutex_lock (&out.lock);
  if (out.len)
    {
      fwrite (out.text, 1, out.len, stdout);
      fflush (stdout);
      out.len = 0;
    }
  pthread_mutex_unlock (&out.lock);
}

static void
put (const char *s, size_t n)
{
  pthread_mutex_lock (&out.lock);
  if (out.len + n > out.size)
    {
      size_t size = (out.len + n) * 2;
      char *p = realloc (out.text, size);
      if (!p)
	n = 0;
      else
	{
	  out.text = p;
	  out.size = size;
	}
    }
  memcpy (out.text + out.len, s, n);
  out.len += n;
  pthread_mutex_unlock (&out.lock);
}

/* The packed arguments of a vprintf call: each is aligned to its size.  */
struct arguments
{
  struct warp *w;
  const struct insn *i;
  unsigned lane;
  uint64_t addr;
  unsigned n;			/* that have been read */
  bool bad;
};

static uint64_t
next_argument (struct arguments *a, unsigned bytes)
{
  uint64_t v = 0;
  a->addr = (a->addr + bytes - 1) & -(uint64_t) bytes;
  const void *p = emu_generic (a->w, a->i, a->lane, a->addr, bytes);
  a->bad |= !p;
  if (p)
    memcpy (&v, p, bytes);
  a->addr += bytes;
  a->n++;
  return v;
}

/* Format the conversion SPEC (LEN bytes, from '%' to its letter) into BUF.  */
static int
convert (struct arguments *a, const char *spec, size_t len, char *buf,
	 size_t size)
{
  char fmt[64], string[4096];
  unsigned longs = 0;
  size_t n = 0;
  char letter = spec[len - 1];
  for (size_t k = 0; k < len - 1 && n < sizeof fmt - 24; k++)
    if (spec[k] == '*')
      n += (size_t) snprintf (fmt + n, sizeof fmt - n, "%d",
			      (int) next_argument (a, 4));
    else if (strchr ("lzjtqL", spec[k]))
      longs++;
    else if (spec[k] != 'h')
      fmt[n++] = spec[k];
  fmt[n] = 0;
  switch (letter)
    {
    case 'd':
    case 'i':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
      {
	uint64_t v = next_argument (a, longs ? 8 : 4);
	long long x = letter == 'd' || letter == 'i'
			? longs ? (long long) v : (int32_t) v : (long long) v;
	snprintf (fmt + n, sizeof fmt - n, "ll%c", letter);
	return snprintf (buf, size, fmt, x);
      }
    case 'c':
      snprintf (fmt + n, sizeof fmt - n, "c");
      return snprintf (buf, size, fmt, (int) next_argument (a, 4));
    case 'p':
      snprintf (fmt + n, sizeof fmt - n, "p");
      return snprintf (buf, size, fmt,
		       (void *) (uintptr_t) next_argument (a, 8));
    case 's':
      {
	uint64_t s = next_argument (a, 8);
	if (a->bad || !get_string (a->w, a->i, a->lane, s, string, sizeof string))
	  {
	    a->bad = true;
	    return 0;
	  }
	snprintf (fmt + n, sizeof fmt - n, "s");
	return snprintf (buf, size, fmt, string);
      }
    default:
      {
	uint64_t v = next_argument (a, 8);
	double x;
	memcpy (&x, &v, 8);
	snprintf (fmt + n, sizeof fmt - n, "%c", letter);
	return snprintf (buf, size, fmt, x);
      }
    }
}

/* False after a fault.  */
static bool
print (struct arguments *a, const char *format)
{
  enum { LINE = 8192 };
  char buf[LINE];
  size_t n = 0;
  for (const char *p = format; *p; )
    {
      size_t plain = strcspn (p, "%");
      if (plain == 0 && p[1] == '%')
	{
	  plain = 1;
	  p++;
	}
      if (plain)
	{
	  size_t room = LINE - n;
	  plain = plain < room ? plain : room;
	  memcpy (buf + n, p, plain);
	  n += plain;
	  p += plain;
	  if (n == LINE)
	    {
	      put (buf, n);
	      n = 0;
	    }
	  continue;
	}
      size_t len = 1 + strspn (p + 1, "-+ #0123456789.*hlzjtqL");
      if (!p[len] || !strchr ("diouxXcspfFeEgGaA", p[len]))
	break;
      put (buf, n);
      int m = convert (a, p, len + 1, buf, LINE);
      if (a->bad)
	return false;
      n = m < 0 ? 0 : m < LINE ? (size_t) m : LINE - 1;
      p += len + 1;
    }
  put (buf, n);
  return true;
}

/* The result is how many arguments there were (CUDA C++ Programming Guide,
   "Formatted Output").  */
HANDLER (builtin_vprintf)
{
  char format[4096];
  EACH_LANE (l)
    {
      struct arguments a
	= { .w = w, .i = i, .lane = l, .addr = emu_argument (w, i, 1, l) };
      if (!get_string (w, i, l, emu_argument (w, i, 0, l), format, sizeof format)
	  || !print (&a, format))
	return;
      emu_result (w, i, l, a.n);
    }
}

HANDLER (builtin_assertfail)
{
  char text[512], file[512], function[256];
  unsigned l = (unsigned) __builtin_ctz (mask);
  if (get_string (w, i, l, emu_argument (w, i, 0, l), text, sizeof text)
      && get_string (w, i, l, emu_argument (w, i, 1, l), file, sizeof file)
      && get_string (w, i, l, emu_argument (w, i, 3, l), function,
		     sizeof function))
    emu_fault (w, i, l, CUDA_ERROR_ASSERT, "%s:%u: %s: assertion `%s' failed",
	       file, (unsigned) emu_argument (w, i, 2, l), function, text);
}

/* ---- The heap ---------------------------------------------------------- */

/* Blocks of powers of two, each behind a header that says which; free ones
   are listed by size.  */
enum
{
  HEAP_HEADER = 16,
  HEAP_MIN = 5,			/* log2 of the smallest block */
  HEAP_CLASSES = 40
};

struct heap_block
{
  uint64_t class;
  uint64_t next;		/* free: address of the next block, or 0 */
};

static struct
{
  pthread_mutex_t lock;
  uint64_t base, top, end;
  uint64_t free[HEAP_CLASSES];
} heap = { .lock = PTHREAD_MUTEX_INITIALIZER };

static size_t limits[] = {
  [CU_LIMIT_STACK_SIZE] = 1024,
  [CU_LIMIT_PRINTF_FIFO_SIZE] = 1 << 20,
  [CU_LIMIT_MALLOC_HEAP_SIZE] = 8 << 20,
  [CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH] = 2,
  [CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT] = 2048,
};

CUresult
emu_set_limit (CUlimit which, size_t value)
{
  if ((size_t) which >= sizeof limits / sizeof *limits)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = CUDA_SUCCESS;
  pthread_mutex_lock (&heap.lock);
  if (which == CU_LIMIT_MALLOC_HEAP_SIZE && heap.base
      && value != limits[which])
    r = CUDA_ERROR_INVALID_VALUE; /* in use already */
  else
    limits[which] = value;
  pthread_mutex_unlock (&heap.lock);
  return r;
}

size_t
emu_limit (CUlimit which)
{
  return __atomic_load_n (&limits[which], __ATOMIC_RELAXED);
}

CUresult
emu_get_limit (CUlimit which, size_t *value)
{
  if ((size_t) which >= sizeof limits / sizeof *limits)
    return CUDA_ERROR_INVALID_VALUE;
  *value = limits[which];
  return CUDA_SUCCESS;
}

static struct heap_block *
block_at (uint64_t addr)
{
  return (struct heap_block *) (uintptr_t) addr;
}

/* BYTES of device heap, or 0.  */
static uint64_t
heap_alloc (uint64_t bytes)
{
  unsigned class = HEAP_MIN;
  while (class < HEAP_CLASSES && ((uint64_t) 1 << class) < bytes + HEAP_HEADER)
    class++;
  if (class == HEAP_CLASSES || bytes == 0)
    return 0;
  uint64_t at = 0;
  pthread_mutex_lock (&heap.lock);
  if (!heap.base
      && emu_mem_alloc (&heap.base, limits[CU_LIMIT_MALLOC_HEAP_SIZE])
	   == CUDA_SUCCESS)
    {
      heap.top = heap.base;
      heap.end = heap.base + limits[CU_LIMIT_MALLOC_HEAP_SIZE];
    }
  if (heap.free[class])
    {
      at = heap.free[class];
      heap.free[class] = block_at (at)->next;
    }
  else if (heap.base && ((uint64_t) 1 << class) <= heap.end - heap.top)
    {
      at = heap.top;
      heap.top += (uint64_t) 1 << class;
    }
  if (at)
    *block_at (at) = (struct heap_block){ .class = class };
  pthread_mutex_unlock (&heap.lock);
  if (at)
    emu_check_undefined (at + HEAP_HEADER, bytes);
  return at ? at + HEAP_HEADER : 0;
}

/* False: ADDR is not from heap_alloc.  */
static bool
heap_free (uint64_t addr)
{
  uint64_t at = addr - HEAP_HEADER;
  bool good = false;
  pthread_mutex_lock (&heap.lock);
  if (heap.base && at >= heap.base && at < heap.top && at % HEAP_HEADER == 0)
    {
      struct heap_block *b = block_at (at);
      good = b->class >= HEAP_MIN && b->class < HEAP_CLASSES;
      if (good)
	{
	  b->next = heap.free[b->class];
	  heap.free[b->class] = at;
	}
    }
  pthread_mutex_unlock (&heap.lock);
  return good;
}

HANDLER (builtin_malloc)
{
  emu_note (&emu_work.mallocs, (uint64_t) __builtin_popcount (mask));
  EACH_LANE (l)
    emu_result (w, i, l, heap_alloc (emu_argument (w, i, 0, l)));
}

HANDLER (builtin_free)
{
  EACH_LANE (l)
    {
      uint64_t addr = emu_argument (w, i, 0, l);
      if (addr && !heap_free (addr))
	{
	  emu_fault (w, i, l, CUDA_ERROR_LAUNCH_FAILED,
		     "free of 0x%llx, which is not from malloc",
		     (unsigned long long) addr);
	  return;
	}
    }
}

/* ---- The table --------------------------------------------------------- */

emu_builtin *
emu_find_builtin (const char *name)
{
  static const struct emu_row rows[] = {
    { "vprintf", builtin_vprintf },
    { "malloc", builtin_malloc },
    { "free", builtin_free },
    { "__assertfail", builtin_assertfail },
    { "__cudaCDP2GetParameterBufferV2", emu_cdp_parameter_buffer },
    { "__cudaCDP2LaunchDeviceV2", emu_cdp_launch },
    { "__cudaCDP2GetLastError", emu_cdp_last_error },
    { "__cudaCDP2PeekAtLastError", emu_cdp_peek_error },
    { "__cudaCDP2StreamCreateWithFlags", emu_cdp_new_handle },
    { "__cudaCDP2StreamDestroy", emu_cdp_use_handle },
    { "__cudaCDP2StreamWaitEvent", emu_cdp_use_handle },
    { "__cudaCDP2EventCreateWithFlags", emu_cdp_new_handle },
    { "__cudaCDP2EventRecord", emu_cdp_use_handle },
    { "__cudaCDP2EventDestroy", emu_cdp_use_handle },
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
    if (!strcmp (rows[k].name, name))
      return rows[k].fn;
  return NULL;
}
