! SPDX-License-Identifier: GPL-3.0-or-later
subroutine thrice (a, n) bind (c)
  use iso_c_binding
  integer (c_int), value :: n
  integer (c_int) :: a(n)
  integer :: i
  !$acc parallel loop copy(a)
  do i = 1, n
    a(i) = 3 * a(i)
  end do
end subroutine
