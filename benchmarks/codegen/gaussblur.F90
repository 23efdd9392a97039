! Gaussian blur of 5x5 points.
!
! SPDX-License-Identifier: GPL-3.0-or-later

#include "../grid.F90"

module gaussblur
  use grid
  implicit none
  real, parameter :: w0 = 0.375, w1 = 0.25, w2 = 0.0625

! The five points of row Y around X.
#define BLUR_ROW(y) (w2*(a(x-2,y)+a(x+2,y))+w1*(a(x-1,y)+a(x+1,y))+w0*a(x,y))

contains

  subroutine blur (nx, ny, a, b)
    integer, intent(in) :: nx, ny
    real, intent(in) :: a(nx, ny)
    real, intent(inout) :: b(nx, ny)
    integer :: x, y

    !$omp target teams distribute parallel do collapse(2) &
    !$omp   map(to: a) map(tofrom: b)
    !$acc COMPUTE loop GANG present(a, b)
    do y = 3, ny - 2
       !$acc loop VECTOR
       do x = 3, nx - 2
          b(x, y) = w2 * BLUR_ROW(y-2) &
               + w1 * BLUR_ROW(y-1) &
               + w0 * BLUR_ROW(y) &
               + w1 * BLUR_ROW(y+1) &
               + w2 * BLUR_ROW(y+2)
       end do
    end do
  end subroutine blur

  subroutine apply (g)
    type(grid_t), intent(in) :: g
    call blur (g%nx, g%ny, g%a(1)%v, g%a(2)%v)
  end subroutine apply

  function expected (g, out, x, y, z) result (want)
    type(grid_t), intent(in) :: g
    integer, intent(in) :: out, x, y, z
    real(real64), parameter :: choose4(-2:2) = [1, 4, 6, 4, 1]
    real(real64) :: want
    integer :: dx, dy

    want = 0
    do dy = -2, 2
       do dx = -2, 2
          want = want + choose4(dx) * choose4(dy) / 256 * at (g, 1, x + dx, y + dy, z)
       end do
    end do
  end function expected

end module gaussblur

program main
  use gaussblur
  implicit none
  call grid_main (grid_program ('gaussblur', dims=2, border=2, arrays=2, &
       outputs=1, rotate=2, tolerance=8.0_real64, &
       apply=apply, expected=expected))
end program main
