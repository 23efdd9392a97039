! Functions with target constructs that the host and the device call, one of them
! recursive.
! NESTED: 2
! SPDX-License-Identifier: GPL-3.0-or-later
program main
  implicit none
  integer :: out(64), s, on_host
  out = 0
  !$omp target map (tofrom: out)
  call halves (out, 1, 64)
  !$omp end target
  print *, out(1), sum (out)
  s = 0
  !$omp target map (tofrom: s) map (to: out)
  s = sum_of (out, 64)
  !$omp end target
  on_host = sum_of (out, 64)
  print *, s, on_host
contains
  recursive subroutine halves (o, low, n)
    !$omp declare target
    integer, intent (inout) :: o(*)
    integer, value :: low, n
    integer :: k
    !$omp target teams distribute parallel do map (tofrom: o(low:low + n - 1))
    do k = 0, n - 1
      !$omp atomic
      o(low + k) = o(low + k) + 1
      if (k == 0 .and. n > 1) then
        call halves (o, low, n / 2)
        call halves (o, low + n / 2, n - n / 2)
      end if
    end do
  end subroutine

  integer function sum_of (p, n)
    !$omp declare target
    integer, intent (in) :: p(*)
    integer, value :: n
    integer :: k, s
    s = 0
    !$omp target teams distribute parallel do reduction (+: s) &
    !$omp&  map (to: p(1:n)) map (tofrom: s)
    do k = 1, n
      s = s + p(k)
    end do
    sum_of = s
  end function
end program
