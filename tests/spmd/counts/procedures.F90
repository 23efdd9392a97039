! Bounds in Fortran: of the host unit, modules, dummies, components, arrays.
!
! SPDX-License-Identifier: GPL-3.0-or-later

#ifdef _OPENACC
#define LOOP !$acc parallel loop copy(x)
#define LOOP2 !$acc parallel loop collapse(2) copy(x)
#else
#define LOOP !$omp target teams distribute parallel do map(x)
#define LOOP2 !$omp target teams distribute parallel do collapse(2) map(x)
#endif

module counts
  implicit none
  type sizes
    integer :: n = 5003
    integer(2) :: m(3) = [1_2, 5003_2, 2_2]
    integer, pointer :: p(:)
    integer, allocatable :: a(:)
  end type
  integer :: in_module = 5003
  integer, allocatable :: array(:)
contains
  subroutine count_5003_dummy (x, n)
    integer :: n, i, x(n)
    LOOP
    do i = 1, n
      x(i) = x(i) + 1
    end do
  end subroutine

  subroutine count_5003_module (x)
    integer :: x(:), i
    LOOP
    do i = 1, in_module
      x(i) = x(i) + 1
    end do
  end subroutine

  subroutine count_6000_assumed (x)
    integer :: x(:), i
    LOOP
    do i = 1, size (x)
      x(i) = x(i) + 1
    end do
  end subroutine

  subroutine count_6000_allocatable (x)
    integer, allocatable :: x(:)
    integer :: i
    LOOP
    do i = lbound (x, 1), ubound (x, 1)
      x(i) = x(i) + 1
    end do
  end subroutine

  subroutine count_6000_allocatable_size (x)
    integer, allocatable :: x(:)
    integer :: i
    LOOP
    do i = 1, size (x)
      x(i) = x(i) + 1
    end do
  end subroutine

  subroutine count_5003_component (x, t)
    integer :: x(:), i
    type(sizes) :: t
    LOOP
    do i = t%n, 1, -1
      x(i) = x(i) + 1
    end do
  end subroutine

#ifdef _OPENACC
  ! GCC's OpenMP sends the host's address.
  subroutine count_5003_associated (x, t)
    integer :: x(:), i
    type(sizes) :: t
    associate (n => t%n)
      LOOP
      do i = 1, n
        x(i) = x(i) + 1
      end do
    end associate
  end subroutine
#endif

  subroutine count_5003_block (x, n)
    integer :: x(:), n
    block
      integer :: i, m
      m = n
      LOOP
      do i = 1, m
        x(i) = x(i) + 1
      end do
    end block
  end subroutine

  subroutine count_5003_element (x)
    integer :: x(:), i, m(3)
    m = [1, 5003, 2]
    LOOP
    do i = 1, m(2)
      x(i) = x(i) + 1
    end do
  end subroutine
end module

program procedures
  use counts
  implicit none
  integer :: nx = 100, nz
  integer, allocatable :: x(:)
  type(sizes) :: t
  allocate (x(6000))
  x = 0
  nz = 50
  call count_5003_dummy (x, 5003)
  call count_5003_module (x)
  call count_6000_assumed (x)
  call count_6000_allocatable (x)
  call count_6000_allocatable_size (x)
  call count_5003_component (x, t)
#ifdef _OPENACC
  call count_5003_associated (x, t)
#else
  call count_5003_dummy (x, 5003)
#endif
  call count_5003_block (x, 5003)
  call count_5003_element (x)
  call count_5000_host
  call count_5003_host_component
  call count_6000_host_array
  print *, sum (x)
  if (sum (x) /= 7 * 5003 + 4 * 6000 + 5000) stop 1
contains
  subroutine count_5000_host
    integer :: i, k
    LOOP2
    do i = 1, nx
      do k = 1, nz
        x(nz * (i - 1) + k) = x(nz * (i - 1) + k) + 1
      end do
    end do
  end subroutine

  subroutine count_5003_host_component
    integer :: i
    LOOP
    do i = 1, t%n
      x(i) = x(i) + 1
    end do
  end subroutine

  subroutine count_6000_host_array
    integer :: i
    LOOP
    do i = 1, size (x)
      x(i) = x(i) + 1
    end do
  end subroutine
end program
