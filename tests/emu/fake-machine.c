/* A machine without instructions (fake-machine.h).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#define _GNU_SOURCE
#include "fake-machine.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "emu.h"

const char fake_ptx[] = ".version 6.0\n.target sm_30\n";

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

struct fake_launch fake_last_launch;
int fake_modules, fake_allocations, fake_flushes;
struct emu_work emu_work;

/* ---- Kernels ------------------------------------------------------------ */

#define N_GATES 8
static bool open_gate[N_GATES];
static unsigned at_gate[N_GATES];

void
fake_gate_open (unsigned i)
{
  pthread_mutex_lock (&lock);
  open_gate[i] = true;
  pthread_cond_broadcast (&changed);
  pthread_mutex_unlock (&lock);
}

void
fake_gates_close (void)
{
  pthread_mutex_lock (&lock);
  memset (open_gate, 0, sizeof open_gate);
  pthread_mutex_unlock (&lock);
}

bool
fake_gate_reached (unsigned i)
{
  pthread_mutex_lock (&lock);
  bool reached = at_gate[i];
  pthread_mutex_unlock (&lock);
  return reached;
}

static CUresult
nothing (const void *params)
{
  (void) params;
  return CUDA_SUCCESS;
}

static CUresult
add (const void *params)
{
  const struct { int *p; unsigned n; } *a = params;
  *a->p += a->n;
  return CUDA_SUCCESS;
}

static CUresult
gate (const void *params)
{
  unsigned i = *(const unsigned *) params;
  pthread_mutex_lock (&lock);
  at_gate[i]++;
  while (!open_gate[i])
    pthread_cond_wait (&changed, &lock);
  at_gate[i]--;
  pthread_mutex_unlock (&lock);
  return CUDA_SUCCESS;
}

static CUresult
slow (const void *params)
{
  nanosleep (&(struct timespec) { .tv_nsec = *(unsigned *) params * 1000l },
	     NULL);
  return CUDA_SUCCESS;
}

static CUresult
fault (const void *params)
{
  return *(const unsigned *) params;
}

struct emu_func
{
  const char *name;
  CUresult (*run) (const void *params);
  unsigned nparams;
  size_t offset[2], size[2], params;
};

static struct emu_func functions[] = {
  { "nothing", nothing, 0, { 0 }, { 0 }, 0 },
  { "add", add, 2, { 0, 8 }, { 8, 4 }, 12 },
  { "gate", gate, 1, { 0 }, { 4 }, 4 },
  { "slow", slow, 1, { 0 }, { 4 }, 4 },
  { "fault", fault, 1, { 0 }, { 4 }, 4 },
};

/* ---- Modules ------------------------------------------------------------ */

struct emu_module { int global; };

CUresult
emu_unit_check (const struct emu_source *source, char **log)
{
  if (!strncmp (source->text, ".version", 8)
      && strnlen (source->text, source->len) == source->len)
    return CUDA_SUCCESS;
  if (asprintf (log, "%s:1: no .version", source->name) < 0)
    *log = NULL;
  return CUDA_ERROR_INVALID_PTX;
}

/* A unit that mentions ".missing" does not link.  */
CUresult
emu_module_load (struct emu_module **m, const struct emu_source *source,
		 unsigned n, char **log)
{
  for (unsigned i = 0; i < n; i++)
    {
      CUresult r = emu_unit_check (&source[i], log);
      if (r)
	return r;
      if (strstr (source[i].text, ".missing"))
	{
	  *log = strdup ("something is missing");
	  return CUDA_ERROR_INVALID_PTX;
	}
    }
  *m = calloc (1, sizeof **m);
  __atomic_add_fetch (&fake_modules, 1, __ATOMIC_RELAXED);
  return CUDA_SUCCESS;
}

void
emu_module_unload (struct emu_module *m)
{
  __atomic_sub_fetch (&fake_modules, 1, __ATOMIC_RELAXED);
  free (m);
}

CUresult
emu_module_func (struct emu_module *m, const char *name, struct emu_func **f)
{
  (void) m;
  for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
    if (!strcmp (functions[i].name, name))
      {
	*f = &functions[i];
	return CUDA_SUCCESS;
      }
  return CUDA_ERROR_NOT_FOUND;
}

CUresult
emu_module_global (struct emu_module *m, const char *name, uint64_t *addr,
		   size_t *bytes)
{
  if (strcmp (name, "global"))
    return CUDA_ERROR_NOT_FOUND;
  *addr = (uintptr_t) &m->global;
  *bytes = sizeof m->global;
  return CUDA_SUCCESS;
}

void
emu_func_info (const struct emu_func *f, struct emu_func_info *info)
{
  *info = (struct emu_func_info) { .name = f->name, .regs = 32, .shared = 1024,
				   .nparams = f->nparams, .params = f->params,
				   .max_threads = 1024 };
}

CUresult
emu_func_param (const struct emu_func *f, unsigned i, size_t *offset,
		size_t *size)
{
  if (i >= f->nparams)
    return CUDA_ERROR_INVALID_VALUE;
  *offset = f->offset[i];
  *size = f->size[i];
  return CUDA_SUCCESS;
}

/* ---- Launches ----------------------------------------------------------- */

