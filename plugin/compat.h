/* GCC's internals as this plugin uses them: one include for every source
   file, in an order that works, and the only place that asks for the GCC
   version.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_COMPAT_H
#define ACCRETE_COMPAT_H

#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "gimple.h"
#include "tree-pass.h"
#include "context.h"
#include "stringpool.h"
#include "attribs.h"
#include "cgraph.h"
#include "gimple-iterator.h"
#include "gimplify.h"
#include "gimple-walk.h"
#include "tree-pretty-print.h"
#include "tree-iterator.h"
#include "fold-const.h"
#include "diagnostic-core.h"
#include "gimple-pretty-print.h"
#include "omp-general.h"
#include "omp-offload.h"
#include "gomp-constants.h"
#include "file-prefix-map.h"
#include "opts.h"
#include "langhooks.h"
#include "builtins.h"
#include "memmodel.h"
#include "toplev.h"
#include "varasm.h"
#include "stor-layout.h"
#include "tree-cfg.h"

/* What versions call differently, one row each:

     from  here              there
     13    COMPAT_NO_TEAMS   num_teams of a target without teams, -2; before it was 1
     14    last_stmt         last_nondebug_stmt; the name says what it always did
     16    CONST_CAST        gone; C++ has its own  */
#define COMPAT_NO_TEAMS (-2)
#if GCCPLUGIN_VERSION >= 14000
#define last_stmt last_nondebug_stmt
#endif
#ifndef CONST_CAST
#define CONST_CAST(type, x) (const_cast<type> (x))
#endif

/* From 13 on: regions that the device has run on the host, device(ancestor: 1).  */
#define COMPAT_REVERSE_OFFLOAD (GCCPLUGIN_VERSION >= 13000)

/* Of 14: maps of what must be present, copied in any case.  */
static inline bool
compat_always_present_p (unsigned kind)
{
#if GCCPLUGIN_VERSION >= 14000
  return kind == GOMP_MAP_ALWAYS_PRESENT_TO
	 || kind == GOMP_MAP_ALWAYS_PRESENT_FROM
	 || kind == GOMP_MAP_ALWAYS_PRESENT_TOFROM;
#else
  (void) kind;
  return false;
#endif
}

/* Of 14: a clause by which a region of OpenACC may be the host's.  */
static inline bool
compat_self_p (tree clauses)
{
#if GCCPLUGIN_VERSION >= 14000
  return omp_find_clause (clauses, OMP_CLAUSE_SELF);
#else
  (void) clauses;
  return false;
#endif
}

#endif /* ACCRETE_COMPAT_H */
