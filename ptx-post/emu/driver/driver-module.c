/* Modules and the linker.

   The linker collects PTX units; cuLinkComplete links them once to find
   errors and hands out an image: the units' texts with a header, which can be
   copied and outlives the link, as the machine code of the real linker does.
   cuModuleLoadData takes such an image or PTX text.  Machine code (cubin) is
   refused: there is nothing here to run it.

   A library given to the linker is machine code as well.  It is accepted and
   left out, so that programs may name the device runtime, whose entries the
   emulated GPU has built in; what else they need from it is reported as
   missing by the linker.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver/driver.h"

/* ---- JIT options ------------------------------------------------------- */

/* Where the caller wants messages.  */
struct jit_log
{
  char *info, *error;
  size_t info_size, error_size;
  void **info_used, **error_used;	/* option values: bytes filled in */
  void **wall_time;			/* option value: a float, ms */
};

static void
read_options (struct jit_log *log, unsigned n, const CUjit_option *options,
	      void **values)
{
  for (unsigned i = 0; options && values && i < n; i++)
    switch (options[i])
      {
      case CU_JIT_INFO_LOG_BUFFER:
	log->info = values[i];
	break;
      case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
	log->info_size = (size_t) values[i];
	log->info_used = &values[i];
	break;
      case CU_JIT_ERROR_LOG_BUFFER:
	log->error = values[i];
	break;
      case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
	log->error_size = (size_t) values[i];
	log->error_used = &values[i];
	break;
      case CU_JIT_WALL_TIME:
	log->wall_time = &values[i];
	break;
      default:
	break;
      }
}

static void
write_buffer (char *buffer, size_t size, void **used, const char *text)
{
  size_t len = buffer && size ? strlen (text) : 0;
  if (len && len >= size)
    len = size - 1;
  if (buffer && size)
    {
      memcpy (buffer, text, len);
      buffer[len] = '\0';
    }
  if (used)
    *used = (void *) (len ? len + 1 : 0);
}

/* Report what loading said, or NULL, and how long it took.  */
static void
write_log (const struct jit_log *log, const char *error,
	   const struct timespec *start)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  write_buffer (log->info, log->info_size, log->info_used, "");
  write_buffer (log->error, log->error_size, log->error_used,
		error ? error : "");
  if (log->wall_time)
    {
      float ms = (now.tv_sec - start->tv_sec) * 1e3
		 + (now.tv_nsec - start->tv_nsec) * 1e-6;
      memcpy (log->wall_time, &ms, sizeof ms);
    }
}

/* ---- Images ------------------------------------------------------------ */

/* What cuLinkComplete returns: this, then for each unit its length and its
   text with a null byte.  */
#define IMAGE_MAGIC "\177accrete linked"

struct image_head
{
  char magic[sizeof IMAGE_MAGIC];
  uint32_t units;
};

/* Units that are being linked; the texts belong to the link.  */
struct units
{
  unsigned n;
  struct emu_source *source;
};

static bool
units_add (struct units *u, const char *name, const void *text, size_t len)
{
  struct emu_source *p
    = realloc (u->source, (u->n + 1) * sizeof *u->source);
  if (!p)
    return false;
  u->source = p;
  u->source[u->n++] = (struct emu_source) { name, text, len };
  return true;
}

static bool
is_image (const void *image)
{
  return !strncmp (image, IMAGE_MAGIC, sizeof IMAGE_MAGIC);
}

/* The units in IMAGE, which stays the owner of their texts.  */
static bool
units_of_image (struct units *u, const void *image)
{
  struct image_head head;
  memcpy (&head, image, sizeof head);
  const char *p = (const char *) image + sizeof head;
  for (uint32_t i = 0; i < head.units; i++)
    {
      uint64_t len;
      memcpy (&len, p, sizeof len);
      p += sizeof len;
      if (!units_add (u, "linked", p, len))
	return false;
      p += len + 1;
    }
  return true;
}

