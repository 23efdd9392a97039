! phases.c in Fortran: allocatable arrays, sections, host association.
! SPDX-License-Identifier: GPL-3.0-or-later
program phases
  implicit none
  integer, parameter :: n = 300
  integer, allocatable :: a(:), b(:)
  integer :: c(n), turn
  allocate (a(n), b(n))
  call regions
  do turn = 1, 3
    call constructs (a, b, turn)
    call tell ('constructs', b)
  end do
  call updates
  do turn = 1, 2
    call queues (a, b)
    call tell ('queues', b)
  end do
contains
  subroutine tell (what, p)
    character (*), intent (in) :: what
    integer, intent (in) :: p(:)
    integer :: h, i
    h = 5381
    do i = 1, size (p)
      h = mod (h * 33 + abs (mod (p(i), 1000)), 1000007)
    end do
    print '(a, i8)', what, h
  end subroutine

  subroutine regions
    integer :: i, turn
    a = [(i, i = 1, n)]
    b = 2
#ifdef _OPENACC
    !$acc data copyin(a) copy(b) copyout(c)
#else
    !$omp target data map(to: a) map(tofrom: b) map(from: c)
#endif
    do turn = 1, 3
#ifdef _OPENACC
      !$acc parallel loop present(a, b)
#else
      !$omp target teams distribute parallel do
#endif
      do i = 1, n
        b(i) = b(i) + a(i) * turn
      end do
#ifdef _OPENACC
      !$acc parallel loop present(b, c)
#else
      !$omp target teams distribute parallel do
#endif
      do i = 1, n
        c(i) = b(i) - i
      end do
    end do
#ifdef _OPENACC
    !$acc end data
#else
    !$omp end target data
#endif
    call tell ('regions', b)
    call tell ('regions', c)
  end subroutine

  subroutine constructs (x, y, turn)
    integer, intent (in) :: x(:), turn
    integer, intent (inout) :: y(:)
    integer :: i, s
    s = 0
#ifdef _OPENACC
    !$acc parallel loop copyin(x) copy(y) reduction(+: s)
#else
    !$omp target teams distribute parallel do map(to: x) map(tofrom: y) &
    !$omp map(tofrom: s) reduction(+: s)
#endif
    do i = 1, n
      y(i) = mod (y(i) * 3 + x(i) * turn, 1009)
      s = s + y(i)
    end do
    print '(a, i8)', 'sum', s
  end subroutine

  subroutine updates
    integer :: i, turn
#ifdef _OPENACC
    !$acc enter data copyin(a, b)
#else
    !$omp target enter data map(to: a, b)
#endif
    do turn = 1, 3
      a(turn) = -turn
#ifdef _OPENACC
      !$acc update device(a(1:n / 2))
      !$acc parallel loop present(a, b)
#else
      !$omp target update to(a(1:n / 2))
      !$omp target teams distribute parallel do
#endif
      do i = 1, n
        b(i) = ieor (b(i), a(i))
      end do
#ifdef _OPENACC
      !$acc update self(b(1:n / 2))
#else
      !$omp target update from(b(1:n / 2))
#endif
      call tell ('updates', b(1:n / 2))
    end do
#ifdef _OPENACC
    !$acc exit data copyout(b) delete(a)
#else
    !$omp target exit data map(from: b) map(release: a)
#endif
    call tell ('updates', b)
  end subroutine

  subroutine queues (x, y)
    integer, intent (inout) :: x(n), y(n)
    integer :: i
#ifdef _OPENACC
    !$acc parallel loop copy(x) async(1)
#else
    !$omp target teams distribute parallel do map(tofrom: x) &
    !$omp depend(inout: x)
#endif
    do i = 1, n
      x(i) = mod (x(i) * 5 + i, 1013)
    end do
#ifdef _OPENACC
    !$acc parallel loop copy(y) copyin(x) async(2) wait(1)
#else
    !$omp target teams distribute parallel do map(to: x) map(tofrom: y) &
    !$omp depend(in: x) depend(inout: y)
#endif
    do i = 1, n
      y(i) = mod (y(i), 1009) + x(i)
    end do
#ifdef _OPENACC
    !$acc wait
#else
    !$omp taskwait
#endif
  end subroutine
end program
