! Fortran arrays in OpenMP: dummies, allocatables, pointers, targets, COMMON.
! FLAGS: -fopenmp

subroutine dummies (n, a, b, c)
  integer, intent(in) :: n
  real :: a(n), b(n), c(:)
  integer :: i
! REGION: kind=omp-target dims=?,?,? op=0,offset,value,-,?,8 op=1,stride,value,-,?,8 op=2,n,value,-,?,4 op=3,a,data,w,5,4 op=4,a,ptr,w,5,4 op=5,b,data,r,7,4 op=6,b,ptr,r,7,4 op=7,c,data,r,9,4 op=8,c,ptr,r,9,4 loop=gv,s closed=1
! CONSTANT: b c
!$omp target teams distribute parallel do map(tofrom: a) map(to: b, c)
  do i = 1, n
    a(i) = b(i) + c(i)
  end do
end subroutine

subroutine targets (n, a, b, p)
  integer, intent(in) :: n
  real, target :: a(n), b(n)
  real, pointer :: p(:)
  integer :: i
! REGION: kind=omp-target dims=?,?,? op=0,n,value,-,?,4 op=1,a,data,w,0,4 op=2,a,ptr,w,0,4 op=3,b,data,r,0,4 op=4,b,ptr,r,0,4 loop=gv,s closed=1
! CONSTANT:
!$omp target teams distribute parallel do map(tofrom: a, b)
  do i = 1, n
    a(i) = b(i)
  end do
! REGION: kind=omp-target dims=?,?,? op=0,n,value,-,?,4 op=1,a,data,r,0,4 op=2,a,ptr,r,0,4 op=3,p,data,w,?,4 op=4,p,ptr,w,?,0 op=5,,other,-,?,0 op=6,p,ptr2,w,?,0 loop=gv,s closed=1
! CONSTANT:
!$omp target teams distribute parallel do map(tofrom: a, p)
  do i = 1, n
    p(i) = a(i)
  end do
end subroutine

subroutine allocatables (n, d)
  integer, intent(in) :: n
  real, allocatable :: a(:,:), b(:,:), d(:)
  integer :: i, j
  allocate (a(n,n), b(n,n))
! DATA: omp-target-data tofrom *a: w, group 1 (array without target); to *b: r, group 2 (array without target); to **d: r, group 3 (array without target)
!$omp target data map(tofrom: a) map(to: b, d)
! REGION: kind=omp-target dims=?,?,? op=0,b,data,r,1,4 op=1,b,ptr,r,1,0 op=2,,other,-,?,0 op=3,a,data,w,3,4 op=4,a,ptr,w,3,0 op=5,,other,-,?,0 op=6,d,data,r,5,4 op=7,d,ptr,r,5,0 op=8,,other,-,?,0 op=9,d,ptr2,r,5,0 op=10,n,value,-,?,4 loop=gv,s loop=gv,s closed=1
! CONSTANT: b d
!$omp target teams distribute parallel do collapse(2)
  do j = 1, n
    do i = 1, n
      a(i,j) = b(i,j) + d(j)
    end do
  end do
!$omp end target data
  deallocate (a, b)
end subroutine

subroutine shared_storage (n)
  integer, intent(in) :: n
  real :: x(100), y(100), e(100), f(100)
  common /block/ x, y
  equivalence (e(1), f(50))
  integer :: i
! REGION: kind=omp-target dims=?,?,? op=0,equiv,data,rw,1,596 op=1,equiv,data,rw,1,4 op=2,equiv,data,rw,1,4 loop=gv,20 closed=1
! CONSTANT:
!$omp target teams distribute parallel do map(tofrom: e, f)
  do i = 1, 20
    e(i) = f(i)
  end do
! REGION: kind=omp-target dims=?,?,? op=0,block,data,rw,1,800 op=1,block,data,rw,1,4 op=2,block,data,rw,1,4 loop=gv,100 closed=1
! CONSTANT:
!$omp target teams distribute parallel do map(tofrom: x, y)
  do i = 1, 100
    x(i) = y(i)
  end do
end subroutine
! SPDX-License-Identifier: GPL-3.0-or-later