static void *
image_of_units (const struct units *u, size_t *size)
{
  struct image_head head = { IMAGE_MAGIC, u->n };
  *size = sizeof head;
  for (unsigned i = 0; i < u->n; i++)
    *size += sizeof (uint64_t) + u->source[i].len + 1;
  char *image = malloc (*size), *p = image;
  if (!image)
    return NULL;
  p = mempcpy (p, &head, sizeof head);
  for (unsigned i = 0; i < u->n; i++)
    {
      uint64_t len = u->source[i].len;
      p = mempcpy (p, &len, sizeof len);
      p = mempcpy (p, u->source[i].text, len);
      *p++ = '\0';
    }
  return image;
}

char *
emu_image_copy (const void *image)
{
  if (!is_image (image))
    return strdup (image);
  struct units u = { 0 };
  size_t size;
  char *copy = units_of_image (&u, image) ? image_of_units (&u, &size) : NULL;
  free (u.source);
  return copy;
}

/* What kind of image this is, as far as its first bytes say: PTX starts with
   white space, a comment or a directive.  */
static CUresult
check_text (const char *text)
{
  if (!strncmp (text, "\177ELF", 4) || !strncmp (text, "\x50\xed\x55\xba", 4))
    return CUDA_ERROR_NO_BINARY_FOR_GPU;
  return strchr (" \t\r\n./", *text) && *text ? CUDA_SUCCESS
					       : CUDA_ERROR_INVALID_IMAGE;
}

/* ---- Modules ----------------------------------------------------------- */

struct CUlinkState_st
{
  struct emu_object object;
  struct jit_log log;		/* the buffers of cuLinkCreate */
  struct units units;		/* texts and names are this link's */
  void *image;			/* after cuLinkComplete */
  size_t image_size;
  struct emu_module *module;	/* what IMAGE stands for, until it is loaded */
};

/* The module that was linked when IMAGE was made, if that link still exists
   and nobody has loaded it: spares linking twice.  */
static struct emu_module *
take_linked (const void *image)
{
  struct emu_module *m = NULL;
  for (struct emu_object *o = emu_context ()->objects; o && !m; o = o->next)
    if (o->kind == EMU_LINK && ((struct CUlinkState_st *) o)->image == image)
      {
	m = ((struct CUlinkState_st *) o)->module;
	((struct CUlinkState_st *) o)->module = NULL;
      }
  return m;
}

/* Load and link the units.  */
static CUresult
load_units (struct emu_module **m, const struct units *u,
	    const struct jit_log *log)
{
  struct timespec start;
  clock_gettime (CLOCK_MONOTONIC, &start);
  char *message = NULL;
  emu_unlock ();
  CUresult r = emu_module_load (m, u->source, u->n, &message);
  emu_lock ();
  write_log (log, message, &start);
  free (message);
  return r;
}

static CUresult
load_image (struct emu_module **m, const void *image,
	    const struct jit_log *log)
{
  *m = take_linked (image);
  if (*m)
    return CUDA_SUCCESS;
  struct units u = { 0 };
  bool linked = is_image (image);
  CUresult r = linked ? CUDA_SUCCESS : check_text (image);
  if (r == CUDA_ERROR_NO_BINARY_FOR_GPU)
    write_buffer (log->error, log->error_size, log->error_used,
		  "the emulated GPU runs PTX, not machine code");
  if (!r)
    r = (linked ? units_of_image (&u, image)
		: units_add (&u, "module", image, strlen (image)))
	? load_units (m, &u, log) : CUDA_ERROR_OUT_OF_MEMORY;
  free (u.source);
  return r;
}

