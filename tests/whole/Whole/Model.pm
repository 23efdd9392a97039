# What programs are compared with: for each array a mirror, which has what the
# host's and the device's copy of it should hold, as numbers of one type, and how
# often it is mapped.  Regions are plain loops over the device's part.
# SPDX-License-Identifier: GPL-3.0-or-later
package Whole::Model;
use strict;
use warnings;
use Whole::Text;

my @c = split /\n/, <<'END';
struct mirror { int refs, n; double *host, *device; };
static int failures, program;
static volatile int nothing;
static int opaque (int x) { return x + nothing; }
static void
mirror_new (struct mirror *m, int n)
{
  m->refs = 0;
  m->n = n;
  m->host = (double *) malloc (2 * n * sizeof (double));
  m->device = m->host + n;
  for (int i = 0; i < n; i++)
    {
      m->host[i] = i % 61;
      m->device[i] = -99;
    }
}
static void
mirror_send (struct mirror *m, int low, int length)
{
  memcpy (m->device + low, m->host + low, length * sizeof (double));
}
static void
mirror_fetch (struct mirror *m, int low, int length)
{
  memcpy (m->host + low, m->device + low, length * sizeof (double));
}
static void
mirror_enter (struct mirror *m, int to, int always, int low, int length)
{
  if (!m->refs++ && !always)
    for (int i = 0; i < m->n; i++)
      m->device[i] = -99;
  if (to && (m->refs == 1 || always))
    mirror_send (m, low, length);
}
static void
mirror_leave (struct mirror *m, int from, int always, int low, int length)
{
  m->refs--;
  if (from && (m->refs == 0 || always))
    mirror_fetch (m, low, length);
}
static void
differs (const char *what, int i, double got, double want)
{
  if (got != want && failures++ < 10)
    fprintf (stderr, "%d: %s %d is %.17g, should be %.17g\n", program, what, i, got, want);
}
static int (*driver_h2d) (uintptr_t, const void *, size_t);
static int (*driver_d2h) (void *, uintptr_t, size_t);
static void
driver_open (void)
{
  void *l = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
  *(void **) &driver_h2d = dlsym (l, "cuMemcpyHtoD_v2");
  *(void **) &driver_d2h = dlsym (l, "cuMemcpyDtoH_v2");
}
static void
driver_send (uintptr_t to, const void *from, size_t n)
{
  if (driver_h2d (to, from, n))
    differs ("cuMemcpyHtoD", 0, 1, 0);
}
static void
driver_fetch (void *to, uintptr_t from, size_t n)
{
  if (driver_d2h (to, from, n))
    differs ("cuMemcpyDtoH", 0, 1, 0);
}
static void
scribble (int x)
{
  volatile int frame[900];
  for (int i = 0; i < 900; i++)
    frame[i] = x;
}
/* The same, and nothing that is on its way writes there.  */
static void
hold_frame (int x)
{
  volatile int frame[900];
  for (int i = 0; i < 900; i++)
    frame[i] = x;
#pragma omp taskwait
#pragma acc wait
  for (int i = 0; i < 900; i++)
    differs ("frame", i, frame[i], x);
}
END

my @f = split /\n/, <<'END';
type mirror
  integer :: refs, n
  real(8), allocatable :: host(:), device(:)
end type
integer :: failures, program
integer, volatile :: nothing = 0
contains
integer function opaque (x)
  integer, intent(in) :: x
  opaque = x + nothing
end function
subroutine mirror_new (m, n)
  type(mirror), intent(inout) :: m
  integer, intent(in) :: n
  integer :: i
  m%refs = 0
  m%n = n
  if (allocated (m%host)) deallocate (m%host, m%device)
  allocate (m%host(n), m%device(n))
  do i = 0, n - 1
    m%host(i + 1) = mod (i, 61)
  end do
  m%device = -99
end subroutine
subroutine mirror_send (m, low, length)
  type(mirror), intent(inout) :: m
  integer, intent(in) :: low, length
  m%device(low + 1:low + length) = m%host(low + 1:low + length)
end subroutine
subroutine mirror_fetch (m, low, length)
  type(mirror), intent(inout) :: m
  integer, intent(in) :: low, length
  m%host(low + 1:low + length) = m%device(low + 1:low + length)
end subroutine
subroutine mirror_enter (m, to, always, low, length)
  type(mirror), intent(inout) :: m
  integer, intent(in) :: to, always, low, length
  m%refs = m%refs + 1
  if (m%refs == 1 .and. always == 0) m%device = -99
  if (to /= 0 .and. (m%refs == 1 .or. always /= 0)) call mirror_send (m, low, length)
end subroutine
subroutine mirror_leave (m, from, always, low, length)
  type(mirror), intent(inout) :: m
  integer, intent(in) :: from, always, low, length
  m%refs = m%refs - 1
  if (from /= 0 .and. (m%refs == 0 .or. always /= 0)) call mirror_fetch (m, low, length)
end subroutine
subroutine differs (what, i, got, want)
  character(*), intent(in) :: what
  integer, intent(in) :: i
  real(8), intent(in) :: got, want
  if (got == want) return
  failures = failures + 1
  if (failures <= 10) write (error_unit, '(i0,": ",a," ",i0," is ",g0,", should be ",g0)') &
    program, what, i, got, want
end subroutine
subroutine scribble (x)
  integer, intent(in) :: x
  integer, volatile :: frame(900)
  frame = x
end subroutine
! The same, and nothing that is on its way writes there.
subroutine hold_frame (x)
  integer, intent(in) :: x
  integer, volatile :: frame(900)
  integer :: i
  frame = x
  !$omp taskwait
  !$acc wait
  do i = 1, 900
    call differs ('frame', i, real (frame(i), 8), real (x, 8))
  end do
end subroutine
END

# The unit's common part.
sub prelude
{
  my @types = qw(double float int);
  return ("module ${unit}model", 'use iso_fortran_env, only: error_unit',
	  'implicit none',
	  (map { ("type ${unit}box_$_", 'integer :: n', type_name ($_)
		  . ', pointer :: p(:)', 'end type') } @types),
	  @f, 'end module') if $fortran;
  return ('#include <stdio.h>', '#include <stdlib.h>', '#include <string.h>',
	  '#include <stdint.h>', '#include <dlfcn.h>',
	  $acc ? '#include <openacc.h>' : '#include <omp.h>', @c,
	  map { "typedef struct { int n; $_ *p; } ${unit}box_$_;" } @types);
}

sub mirror { my ($m, $field) = @_; return $fortran ? "$m%$field" : "$m->$field" }

1;
