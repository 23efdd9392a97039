/* accrete.so, the plugin that users name: it loads the real one,
   accrete-passes.so from its own folder, when the running GCC is of the version
   that was built for.  Everything else would break the build: GCC stops when a
   plugin has a symbol it does not know or when plugin_init fails.  So this
   file uses nothing of GCC but its plugin interface and option flags, and
   answers a mismatch with one line and stock behaviour.

   GCC's own check (plugin_default_version_check) also wants the date and each word
   of the configure line alike, which hold the distribution's build number: a rebuild
   of the same sources would end the plugin.  What the plugin counts on is

   - the sources' version, with its phase: trees, statements and passes;
   - the options, whose values are fields of a structure and which depend on the
     languages that were configured: their number;
   - each function of GCC's that it calls, whose name says its parameters, and those
     of builds with other checks: the linker finds them all, before one is called.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "gcc-plugin.h"
#include "plugin-version.h"
#include "options.h"
#include "opts.h"
#include <dlfcn.h>
#include <string.h>

#define PASSES "accrete-passes.so"

extern int plugin_is_GPL_compatible;
int plugin_is_GPL_compatible;

/* Is GCC, of VERSION, laid out as the one that was built for?  */
static bool
same_gcc_p (const struct plugin_gcc_version *version)
{
  return version && !strcmp (version->basever, gcc_version.basever)
	 && !strcmp (version->devphase, gcc_version.devphase)
	 && cl_options_count == N_OPTS;
}

int
plugin_init (struct plugin_name_args *args, struct plugin_gcc_version *version)
{
  if (!same_gcc_p (version))
    {
      fprintf (stderr,
	       "%s: warning: built for another GCC (%s %s, this is %s %s);"
	       " compiling without it\n",
	       args->base_name, gcc_version.basever, gcc_version.datestamp,
	       version ? version->basever : "?",
	       version ? version->datestamp : "?");
      return 0;
    }
  if (!flag_openacc && !flag_openmp)
    return 0;

  const char *slash = strrchr (args->full_name, '/');
  int folder = slash ? slash + 1 - args->full_name : 0;
  char *path;
  if (asprintf (&path, "%.*s" PASSES, folder, args->full_name) < 0)
    return 0;
  void *lib = dlopen (path, RTLD_NOW);
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
