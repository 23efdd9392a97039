/* Libraries: code that is loaded once for all contexts, and its kernels.

   A library keeps its image; a context gets a module of it when the first
   kernel or variable is asked for there, and that goes with the context.  A
   kernel stands for one function in each of these modules and may be given to
   launches in place of a function.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "driver/driver.h"

struct CUlib_st
{
  struct emu_object object;
  char *image;
  struct CUkern_st *kernels;	/* that were asked for */
};

struct CUkern_st
{
  struct emu_object object;
  struct CUkern_st *next;
  struct CUlib_st *library;
  char *name;
};

/* The module of LIBRARY in the entry's context.  */
static CUresult
module_of (struct CUlib_st *library, CUmodule *module)
{
  for (struct emu_object *o = emu_context ()->objects; o; o = o->next)
    if (o->kind == EMU_MODULE && ((CUmodule) o)->library == library)
      {
	*module = (CUmodule) o;
	return CUDA_SUCCESS;
      }
  CUresult r = emu_cuModuleLoadData (module, library->image);
  if (!r)
    (*module)->library = library;
  return r;
}

/* ---- Libraries --------------------------------------------------------- */

CUresult
emu_cuLibraryLoadData (CUlibrary *library, const void *image,
		       CUjit_option *options, void **values, unsigned n,
		       CUlibraryOption *library_options, void **library_values,
		       unsigned library_n)
{
  (void) library_options, (void) library_values;
  if (!library || !image || (n && (!options || !values))
      || (library_n && !library_options))
    return CUDA_ERROR_INVALID_VALUE;
  struct CUlib_st *l = emu_object_new (EMU_LIBRARY, sizeof *l, NULL);
  if (!l || !(l->image = emu_image_copy (image)))
    {
      if (l)
	emu_object_retire (&l->object);
      free (l);
      return CUDA_ERROR_OUT_OF_MEMORY;
    }
  CUmodule module;
  CUresult r = emu_current ()
		 ? emu_cuModuleLoadDataEx (&module, image, n, options, values)
		 : CUDA_SUCCESS;
  if (r)
    {
      emu_object_retire (&l->object);
      free (l->image);
      free (l);
      return r;
    }
  if (emu_current ())
    module->library = l;
  *library = l;
  return CUDA_SUCCESS;
}

CUresult
emu_cuLibraryLoadFromFile (CUlibrary *library, const char *path,
			   CUjit_option *options, void **values, unsigned n,
			   CUlibraryOption *library_options,
			   void **library_values, unsigned library_n)
{
  if (!path)
    return CUDA_ERROR_INVALID_VALUE;
  CUresult r;
  size_t size;
  char *text = emu_read_file (path, &size, &r);
  if (!r)
    r = emu_cuLibraryLoadData (library, text, options, values, n,
			       library_options, library_values, library_n);
  free (text);
  return r;
}

/* Modules in other contexts stay until these end: their kernels may run.  */
CUresult
emu_cuLibraryUnload (CUlibrary library)
{
  if (!emu_object_is (library, EMU_LIBRARY))
    return CUDA_ERROR_INVALID_HANDLE;
  CUmodule module = NULL;
  struct CUctx_st *ctx = emu_current ();
  for (struct emu_object *o = ctx ? ctx->objects : NULL; o; o = o->next)
    if (o->kind == EMU_MODULE && ((CUmodule) o)->library == library)
      module = (CUmodule) o;
  CUresult r = module ? emu_cuModuleUnload (module) : CUDA_SUCCESS;
  for (struct CUkern_st *k = library->kernels, *next; k; k = next)
    {
      next = k->next;
      emu_object_retire (&k->object);
      free (k->name);
      free (k);
    }
  emu_object_retire (&library->object);
  free (library->image);
  free (library);
  return r;
}

CUresult
emu_cuLibraryGetModule (CUmodule *module, CUlibrary library)
{
  if (!emu_object_is (library, EMU_LIBRARY))
    return CUDA_ERROR_INVALID_HANDLE;
  return module ? module_of (library, module) : CUDA_ERROR_INVALID_VALUE;
}

CUresult
emu_cuLibraryGetGlobal (CUdeviceptr *addr, size_t *bytes, CUlibrary library,
			const char *name)
{
  CUmodule module;
  CUresult r = emu_cuLibraryGetModule (&module, library);
  return r ? r : emu_cuModuleGetGlobal (addr, bytes, module, name);
}

/* ---- Kernels ----------------------------------------------------------- */

static CUresult
function_of_kernel (CUkernel kernel, CUfunction *fn)
{
  CUmodule module;
  CUresult r = module_of (kernel->library, &module);
  return r ? r : emu_cuModuleGetFunction (fn, module, kernel->name);
}

CUresult
emu_function_of (CUfunction handle, CUfunction *fn)
{
  if (emu_object_is (handle, EMU_KERNEL))
    return function_of_kernel ((CUkernel) handle, fn);
  *fn = handle;
  return emu_object_is (handle, EMU_FUNCTION) ? CUDA_SUCCESS
					      : CUDA_ERROR_INVALID_HANDLE;
}

CUresult
emu_cuLibraryGetKernel (CUkernel *kernel, CUlibrary library, const char *name)
{
  if (!emu_object_is (library, EMU_LIBRARY))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!kernel || !name)
    return CUDA_ERROR_INVALID_VALUE;
  for (struct CUkern_st *k = library->kernels; k; k = k->next)
    if (!strcmp (k->name, name))
      {
	*kernel = k;
	return CUDA_SUCCESS;
      }
  struct CUkern_st *k = emu_object_new (EMU_KERNEL, sizeof *k, NULL);
  CUresult r = k && (k->name = strdup (name)) ? CUDA_SUCCESS
					      : CUDA_ERROR_OUT_OF_MEMORY;
  CUfunction fn;
  if (!r)
    {
      k->library = library;
      r = emu_current () ? function_of_kernel (k, &fn) : CUDA_SUCCESS;
    }
  if (r)
    {
      if (k)
	{
	  emu_object_retire (&k->object);
	  free (k->name);
	}
      free (k);
      return r;
    }
  k->next = library->kernels;
  library->kernels = k;
  *kernel = k;
  return CUDA_SUCCESS;
}

CUresult
emu_cuKernelGetFunction (CUfunction *fn, CUkernel kernel)
{
  if (!emu_object_is (kernel, EMU_KERNEL))
    return CUDA_ERROR_INVALID_HANDLE;
  return fn ? function_of_kernel (kernel, fn) : CUDA_ERROR_INVALID_VALUE;
}

CUresult
emu_cuKernelGetLibrary (CUlibrary *library, CUkernel kernel)
{
  if (!emu_object_is (kernel, EMU_KERNEL))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!library)
    return CUDA_ERROR_INVALID_VALUE;
  *library = kernel->library;
  return CUDA_SUCCESS;
}

CUresult
emu_cuKernelGetName (const char **name, CUkernel kernel)
{
  if (!emu_object_is (kernel, EMU_KERNEL))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!name)
    return CUDA_ERROR_INVALID_VALUE;
  *name = kernel->name;
  return CUDA_SUCCESS;
}
