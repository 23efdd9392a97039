! Product of two square matrices: a parallel loop over the columns, one over
! the rows, a serial one for the sum.  2 loads an iteration (a compiler that
! unrolls by four makes the paper's 8).  Other shapes multiply the leading
! square parts.
!
! SPDX-License-Identifier: GPL-3.0-or-later

#include "../grid.F90"

module product
  use grid
  implicit none

contains

  subroutine multiply (nx, ny, a, b, c)
    integer, intent(in) :: nx, ny
    real, intent(in) :: a(nx, ny), b(nx, ny)
    real, intent(inout) :: c(nx, ny)
    integer :: i, j, k, n
    real :: total

    n = min (nx, ny)
    !$omp target teams distribute parallel do collapse(2) private(total, k) &
    !$omp   map(to: a, b) map(tofrom: c)
    !$acc COMPUTE loop GANG present(a, b, c)
    do j = 1, ny
       !$acc loop VECTOR private(total)
       do i = 1, nx
          total = 0
          !$acc loop seq
          do k = 1, n
             total = total + a(i, k) * b(k, j)
          end do
          c(i, j) = total / n
       end do
    end do
  end subroutine multiply

  subroutine apply (g)
    type(grid_t), intent(in) :: g
    call multiply (g%nx, g%ny, g%a(1)%v, g%a(2)%v, g%a(3)%v)
  end subroutine apply

  function expected (g, out, x, y, z) result (want)
    type(grid_t), intent(in) :: g
    integer, intent(in) :: out, x, y, z
    real(real64) :: want
    integer :: k, n

    n = min (g%nx, g%ny)
    want = sum ([(at (g, 1, x, k, z) * at (g, 2, k, y, z), k = 1, n)]) / n
  end function expected

end module product

program main
  use product
  implicit none
  call grid_main (grid_program ('matmul', dims=2, border=0, arrays=3, &
       outputs=1, rotate=2, tolerance=64.0_real64, &
       apply=apply, expected=expected))
end program main
