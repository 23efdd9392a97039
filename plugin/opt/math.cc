/* Math functions in device code are values.

   A function that may set errno is called each time that the source calls it, where
   -fno-math-errno, which C and C++ programs do not have by default, has GCC compute equal
   ones once, take them out of loops, and drop those that nobody wants:

     a = f / (c + expf (x)); b = g / (c + expf (x));

   So math functions are const, and functions without -fmath-errno, while they are
   streamed to the device's compiler.

   That errno is the device's.  No variable or function of the host names it, and a
   region that says errno does not link: <errno.h> is the host's, whose __errno_location
   no library of the device has.  What is left is a program that declares libc's __errno
   of the device by itself; a unit that does so keeps its calls.  (Pass errnos of the PTX,
   which sees the whole program, then drops the stores of calls that remain.)

   lgamma and gamma set signgam as well and stay as they are; with -frounding-math, or
   where -fmath-errno was asked for, all do.

   Needs: bodies, as they are streamed.  Keeps: results, all code of the host.  Breaks:
   nothing.
   Source: ATTR_MATHFN_FPROUNDING_ERRNO in GCC's builtin-attrs.def.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "accrete.h"
#include "base/base.h"
#include "lto-streamer.h"
#include "opts.h"

/* Functions that are const at the moment.  */
static auto_vec<tree> values;

static bool
names_errno_p (tree fn)
{
  return DECL_NAME (fn) && id_equal (DECL_NAME (fn), "__errno");
}

/* May math functions of this translation unit be values on the device?  */
static bool
values_p (void)
{
  if (!flag_errno_math || OPTION_SET_P (flag_errno_math) || flag_rounding_math)
    return false;
  cgraph_node *node;
  FOR_EACH_FUNCTION (node)
    if (names_errno_p (node->decl))
      return false;
  return true;
}

/* Does FN set nothing but errno?  */
static bool
value_p (tree fn)
{
  if (!call_math_p (fn))
    return false;
  switch (DECL_FUNCTION_CODE (fn))
    {
    CASE_FLT_FN (BUILT_IN_GAMMA):
    CASE_FLT_FN (BUILT_IN_LGAMMA):
      return false;
    default:
      return true;
    }
}

bool
math_streamed (void)
{
  cgraph_node *node;
  while (!values.is_empty ())
    TREE_READONLY (values.pop ()) = 0;
  if (!lto_stream_offload_p || !values_p ())
    return false;
  FOR_EACH_FUNCTION (node)
    if (!TREE_READONLY (node->decl) && value_p (node->decl))
      {
	TREE_READONLY (node->decl) = 1;
	values.safe_push (node->decl);
      }
  return true;
}
