/* Runs each kernel of a PTX unit, and the same kernel of units that ptx-post has
   made of it, on made-up arguments: do they leave the same bytes in memory, and
   how long do they take?  A line a kernel and unit, fields separated by commas:

     kernel,variant,launch,same|idle|differs|fails,microseconds,original / variant

   A kernel that leaves memory as it was is idle, which proves nothing.

   VARIANT is the file's name.  A pointer gets an array of its own; integers are
   sizes of dimensions; what comes as a structure is taken for pointers.
   Usage: variants [OPTION]... UNIT.ptx VARIANT.ptx...
     --size=Z,Y,X  of the arrays; a kernel with two integers gets Y and X, with
		   one the side of the largest square array
     --integers=N,N...  arguments that are integers, in place of that
     --block=X,Y   threads (128,1)
     --grid=loops  a block for each row and plane, for kernels with loops
     --grid=points a thread for each point
     --ints	   arrays of small integers, not of real numbers
     --kernel=NAME this one only
     --time=N	   N launches of each in turn, of which the median counts

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "interpose/cuda-types.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MAX_PARAMS = 32,
  MAX_POINTERS = 64,		/* of a parameter */
  MAX_VARIANTS = 16,
  MAX_KERNELS = 256,
  MAX_NAME = 512,
  MAX_TIMES = 1000
};

static struct
{
  CUresult (*init) (unsigned);
  CUresult (*get_device) (CUdevice *, int);
  CUresult (*get_name) (char *, int, CUdevice);
  CUresult (*new_context) (CUcontext *, unsigned, CUdevice);
  CUresult (*drop_context) (CUcontext);
  CUresult (*allocate) (CUdeviceptr *, size_t);
  CUresult (*release) (CUdeviceptr);
  CUresult (*to_device) (CUdeviceptr, const void *, size_t);
  CUresult (*to_host) (void *, CUdeviceptr, size_t);
  CUresult (*load) (CUmodule *, const void *);
  CUresult (*unload) (CUmodule);
  CUresult (*find) (CUfunction *, CUmodule, const char *);
  CUresult (*launch) (CUfunction, unsigned, unsigned, unsigned, unsigned,
                      unsigned, unsigned, unsigned, CUstream, void **,
                      void **);
  CUresult (*wait) (void);
  CUresult (*new_event) (CUevent *, unsigned);
  CUresult (*record) (CUevent, CUstream);
  CUresult (*wait_event) (CUevent);
  CUresult (*elapsed) (float *, CUevent, CUevent);
} cu;

static const struct
{
  const char *name;
  void *entry;
} entries[] = {
  { "cuInit", &cu.init },
  { "cuDeviceGet", &cu.get_device },
  { "cuDeviceGetName", &cu.get_name },
  { "cuCtxCreate_v2", &cu.new_context },
  { "cuCtxDestroy_v2", &cu.drop_context },
  { "cuMemAlloc_v2", &cu.allocate },
  { "cuMemFree_v2", &cu.release },
  { "cuMemcpyHtoD_v2", &cu.to_device },
  { "cuMemcpyDtoH_v2", &cu.to_host },
  { "cuModuleLoadData", &cu.load },
  { "cuModuleUnload", &cu.unload },
  { "cuModuleGetFunction", &cu.find },
  { "cuLaunchKernel", &cu.launch },
  { "cuCtxSynchronize", &cu.wait },
  { "cuEventCreate", &cu.new_event },
  { "cuEventRecord", &cu.record },
  { "cuEventSynchronize", &cu.wait_event },
  { "cuEventElapsedTime", &cu.elapsed },
};

static void
die (const char *what)
{
  fprintf (stderr, "variants: %s\n", what);
  exit (2);
}

static void
must (CUresult r, const char *what)
{
  if (r == CUDA_SUCCESS)
    return;
  fprintf (stderr, "variants: %s: error %d\n", what, (int)r);
  exit (2);
}

/* ---- Options ----------------------------------------------------------- */

static int size[3] = { 8, 16, 70 }, block[2] = { 128, 1 };
static int integer[MAX_PARAMS], nintegers;
static bool points, ints;
static const char *only;
static int times;

