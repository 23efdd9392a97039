/* The pipeline of the post-processor.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "post.h"
#include "env.h"

#include <stdlib.h>
#include <string.h>

static void (*const pass_function[POST_PASS_COUNT]) (struct post *) = {
#define OPT_PASS(id, name, alias, needs, help) pass_##id,
#include "abi/optimisations.def"
};

enum { ALL_PASSES = (1 << POST_PASS_COUNT) - 1 };

bool
post_parse_sm (const char *text, unsigned *sm)
{
  char *end;
  text += strncmp (text, "sm_", 3) == 0 ? 3 : 0;
  unsigned long n = strtoul (text, &end, 10);
  if (end == text || *end || n < 10 || n > 999)
    return false;
  *sm = n;
  return true;
}

unsigned
post_names (const char *where, const char *names, post_complain_fn *complain)
{
  return ALL_PASSES
	 & acr_optimisations_named (ACR_PART_PASS, names, false, where,
				    complain);
}

bool
post_parse_registers (const char *text, unsigned n[POST_REGISTERS])
{
  for (unsigned i = 0; i < POST_REGISTERS; i++)
    {
      char *end;
      unsigned long number = strtoul (text, &end, 10);
      n[i] = number;
      if (!*text)
	continue;
      if (end == text || number < 16 || number > 255)
	return false;
      text = end + (*end == ',');
      if (*end && *end != ',')
	return false;
    }
  return !*text;
}

void
post_options_init (struct post_options *opt, post_complain_fn *complain)
{
  *opt = (struct post_options) { .passes = ALL_PASSES, .sm = POST_DEFAULT_SM,
				 .registers = { 64, 48 },
				 .max_delta = POST_MAX_DELTA,
				 .proof_ms = POST_PROOF_MS,
				 .dump_after = -1 };
  const char *env = post_env (POST_ENV_DISABLE);
  /* One value may serve for building and for running a program.  */
  if (env)
    opt->passes &= ~acr_optimisations_named (ACR_PART_PASS, env, true,
					     post_env_name (POST_ENV_DISABLE),
					     complain);
  /* Not an optimisation: kernels do not run without.  */
  opt->passes |= 1u << POST_PASS_entry;
  env = post_env (POST_ENV_SM);
  if (env && !post_parse_sm (env, &opt->sm))
    complain (post_env_name (POST_ENV_SM), env, strlen (env));
  env = post_env (POST_ENV_SHUFFLE);
  if (env && !post_parse_shuffle (env, &opt->shuffle))
    complain (post_env_name (POST_ENV_SHUFFLE), env, strlen (env));
  env = post_env (POST_ENV_REGISTERS);
  if (env && !post_parse_registers (env, opt->registers))
    complain (post_env_name (POST_ENV_REGISTERS), env, strlen (env));
}

unsigned
post_run (struct ptx_unit *u, const struct post_options *opt)
{
  struct post p = { .unit = u, .opt = opt, .tags = tags_read (u) };
  unsigned taken = 0;
  for (unsigned i = 0; i < POST_PASS_COUNT; i++)
    {
      p.pass = i;
      if (opt->passes & 1u << i)
	pass_function[i](&p);
      if (opt->dump && opt->dump_after == (int) i)
	ptx_print (u, opt->dump);
      taken += p.taken[i];
    }
  post_make_limited (&p);
  tags_free (p.tags);
  return taken;
}
