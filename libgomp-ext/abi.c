/* Reading and writing tags; see abi.h.  */
#include "abi.h"

static const char *const kind_name[] = {
#define ACR_KIND(id, text) text,
#include "abi.def"
};

static const char *const map_name[] = {
#define ACR_MAP(id, text) text,
#include "abi.def"
};

const char *
acr_kind_name (enum acr_kind k)
{
  return kind_name[k];
}

const char *
acr_map_name (enum acr_map m)
{
  return map_name[m];
}