static bool
parse_option (const char *arg)
{
  if (sscanf (arg, "--size=%d,%d,%d", &size[0], &size[1], &size[2]) == 3
      || sscanf (arg, "--block=%d,%d", &block[0], &block[1]) == 2
      || sscanf (arg, "--time=%d", &times) == 1)
    return true;
  if (strncmp (arg, "--integers=", 11) == 0)
    for (arg += 10; *arg && nintegers < MAX_PARAMS;)
      integer[nintegers++] = strtol (arg + 1, (char **)&arg, 10);
  else if (strncmp (arg, "--kernel=", 9) == 0)
    only = arg + 9;
  else if (strcmp (arg, "--grid=points") == 0)
    points = true;
  else if (strcmp (arg, "--ints") == 0)
    ints = true;
  else if (strcmp (arg, "--grid=loops") != 0)
    return false;
  return true;
}

/* ---- Kernels ----------------------------------------------------------- */

struct param
{
  enum { POINTER, INTEGER, REAL, POINTERS } kind;
  int bytes;
};

struct kernel
{
  char name[MAX_NAME];
  int nparams, nints, npointers;
  struct param param[MAX_PARAMS];
};

static int
pointers_of (const struct param *p)
{
  int n = p->kind == POINTER ? 1 : p->kind == POINTERS ? p->bytes / 8 : 0;
  return n < MAX_POINTERS ? n : MAX_POINTERS;
}

static char *
read_file (const char *name)
{
  FILE *f = fopen (name, "r");
  if (!f || fseek (f, 0, SEEK_END) != 0)
    die (name);
  long n = ftell (f);
  char *text = malloc (n + 1);
  rewind (f);
  if (!text || fread (text, 1, n, f) != (size_t)n)
    die (name);
  text[n] = 0;
  fclose (f);
  return text;
}

/* The parameter whose declaration starts at TEXT.  */
static struct param
parse_param (const char *text)
{
  const char *end = text + strcspn (text, ",)"), *p;
  char type[8];
  p = memchr (text, '[', end - text);
  if (p)
    return (struct param){ POINTERS, atoi (p + 1) };
  for (p = text + strlen (".param"); p < end; p++)
    if (*p == '.' && sscanf (p, ".%7[a-z0-9]", type) == 1
        && strchr ("usbf", *type) && isdigit (type[1]))
      {
        int bytes = atoi (type + 1) / 8;
        return (struct param){ *type == 'f' ? REAL
                               : bytes == 8 ? POINTER
                                            : INTEGER,
                               bytes };
      }
  return (struct param){ INTEGER, 4 };
}

/* The kernel whose .entry is at *TEXT, which then is behind it.  */
static struct kernel
parse_kernel (const char **text)
{
  struct kernel k = { .name = "" };
  const char *p = *text + strlen (".entry");
  if (sscanf (p, " %511[^( \n]", k.name) != 1)
    die ("no name behind .entry");
  const char *end = p + strcspn (p, "{;");
  while ((p = strstr (p, ".param")) && p < end && k.nparams < MAX_PARAMS)
    {
      k.param[k.nparams] = parse_param (p);
      k.npointers += pointers_of (&k.param[k.nparams]);
      k.nints += k.param[k.nparams++].kind == INTEGER;
      p += strcspn (p, ",)");
    }
  *text = end;
  return k;
}

/* ---- Memory ------------------------------------------------------------ */

/* The arrays of a kernel's pointers stand one behind another; after so many
   elements what is in them comes again.  */
enum
{
  PERIOD = 1048573
};
static size_t each, count;
static unsigned char *start, *want, *got;
static CUdeviceptr arrays;

static void
fill (void)
{
  uint64_t state = 1;
  size_t n = count * each / 4;
  for (size_t i = 0; i < n && i < PERIOD; i++)
    {
      state = state * 6364136223846793005u + 1442695040888963407u;
      float real = 0.25f + (state >> 40) / 33554432.0f;
      uint32_t small = state >> 58;
      memcpy (start + 4 * i, ints ? (void *)&small : (void *)&real, 4);
    }
  for (size_t i = PERIOD; i < n; i += PERIOD)
    memcpy (start + 4 * i, start, 4 * (n - i < PERIOD ? n - i : PERIOD));
}

