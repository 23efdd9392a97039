/* Run kernels one after the other, or two of them as the pair that ptx-post made,
   and print what is in memory then.

     pair-run SCRIPT [PAIR.ptx]

   Lines of SCRIPT:
     buffer NAME WORDS SEED     device memory; SEED 0: zeros, else random numbers
     block NAME ARGUMENT...     device memory that holds the arguments, 8 bytes each
     kernel FILE NAME GRID BLOCK DYNAMIC ARGUMENT...
   GRID and BLOCK are X,Y,Z; DYNAMIC is in bytes; an ARGUMENT is @NAME, the address
   of a buffer or block, N, a number of 32 bits, or wN, of 64 bits.

   How PAIR.ptx is launched it says itself, in its comments "// accrete pair:";
   PAIR_GRID, PAIR_BLOCK and PAIR_DYNAMIC in the environment are sizes against
   that.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/cuda-api.h"

enum { MAX_BUFFERS = 64, MAX_ARGS = 40, MAX_KERNELS = 8, MAX_LINE = 4096 };

struct buffer
{
  char name[64];
  CUdeviceptr at;
  size_t words;			/* 0: a block, which is not printed */
};

struct kernel
{
  char file[1024], name[256];
  unsigned grid[3], block[3], dynamic, nargs;
  uint64_t arg[MAX_ARGS];
};

static struct buffer buffers[MAX_BUFFERS];
static struct kernel kernels[MAX_KERNELS];
static unsigned nbuffers, nkernels;

/* The pair is not for blocks of the script's sizes.  */
enum { STATUS_SIZES = 3 };

static void
fail (const char *format, ...)
{
  va_list args;
  va_start (args, format);
  fputs ("pair-run: ", stderr);
  vfprintf (stderr, format, args);
  putc ('\n', stderr);
  exit (1);
}

static void
check (CUresult r, const char *what)
{
  const char *name = "?";
  if (r == CUDA_SUCCESS)
    return;
  cuGetErrorName (r, &name);
  fail ("%s: %s", what, name);
}

/* ---- The script ---- */

static char *
next_word (void)
{
  char *w = strtok (NULL, " \n");
  if (!w)
    fail ("a line is too short");
  return w;
}

static void
parse_dims (const char *text, unsigned d[3])
{
  if (sscanf (text, "%u,%u,%u", &d[0], &d[1], &d[2]) != 3)
    fail ("not three sizes: %s", text);
}

static uint64_t
argument (const char *text)
{
  if (*text != '@')
    return strtoull (text + (*text == 'w'), NULL, 0);
  for (unsigned i = 0; i < nbuffers; i++)
    if (strcmp (buffers[i].name, text + 1) == 0)
      return buffers[i].at;
  fail ("no buffer %s", text);
  return 0;
}

static unsigned
arguments (uint64_t to[MAX_ARGS])
{
  unsigned n = 0;
  for (char *w; (w = strtok (NULL, " \n"));)
    {
      if (n == MAX_ARGS)
	fail ("too many arguments");
      to[n++] = argument (w);
    }
  return n;
}

/* Device memory called NAME with the BYTES at FROM.  */
static void
add_buffer (const char *name, const void *from, size_t bytes, size_t words)
{
  struct buffer *b = &buffers[nbuffers++];
  if (nbuffers > MAX_BUFFERS)
    fail ("too many buffers");
  snprintf (b->name, sizeof b->name, "%s", name);
  b->words = words;
  check (cuMemAlloc (&b->at, bytes), "cuMemAlloc");
  check (cuMemcpyHtoD (b->at, from, bytes), "cuMemcpyHtoD");
}

static void
parse_buffer (void)
{
  const char *name = next_word ();
  size_t words = strtoul (next_word (), NULL, 0);
  uint32_t x = strtoul (next_word (), NULL, 0);
  uint32_t *data = calloc (words, sizeof *data);
  for (size_t i = 0; x && i < words; i++)
    {
      x = x * 1664525u + 1013904223u;
      data[i] = x >> 16;
    }
  add_buffer (name, data, words * sizeof *data, words);
  free (data);
}

