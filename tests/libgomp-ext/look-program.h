/* What the programs of look-program.c have in common: memory of all kinds,
   constructs on it, and ways to look at it.  For C and C++, OpenACC and OpenMP.

   All constructs may be used whether their memory is on the device or not: then
   they work on what is there, or bring it and take it back.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <alloca.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  N = 96
};

#define ALWAYS __attribute__ ((always_inline, unused)) static inline
#define NEVER __attribute__ ((noipa, unused)) static

/* ---- The other unit (look-far.c), without the plugin ------------------- */

#ifdef __cplusplus
extern "C" {
#endif

extern unsigned outer[N];

/* A sum; other contents; a value through and into memory that only pointers
   lead to.  */
unsigned far_sum (const unsigned *p, int n);
void far_fill (unsigned *p, int n, unsigned k);
void far_keep (unsigned *p);
unsigned far_kept (int i);

/* FN's result, from here, and from a thread that ends.  */
unsigned far_call (unsigned (*fn) (const void *), const void *arg);
unsigned far_thread (unsigned (*fn) (const void *), const void *arg);

/* The same from one thread that goes on and on, which is told and asked by
   memory alone.  */
unsigned far_ask (const unsigned *p, int i);

/* What a construct of this unit does: p[i] += k.  */
void far_construct (unsigned *p, int n, unsigned k);

/* An exception, in C++, if K is odd; else K.  */
int far_throw (int k);

#ifdef __cplusplus
}
#endif

/* ---- Memory ------------------------------------------------------------ */

struct record
{
  unsigned a[N];
  unsigned low : 5, high : 27;
  unsigned b[N];
  unsigned *p;
};

union both
{
  unsigned word[N];
  unsigned char byte[4 * N];
  struct
  {
    unsigned short low, high;
  } half[N];
};

typedef unsigned vector4
    __attribute__ ((vector_size (16), may_alias, aligned (4)));

static unsigned fixed[N], other[N];
static __thread unsigned own[N];
static struct record rec;
static union both both;
static unsigned *heap, *shared;
static unsigned *const constant = other;
static volatile unsigned vol;
static unsigned sum; /* nobody has its address */

ALWAYS void
note (unsigned x)
{
  sum = sum * 31 + x;
}

/* ---- Constructs -------------------------------------------------------- */

/* Those of OpenACC would refuse to update what is not on the device.  */
ALWAYS void
get (unsigned *p, int from, int n)
{
#pragma acc update self (p [from:n]) if_present
#pragma omp target update from (p [from:n])
}

ALWAYS void
put (unsigned *p, int from, int n)
{
#pragma acc update device (p [from:n]) if_present
#pragma omp target update to (p [from:n])
}

ALWAYS void
enter (unsigned *p)
{
#pragma acc enter data copyin (p [0:N])
#pragma omp target enter data map (to : p [0:N])
}

ALWAYS void
leave (unsigned *p)
{
#pragma acc exit data copyout (p [0:N])
#pragma omp target exit data map (from : p [0:N])
}

ALWAYS void
drop (unsigned *p)
{
#pragma acc exit data delete (p [0:N])
#pragma omp target exit data map (release : p [0:N])
}

ALWAYS void
give (unsigned *p, int n, unsigned k)
{
#pragma acc parallel loop copyout (p [0:n])
#pragma omp target parallel for map (from : p [0:n])
  for (int i = 0; i < n; i++)
    p[i] = i * k + 1;
}

ALWAYS void
change (unsigned *p, int n, unsigned k)
{
#pragma acc parallel loop copy (p [0:n])
#pragma omp target parallel for map (tofrom : p [0:n])
  for (int i = 0; i < n; i++)
    p[i] = p[i] * 3 + k;
}

ALWAYS void
add (unsigned *p, unsigned *q, int n)
{
#pragma acc parallel loop copy (p [0:n]) copyin (q [0:n])
#pragma omp target parallel for map (tofrom : p [0:n]) map (to : q [0:n])
  for (int i = 0; i < n; i++)
    p[i] += q[i] ^ i;
}

ALWAYS void
later (unsigned *p, int n, unsigned k)
{
#pragma acc parallel loop copy (p [0:n]) async (1)
#pragma omp target parallel for map (tofrom : p [0:n]) nowait
  for (int i = 0; i < n; i++)
    p[i] += i ^ k;
#pragma acc wait (1)
#pragma omp taskwait
}

/* On the host if K is even.  */
ALWAYS void
here (unsigned *p, int n, unsigned k)
{
#pragma acc parallel loop copy (p [0:n]) if (k & 1)
#pragma omp target parallel for map (tofrom : p [0:n]) if (k & 1)
  for (int i = 0; i < n; i++)
    p[i] += i * k;
}

ALWAYS unsigned
total (unsigned *p, int n)
{
  unsigned s = 0;
#pragma acc parallel loop copyin (p [0:n]) reduction (+ : s)
#pragma omp target parallel for map (to : p [0:n]) map (tofrom : s)           \
    reduction (+ : s)
  for (int i = 0; i < n; i++)
    s += p[i];
  return s;
}

/* ---- Ways to look ------------------------------------------------------ */

