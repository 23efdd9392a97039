! Dummies, variables of modules and of the host procedure.
! FLAGS: -fopenacc
! OWN: 5
! SPDX-License-Identifier: GPL-3.0-or-later

module memory
  implicit none
  integer, parameter :: n = 60, m = 37
  double precision :: a(m, n), y(n), module_sum
  integer :: bad = 0
contains
  double precision function row (j)
    integer, intent(in) :: j
    integer :: k
    row = 0
    do k = 1, m
      row = row + a(k, j) * mod (k, 7)
    end do
  end function

  subroutine check (what, sum)
    character (*), intent(in) :: what
    double precision, intent(in) :: sum
    integer :: j
    do j = 1, n
      if (y(j) == row (j)) cycle
      print *, what, ': row', j, 'is', y(j)
      bad = bad + 1
    end do
    if (sum /= row (n)) then
      print *, what, ':', sum, 'is left'
      bad = bad + 1
    end if
    y = -1
  end subroutine

  subroutine dummy (sum)
    double precision, intent(inout) :: sum
    integer :: j, k
    !$acc parallel loop gang copyin(a) copyout(y)
    do j = 1, n
      sum = 0
      !$acc loop vector reduction(+: sum)
      do k = 1, m
        sum = sum + a(k, j) * mod (k, 7)
      end do
      y(j) = sum
    end do
  end subroutine

  subroutine module_variable
    integer :: j, k
    !$acc parallel loop gang copyin(a) copyout(y)
    do j = 1, n
      module_sum = 0
      !$acc loop vector reduction(+: module_sum)
      do k = 1, m
        module_sum = module_sum + a(k, j) * mod (k, 7)
      end do
      y(j) = module_sum
    end do
  end subroutine

  subroutine host
    double precision :: sum, local
    integer :: j, k
    sum = 4
    call inner
    call check ('host', sum)
    !$acc parallel loop gang copyin(a) copyout(y)
    do j = 1, n
      local = 0
      !$acc loop vector reduction(+: local)
      do k = 1, m
        local = local + a(k, j) * mod (k, 7)
      end do
      y(j) = local
    end do
    call check ('local', local)
  contains
    subroutine inner
      integer :: j, k
      !$acc parallel loop gang copyin(a) copyout(y)
      do j = 1, n
        sum = 0
        !$acc loop vector reduction(+: sum)
        do k = 1, m
          sum = sum + a(k, j) * mod (k, 7)
        end do
        y(j) = sum
      end do
    end subroutine
  end subroutine

  subroutine kernels (sum)
    double precision, intent(inout) :: sum
    integer :: j, k
    !$acc kernels copyin(a) copyout(y)
    !$acc loop gang independent
    do j = 1, n
      sum = 0
      !$acc loop vector independent reduction(+: sum)
      do k = 1, m
        sum = sum + a(k, j) * mod (k, 7)
      end do
      y(j) = sum
    end do
    !$acc end kernels
  end subroutine
end module

program main
  use memory
  double precision :: sum
  integer :: i
  a = reshape ([(mod (i, 5), i = 1, n * m)], [m, n])
  sum = 5
  call dummy (sum)
  call check ('dummy', sum)
  call module_variable
  call check ('module', module_sum)
  call host
  sum = 5
  call kernels (sum)
  call check ('kernels', sum)
  if (bad /= 0) stop 1
end program
