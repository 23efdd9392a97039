/* accrete.so, the plugin that the specs file names.  It has no reference into
   the compiler, so that every GCC can load it; the real plugin is built for
   one major version and stands beside it as accrete-gccMAJOR.so.  A tree may
   hold several of those.  Where none fits, compilation goes on as stock GCC's
   would: a missing plugin must never break a build.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-plugin.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

int plugin_is_GPL_compatible;

typedef int init_fn (struct plugin_name_args *, struct plugin_gcc_version *);

int
plugin_init (struct plugin_name_args *args, struct plugin_gcc_version *version)
{
  const char *slash = strrchr (args->full_name, '/');
  int dir_len = slash ? (int) (slash + 1 - args->full_name) : 0;
  int major_len = (int) strcspn (version->basever, ".");
  char path[PATH_MAX];
  snprintf (path, sizeof path, "%.*saccrete-gcc%.*s.so", dir_len,
	    args->full_name, major_len, version->basever);

  void *handle = dlopen (path, RTLD_NOW);
  init_fn *init = handle ? (init_fn *) dlsym (handle, "plugin_init") : NULL;
  if (!init)
    {
      fprintf (stderr,
	       "accrete: no plugin for GCC %.*s, regions are left as stock:"
	       " %s\n", major_len, version->basever, dlerror ());
      return 0;
    }
  return init (args, version);
}