/* Arrays for the N kernels K.  */
static void
set_up_memory (const struct kernel *k, int n)
{
  each = ((size_t)size[0] * size[1] * size[2] * 4 + 255) & ~(size_t)255;
  for (int i = 0; i < n; i++)
    if ((size_t)k[i].npointers > count)
      count = k[i].npointers;
  must (cu.allocate (&arrays, count * each), "cuMemAlloc");
  start = malloc (count * each);
  want = malloc (count * each);
  got = malloc (count * each);
  if (!start || !want || !got)
    die ("out of memory");
  fill ();
}

/* ---- Launches ---------------------------------------------------------- */

struct arguments
{
  void *pointer[MAX_PARAMS];
  uint64_t value[MAX_PARAMS][MAX_POINTERS];
};

/* Of the largest square array.  */
static int
side (void)
{
  int n = 1;
  while ((size_t)(n + 1) * (n + 1) * 4 <= each)
    n++;
  return n;
}

static void
make_arguments (const struct kernel *k, struct arguments *a)
{
  int next = 0, n = 0;
  for (int i = 0; i < k->nparams; i++)
    {
      const struct param *p = &k->param[i];
      uint64_t *v = a->value[i];
      float real = 0.75f;
      double wide = 0.75;
      a->pointer[i] = v;
      *v = 0;
      switch (p->kind)
        {
        case POINTER:
          *v = arrays + each * next++;
          break;
        case POINTERS:
          for (int at = 0; at < pointers_of (p); at++)
            v[at] = arrays + each * next++;
          break;
        case INTEGER:
          *v = n < nintegers     ? integer[n]
               : k->nints == 1 ? side ()
                               : size[(3 - k->nints % 3 + n) % 3];
          n++;
          break;
        case REAL:
          memcpy (v, p->bytes == 8 ? (void *)&wide : (void *)&real, p->bytes);
          break;
        }
    }
}

/* Launch F, whose arguments are A and which is in DIMS dimensions.  */
static CUresult
launch (CUfunction f, struct arguments *a, int dims)
{
  unsigned x = points ? (size[2] + block[0] - 1) / block[0] : size[1];
  unsigned y = points ? (size[1] + block[1] - 1) / block[1] : size[0];
  if (!points && dims < 3)
    y = 1;
  if (!points && dims == 1)
    x = (size[2] + block[0] - 1) / block[0];
  return cu.launch (f, x, y, points ? size[0] : 1, block[0], block[1], 1, 0,
                    NULL, a->pointer, NULL);
}

/* What F leaves in memory, in TO.  */
static CUresult
run (CUfunction f, struct arguments *a, int dims, unsigned char *to)
{
  size_t all = count * each;
  must (cu.to_device (arrays, start, all), "cuMemcpyHtoD");
  CUresult r = launch (f, a, dims);
  if (r == CUDA_SUCCESS)
    r = cu.wait ();
  return r == CUDA_SUCCESS ? cu.to_host (to, arrays, all) : r;
}