static void
parse_block (void)
{
  const char *name = next_word ();
  uint64_t arg[MAX_ARGS];
  unsigned n = arguments (arg);
  add_buffer (name, arg, n * sizeof *arg, 0);
}

static void
parse_kernel (void)
{
  struct kernel *k = &kernels[nkernels++];
  if (nkernels > MAX_KERNELS)
    fail ("too many kernels");
  snprintf (k->file, sizeof k->file, "%s", next_word ());
  snprintf (k->name, sizeof k->name, "%s", next_word ());
  parse_dims (next_word (), k->grid);
  parse_dims (next_word (), k->block);
  k->dynamic = strtoul (next_word (), NULL, 0);
  k->nargs = arguments (k->arg);
}

static void
read_script (const char *name)
{
  char line[MAX_LINE];
  FILE *f = fopen (name, "r");
  if (!f)
    fail ("no script %s", name);
  while (fgets (line, sizeof line, f))
    {
      const char *w = strtok (line, " \n");
      if (w && strcmp (w, "buffer") == 0)
	parse_buffer ();
      else if (w && strcmp (w, "block") == 0)
	parse_block ();
      else if (w && strcmp (w, "kernel") == 0)
	parse_kernel ();
      else if (w)
	fail ("what is %s?", w);
    }
  fclose (f);
}

/* ---- Launches ---- */

static CUfunction
load (const char *file, const char *name)
{
  CUmodule m;
  CUfunction f;
  check (cuModuleLoad (&m, file), file);
  check (cuModuleGetFunction (&f, m, name), name);
  return f;
}

static void
launch (CUfunction f, const unsigned grid[3], const unsigned block[3],
	unsigned dynamic, void **args)
{
  check (cuLaunchKernel (f, grid[0], grid[1], grid[2], block[0], block[1],
			 block[2], dynamic, NULL, args, NULL),
	 "cuLaunchKernel");
  check (cuCtxSynchronize (), "a kernel");
}

/* SIZE, or what VARIABLE says.  */
static unsigned
size_or (const char *variable, unsigned size)
{
  const char *s = getenv (variable);
  return s ? strtoul (s, NULL, 0) : size;
}

static void
run_kernel (struct kernel *k)
{
  void *args[MAX_ARGS];
  for (unsigned i = 0; i < k->nargs; i++)
    args[i] = &k->arg[i];
  launch (load (k->file, k->name), k->grid, k->block, k->dynamic, args);
}

/* ---- The pair ---- */

static unsigned
product (const unsigned d[3])
{
  return d[0] * d[1] * d[2];
}

static unsigned
most (unsigned a, unsigned b)
{
  return a > b ? a : b;
}

static unsigned
warps (const struct kernel *k)
{
  return (product (k->block) + 31) / 32 * 32;
}

/* What the parameter of the pair called NAME is.  */
static void *
parameter (const char *name)
{
  struct kernel *k = &kernels[name[strlen (name) - 1] - '1'];
  if (strncmp (name, "grid", 4) == 0)
    return k->grid;
  if (strncmp (name, "block", 5) == 0)
    return k->block;
  if (strncmp (name, "dynamic", 7) == 0)
    return &k->dynamic;
  fail ("what is parameter %s?", name);
  return NULL;
}

/* The threads of a block that TEXT of a launch line says.  */
static unsigned
pair_block (const char *text)
{
  unsigned a = product (kernels[0].block), b = product (kernels[1].block);
  if (strcmp (text, "32n") == 0)
    return a + b;
  if (strcmp (text, "warps(block1)+warps(block2)") == 0)
    return warps (&kernels[0]) + warps (&kernels[1]);
  if (strcmp (text, "max(block1,block2)") == 0)
    return most (a, b);
  return strtoul (text, NULL, 0);
}

