! Nested OpenMP regions in Fortran: arguments by reference, allocatable and
! assumed-shape arrays, loops with steps, loop variables that are shared.
! NESTED: 7
! LAUNCHES: 2
! SPDX-License-Identifier: GPL-3.0-or-later

module work
  implicit none
contains
  subroutine rows (n, a, b, total)
    integer, intent (in) :: n
    integer, intent (inout) :: a(:, :), total
    real, intent (inout) :: b(n)
    integer, allocatable :: length(:)
    integer :: i, j, k, s
    allocate (length(n))
    do i = 1, n
      length(i) = mod (i * 5, n) + 1
    end do
    !$omp target teams distribute parallel do map(tofrom: a, b, total) &
    !$omp& map(to: length) private(s, j, k)
    do i = 1, n
      s = 0
      !$omp target teams distribute parallel do reduction(+: total)
      do j = length(i), 1, -2
        a(j, i) = a(j, i) + n * i + j
        total = total + 1
      end do
      !$omp target teams distribute parallel do collapse(2) map(tofrom: s) &
      !$omp& reduction(+: s)
      do j = 1, 3
        do k = 2, 5, 2
          s = s + j * k
        end do
      end do
      !$omp target map(tofrom: s)
      b(i) = b(i) + s
      s = s + 1
      !$omp end target
      !$omp target parallel do simd
      do k = 1, n
        a(k, i) = a(k, i) + s
      end do
    end do
  end subroutine
end module

program regions
  use work
  implicit none
  integer, parameter :: n = 24
  integer :: a(n, n), total, i
  real :: b(n)
  a = 0
  b = 0.5
  total = 0
  call rows (n, a, b, total)
  print *, sum (a), sum (b), total
  do i = 1, n, 7
    print *, a(:, i)
  end do
  !$omp target map(tofrom: a)
  call scale (a(1, 2), n)
  !$omp end target
  print *, a(:, 2)
  total = 0
  !$omp target teams distribute parallel do map(tofrom: total)
  do i = 1, n
    call count_down (total, i)
  end do
  print *, total
contains
  subroutine scale (x, m)
    !$omp declare target
    integer, intent (in) :: m
    integer, intent (inout) :: x(m)
    integer :: j
    !$omp target teams distribute parallel do map(tofrom: x)
    do j = 1, m
      x(j) = 3 * x(j)
    end do
  end subroutine
  recursive subroutine count_down (t, m)
    !$omp declare target
    integer, intent (inout) :: t
    integer, intent (in) :: m
    integer :: j
    if (m == 0) return
    !$omp target teams distribute parallel do map(tofrom: t) reduction(+: t)
    do j = 1, m
      t = t + j
    end do
    !$omp target map(tofrom: t)
    !$omp atomic
    t = t - 1
    !$omp end target
    call count_down (t, m - 1)
  end subroutine
end program
