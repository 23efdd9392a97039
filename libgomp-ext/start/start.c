/* What a program or shared library that is built with accrete has in it: the
   way to libgomp-ext, which may be there or not when it runs.

   A library that the dynamic linker is told to load must be there.  So none is
   named; this object is linked instead.  It defines libgomp's entries that
   libgomp-ext wants to see (entry.def), each as a jump through a slot:

     program -> stub -> slot -> libgomp-ext's entry  with device code
                             -> libgomp's entry      else, or without it

   A slot first leads to bind (), which looks the entry up.  libgomp-ext is
   loaded when the first device code, or the first table of regions, is
   registered, which constructors do: by the run path that accrete.specs gives,
   then as any library.  Programs without regions never ask for it.

   Where the run path has none, and the object came with the table of device
   code, it knows the folder that accrete was installed to.

   It is linked in two forms.  A program's stubs are global and weak: libraries
   that know nothing of accrete call them too, and a definition of the
   program's own wins.  A library's are hidden (ACR_START_HIDDEN): who links
   with it finds libgomp's.

   The functions of the dynamic linker are reached through a table that
   foreign.c knows: they are not the program's.

   Source: System V ABI, AMD64 supplement, 3.2 and 5.2; elf(5).

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "start/loader.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef __x86_64__
# error "the stubs are not written for this host"
#endif

#define RUNTIME "libgomp-ext.so.0"
#define LIBGOMP "libgomp.so.1"
#define HIDDEN __attribute__ ((visibility ("hidden")))

#define STRING(x) STRING_1 (x)
#define STRING_1(x) #x

/* An entry, and where a call of it goes.  The stubs know that SLOT is
   first.  */
struct entry
{
  void *slot;
  const char *name;
  const char *version;
};

#ifdef ACR_START_HIDDEN
# define SCOPE(name) ".globl " name "\n\t.hidden " name "\n\t"
#else
# define SCOPE(name) ".weak " name "\n\t"
#endif

/* The function NAME, which is BODY.  */
#define FUNCTION(scope, name, body)                                           \
  __asm__ (".text\n\t.p2align 4\n\t" scope ".type " name ", @function\n" name  \
          ":\n\t.cfi_startproc\n\tendbr64\n\t" body                           \
          "\n\t.cfi_endproc\n\t.size " name ", . - " name);

