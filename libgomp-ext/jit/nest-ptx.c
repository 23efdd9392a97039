/* Launches by the device: what its code needs of CUDA's device runtime; see
   nest-ptx.h.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "ext.h"
#include "jit/nest-ptx.h"
#include "launch/nest/nest-mode.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char functions[] =
#include "nest-ptx-text.h"
    ;

static const char mark[] = ACR_NEST_LAUNCH_MARK;

static _Atomic bool edited;

/* ---- The library ------------------------------------------------------- */

static char library[PATH_MAX];

static bool
try_library (const char *format, const char *folder, int n)
{
  int length = snprintf (library, sizeof library, format, n, folder);
  return length > 0 && length < (int)sizeof library
         && !access (library, R_OK);
}

/* Look for libcudadevrt beside the driver (where the emulated GPU has its own),
   beside us, and where CUDA is installed.  */
static void
look_for_library (void)
{
  static const char beside[] = "%.*s/libcudadevrt.a";
  const void *part[] = { (void *)acr_driver.link_create, mark };
  Dl_info info;
  for (unsigned i = 0; i < 2; i++)
    if (dladdr (part[i], &info) && strrchr (info.dli_fname, '/'))
      {
        char *real = realpath (info.dli_fname, NULL);
        bool found = real
                     && try_library (beside, real,
                                     strrchr (real, '/') - real);
        free (real);
        if (found)
          return;
      }
  static const char cuda[] = "/usr/local/cuda/lib64";
  if (!try_library (beside, cuda, sizeof cuda - 1))
    library[0] = '\0';
}

static const char *
find_library (void)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once (&once, look_for_library);
  return library[0] ? library : NULL;
}

bool
acr_nest_ptx_link (CUlinkState state)
{
  if (!edited)
    return false;
  CUresult r = CUDA_ERROR_NOT_FOUND;
  if (acr_driver.link_add_file)
    r = acr_driver.link_add_file (state, CU_JIT_INPUT_LIBRARY, find_library (),
                                  0, NULL, NULL);
  if (r)
    acr_warn ("%s: %s", find_library (), acr_cuda_error (r));
  return true;
}

/* ---- The code ---------------------------------------------------------- */

/* The kernel around AT in T: its name, N bytes, or NULL.  */
static const char *
kernel_around (const struct acr_text *t, const char *at, size_t *n)
{
  static const char entry[] = "\n.entry ", visible[] = "\n.visible .entry ";
  const char *found = NULL, *p;
  for (size_t i = 0; (p = acr_text_find (t, i, ".entry ")) && p < at;
       i = p - t->p + 1)
    if (p[-1] == '\n' || !strncmp (p - strlen (visible) + strlen (entry) - 1,
                                   visible, strlen (visible) - 1))
      found = p + strlen (".entry ");
  *n = found ? strcspn (found, " (\n") : 0;
  return found;
}

/* The kernel of T whose name is at NAME begins with the argument of its
   parent, where the device has launched it.  */
static void
edit_start (struct acr_text *t, const char *name)
{
  static const char load[] = "ld.param.u64 ", from[] = "[%in_ar0];";
  const char *end = strstr (name, from), *p = end;
  while (p && p > name && strncmp (p, load, strlen (load)))
    p--;
  int n = p ? strcspn (p + strlen (load), ", ") : 0;
  const char *reg = p + strlen (load);
  char code[512];
  snprintf (code, sizeof code,
            "\n{\n.reg .b32 %%acr_s;\n.reg .pred %%acr_p;\n"
            "mov.u32 %%acr_s,%%dynamic_smem_size;\n"
            "setp.eq.u32 %%acr_p,%%acr_s,%d;\n@%%acr_p ld.u64 %.*s,[%.*s];\n}",
            ACR_NEST_SHARED_LAUNCHED, n, reg, n, reg);
  if (end)
    acr_text_splice (t, end + strlen (from), 0, code);
}

/* Put a launch of the kernel NAME, N bytes, at AT of T, a mark.  */
static void
edit_mark (struct acr_text *t, const char *at, const char *name, int n)
{
  static const char call[]
      = "{\n.param .b64 acr_0;\n.param .b64 acr_1;\n.param .b64 acr_2;\n"
        ".param .b64 acr_r;\nmov.u64 %%acr_status,%.*s;\n"
        "st.param.b64 [acr_0],%%acr_status;\n"
        "st.param.b64 [acr_1],%%acr_block;\n"
        "st.param.b64 [acr_2],%%acr_total;\n"
        "call (acr_r),acr_device_launch,(acr_0,acr_1,acr_2);\n"
        "ld.param.b64 %%acr_status,[acr_r];\n}\n";
  char *code;
  if (asprintf (&code, call, n, name) < 0)
    {
      t->failed = true;
      return;
    }
  acr_text_splice (t, at, strlen (mark), code);
  free (code);
}

/* Kernels have addresses from sm_35 on.  */
static void
raise_target (struct acr_text *t)
{
  static const char target[] = ".target sm_30";
  const char *at = acr_text_find (t, 0, target);
  if (at)
    acr_text_splice (t, at, strlen (target), ".target sm_35");
}

/* Replace WHAT, in T from FROM on, by FORMAT with N.  */
static void
replace_by_number (struct acr_text *t, size_t from, const char *what,
                   const char *format, int n)
{
  char with[64];
  snprintf (with, sizeof with, format, n);
  acr_text_replace (t, from, what, with);
}

/* Add to T what its launches call, before the first function.  */
static void
add_functions (struct acr_text *t, int stream)
{
  const char *at = acr_text_find (t, 0, "FUNCTION DEF: ");
  while (at && at > t->p && at[-1] != '\n')
    at--;
  size_t start = at ? at - t->p : 0;
  acr_text_splice (t, t->p + start, 0, functions);
  replace_by_number (t, start, "ACR_STREAM", "%d", stream);
  replace_by_number (t, start, "ACR_SHARED", "%d", ACR_NEST_SHARED_LAUNCHED);
}

bool
acr_nest_ptx_edit (struct acr_text *t)
{
  struct acr_nest_device device = acr_nest_device ();
  if (!device.form || !acr_text_find (t, 0, mark))
    return false;
  if (!find_library ())
    {
      acr_warn ("ACCRETE_NEST: no libcudadevrt.a, so that the device launches "
                "nothing");
      return false;
    }
  const char *at;
  char *last = NULL;
  for (size_t from = 0;
       !t->failed && (at = acr_text_find (t, from, mark));)
    {
      size_t n, before = t->n;
      const char *name = kernel_around (t, at, &n);
      if (!name)
        break;
      from = at - t->p;
      if (!last || strlen (last) != n || strncmp (last, name, n))
        {
          free (last);
          last = strndup (name, n);
          edit_start (t, name);
          from += t->n - before;
        }
      edit_mark (t, t->p + from, last, n);
    }
  free (last);
  replace_by_number (t, 0, ACR_NEST_FORM_MARK, "mov.b64 %%acr_form,%d;\n",
                     device.form);
  raise_target (t);
  add_functions (t, device.stream);
  return edited = true;
}
