! Children of SPMD kernels in Fortran, dummy arguments by reference among what
! they use.
! NESTED: 3
! LAUNCHES: 3
! DEFERS: 1
! SPDX-License-Identifier: GPL-3.0-or-later

module work
contains
  subroutine rows (n, r, a, scale, total)
    integer, intent (in) :: n, r(:)
    real(8), intent (inout) :: a(:)
    real(8), intent (in) :: scale
    integer(8), intent (inout) :: total
    integer :: v, e, k
    real(8) :: s, base
    !$omp target teams distribute parallel do map(to: r) map(tofrom: a, total) &
    !$omp private (s, base, e, k)
    do v = 1, n
      base = scale * v
      s = 0
      !$omp target teams distribute parallel do map(to: r) map(tofrom: s, a) reduction(+: s)
      do e = r(v) + 1, r(v + 1)
        s = s + a(e) + base
      end do
      do k = 1, mod (v, 3)
        !$omp target teams distribute parallel do map(tofrom: a)
        do e = r(v + 1), r(v) + 1, -2
          a(e) = a(e) + s * k
        end do
      end do
      !$omp target teams distribute parallel do map(tofrom: total) reduction(+: total)
      do e = 1, mod (v, 40)
        total = total + e
      end do
    end do
  end subroutine
end module

program launch
  use work
  integer, parameter :: n = 300
  integer :: r(n + 1), v
  real(8) :: a(n * 20)
  integer(8) :: total
  r(1) = 0
  do v = 1, n
    r(v + 1) = r(v) + mod (v * 7, 19)
  end do
  a = [(mod (v, 17), v = 1, n * 20)]
  total = 5
  call rows (n, r, a, 2.0d0, total)
  print '(f25.3, i12)', sum (a), total
end program