static inline unsigned
peek (const unsigned *p, int i)
{
  return p[i % N];
}

NEVER unsigned
peek_away (const unsigned *p, int i)
{
  return p[i % N];
}

__attribute__ ((pure, noinline, unused)) static unsigned
peek_pure (const unsigned *p, int i)
{
  return p[i % N] + p[0];
}

NEVER unsigned
peek_list (int n, ...)
{
  unsigned s = 0;
  va_list ap;
  va_start (ap, n);
  while (n--)
    s = s * 7 + *va_arg (ap, unsigned *);
  va_end (ap);
  return s;
}

static unsigned
peek_word (const void *p)
{
  return *(const unsigned *)p;
}

/* Looks where nobody points.  */
static unsigned
peek_everywhere (const void *p)
{
  (void)p;
  unsigned s = rec.b[5] + both.byte[9];
  for (int i = 0; i < N; i += 7)
    s = s * 3 + (fixed[i] ^ other[i]) + outer[i] + heap[i] + shared[i];
  fixed[11]++;
  return s;
}

__attribute__ ((unused)) static int
compare (const void *x, const void *y)
{
  unsigned a = *(const unsigned *)x & 15, b = *(const unsigned *)y & 15;
  return (b > a) - (b < a);
}

static void
on_signal (int number)
{
  (void)number;
  vol = peek_everywhere (NULL) + own[2];
}

/* What a file holds after P was written there, and read from it into Q.  */
NEVER unsigned
through_file (const unsigned *p, unsigned *q, int n)
{
  FILE *f = tmpfile ();
  if (!f || fwrite (p, sizeof *p, n, f) != (size_t)n)
    abort ();
  rewind (f);
  if (fread (q, sizeof *q, n, f) != (size_t)n)
    abort ();
  fclose (f);
  return q[n - 1];
}

static int ends[2]; /* of a pipe */
static jmp_buf back;

/* Back to where `back' was set, unless K is even.  */
NEVER void
jump (unsigned k)
{
  if (k & 1)
    longjmp (back, 1);
}

/* A child's view of P[I]; it writes to SHARED, too.  */
NEVER unsigned
in_child (const unsigned *p, int i)
{
  int status;
  pid_t child = fork ();
  if (!child)
    {
      shared[i] ^= p[i];
      _exit (p[i] & 127);
    }
  if (child < 0 || waitpid (child, &status, 0) != child)
    abort ();
  return WEXITSTATUS (status) + shared[i];
}

/* Another thread, asked and answering by atomic accesses, or volatile ones.  */
static unsigned *question;
static int turn;
static volatile int volatile_turn;

static void
answer (void)
{
  *question = *question * 3 + 1;
}

static void *
answer_all (void *arg)
{
  for (;; usleep (50))
    if (__atomic_load_n (&turn, __ATOMIC_ACQUIRE))
      {
        answer ();
        __atomic_store_n (&turn, 0, __ATOMIC_RELEASE);
      }
    else if (volatile_turn)
      {
        __sync_synchronize ();
        answer ();
        __sync_synchronize ();
        volatile_turn = 0;
      }
  return arg;
}

ALWAYS void
ask (unsigned *p)
{
  question = p;
  __atomic_store_n (&turn, 1, __ATOMIC_RELEASE);
  while (__atomic_load_n (&turn, __ATOMIC_ACQUIRE))
    ;
}

/* As programs do on machines that keep the order of stores.  */
ALWAYS void
ask_volatile (unsigned *p)
{
  question = p;
  __asm__ volatile ("" : : : "memory");
  volatile_turn = 1;
  while (volatile_turn)
    ;
  __asm__ volatile ("" : : : "memory");
}

/* ---- Tests ------------------------------------------------------------- */

typedef void test (int k, int n);

static void
unmap (unsigned *p)
{
#pragma acc exit data delete (p [0:N]) finalize
#pragma omp target exit data map (delete : p [0:N])
}

/* Run TESTS, each for some values of K from the same beginnings, and say what
   each did.  */
static void
run_tests (test *const *tests, int ntests)
{
  unsigned *all[] = { fixed, other, own,  rec.a, rec.b,
                      both.word, NULL,  NULL, outer };
  all[6] = heap = (unsigned *)malloc (N * sizeof *heap);
  all[7] = shared
      = (unsigned *)mmap (NULL, N * sizeof *shared, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  const int nall = sizeof all / sizeof *all;
  rec.p = rec.a;
  far_keep (heap);
  signal (SIGUSR1, on_signal);
  pthread_t thread;
  if (pipe (ends) || pthread_create (&thread, NULL, answer_all, NULL))
    abort ();
  for (int t = 0; t < ntests; t++)
    for (int k = 1; k < 4; k++)
      {
        sum = k;
        for (int i = 0; i < nall; i++)
          for (int j = 0; j < N; j++)
            all[i][j] = i * 77 + j * k;
        rec.low = rec.high = k;
        tests[t](k, N);
        for (int i = 0; i < nall; i++)
          {
            unmap (all[i]);
            note (far_sum (all[i], N));
          }
        printf ("test %d, %d: %u\n", t, k, sum);
      }
}