static int
compare_floats (const void *a, const void *b)
{
  float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

/* Microseconds of each of the N functions F that there are, in turn, into
   MEDIAN.  */
static void
measure (CUfunction *f, int n, struct arguments *a, int dims, float *median)
{
  static float time[MAX_VARIANTS][MAX_TIMES];
  static CUevent event[2];
  if (!event[0])
    for (int i = 0; i < 2; i++)
      must (cu.new_event (&event[i], 0), "cuEventCreate");
  int warm = 2, count = times < MAX_TIMES - warm ? times : MAX_TIMES - warm;
  for (int t = -warm; t < count; t++)
    for (int i = 0; i < n; i++)
      if (f[i])
        {
          float ms;
          must (cu.record (event[0], NULL), "cuEventRecord");
          must (launch (f[i], a, dims), "cuLaunchKernel");
          must (cu.record (event[1], NULL), "cuEventRecord");
          must (cu.wait_event (event[1]), "cuEventSynchronize");
          must (cu.elapsed (&ms, event[0], event[1]), "cuEventElapsedTime");
          if (t >= 0)
            time[i][t] = 1e3f * ms;
        }
  for (int i = 0; i < n; i++)
    if (f[i])
      {
        qsort (time[i], count, sizeof (float), compare_floats);
        median[i] = time[i][count / 2];
      }
}

/* ---- Comparison -------------------------------------------------------- */

struct unit
{
  const char *name;
  CUmodule module;
};

/* K in the N UNITS, the first of which is right; how many differ.  */
static int
compare (const struct kernel *k, const struct unit *units, int n)
{
  struct arguments a;
  CUfunction f[MAX_VARIANTS] = { NULL };
  const char *state[MAX_VARIANTS];
  float median[MAX_VARIANTS] = { 0 };
  int bad = 0, dims = k->nints < 3 ? k->nints : 3;
  make_arguments (k, &a);
  for (int i = 0; i < n; i++)
    {
      unsigned char *to = i ? got : want;
      state[i] = "fails";
      if (cu.find (&f[i], units[i].module, k->name) == CUDA_SUCCESS
          && run (f[i], &a, dims, to) == CUDA_SUCCESS)
        state[i] = memcmp (want, to, count * each)    ? "differs"
                   : memcmp (want, start, count * each) ? "same"
                                                        : "idle";
      else
        f[i] = NULL;
      if (!f[0])
        {
          printf ("%s,%s,%dx%d,fails,,\n", k->name, units[0].name, block[0],
                  block[1]);
          return 0;
        }
      bad += strcmp (state[i], "same") != 0 && strcmp (state[i], "idle") != 0;
    }
  if (times > 0)
    measure (f, n, &a, dims, median);
  for (int i = 0; i < n; i++)
    {
      printf ("%s,%s,%dx%d,%s", k->name, units[i].name, block[0], block[1],
              state[i]);
      if (median[i] > 0)
        printf (",%.2f,%.3f\n", median[i], median[0] / median[i]);
      else
        puts (",,");
    }
  return bad;
}

static CUcontext
load_driver (void)
{
  void *library = dlopen ("libcuda.so.1", RTLD_NOW);
  if (!library)
    die (dlerror ());
  for (unsigned i = 0; i < sizeof entries / sizeof *entries; i++)
    if (!(*(void **)entries[i].entry = dlsym (library, entries[i].name)))
      die (entries[i].name);
  CUdevice device;
  CUcontext context;
  must (cu.init (0), "cuInit");
  must (cu.get_device (&device, 0), "cuDeviceGet");
  must (cu.new_context (&context, 0, device), "cuCtxCreate");
  return context;
}

int
main (int argc, char **argv)
{
  static struct kernel kernels[MAX_KERNELS];
  struct unit units[MAX_VARIANTS];
  const char *text = NULL;
  int n = 0, bad = 0;
  CUcontext context = load_driver ();
  for (int i = 1; i < argc; i++)
    if (*argv[i] != '-' && n < MAX_VARIANTS)
      {
        char *t = read_file (argv[i]);
        const char *slash = strrchr (argv[i], '/');
        units[n].name = slash ? slash + 1 : argv[i];
        must (cu.load (&units[n].module, t), argv[i]);
        text = n++ ? text : t;
      }
    else if (!parse_option (argv[i]))
      die (argv[i]);
  if (!text)
    die ("usage: variants [OPTION]... UNIT.ptx VARIANT.ptx...");
  int nkernels = 0;
  while ((text = strstr (text, ".entry")) && nkernels < MAX_KERNELS)
    {
      kernels[nkernels] = parse_kernel (&text);
      nkernels += !only || strcmp (only, kernels[nkernels].name) == 0;
    }
  set_up_memory (kernels, nkernels);
  for (int i = 0; i < nkernels; i++)
    bad += compare (&kernels[i], units, n);
  /* A checker would say that they leak.  */
  cu.release (arrays);
  for (int i = 0; i < n; i++)
    cu.unload (units[i].module);
  cu.drop_context (context);
  return bad > 0;
}
