! What overwrite.c does, for Fortran's arrays.
! usage: overwrite
! SPDX-License-Identifier: GPL-3.0-or-later
#ifdef _OPENACC
#define ACC_ONLY(n) n
#else
#define ACC_ONLY(n) 0
#endif

module arrays
  implicit none
  integer, allocatable :: shared(:, :)
  integer :: behind(240)
contains

  ! ---- Stored as a whole ----

  subroutine explicit (a, n, t)
    integer :: n, t, i, a(n)
    !$acc parallel loop copy(a)
    !$omp target teams distribute parallel do map(tofrom: a)
    do i = 1, n
      a(i) = i + t
    end do
  end subroutine

  subroutine bounds (a, n, t)
    integer :: n, t, i, a(-3:n - 4)
    !$acc parallel loop copy(a)
    !$omp target teams distribute parallel do map(tofrom: a)
    do i = -3, n - 4
      a(i) = i * t
    end do
  end subroutine

  subroutine assumed (a, t)
    integer :: t, i, j, a(:, :)
    !$acc parallel loop collapse(2) copy(a)
    !$omp target teams distribute parallel do collapse(2) map(tofrom: a)
    do j = 1, size (a, 2)
      do i = 1, size (a, 1)
        a(i, j) = i * j + t
      end do
    end do
  end subroutine

  subroutine allocated_here (b, t)
    integer :: t, i, j, b(12, 20)
    integer, allocatable :: a(:, :)
    allocate (a(12, 20), source = b)
    !$acc parallel loop collapse(2) copy(a)
    !$omp target teams distribute parallel do collapse(2) map(tofrom: a)
    do j = 1, 20
      do i = 12, 1, -1
        a(i, j) = i - j + t
      end do
    end do
    b = a
  end subroutine

  subroutine in_module (n, m, t)
    integer :: n, m, t, i, j
    !$acc parallel loop copy(shared)
    !$omp target teams distribute parallel do map(tofrom: shared)
    do j = 1, m
      do i = 1, n
        shared(i, j) = t - j
      end do
    end do
  end subroutine

  subroutine copies (a, b, n)
    integer :: n, i, a(n), b(n)
    !$acc parallel loop copy(a, b)
    !$omp target teams distribute parallel do map(tofrom: a, b)
    do i = 1, n
      a(i) = 2 * b(i)
    end do
  end subroutine

  subroutine assigned (a, t)
    integer :: t, a(240)
    !$acc parallel copy(a)
    !$omp target map(tofrom: a)
    a = t
    !$omp end target
    !$acc end parallel
  end subroutine

  subroutine complexes (n, t)
    integer :: n, t, i
    complex, allocatable :: c(:)
    allocate (c(n))
    c = t
    !$acc parallel loop copy(c)
    !$omp target teams distribute parallel do map(tofrom: c)
    do i = 1, n
      c(i) = cmplx (i, t)
    end do
    behind(1:n) = int (real (c) + 3 * aimag (c))
  end subroutine

  ! ---- Not, or not for sure ----

  subroutine border (n, m, t)
    integer :: n, m, t, i, j
    !$acc parallel loop collapse(2) copy(shared)
    !$omp target teams distribute parallel do collapse(2) map(tofrom: shared)
    do j = 2, m - 1
      do i = 2, n - 1
        shared(i, j) = t
      end do
    end do
  end subroutine

  subroutine columns (n, m, t)
    integer :: n, m, t, i, j
    !$acc parallel loop collapse(2) copy(shared)
    !$omp target teams distribute parallel do collapse(2) map(tofrom: shared)
    do j = 1, m, 2
      do i = 1, n
        shared(i, j) = t
      end do
    end do
  end subroutine

  subroutine masked (a, t)
    integer :: t, a(240)
    !$acc parallel copy(a)
    !$omp target map(tofrom: a)
    where (a > 5 * t) a = t
    !$omp end target
    !$acc end parallel
  end subroutine

  subroutine privates (a, b, t)
    integer :: t, i, j, a(240), b(240)
    !$acc serial copy(a, b)
    !$omp target map(tofrom: a, b)
    a(2) = t
    !$acc loop private(a)
    !$omp parallel do private(a)
    do i = 1, 2
      do j = 1, 240
        a(j) = t
      end do
      b(i) = t
    end do
    !$omp end target
    !$acc end serial
  end subroutine

  ! It may be associated with something else while it is mapped.
  subroutine pointed (n, t)
    integer :: n, t, i
    integer, pointer :: view(:)
    allocate (view(n))
    view = t
    !$acc parallel loop copy(view)
    !$omp target teams distribute parallel do map(tofrom: view)
    do i = 1, n
      view(i) = t + i
    end do
    behind(1:n) = view
    deallocate (view)
  end subroutine

  subroutine changed (a, n, t)
    integer :: n, t, i, m, a(n)
    m = n
    !$acc serial copy(a) firstprivate(m)
    !$omp target map(tofrom: a) firstprivate(m)
    m = m - t
    do i = 1, m
      a(i) = t
    end do
    !$omp end target
    !$acc end serial
  end subroutine
end module

program overwrite
  use iso_fortran_env, only: error_unit
  use arrays
  implicit none
  integer :: a(240), b(240), t
  integer(8) :: h
  allocate (shared(12, 20))
  shared = 0
  ! Nothing is known of a program that has not used a device.
  call border (12, 20, 0)

  do while (form ("explicit", 1)); call explicit (a, 240, t); end do
  do while (form ("bounds", 1)); call bounds (a, 240, t); end do
  do while (form ("assumed", ACC_ONLY (1))); call assumed (shared, t); end do
  do while (form ("assumed-part", 0)); call assumed (shared(2:11, ::2), t); end do
  do while (form ("allocated", 1)); call allocated_here (a, t); end do
  do while (form ("module", 1)); call in_module (12, 20, t); end do
  do while (form ("copies", 1)); call copies (a, b, 240); end do
  do while (form ("assigned", 1)); call assigned (a, t); end do
  do while (form ("complex", 1)); call complexes (240, t); end do

  do while (form ("none", 0)); call explicit (a, 0, t); end do
  do while (form ("less", 0)); call in_module (12, 19, t); end do
  do while (form ("border", 0)); call border (12, 20, t); end do
  do while (form ("columns", 0)); call columns (12, 20, t); end do
  do while (form ("masked", 0)); call masked (a, t); end do
  do while (form ("privates", 0)); call privates (a, b, t); end do
  do while (form ("pointed", 0)); call pointed (240, t); end do
  do while (form ("changed", 0)); call changed (a, 240, t); end do
contains

  ! Three runs of a form, with what the host changes in between.
  logical function form (name, operands)
    character (*), intent (in) :: name
    integer, intent (in) :: operands
    integer, save :: run = 0
    integer :: i
    if (run == 0) then
      h = 0
      write (error_unit, '("form ", a, i2)') name, 3 * operands
      flush (error_unit)
    else
      do i = 1, 240
        h = mod (h * 31 + a(i) + 7 * b(i) + 11 * behind(i) &
                 + 3 * shared(mod (i, 12) + 1, mod (i, 20) + 1), 1000000007_8)
      end do
    end if
    run = run + 1
    form = run <= 3
    if (form) then
      t = run
      a = [(i * t + 1, i = 1, 240)]
      b = [(i - t, i = 1, 240)]
      behind = a + b
      shared = reshape (a - b, [12, 20])
    else
      print '(a, i11)', name, h
      run = 0
    end if
  end function
end program
