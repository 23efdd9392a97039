! Kernels regions of several parts in Fortran: array statements, arguments by
! reference, arrays with descriptors.
! FLAGS: -fopenacc
! SPDX-License-Identifier: GPL-3.0-or-later
module shared
  implicit none
  integer, parameter :: n = 200
  real, allocatable :: field(:, :), flux(:, :)
  integer :: steps = 3
contains
  subroutine statements (a, b, c, d)
    real, intent(inout) :: a(n), b(n), c(n), d(n)
    real :: t(n)
! REMARK: 3 parts: 3 of 3 loops run in parallel$
    !$acc kernels create(t)
    t = a + b
    d = t * c
    c = d + t(n:1:-1)
    !$acc end kernels
  end subroutine

  subroutine shapes (a, b, k)
    real, intent(inout) :: a(:, :), b(:, :)
    integer, intent(in) :: k
! REMARK: 4 parts: 6 of 6 loops run in parallel after a check$
    !$acc kernels
    a = 2 * a + k
    b(2:, :) = a(2:, :) - 1
    if (k > 2) a(:, k) = b(:, 1)
    a(:, 1) = 0
    !$acc end kernels
  end subroutine

  ! What the caller sees: sums, the least, a flag.
  subroutine results (m, a, total, least, hit)
    integer, intent(in) :: m
    real, intent(in) :: a(m)
    real, intent(out) :: total, least
    integer, intent(inout) :: hit
    integer :: i
! REMARK: 2 parts: 2 of 2 loops run in parallel$
    !$acc kernels copyin(a)
    total = 0
    !$acc loop independent reduction(+:total)
    do i = 1, m
      total = total + a(i)
    end do
    least = 1e9
    !$acc loop independent reduction(min:least)
    do i = 1, m
      least = min (least, a(i))
    end do
    if (least < 0) hit = hit + 1
    !$acc end kernels
  end subroutine

  subroutine sweep (dir)
    integer, intent(in) :: dir
    integer :: i, j
    real :: up
! REMARK: 3 parts: 6 of 6 loops run in parallel$
    !$acc kernels present(field, flux)
    if (dir == 1) then
      !$acc loop independent
      do j = 1, size (field, 2)
        !$acc loop independent private(up)
        do i = 2, size (field, 1)
          up = field(i - 1, j)
          flux(i, j) = field(i, j) - up
        end do
      end do
    else
      !$acc loop independent
      do j = 2, size (field, 2)
        !$acc loop independent
        do i = 1, size (field, 1)
          flux(i, j) = field(i, j) - field(i, j - 1)
        end do
      end do
    end if
    !$acc loop independent collapse(2)
    do j = 1, size (field, 2)
      do i = 1, size (field, 1)
        field(i, j) = field(i, j) + flux(i, j) * steps
      end do
    end do
    !$acc end kernels
  end subroutine

  subroutine pointers (f, g)
    real, pointer :: f(:, :), g(:, :)
    integer :: i, j
! REMARK: 2 of 2 loops run in parallel$
    !$acc kernels present(f, g)
    !$acc loop independent collapse(2)
    do j = 1, 8
      do i = 1, 9
        g(i, j) = f(i, j) + i
      end do
    end do
    !$acc end kernels
  end subroutine

  ! The values in front of a nest are the device's.
  subroutine state (k, at, a)
    integer, intent(in) :: k
    real, intent(in) :: at(:)
    real, intent(inout) :: a(:)
    integer :: i
    real :: centre
! REMARK: its loop runs in parallel$
    !$acc kernels
    centre = at(k)
    !$acc loop independent
    do i = 1, n
      a(i) = a(i) - centre
    end do
    !$acc end kernels
  end subroutine

  subroutine absent (x, s)
    real, intent(inout) :: x(n)
    real, optional, intent(inout) :: s
    integer :: i
    !$acc kernels
    do i = 1, n
      x(i) = x(i) + 1
    end do
    do i = 1, n
      x(i) = 2 * x(i)
    end do
    !$acc end kernels
    if (present (s)) s = x(3)
  end subroutine
end module

program main
  use shared
  implicit none
  real :: a(n), b(n), c(n), d(n), p(10, 12), q(10, 12), total, least
  real, pointer :: f(:, :), g(:, :)
  integer :: i, hit
  hit = 5
  a = [(mod (i, 7), i = 1, n)]
  b = [(mod (i, 5), i = 1, n)]
  c = 3
  d = 0
  call statements (a, b, c, d)
  print *, sum (c), sum (d), c(7)
  p = 1
  q = 2
  do i = 1, 4
    call shapes (p, q, i)
  end do
  print *, sum (p), sum (q), p(2, 3), q(1, 1)
  call results (n, c, total, least, hit)
  print *, total, least, hit
  d = [(i - 30, i = 1, n)]
  call results (n, d, total, least, hit)
  print *, total, least, hit
  allocate (field(20, 30), flux(20, 30), f(9, 8), g(9, 8))
  field = reshape ([(mod (i, 11), i = 1, 600)], [20, 30])
  flux = 1
  !$acc data copy(field, flux)
  call sweep (1)
  call sweep (2)
  !$acc end data
  print *, sum (field), field(3, 4), sum (flux)
  f = 4
  g = 1
  !$acc data copy(f, g)
  call pointers (f, g)
  !$acc end data
  print *, sum (g)
  call state (9, d, a)
  call absent (a)
  print *, sum (a)
  call absent (a, total)
  print *, total
end program
