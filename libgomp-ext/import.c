/* Imports; see import.h.

   A call of another library's function goes through a slot that the dynamic
   linker fills, at once or with the first call.  Slots of the first kind are
   read-only by then (PT_GNU_RELRO).
   Source: System V ABI, AMD64 supplement, chapter 5; elf(5).

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "import.h"

#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct search
{
  uintptr_t inside;
  const char *name;
  void *wrapper;
  bool replaced;
};

static bool
covers (const struct dl_phdr_info *info, const ElfW (Phdr) * ph, uintptr_t p)
{
  return p - (info->dlpi_addr + ph->p_vaddr) < ph->p_memsz;
}

/* Store VALUE in SLOT, which may be read-only.  */
static bool
store (const struct dl_phdr_info *info, void *_Atomic *slot, void *value)
{
  uintptr_t page = sysconf (_SC_PAGESIZE);
  void *start = (void *)((uintptr_t)slot & -page);
  bool protected = false;
  for (unsigned i = 0; i < info->dlpi_phnum; i++)
    protected |= info->dlpi_phdr[i].p_type == PT_GNU_RELRO
                 && covers (info, &info->dlpi_phdr[i], (uintptr_t)slot);
  if (protected && mprotect (start, page, PROT_READ | PROT_WRITE))
    return false;
  atomic_store_explicit (slot, value, memory_order_release);
  if (protected)
    mprotect (start, page, PROT_READ);
  return true;
}

#ifdef __x86_64__
static bool
is_slot (const ElfW (Rela) * r)
{
  unsigned type = ELF64_R_TYPE (r->r_info);
  return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT;
}
#define SYMBOL_OF(r) ELF64_R_SYM ((r)->r_info)
#else
static bool
is_slot (const ElfW (Rela) * r)
{
  (void)r;
  return false;
}
#define SYMBOL_OF(r) 0
#endif

/* Replace what is found in the N bytes of relocations at R.  */
static void
replace (struct search *s, const struct dl_phdr_info *info,
         const ElfW (Rela) * r, size_t n, const ElfW (Sym) * symbols,
         const char *strings)
{
  for (size_t i = 0; i < n / sizeof *r; i++)
    if (is_slot (&r[i])
        && !strcmp (strings + symbols[SYMBOL_OF (&r[i])].st_name, s->name))
      s->replaced |= store (
          info, (void *_Atomic *)(info->dlpi_addr + r[i].r_offset), s->wrapper);
}

static int
look (struct dl_phdr_info *info, size_t size, void *data)
{
  struct search *s = data;
  const ElfW (Dyn) *dynamic = NULL;
  bool here = false;
  (void)size;
  for (unsigned i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW (Phdr) *ph = &info->dlpi_phdr[i];
      here |= ph->p_type == PT_LOAD && covers (info, ph, s->inside);
      if (ph->p_type == PT_DYNAMIC)
        dynamic = (const void *)(info->dlpi_addr + ph->p_vaddr);
    }
  if (!here || !dynamic)
    return here;

  /* By tag; the linker has made addresses of the offsets.  */
  uintptr_t value[DT_JMPREL + 1] = { 0 };
  for (; dynamic->d_tag != DT_NULL; dynamic++)
    if (dynamic->d_tag > 0 && dynamic->d_tag <= DT_JMPREL)
      value[dynamic->d_tag] = dynamic->d_un.d_ptr;
  const ElfW (Sym) *symbols = (const void *)value[DT_SYMTAB];
  const char *strings = (const char *)value[DT_STRTAB];
  if (symbols && strings)
    {
      replace (s, info, (const void *)value[DT_JMPREL], value[DT_PLTRELSZ],
               symbols, strings);
      replace (s, info, (const void *)value[DT_RELA], value[DT_RELASZ],
               symbols, strings);
    }
  return 1;
}

bool
acr_import_replace (const void *inside, const char *name, void *wrapper)
{
  struct search s
      = { .inside = (uintptr_t)inside, .name = name, .wrapper = wrapper };
  dl_iterate_phdr (look, &s);
  return s.replaced;
}
