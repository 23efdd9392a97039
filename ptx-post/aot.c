/* Machine code beside the PTX of a program; see aot.h.

   What the runtime would have the driver compile is compiled here by ptxas, with
   the same edits (libgomp-ext/jit/adapt.h, split.h): a program's units without
   variants, which nvlink makes one of, and each variant by itself.  Neither is
   needed: what is not there, or cannot be compiled, the driver compiles as the
   program starts.

   Source: process () in GCC's config/nvptx/mkoffload.cc, for what of the linked
   PTX becomes part of a program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <config.h>

#include "aot.h"
#include "env.h"
#include "post.h"
#include "note.h"
#include "tool.h"

#include "abi/abi.h"
#include "interpose/cuda-types.h"
#include "jit/adapt.h"
#include "jit/aot.h"
#include "jit/limited.h"
#include "jit/params.h"
#include "jit/split.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ARCHS = 16, ARCH_NAME = 16, PATH_SIZE = 256 };

#define note(...) post_note ("accrete ld", __VA_ARGS__)

/* ---- Architectures ---- */

struct archs
{
  unsigned n;
  char name[ARCHS][ARCH_NAME];
};

static void
add_arch (struct archs *a, const char *name)
{
  for (unsigned i = 0; i < a->n; i++)
    if (strcmp (a->name[i], name) == 0)
      return;
  if (a->n < ARCHS)
    snprintf (a->name[a->n++], ARCH_NAME, "%s", name);
}

/* Add those of the GPUs of this machine.  */
static void
add_native (struct archs *a)
{
  void *driver = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  CUresult (*init) (unsigned), (*count) (int *), (*get) (CUdevice *, int),
    (*ask) (int *, CUdevice_attribute, CUdevice);
  int n;
  if (!driver)
    {
      note ("ACCRETE_AOT: native: no driver here");
      return;
    }
  *(void **) &init = dlsym (driver, "cuInit");
  *(void **) &count = dlsym (driver, "cuDeviceGetCount");
  *(void **) &get = dlsym (driver, "cuDeviceGet");
  *(void **) &ask = dlsym (driver, "cuDeviceGetAttribute");
  if (!init || !count || !get || !ask || init (0) || count (&n))
    n = 0;
  for (int i = 0; i < n; i++)
    {
      CUdevice d;
      int major, minor;
      char name[ARCH_NAME];
      if (get (&d, i)
	  || ask (&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, d)
	  || ask (&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, d))
	continue;
      snprintf (name, sizeof name, "sm_%d%d", major, minor);
      add_arch (a, name);
    }
  note ("ACCRETE_AOT: native: %d GPUs", n);
}

/* Is WORD, of LEN bytes, the name of an architecture?  */
static bool
is_arch (const char *word, size_t len)
{
  static const char prefix[] = "sm_";
  size_t n = sizeof prefix - 1;
  if (len < n + 2 || len >= ARCH_NAME || memcmp (word, prefix, n) != 0)
    return false;
  for (; n < len && isdigit ((unsigned char) word[n]); n++)
    ;
  return n == len || (n + 1 == len && (word[n] == 'a' || word[n] == 'f'));
}

static void
read_archs (struct archs *a, const char *list)
{
  for (size_t len; *list; list += len + (list[len] == ','))
    {
      char name[ARCH_NAME];
      len = strcspn (list, ",");
      if (len == strlen ("native") && memcmp (list, "native", len) == 0)
	add_native (a);
      else if (is_arch (list, len))
	{
	  snprintf (name, sizeof name, "%.*s", (int) len, list);
	  add_arch (a, name);
	}
      else if (len)
	post_complain ("accrete ld", post_env_name (POST_ENV_AOT), list, len);
    }
}

/* ---- Units ---- */

struct units
{
  unsigned n;
  struct acr_unit *at;
};

