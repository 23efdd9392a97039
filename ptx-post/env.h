/* The environment variables of ptx-post and the wrappers (env.def).

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef ACCRETE_POST_ENV_H
#define ACCRETE_POST_ENV_H

#include <stdlib.h>
#include <string.h>

enum post_env
{
#define POST_ENV(name, help) POST_ENV_##name,
#include "env.def"
};

static inline const char *
post_env_name (enum post_env variable)
{
  static const char *const names[] = {
#define POST_ENV(name, help) "ACCRETE_" #name,
#include "env.def"
  };
  return names[variable];
}

/* The help of the variable NAME, or NULL.  */
static inline const char *
post_env_help (const char *name)
{
  static const char *const rows[][2] = {
#define POST_ENV(name, help) { "ACCRETE_" #name, help },
#include "env.def"
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
    if (strcmp (rows[i][0], name) == 0)
      return rows[i][1];
  return NULL;
}

/* Its value, or NULL.  */
static inline const char *
post_env (enum post_env variable)
{
  return getenv (post_env_name (variable));
}

#endif /* ACCRETE_POST_ENV_H */
