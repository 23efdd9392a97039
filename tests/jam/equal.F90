! Arrays whose strides and offsets are equal, by construction or by chance, or
! were so once.
! REMARK: what -fopt-info-omp says about the construct below, if anything
!
! SPDX-License-Identifier: GPL-3.0-or-later

#ifdef _OPENMP
#define LOOP !$omp target teams distribute parallel do collapse(2)
#elif defined KERNELS
#define LOOP !$acc kernels loop KERNELS collapse(2)
#else
#define LOOP !$acc parallel loop collapse(2)
#endif

module arrays
  implicit none
contains

  subroutine show (name, a)
    character(len=*), intent(in) :: name
    real, intent(in) :: a(:, :)
    double precision :: total
    integer :: x, y

    total = 0
    do y = 1, size (a, 2)
       do x = 1, size (a, 1)
          total = total + a(x, y) * mod (x + 3 * y, 101)
       end do
    end do
    print '(a, 1x, es24.16)', name, total
  end subroutine show

  ! The usual case: three arrays, a stride and an offset each.
  subroutine alike (n, m, a, b, c)
    integer, intent(in) :: n, m
    real, intent(in) :: a(n, m), b(n, m)
    real, intent(inout) :: c(n, m)
    integer :: x, y

    ! REMARK: 4 variables
    LOOP
    do y = 1, m
       do x = 1, n
          c(x, y) = a(x, y) + 2 * b(x, y)
       end do
    end do
    call show ('alike', c)
  end subroutine alike

  ! The same stride, another offset.
  subroutine shifted (n, m, a, b)
    integer, intent(in) :: n, m
    real, intent(in) :: a(0:n-1, m)
    real, intent(inout) :: b(n, m)
    integer :: x, y

    LOOP
    do y = 1, m
       do x = 1, n
          b(x, y) = a(x-1, y) + 3
       end do
    end do
    call show ('shifted', b)
  end subroutine shifted

  ! N and M may be equal, and need not be.
  subroutine turned (n, m, a, b)
    integer, intent(in) :: n, m
    real, intent(in) :: a(m, n)
    real, intent(inout) :: b(n, m)
    integer :: x, y

    LOOP
    do y = 1, m
       do x = 1, n
          b(x, y) = a(y, x) - 1
       end do
    end do
    call show ('turned', b)
  end subroutine turned

  ! N has changed between the two.
  subroutine changed (n)
    integer, intent(inout) :: n
    integer :: x, y

    block
      real :: a(n, n)
      n = n - 1
      block
        real :: b(n, n)
        LOOP
        do y = 1, n
           do x = 1, n - 1
              a(x, y) = x - 2 * y
              b(x, y) = 3 * x + y
           end do
        end do
        call show ('changed', a(:n-1, :n))
        call show ('changed', b(:n-1, :))
      end block
    end block
  end subroutine changed

  ! Two regions, one of which has but one of the arrays.
  subroutine two (n, m, a, b)
    integer, intent(in) :: n, m
    real, intent(inout) :: a(n, m), b(n, m)
    integer :: x, y

    LOOP
    do y = 1, m
       do x = 1, n
          b(x, y) = b(x, y) * 0.5
       end do
    end do
    ! REMARK: 2 variables
    LOOP
    do y = 1, m
       do x = 1, n
          a(x, y) = a(x, y) + b(x, y)
       end do
    end do
    call show ('two', a)
  end subroutine two

end module arrays

program main
  use arrays
  implicit none
  integer :: n = 67, m = 41, i, j
  real :: a(67, 41), b(67, 41), c(67, 41), d(41, 67)

  a = reshape ([(real (mod (7 * i, 97)), i = 1, 67 * 41)], [67, 41])
  b = reshape ([(real (mod (5 * i, 89)), i = 1, 67 * 41)], [67, 41])
  d = transpose (a)
  c = 0
  call alike (n, m, a, b, c)
  call shifted (n, m, a, b)
  call turned (n, m, d, c)
  call two (n, m, a, b)
  j = 41
  call changed (j)
end program main