static bool
add_unit (struct units *u, struct acr_unit one)
{
  struct acr_unit *at
    = one.code ? realloc (u->at, (u->n + 1) * sizeof *at) : NULL;
  if (!at)
    return false;
  u->at = at;
  at[u->n++] = one;
  return true;
}

static void
free_units (struct units *u)
{
  for (unsigned i = 0; i < u->n; i++)
    free ((void *) u->at[i].code);
  free (u->at);
}

/* TEXT as mkoffload takes it: without the lines that are for itself.  */
static struct acr_unit
as_in_program (const char *text)
{
  char *code = malloc (strlen (text) + 1), *to = code;
  while (code && *text)
    {
      char c = *text++;
      if (c != '\r')
	*to++ = c;
      while (c == '\n' && strncmp (text, "//:", 3) == 0)
	{
	  text += strcspn (text, "\n");
	  text += *text == '\n';
	}
    }
  if (code)
    *to++ = '\0';
  return (struct acr_unit) { code, to - code };
}

/* The units of the LEN bytes at TEXT, of which NULs end each.  */
static bool
read_units (struct units *u, const char *text, size_t len)
{
  bool ok = len && !text[len - 1];
  for (size_t i = 0; ok && i < len; i += strlen (text + i) + 1)
    ok = add_unit (u, as_in_program (text + i));
  return ok && !acr_aot_is (&u->at[u->n - 1]);
}

/* U as the runtime has it on a GPU of compute capability MAJOR.x.  */
static struct acr_unit
adapted (const struct acr_unit *u, int major)
{
  const struct acr_adapt all = { .arena = true,
				 .fence = true,
				 .wake = true,
				 .addition = true,
				 .heap = ACR_LOWLAT_USUAL };
  struct acr_text t = { .p = u->code, .n = u->bytes };
  acr_adapt (&t, all, major);
  acr_params_edit (&t, 0, NULL);
  acr_limited_write (&t);
  struct acr_unit to = { malloc (t.n), t.n };
  if (t.failed)
    {
      free ((void *) to.code);
      to.code = NULL;
    }
  if (to.code)
    memcpy ((void *) to.code, t.p, t.n);
  free (t.own);
  return to;
}

/* What a start links of U on MAJOR.x, to BASE, and the variants of its kernels.  */
static bool
divide (const struct acr_unit *u, int major, struct units *base,
	struct units *variants)
{
  struct acr_unit unit = adapted (u, major);
  struct acr_split s;
  if (!unit.code || !acr_split (&unit, false, NULL, &s))
    return add_unit (base, unit);
  free ((void *) unit.code);
  bool ok = add_unit (base, s.base);
  for (unsigned i = 0; ok && i < s.nvariants; i++)
    {
      ok = add_unit (variants, s.variants[i].unit);
      s.variants[i].unit.code = NULL;
    }
  acr_split_free (&s);
  return ok;
}

/* ---- Compiling ---- */

/* What is compiled for one architecture.  */
struct target
{
  const char *arch;
  struct units base, variants;
};

struct compiler
{
  char *ptxas, *nvlink;
  char folder[PATH_SIZE - 64];
  struct target target[ARCHS];
  unsigned ntargets;
};

/* The name of file NUMBER of TARGET, made of its base units or variants.  */
static void
name_file (char name[PATH_SIZE], const struct compiler *c, unsigned target,
	   char kind, unsigned number, const char *suffix)
{
  snprintf (name, PATH_SIZE, "%s/%u%c%u.%s", c->folder, target, kind, number,
	    suffix);
}

static char **
command (const char *program, const char *arch, unsigned files)
{
  char **argv = calloc (files + 6, sizeof *argv), *option;
  if (!argv || asprintf (&option, "-arch=%s", arch) < 0)
    {
      free (argv);
      return NULL;
    }
  argv[0] = strdup (program);
  argv[1] = option;
  return argv;
}

static void
add_argument (char **argv, const char *text)
{
  while (*argv)
    argv++;
  *argv = strdup (text);
}