CUresult
emu_cuModuleLoadDataEx (CUmodule *module, const void *image, unsigned n,
			CUjit_option *options, void **values)
{
  if (!module || !image)
    return CUDA_ERROR_INVALID_VALUE;
  struct jit_log log = { 0 };
  read_options (&log, n, options, values);
  struct emu_module *m;
  CUresult r = load_image (&m, image, &log);
  if (r)
    return r;
  struct CUmod_st *object
    = emu_object_new (EMU_MODULE, sizeof *object, emu_context ());
  if (!object)
    {
      emu_module_unload (m);
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
  object->module = m;
  *module = object;
  return CUDA_SUCCESS;
}

CUresult
emu_cuModuleLoadData (CUmodule *module, const void *image)
{
  return emu_cuModuleLoadDataEx (module, image, 0, NULL, NULL);
}

CUresult
emu_cuModuleLoadFatBinary (CUmodule *module, const void *image)
{
  return emu_cuModuleLoadDataEx (module, image, 0, NULL, NULL);
}

char *
emu_read_file (const char *path, size_t *size, CUresult *r)
{
  FILE *f = fopen (path, "rb");
  char *text = NULL;
  *r = f ? CUDA_SUCCESS : CUDA_ERROR_FILE_NOT_FOUND;
  if (!f)
    return NULL;
  ssize_t len = 0;
  size_t room = 0;
  len = getdelim (&text, &room, '\0', f);
  if (len < 0)
    *r = CUDA_ERROR_INVALID_IMAGE;
  fclose (f);
  *size = len;
  return text;
}

CUresult
emu_cuModuleLoad (CUmodule *module, const char *path)
{
  if (!module || !path)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r;
  size_t size;
  char *text = emu_read_file (path, &size, &r);
  if (!r)
    r = emu_cuModuleLoadData (module, text);
  free (text);
  return r;
}

void
emu_module_release (struct CUmod_st *m)
{
  for (struct CUfunc_st *f = m->functions, *next; f; f = next)
    {
      next = f->next;
      emu_object_retire (&f->object);
      free (f);
    }
  emu_module_unload (m->module);
  emu_object_retire (&m->object);
  free (m);
}

/* Kernels of the module may still run.  */
CUresult
emu_cuModuleUnload (CUmodule module)
{
  if (!emu_object_is (module, EMU_MODULE))
    return CUDA_ERROR_INVALID_HANDLE;
  CUresult r = emu_context_wait (module->object.ctx);
  if (!r && emu_object_is (module, EMU_MODULE))
    emu_module_release (module);
  return r;
}

CUresult
emu_cuModuleGetLoadingMode (CUmoduleLoadingMode *mode)
{
  if (!mode)
    return CUDA_ERROR_INVALID_VALUE;
  *mode = CU_MODULE_EAGER_LOADING;
  return CUDA_SUCCESS;
}

CUresult
emu_cuModuleGetFunction (CUfunction *fn, CUmodule module, const char *name)
{
  if (!emu_object_is (module, EMU_MODULE))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!fn || !name)
    return CUDA_ERROR_INVALID_VALUE;
  struct emu_func *func;
  CUresult r = emu_module_func (module->module, name, &func);
  if (r)
    return r;
  for (struct CUfunc_st *f = module->functions; f; f = f->next)
    if (f->func == func)
      {
	*fn = f;
	return CUDA_SUCCESS;
      }
  struct CUfunc_st *f
    = emu_object_new (EMU_FUNCTION, sizeof *f, NULL);
  if (!f)
    return CUDA_ERROR_OUT_OF_MEMORY;
  f->object.ctx = module->object.ctx;
  f->module = module;
  f->func = func;
  emu_func_info (func, &f->info);
  f->max_dynamic_shared
    = emu_gpu ()->shared_per_block > (int) f->info.shared
      ? emu_gpu ()->shared_per_block - f->info.shared : 0;
  f->carveout = -1;
  f->next = module->functions;
  module->functions = f;
  *fn = f;
  return CUDA_SUCCESS;
}

CUresult
emu_cuModuleGetGlobal (CUdeviceptr *addr, size_t *bytes, CUmodule module,
		       const char *name)
{
  if (!emu_object_is (module, EMU_MODULE))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  uint64_t start;
  size_t size;
  CUresult r = emu_module_global (module->module, name, &start, &size);
  struct emu_func *f;
  if (r == CUDA_ERROR_NOT_FOUND && !emu_module_func (module->module, name, &f))
    return CUDA_ERROR_INVALID_VALUE;
  if (r)
    return r;
  if (addr)
    *addr = start;
  if (bytes)
    *bytes = size;
  return CUDA_SUCCESS;
}

/* ---- The linker -------------------------------------------------------- */

