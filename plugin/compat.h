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
     14    last_stmt         last_nondebug_stmt; the name says what it always did
     16    CONST_CAST        gone; C++ has its own  */
#if GCCPLUGIN_VERSION >= 14000
#define last_stmt last_nondebug_stmt
#endif
#ifndef CONST_CAST
#define CONST_CAST(type, x) (const_cast<type> (x))
#endif

#endif /* ACCRETE_COMPAT_H */