static void
free_command (char **argv)
{
  for (char **p = argv; p && *p; p++)
    free (*p);
  free (argv);
}

/* How to compile UNIT, file NUMBER of TARGET: to be linked, or as it is.  */
static char **
compile_command (const struct compiler *c, unsigned target, char kind,
		 unsigned number, const struct acr_unit *unit)
{
  char in[PATH_SIZE], out[PATH_SIZE];
  name_file (in, c, target, kind, number, "ptx");
  name_file (out, c, target, kind, number, "o");
  char **argv = command (c->ptxas, c->target[target].arch, 4);
  if (!argv || !write_all (in, unit->code, unit->bytes - 1))
    return argv;
  if (kind == 'b')
    add_argument (argv, "-c");
  add_argument (argv, in);
  add_argument (argv, "-o");
  add_argument (argv, out);
  return argv;
}

static char **
link_command (const struct compiler *c, unsigned target)
{
  const struct target *t = &c->target[target];
  char file[PATH_SIZE];
  char **argv = command (c->nvlink, t->arch, t->base.n + 2);
  for (unsigned i = 0; argv && i < t->base.n; i++)
    {
      name_file (file, c, target, 'b', i, "o");
      add_argument (argv, file);
    }
  if (argv)
    {
      add_argument (argv, "-o");
      name_file (file, c, target, 'l', 0, "o");
      add_argument (argv, file);
    }
  return argv;
}

static void
run_all (struct tool_run *runs, unsigned n)
{
  unsigned failed = 0;
  tool_run_all (runs, n, post_debug () >= 2);
  for (unsigned i = 0; i < n; i++)
    {
      failed += !runs[i].ok;
      free_command (runs[i].argv);
    }
  if (failed)
    note ("ACCRETE_AOT: %u of %u compilations failed", failed, n);
}

/* Compile and link for all targets.  The large ones are the base's: they come
   first.  */
static void
compile (const struct compiler *c)
{
  unsigned n = 0;
  for (unsigned t = 0; t < c->ntargets; t++)
    n += c->target[t].base.n + c->target[t].variants.n;
  struct tool_run *runs = calloc (n + c->ntargets, sizeof *runs);
  if (!runs)
    return;
  n = 0;
  for (unsigned t = 0; t < c->ntargets; t++)
    for (unsigned i = 0; i < c->target[t].base.n; i++)
      runs[n++].argv = compile_command (c, t, 'b', i, &c->target[t].base.at[i]);
  for (unsigned t = 0; t < c->ntargets; t++)
    for (unsigned i = 0; i < c->target[t].variants.n; i++)
      runs[n++].argv
	= compile_command (c, t, 'v', i, &c->target[t].variants.at[i]);
  run_all (runs, n);
  memset (runs, 0, (n + c->ntargets) * sizeof *runs);
  for (unsigned t = 0; t < c->ntargets; t++)
    runs[t].argv = link_command (c, t);
  run_all (runs, c->ntargets);
  free (runs);
}

/* ---- What becomes of it ---- */

/* Add file NUMBER of TARGET, the machine code of N units at U, to OUT, if it is
   there.  Its size.  */
static size_t
add_file (FILE *out, const struct compiler *c, unsigned target, char kind,
	  unsigned number, const struct acr_unit *u, unsigned n)
{
  char name[PATH_SIZE];
  size_t len = 0;
  name_file (name, c, target, kind, number, "o");
  char *code = read_all (name, &len);
  if (!code || !acr_aot_add (out, c->target[target].arch, acr_aot_hash (u, n),
			     code, len))
    len = 0;
  free (code);
  return len;
}

/* Write the unit of machine code to OUT, beside U.  How many bytes of code it
   has.  */
