/* The plugin's own interfaces, a group per file.

   A region's way: region.cc finds it before omp-low, where operands still are
   the source's variables; after omp-low it gets its outlined function and the
   slots of its argument block; tag.cc names the function, late among the
   small IPA passes, and leaves the tag in the PTX unit and the host program.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_H
#define ACCRETE_H

#include "compat.h"
#include "abi.h"

/* plugin.cc */

enum acr_option
{
#define ACR_OPTION(id, name) ACR_OPTION_##id,
#include "option.def"
  ACR_OPTION_COUNT
};

/* Was it left on?  */
bool option_enabled (enum acr_option);

/* region.cc */

struct region
{
  /* The directive; valid until OMP expansion.  */
  gomp_target *stmt;
  location_t loc;
  /* DECL_UID of the outlined function, which may be removed (and its decl
     collected) before the tag is written.  */
  unsigned fn_uid;
  /* What the tag says; fn is the outlined function's original name.  One
     block from acr_tag_parse, owned.  */
  struct acr_region *facts;
};

/* Find the offloaded regions of FUN, before omp-low.  */
void region_find (function *fun);

/* After omp-low of the same function: complete the regions and report
   them.  */
void region_complete (function *fun);

/* The complete region outlined as the function FN, or NULL.  */
const struct region *region_of (tree fn);

/* Is there any complete region in this translation unit?  */
bool region_any (void);

/* tag.cc */

/* Tag the outlined functions of this translation unit.  */
void tag_emit (void);

#endif /* ACCRETE_H */
