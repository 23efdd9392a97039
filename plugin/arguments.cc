/* The arguments of the plugin: -fplugin-arg-accrete-KEY[=VALUE].

   Needs: the passes to be registered, for the dump.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "fuse/fuse.h"
#include "nested/nested.h"
#include "resident/chain/chain.h"
#include "spmd/spmd.h"

/* GCC looks at -fdump-tree-accrete before it loads plugins and refuses it.  So
   there is -fplugin-arg-accrete-dump[=FILE] for the same; the specs file turns
   the one into the other.  Needs the pass to be registered.  */
static void
switch_dump_on (const char *file)
{
  char *arg = file ? concat ("tree-accrete=", file, NULL)
		   : xstrdup ("tree-accrete");
  g->get_dumps ()->dump_switch_p (arg);
  free (arg);
}

void
plugin_parse_arguments (const struct plugin_name_args *args)
{
  for (int i = 0; i < args->argc; i++)
    {
      const struct plugin_argument *arg = &args->argv[i];
      if (!strcmp (arg->key, "disable") && arg->value)
	option_disable (arg->value);
      else if (!strcmp (arg->key, "rows") && arg->value)
	{
	  if (!jam_set_rows (arg->value))
	    warning (0, "%<-fplugin-arg-accrete-rows=%>: not 1, 2, 4, 8 or 16");
	}
      else if (!strcmp (arg->key, "nest") && arg->value)
	{
	  if (!nested_set_sites (arg->value))
	    warning (0, "%<-fplugin-arg-accrete-nest=%>: not a list of %qs",
		     "[FILE:]LINE:inplace, group or any");
	}
      else if (!strcmp (arg->key, "chain"))
	chain_want ();
      else if (!strcmp (arg->key, "turn"))
	{
	  if (!fuse_turn_want (arg->value))
	    warning (0, "%<-fplugin-arg-accrete-turn=%>: not a number of bytes");
	}
      else if (!strcmp (arg->key, "dump"))
	switch_dump_on (arg->value);
      else
	warning (0, "unknown plugin argument %<-fplugin-arg-%s-%s%>; known"
		 " are %<chain%>, %<disable%>, %<dump%>, %<nest%>, %<rows%> and"
		 " %<turn%>",
		 args->base_name, arg->key);
    }
}
