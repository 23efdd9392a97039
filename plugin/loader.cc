/* accrete.so, the plugin that users name: it loads the real one,
   accrete-passes.so from its own folder, when the running GCC is the one that
   was built for.  Everything else would break the build: GCC stops when a
   plugin has a symbol it does not know or when plugin_init fails.  So this
   file uses nothing of GCC but its plugin interface and option flags, and
   answers a mismatch with one line and stock behaviour.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-plugin.h"
#include "plugin-version.h"
#include "options.h"
#include <dlfcn.h>

#define PASSES "accrete-passes.so"

extern int plugin_is_GPL_compatible;
int plugin_is_GPL_compatible;

int
plugin_init (struct plugin_name_args *args, struct plugin_gcc_version *version)
{
  if (!plugin_default_version_check (version, &gcc_version))
    {
      fprintf (stderr,
	       "%s: warning: built for another GCC (%s %s, this is %s %s);"
	       " compiling without it\n",
	       args->base_name, gcc_version.basever, gcc_version.datestamp,
	       version->basever, version->datestamp);
      return 0;
    }
  if (!flag_openacc && !flag_openmp)
    return 0;

  const char *slash = strrchr (args->full_name, '/');
  int folder = slash ? slash + 1 - args->full_name : 0;
  char *path;
  if (asprintf (&path, "%.*s" PASSES, folder, args->full_name) < 0)
    return 0;
  void *lib = dlopen (path, RTLD_LAZY);
  plugin_init_func init
    = lib ? (plugin_init_func) dlsym (lib, "plugin_init") : NULL;
  free (path);
  if (!init)
    {
      fprintf (stderr, "%s: warning: %s; compiling without it\n",
	       args->base_name, dlerror ());
      return 0;
    }
  return init (args, version);
}
