! Loops that are simd constructs as well, in teams that are blocks, with variables that
! are the team's and take last values.
!
! ACCEPT: 2
!
! SPDX-License-Identifier: GPL-3.0-or-later

program combined
  integer, parameter :: order = 64, ts = 16
  real(8) :: A(order,order), B(order,order), T(0:ts-1,0:ts-1)
  integer :: i,j,it,jt
  !$omp target teams distribute parallel do simd collapse(2) map(A,B)
  do j=1,order
    do i=1,order
      A(i,j) = order * (j-1) + i-1
      B(i,j) = 0
    enddo
  enddo
  !$omp target teams distribute collapse(2) private(T,it,jt,i,j) map(A,B)
  do jt=1,order,ts
    do it=1,order,ts
      !$omp parallel do simd collapse(2) schedule(static)
      do j=0,ts-1
        do i=0,ts-1
          T(i,j) = A(it+i,jt+j)
          A(it+i,jt+j) = A(it+i,jt+j) + 1
        enddo
      enddo
      !$omp parallel do simd collapse(2) schedule(static)
      do i=0,ts-1
        do j=0,ts-1
          B(jt+j,it+i) = B(jt+j,it+i) + T(i,j)
        enddo
      enddo
    enddo
  enddo
  if (sum (A) - sum (B) /= order * order) stop 2
  do j = 1, order
    do i = 1, order
      if (B(j,i) /= A(i,j) - 1) stop 1
    end do
  end do
end program
