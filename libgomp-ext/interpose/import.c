/* Imports; see import.h.

   A call of another library's function goes through a slot that the dynamic
   linker fills, at once or with the first call.  Slots of the first kind are
   read-only by then (PT_GNU_RELRO).
   Source: System V ABI, AMD64 supplement, chapter 5; elf(5).

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#include "config.h"

#include "interpose/import.h"
#include "start/loader.h"

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

/* What a library's dynamic section says, by tag.  */
enum
{
  TAGS = DT_JMPREL + 1
};

/* Read INFO's to VALUE; false when there is none.  The linker has made addresses
   of most offsets.  */
static bool
read_dynamic (const struct dl_phdr_info *info, uintptr_t value[TAGS])
{
  const ElfW (Dyn) *d = NULL;
  for (unsigned i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
      d = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
  memset (value, 0, TAGS * sizeof *value);
  for (const ElfW (Dyn) *p = d; p && p->d_tag != DT_NULL; p++)
    if (p->d_tag > 0 && p->d_tag < TAGS)
      value[p->d_tag] = p->d_un.d_ptr;
  static const unsigned char address[]
      = { DT_SYMTAB, DT_STRTAB, DT_JMPREL, DT_RELA, DT_REL };
  for (unsigned i = 0; i < sizeof address; i++)
    if (value[address[i]] && value[address[i]] < info->dlpi_addr)
      value[address[i]] += info->dlpi_addr;
  return d;
}

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
  uintptr_t value[TAGS];
  bool here = false;
  (void)size;
  for (unsigned i = 0; i < info->dlpi_phnum; i++)
    here |= info->dlpi_phdr[i].p_type == PT_LOAD
            && covers (info, &info->dlpi_phdr[i], s->inside);
  if (!here || !read_dynamic (info, value))
    return here;
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

#ifdef __LP64__
/* Does R fill a slot of start.c's table, which has a mark in front?  */
static bool
is_loader (const struct dl_phdr_info *info, const ElfW (Rela) * r)
{
  static const uint64_t marked = ACR_LOADER_MAGIC;
  uintptr_t slot = info->dlpi_addr + r->r_offset, mark = slot - sizeof marked;
  for (unsigned i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_LOAD
        && covers (info, &info->dlpi_phdr[i], slot)
        && covers (info, &info->dlpi_phdr[i], mark))
      return !memcmp ((const void *)mark, &marked, sizeof marked);
  return false;
}

/* The symbol that one of the N bytes of relocations at R is for, and whose name
   IS is true for: is there one?  Most are for none.  */
static bool
any_in (const struct dl_phdr_info *info, const ElfW (Rela) * r, size_t n,
        const ElfW (Sym) * symbols, const char *strings,
        bool (*is) (const char *name))
{
  for (size_t i = 0; i < n / sizeof *r; i++)
    {
      const ElfW (Sym) *s = &symbols[ELF64_R_SYM (r[i].r_info)];
      if (s != symbols && s->st_shndx == SHN_UNDEF && is (strings + s->st_name)
          && !is_loader (info, &r[i]))
        return true;
    }
  return false;
}

bool
acr_import_any (const struct dl_phdr_info *info, bool (*is) (const char *name))
{
  uintptr_t value[TAGS];
  if (!read_dynamic (info, value))
    return false;
  const ElfW (Sym) *symbols = (const void *)value[DT_SYMTAB];
  const char *strings = (const char *)value[DT_STRTAB];
  if (value[DT_REL] || (value[DT_JMPREL] && value[DT_PLTREL] != DT_RELA))
    return true;
  return symbols && strings
         && (any_in (info, (const void *)value[DT_JMPREL],
                     value[DT_PLTRELSZ], symbols, strings, is)
             || any_in (info, (const void *)value[DT_RELA],
                        value[DT_RELASZ], symbols, strings, is));
}
#else
bool
acr_import_any (const struct dl_phdr_info *info, bool (*is) (const char *name))
{
  (void)info, (void)is;
  return true;
}
#endif