/* The entry NAME jumps through its slot: at first to acr_start_to_NAME.  */
#define STUB(name, version)                                                   \
  STUB_1 (SCOPE (#name), name, version, acr_start_to_##name)
#define STUB_1(scope, name, version, first)                                   \
  void first (void) HIDDEN;                                                   \
  HIDDEN struct entry acr_start_at_##name = { first, #name, version };        \
  FUNCTION (scope, #name, "jmp *acr_start_at_" #name "(%rip)")                \
  FUNCTION (".hidden " #first "\n\t.globl " #first "\n\t", #first,            \
            "leaq acr_start_at_" #name                                        \
            "(%rip), %r11\n\tjmp acr_start_common")

/* What the plugin calls in programs, if it is defined, comes to nothing, or to 0,
   without libgomp-ext.  */
#define OWN(name, first)                                                      \
  void first (void) HIDDEN;                                                   \
  HIDDEN struct entry acr_start_at_##name = { first, #name, "ACCRETE_1.0" };  \
  FUNCTION (".globl " #name "\n\t.hidden " #name "\n\t", #name,               \
            "jmp *acr_start_at_" #name "(%rip)")

#define START(name, version) STUB (name, STRING (version))
#include "start.h"
OWN (acr_look, acr_start_nothing)
OWN (acr_overwrite, acr_start_nothing)
OWN (acr_ready, acr_start_no)
OWN (acr_resident, acr_start_nothing)
OWN (acr_site, acr_start_nothing)
OWN (acr_unregister_regions, acr_start_nothing)
OWN (acr_register_regions, acr_start_to_acr_register_regions)

FUNCTION (".hidden acr_start_nothing\n\t.globl acr_start_nothing\n\t",
          "acr_start_nothing", "ret")
FUNCTION (".hidden acr_start_no\n\t.globl acr_start_no\n\t",
          "acr_start_no", "xorl %eax, %eax\n\tret")
FUNCTION (".hidden acr_start_to_acr_register_regions\n\t"
          ".globl acr_start_to_acr_register_regions\n\t",
          "acr_start_to_acr_register_regions",
          "leaq acr_start_at_acr_register_regions(%rip), %r11\n\t"
          "jmp acr_start_common")

/* Call acr_start_bind with %r11, and then what it returns, with all that the
   program's call has in registers.  No entry has arguments in vector
   registers.  */
FUNCTION (".hidden acr_start_common\n\t.globl acr_start_common\n\t",
          "acr_start_common",
          "pushq %rax\n\t.cfi_adjust_cfa_offset 8\n\t"
          "pushq %rdi\n\t.cfi_adjust_cfa_offset 8\n\t"
          "pushq %rsi\n\t.cfi_adjust_cfa_offset 8\n\t"
          "pushq %rdx\n\t.cfi_adjust_cfa_offset 8\n\t"
          "pushq %rcx\n\t.cfi_adjust_cfa_offset 8\n\t"
          "pushq %r8\n\t.cfi_adjust_cfa_offset 8\n\t"
          "pushq %r9\n\t.cfi_adjust_cfa_offset 8\n\t"
          "movq %r11, %rdi\n\t"
          "call acr_start_bind\n\t"
          "movq %rax, %r11\n\t"
          "popq %r9\n\t.cfi_adjust_cfa_offset -8\n\t"
          "popq %r8\n\t.cfi_adjust_cfa_offset -8\n\t"
          "popq %rcx\n\t.cfi_adjust_cfa_offset -8\n\t"
          "popq %rdx\n\t.cfi_adjust_cfa_offset -8\n\t"
          "popq %rsi\n\t.cfi_adjust_cfa_offset -8\n\t"
          "popq %rdi\n\t.cfi_adjust_cfa_offset -8\n\t"
          "popq %rax\n\t.cfi_adjust_cfa_offset -8\n\t"
          "jmp *%r11")

#undef START
#define START(name, version) &acr_start_at_##name,
static struct entry *const all[] = {
#include "start.h"
  &acr_start_at_acr_look,
  &acr_start_at_acr_overwrite,
  &acr_start_at_acr_ready,
  &acr_start_at_acr_resident,
  &acr_start_at_acr_site,
  &acr_start_at_acr_unregister_regions,
  &acr_start_at_acr_register_regions,
};

/* Where accrete was installed, or "": the section is written anew then
   (Makefile.am at the top).  */
__asm__ (".section .accrete.where,\"a\",@progbits\n"
         ".hidden acr_start_where\n\t.globl acr_start_where\n"
         "acr_start_where:\t.byte 0\n\t.text");
extern const char acr_start_where[] HIDDEN;

/* volatile: each use goes through the table.  */
static const volatile struct acr_loader loader
    = { ACR_LOADER_MAGIC, dlopen, ACR_LOADER_MAGIC, dlsym,
        ACR_LOADER_MAGIC, dlvsym };

/* A reference that keeps libgomp where the linker leaves out libraries that
   nothing needs: what a program calls may all be defined here.  */
extern int omp_get_level (void);
HIDDEN int (*const acr_start_needs) (void) = omp_get_level;

static void
set (struct entry *e, void *to)
{
  __atomic_store_n (&e->slot, to, __ATOMIC_RELEASE);
}

/* The entry E of RUNTIME, which may be an older one that lacks it, or
   NULL.  */
static void *
runtimes (void *runtime, const struct entry *e)
{
  return runtime ? loader.vsym (runtime, e->name, e->version) : NULL;
}

/* libgomp's entry E, as libgomp has it.  */
static void *
libgomps (const struct entry *e)
{
  void *libgomp = loader.open (LIBGOMP, RTLD_LAZY);
  return libgomp ? loader.vsym (libgomp, e->name, e->version) : NULL;
}

/* The entry NAME of whoever comes first behind us: libgomp, who interposes it,
   or the program's own stub.  Interposers know no versions, and each entry has
   one.  NULL when all that came with libraries that were loaded later.  */
static void *
others (const char *name)
{
#ifdef ACR_START_HIDDEN
  return loader.sym (RTLD_DEFAULT, name);
#else
  return loader.sym (RTLD_NEXT, name);
#endif
}

static void
tell (const char *why)
{
  if (!getenv ("ACCRETE_REPORT") && !getenv ("ACCRETE_DEBUG"))
    return;
  ssize_t done = write (STDERR_FILENO, why, strlen (why));
  (void)done;
}

/* Where device code is registered: a library asks the program's own stub,
   which then does the same, as the program's calls are to be seen as well.  */
static bool
registers (const struct entry *e)
{
  return e == &acr_start_at_GOMP_offload_register_ver;
}

#ifdef ACR_START_HIDDEN
static void
say_others (void *runtime)
{
  (void)runtime;
}
#else
/* Let RUNTIME call who stands behind the program's stubs, as tools do that
   LD_PRELOAD brings, unless that is RUNTIME.  */
static void
say_others (void *runtime)
{
  void (*say) (void *(*) (const char *))
      = loader.vsym (runtime, "acr_start_others", "ACCRETE_1.0");
  if (say && others (all[0]->name) != runtimes (runtime, all[0]))
    say (others);
}
#endif

/* The run path that the link gave this program or library, or NULL.  */
static const char *
run_path (void)
{
  const char *strings = NULL;
  size_t at = 0;
  for (const ElfW (Dyn) *d = _DYNAMIC; d->d_tag != DT_NULL; d++)
    if (d->d_tag == DT_STRTAB)
      strings = (const char *)d->d_un.d_ptr;
    else if (d->d_tag == DT_RUNPATH || d->d_tag == DT_RPATH)
      at = d->d_un.d_val;
  return strings && at ? strings + at : NULL;
}

/* Open the runtime in the folder of LEN bytes at FOLDER, if that is an absolute
   path.  */
static void *
open_in (const char *folder, size_t len)
{
  char path[PATH_MAX];
  if (*folder != '/' || len + sizeof "/" RUNTIME > sizeof path)
    return NULL;
  snprintf (path, sizeof path, "%.*s/" RUNTIME, (int)len, folder);
  return loader.open (path, RTLD_LAZY | RTLD_LOCAL);
}

/* Open the runtime.  The dynamic linker looks in the run path of who calls it,
   and that is a sanitizer's library where one stands in between.  */
static void *
open_runtime (void)
{
  void *runtime = loader.open (RUNTIME, RTLD_LAZY | RTLD_LOCAL);
  const char *folder = run_path ();
  while (!runtime && folder && *folder)
    {
      size_t n = strcspn (folder, ":");
      runtime = open_in (folder, n);
      folder += n + (folder[n] == ':');
    }
  return runtime ? runtime
                 : open_in (acr_start_where, strlen (acr_start_where));
}

/* Load libgomp-ext, where it is, and let all calls go there.  */
static void *
load (void)
{
  static bool tried;
  static void *runtime;
  if (tried)
    return runtime;
  tried = true;
  runtime = open_runtime ();
  if (runtime)
    say_others (runtime);
  else
    tell ("accrete: " RUNTIME " is not found; running without it\n");
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    {
      void *to = runtimes (runtime, all[i]);
      if (to && !registers (all[i]))
        set (all[i], to);
    }
  return runtime;
}

/* Where device code is registered.  */
static void *
registering (const struct entry *e)
{
  void *ours = runtimes (load (), e), *other = others (e->name);
#ifdef ACR_START_HIDDEN
  if (other && other != libgomps (e))
    return other;
#endif
  return ours ? ours : other ? other : libgomps (e);
}

static void *
find (const struct entry *e)
{
  void *to;
  if (registers (e))
    return registering (e);
  if (e == &acr_start_at_acr_register_regions)
    return (to = runtimes (load (), e)) ? to : (void *)acr_start_nothing;
  return (to = others (e->name)) ? to : libgomps (e);
}

/* Where a call of E goes, the first one.  */
void *acr_start_bind (struct entry *e) HIDDEN __attribute__ ((used));

void *
acr_start_bind (struct entry *e)
{
  void *to = find (e);
  /* What the dynamic linker does about a symbol that nobody has.  */
  if (!to)
    _exit (127);
  set (e, to);
  return to;
}