static size_t
write_code (FILE *out, const struct compiler *c, const struct acr_unit *u)
{
  size_t total = 0;
  acr_aot_begin (out, u);
  for (unsigned t = 0; t < c->ntargets; t++)
    {
      const struct target *to = &c->target[t];
      total += add_file (out, c, t, 'l', 0, to->base.at, to->base.n);
      for (unsigned i = 0; i < to->variants.n; i++)
	total += add_file (out, c, t, 'v', i, &to->variants.at[i], 1);
    }
  putc ('\n', out);
  putc ('\0', out);
  return total;
}

static void
remove_files (const struct compiler *c)
{
  static const char kind[] = "bvl";
  static const char *const suffix[] = { "ptx", "o" };
  char name[PATH_SIZE];
  for (unsigned t = 0; t < c->ntargets; t++)
    for (unsigned k = 0; kind[k]; k++)
      for (unsigned s = 0; s < 2; s++)
	for (unsigned i = 0;
	     i <= c->target[t].base.n + c->target[t].variants.n; i++)
	  {
	    name_file (name, c, t, kind[k], i, suffix[s]);
	    unlink (name);
	  }
  rmdir (c->folder);
}

/* Put the machine code behind the LEN bytes at TEXT, of the units U, in FILE.  */
static void
append (const char *file, const char *text, size_t len,
	const struct compiler *c, const struct units *u)
{
  char *all = NULL;
  size_t size = 0;
  FILE *out = open_memstream (&all, &size);
  if (!out)
    return;
  fwrite (text, 1, len, out);
  size_t code = write_code (out, c, &u->at[0]);
  bool ok = !ferror (out);
  ok = fclose (out) == 0 && ok;
  if (ok && code && write_all (file, all, size))
    note ("ACCRETE_AOT: %zu bytes of machine code in %zu", code, size - len);
  else
    note ("ACCRETE_AOT: no machine code");
  free (all);
}

static bool
open_compiler (struct compiler *c)
{
  const char *where = getenv ("TMPDIR");
  *c = (struct compiler) { .ptxas = tool_find ("ptxas"),
			   .nvlink = tool_find ("nvlink") };
  if (!c->ptxas || !c->nvlink)
    note ("ACCRETE_AOT: no ptxas and nvlink here");
  else if ((size_t) snprintf (c->folder, sizeof c->folder,
			      "%s/accrete-XXXXXX", where ? where : "/tmp")
	     < sizeof c->folder
	   && mkdtemp (c->folder))
    return true;
  else
    note ("ACCRETE_AOT: %s: %s", c->folder, strerror (errno));
  free (c->ptxas);
  free (c->nvlink);
  return false;
}

static void
close_compiler (struct compiler *c)
{
  remove_files (c);
  for (unsigned t = 0; t < c->ntargets; t++)
    {
      free_units (&c->target[t].base);
      free_units (&c->target[t].variants);
    }
  free (c->ptxas);
  free (c->nvlink);
}

/* Let C have all that is to be compiled of U for ARCHS.  */
static bool
add_targets (struct compiler *c, const struct units *u,
	     const struct archs *archs)
{
  bool ok = true;
  for (unsigned a = 0; ok && a < archs->n; a++)
    {
      struct target *t = &c->target[c->ntargets++];
      t->arch = archs->name[a];
      int major = atoi (t->arch + strlen ("sm_")) / 10;
      for (unsigned i = 0; ok && i < u->n; i++)
	ok = divide (&u->at[i], major, &t->base, &t->variants);
    }
  return ok;
}

void
aot_add_to (const char *file, const char *list)
{
  struct archs archs = { 0 };
  struct units units = { 0 };
  struct compiler c;
  size_t len;
  read_archs (&archs, list);
  char *text = archs.n ? read_all (file, &len) : NULL;
  if (text && read_units (&units, text, len) && open_compiler (&c))
    {
      if (add_targets (&c, &units, &archs))
	{
	  compile (&c);
	  append (file, text, len, &c, &units);
	}
      close_compiler (&c);
    }
  free_units (&units);
  free (text);
}
