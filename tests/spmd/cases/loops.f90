! Loops of Fortran: bounds by reference, steps, kinds, arrays of all sorts.
!
! ACCEPT: 6
! SPDX-License-Identifier: GPL-3.0-or-later

module work
  implicit none
contains
  subroutine triad (a, b, c, n, s)
    integer :: n, i
    double precision :: a(n), b(n), c(n), s
    !$omp target teams distribute parallel do map (tofrom: a) map (to: b, c)
    do i = 1, n
      a(i) = b(i) + s * c(i)
    end do
  end subroutine

  subroutine strided (a, low, high, step)
    integer :: a(:), low, high, step, i
    !$omp target teams distribute parallel do map (tofrom: a)
    do i = low, high, 3
      a(i) = a(i) + i
    end do
    !$omp target teams distribute parallel do map (tofrom: a)
    do i = high, low, -2
      a(i) = 3 * a(i)
    end do
  end subroutine

  subroutine jacobi (a, b)
    real :: a(:, :), b(:, :), t
    integer :: i, j
    !$omp target teams distribute parallel do collapse (2) private (t) &
    !$omp map (to: b) map (tofrom: a)
    do j = 2, size (a, 2) - 1
      do i = 2, size (a, 1) - 1
        t = b(i - 1, j) + b(i + 1, j)
        a(i, j) = t + b(i, j - 1) + b(i, j + 1)
      end do
    end do
  end subroutine

  subroutine kinds (a, n)
    integer, allocatable :: a(:)
    integer(8) :: n, i
    integer(2) :: k
    !$omp target teams distribute parallel do map (tofrom: a)
    do i = n, 1, -1
      a(i) = int (a(i) - 2 * i)
    end do
    !$omp target teams distribute parallel do map (tofrom: a)
    do k = 1_2, 100_2
      a(k) = a(k) * k
    end do
  end subroutine
end module

program main
  use work
  implicit none
  integer, parameter :: n = 500
  double precision :: a(n), b(n), c(n)
  integer :: i, j, f, g(n), h(n)
  integer, allocatable :: e(:)
  real :: x(20, 30), y(20, 30), z(20, 30)
  f = 0
  do i = 1, n
    b(i) = i
    c(i) = 2 * i
    g(i) = i * i
  end do
  a = 0
  call triad (a, b, c, n, 3d0)
  if (any (a /= b + 3 * c)) call fail ("triad")

  h = g
  call strided (g, 2, n - 3, 3)
  do i = 2, n - 3, 3
    h(i) = h(i) + i
  end do
  do i = n - 3, 2, -2
    h(i) = 3 * h(i)
  end do
  if (any (g /= h)) call fail ("strided")

  do j = 1, 30
    do i = 1, 20
      y(i, j) = i + 100 * j
    end do
  end do
  x = 0
  z = 0
  call jacobi (x, y)
  z(2:19, 2:29) = y(1:18, 2:29) + y(3:20, 2:29) + y(2:19, 1:28) + y(2:19, 3:30)
  if (any (x /= z)) call fail ("jacobi")

  allocate (e(n))
  e = 5
  call kinds (e, int (n, 8))
  do i = 1, n
    if (e(i) /= (5 - 2 * i) * merge (i, 1, i <= 100)) then
      call fail ("kinds")
      exit
    end if
  end do
  if (f /= 0) stop 1
contains
  subroutine fail (what)
    character(*) :: what
    print *, what, " is wrong"
    f = f + 1
  end subroutine
end program
