/* The unit beside the programs of look-program.c, compiled as they are, but
   without the plugin.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <pthread.h>
#include <stdlib.h>

enum
{
  N = 96
};

#ifdef __cplusplus
extern "C" {
#endif

unsigned outer[N];
static unsigned *kept;

unsigned
far_sum (const unsigned *p, int n)
{
  unsigned s = 0;
  for (int i = 0; i < n; i++)
    s = s * 5 + p[i];
  return s;
}

void
far_fill (unsigned *p, int n, unsigned k)
{
  for (int i = 0; i < n; i++)
    p[i] = k ^ i;
}

void
far_keep (unsigned *p)
{
  kept = p;
}

unsigned
far_kept (int i)
{
  return kept[i]++;
}

unsigned
far_call (unsigned (*fn) (const void *), const void *arg)
{
  return fn (arg);
}

/* ---- Threads ----------------------------------------------------------- */

struct task
{
  unsigned (*fn) (const void *);
  const void *arg;
  unsigned result;
};

static void *
perform (void *p)
{
  struct task *t = (struct task *)p;
  t->result = t->fn (t->arg);
  return NULL;
}

unsigned
far_thread (unsigned (*fn) (const void *), const void *arg)
{
  struct task t = { fn, arg, 0 };
  pthread_t thread;
  if (pthread_create (&thread, NULL, perform, &t))
    abort ();
  pthread_join (thread, NULL);
  return t.result;
}

/* The question; NULL when it is answered.  */
static const unsigned *question;
static unsigned answer;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t asked = PTHREAD_COND_INITIALIZER;
static pthread_cond_t answered = PTHREAD_COND_INITIALIZER;

static void *
answer_all (void *arg)
{
  pthread_mutex_lock (&lock);
  for (;;)
    {
      while (!question)
        pthread_cond_wait (&asked, &lock);
      answer = *question * 3;
      question = NULL;
      pthread_cond_signal (&answered);
    }
  return arg;
}

static void
start (void)
{
  pthread_t thread;
  if (pthread_create (&thread, NULL, answer_all, NULL))
    abort ();
  pthread_detach (thread);
}

unsigned
far_ask (const unsigned *p, int i)
{
  pthread_once (&once, start);
  pthread_mutex_lock (&lock);
  question = p + i;
  pthread_cond_signal (&asked);
  while (question)
    pthread_cond_wait (&answered, &lock);
  unsigned a = answer;
  pthread_mutex_unlock (&lock);
  return a;
}

/* ---- Constructs, exceptions -------------------------------------------- */

void
far_construct (unsigned *p, int n, unsigned k)
{
#pragma acc parallel loop copy (p [0:n])
#pragma omp target parallel for map (tofrom : p [0:n])
  for (int i = 0; i < n; i++)
    p[i] += k;
}

int
far_throw (int k)
{
#ifdef __cplusplus
  if (k & 1)
    throw k;
#endif
  return k;
}

#ifdef __cplusplus
}
#endif