CUresult
emu_launch_check (const struct emu_launch *l)
{
  unsigned threads = l->block[0] * l->block[1] * l->block[2];
  return threads && threads <= 1024 && l->grid[0] ? CUDA_SUCCESS
						  : CUDA_ERROR_INVALID_VALUE;
}

CUresult
emu_launch_run (const struct emu_launch *l)
{
  pthread_mutex_lock (&lock);
  memcpy (&fake_last_launch.grid, l->grid, sizeof l->grid);
  memcpy (&fake_last_launch.block, l->block, sizeof l->block);
  fake_last_launch.dyn_shared = l->dyn_shared;
  pthread_mutex_unlock (&lock);
  return l->func->run (l->params);
}

void
emu_printf_flush (void)
{
  fake_flushes++;
}

void
emu_check_at_exit (void)
{
}

void
emu_check_caller (const char *entry, unsigned long n)
{
  (void) entry, (void) n;
}

void
emu_check_defined (uint64_t addr, size_t bytes)
{
  (void) addr, (void) bytes;
}

void
emu_check_leak (uint64_t addr)
{
  (void) addr;
}

CUresult
emu_set_limit (CUlimit limit, size_t value)
{
  (void) value;
  return limit <= CU_LIMIT_MALLOC_HEAP_SIZE ? CUDA_SUCCESS
					    : CUDA_ERROR_UNSUPPORTED_LIMIT;
}

CUresult
emu_get_limit (CUlimit limit, size_t *value)
{
  *value = 1024;
  return emu_set_limit (limit, 0);
}

/* ---- Memory ------------------------------------------------------------- */

#define N_BLOCKS 4096
static struct { uint64_t start; size_t bytes; } blocks[N_BLOCKS];

CUresult
emu_mem_alloc (uint64_t *addr, size_t bytes)
{
  void *p = malloc (bytes);
  if (!p)
    return CUDA_ERROR_OUT_OF_MEMORY;
  pthread_mutex_lock (&lock);
  unsigned i = 0;
  while (i < N_BLOCKS && blocks[i].start)
    i++;
  if (i == N_BLOCKS)
    abort ();
  blocks[i].start = *addr = (uintptr_t) p;
  blocks[i].bytes = bytes;
  fake_allocations++;
  pthread_mutex_unlock (&lock);
  return CUDA_SUCCESS;
}

CUresult
emu_mem_free (uint64_t addr)
{
  pthread_mutex_lock (&lock);
  unsigned i = 0;
  while (i < N_BLOCKS && blocks[i].start != addr)
    i++;
  if (i < N_BLOCKS)
    {
      blocks[i].start = 0;
      fake_allocations--;
    }
  pthread_mutex_unlock (&lock);
  free ((void *) addr);
  return i < N_BLOCKS ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult
emu_mem_range (uint64_t addr, uint64_t *base, size_t *bytes)
{
  CUresult r = CUDA_ERROR_INVALID_VALUE;
  pthread_mutex_lock (&lock);
  for (unsigned i = 0; i < N_BLOCKS; i++)
    if (blocks[i].start && addr >= blocks[i].start
	&& addr < blocks[i].start + blocks[i].bytes)
      {
	*base = blocks[i].start;
	*bytes = blocks[i].bytes;
	r = CUDA_SUCCESS;
      }
  pthread_mutex_unlock (&lock);
  return r;
}

bool
emu_mem_valid (uint64_t addr, size_t bytes)
{
  uint64_t base;
  size_t size;
  return !emu_mem_range (addr, &base, &size)
	 && addr + bytes <= base + size;
}

CUresult
emu_host_register (void *p, size_t bytes)
{
  (void) p;
  (void) bytes;
  return CUDA_SUCCESS;
}

CUresult
emu_host_unregister (void *p)
{
  (void) p;
  return CUDA_SUCCESS;
}

CUresult
emu_copy_h2d (uint64_t dst, const void *src, size_t n)
{
  memcpy ((void *) dst, src, n);
  return CUDA_SUCCESS;
}

CUresult
emu_copy_d2h (void *dst, uint64_t src, size_t n)
{
  memcpy (dst, (void *) src, n);
  return CUDA_SUCCESS;
}

CUresult
emu_copy_d2d (uint64_t dst, uint64_t src, size_t n)
{
  memmove ((void *) dst, (void *) src, n);
  return CUDA_SUCCESS;
}

CUresult
emu_memset (uint64_t dst, unsigned value, unsigned width, size_t count)
{
  for (size_t i = 0; i < count; i++)
    memcpy ((char *) dst + i * width, &value, width);
  return CUDA_SUCCESS;
}

/* ---- For tests ---------------------------------------------------------- */

static void
need (CUresult r, const char *what)
{
  if (r)
    {
      printf ("Bail out! %s: error %d\n", what, r);
      exit (99);
    }
}

CUcontext
fake_start (void)
{
  CUcontext ctx;
  need (cuInit (0), "cuInit");
  need (cuCtxCreate (&ctx, 0, 0), "cuCtxCreate");
  return ctx;
}

CUfunction
fake_function (const char *name)
{
  CUmodule module;
  CUfunction fn;
  need (cuModuleLoadData (&module, fake_ptx), "cuModuleLoadData");
  need (cuModuleGetFunction (&fn, module, name), name);
  return fn;
}
