! SPDX-License-Identifier: GPL-3.0-or-later
module numbers
  implicit none
contains
  subroutine fill (a)
    integer, intent (out) :: a(:)
    integer :: i
!$acc parallel loop copyout(a)
    do i = 1, size (a)
      a(i) = i - 1
    end do
  end subroutine fill
end module numbers