static unsigned
pair_grid (const char *text)
{
  unsigned a = product (kernels[0].grid), b = product (kernels[1].grid);
  return strcmp (text, "grid1+grid2") == 0 ? a + b : most (a, b);
}

static unsigned
pair_dynamic (const char *text)
{
  unsigned a = kernels[0].dynamic, b = kernels[1].dynamic, align;
  if (sscanf (text, "align(dynamic1,%u)", &align) == 1)
    return (a + align - 1) / align * align + b;
  if (strncmp (text, "max", 3) == 0)
    return most (a, b);
  return text[7] == '1' ? a : b;
}

/* False: the pair is not for blocks of these sizes.  */
static bool
run_pair (const char *file)
{
  char line[MAX_LINE], name[512] = "", text[128], *s;
  unsigned grid[3] = { 0, 1, 1 }, block[3] = { 0, 1, 1 }, dynamic = 0, n = 0;
  void *args[2 * MAX_ARGS + 8];
  for (unsigned k = 0; k < 2; k++)
    for (unsigned i = 0; i < kernels[k].nargs; i++)
      args[n++] = &kernels[k].arg[i];
  FILE *f = fopen (file, "r");
  if (!f)
    fail ("no pair %s", file);
  while (fgets (line, sizeof line, f)
	 && strncmp (line, "// accrete pair: ", 17) == 0)
    {
      sscanf (line, "// accrete pair: kernel=%511s", name);
      if (sscanf (line, "// accrete pair: parameter=%*u name=%127s", text)
	  == 1)
	args[n++] = parameter (text);
      unsigned side;
      if (sscanf (line, "// accrete pair: side=%u", &side) == 1
	  && strstr (line, "threads=32n")
	  && product (kernels[side - 1].block) % 32)
	return false;
      if (!strstr (line, ": launch"))
	continue;
      if ((s = strstr (line, " grid=")) && sscanf (s + 6, "%127s", text) == 1)
	grid[0] = pair_grid (text);
      if ((s = strstr (line, " block="))
	  && sscanf (s + 7, "%127s", text) == 1)
	block[0] = pair_block (text);
      if ((s = strstr (line, " dynamic="))
	  && sscanf (s + 9, "%127s", text) == 1)
	dynamic = pair_dynamic (text);
    }
  fclose (f);
  grid[0] = size_or ("PAIR_GRID", grid[0]);
  block[0] = size_or ("PAIR_BLOCK", block[0]);
  dynamic = size_or ("PAIR_DYNAMIC", dynamic);
  launch (load (file, name), grid, block, dynamic, args);
  return true;
}

/* ---- Results ---- */

static void
print_buffer (const struct buffer *b)
{
  uint32_t *data = malloc (b->words * sizeof *data);
  uint64_t hash = 14695981039346656037u;
  check (cuMemcpyDtoH (data, b->at, b->words * sizeof *data), "cuMemcpyDtoH");
  for (size_t i = 0; i < b->words; i++)
    hash = (hash ^ data[i]) * 1099511628211u;
  printf ("%s %016" PRIx64, b->name, hash);
  for (size_t i = 0; i < b->words && i < 6; i++)
    printf (" %x", data[i]);
  putchar ('\n');
  free (data);
}

int
main (int argc, char **argv)
{
  CUcontext ctx;
  if (argc < 2 || argc > 3)
    fail ("usage: pair-run SCRIPT [PAIR.ptx]");
  check (cuInit (0), "cuInit");
  check (cuCtxCreate (&ctx, 0, 0), "cuCtxCreate");
  read_script (argv[1]);
  int status = argc == 3 && !run_pair (argv[2]) ? STATUS_SIZES : 0;
  if (argc == 2)
    for (unsigned i = 0; i < nkernels; i++)
      run_kernel (&kernels[i]);
  for (unsigned i = 0; i < nbuffers; i++)
    if (buffers[i].words && !status)
      print_buffer (&buffers[i]);
  for (unsigned i = 0; i < nbuffers; i++)
    cuMemFree (buffers[i].at);
  cuCtxDestroy (ctx);
  return status;
}