CUresult
emu_cuLinkCreate (unsigned n, CUjit_option *options, void **values,
		  CUlinkState *state)
{
  if (!state || (n && (!options || !values)))
    return CUDA_ERROR_INVALID_VALUE;
  struct CUlinkState_st *s
    = emu_object_new (EMU_LINK, sizeof *s, emu_context ());
  if (!s)
    return CUDA_ERROR_OUT_OF_MEMORY;
  read_options (&s->log, n, options, values);
  if (s->log.info && s->log.info_size)
    *s->log.info = '\0';
  if (s->log.error && s->log.error_size)
    *s->log.error = '\0';
  *state = s;
  return CUDA_SUCCESS;
}

static CUresult
link_text (struct CUlinkState_st *s, const char *data, size_t size,
	   const char *name, const struct jit_log *log)
{
  struct timespec start;
  clock_gettime (CLOCK_MONOTONIC, &start);
  size_t len = strnlen (data, size);
  const struct emu_source source = { name ? name : "unit", data, len };
  char *message = NULL;
  CUresult r = check_text (data);
  if (!r)
    r = emu_unit_check (&source, &message);
  if (r)
    write_log (log, message, &start);
  free (message);
  if (r)
    return r;
  char *text = strndup (data, len), *title = strdup (name ? name : "unit");
  if (!text || !title || !units_add (&s->units, title, text, len))
    {
      free (text);
      free (title);
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
  return CUDA_SUCCESS;
}

CUresult
emu_cuLinkAddData (CUlinkState state, CUjitInputType type, void *data,
		   size_t size, const char *name, unsigned n,
		   CUjit_option *options, void **values)
{
  if (!emu_object_is (state, EMU_LINK))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!data || size < 4 || state->image)
    return CUDA_ERROR_INVALID_VALUE;
  struct jit_log log = state->log;
  read_options (&log, n, options, values);
  switch (type)
    {
    case CU_JIT_INPUT_PTX:
      return link_text (state, data, size, name, &log);
    case CU_JIT_INPUT_LIBRARY:
      return CUDA_SUCCESS;
    case CU_JIT_INPUT_CUBIN:
    case CU_JIT_INPUT_FATBINARY:
    case CU_JIT_INPUT_OBJECT:
      return CUDA_ERROR_NO_BINARY_FOR_GPU;
    default:
      return CUDA_ERROR_INVALID_VALUE;
    }
}

CUresult
emu_cuLinkAddFile (CUlinkState state, CUjitInputType type, const char *path,
		   unsigned n, CUjit_option *options, void **values)
{
  if (!path)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r;
  size_t size;
  char *text = emu_read_file (path, &size, &r);
  if (!r)
    r = emu_cuLinkAddData (state, type, text, size, path, n, options, values);
  free (text);
  return r;
}

CUresult
emu_cuLinkComplete (CUlinkState state, void **image, size_t *size)
{
  if (!emu_object_is (state, EMU_LINK))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!image || !size || state->image)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r = load_units (&state->module, &state->units, &state->log);
  /* What is wrong with a unit by itself was said when it was added.  */
  if (r == CUDA_ERROR_INVALID_PTX)
    return CUDA_ERROR_UNKNOWN;
  if (r)
    return r;
  state->image = image_of_units (&state->units, &state->image_size);
  if (!state->image)
    {
      emu_module_unload (state->module);
      state->module = NULL;
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
  *image = state->image;
  *size = state->image_size;
  return CUDA_SUCCESS;
}

void
emu_link_release (struct CUlinkState_st *s)
{
  for (unsigned i = 0; i < s->units.n; i++)
    {
      free ((void *) s->units.source[i].name);
      free ((void *) s->units.source[i].text);
    }
  free (s->units.source);
  if (s->module)
    emu_module_unload (s->module);
  free (s->image);
  emu_object_retire (&s->object);
  free (s);
}

CUresult
emu_cuLinkDestroy (CUlinkState state)
{
  if (!emu_object_is (state, EMU_LINK))
    return CUDA_ERROR_INVALID_HANDLE;
  emu_link_release (state);
  return CUDA_SUCCESS;
}
