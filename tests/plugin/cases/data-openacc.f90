! OpenACC's data constructs with Fortran arrays.
! FLAGS: -fopenacc

subroutine bodies (n, d, e, f)
  integer, intent(in) :: n
  real, allocatable :: a(:,:), b(:,:), d(:)
  real :: e(:), f(n)
  integer :: i, j, t
  allocate (a(n,n), b(n,n))
! DATA: acc-data copy *a: rw, group 1 (array without target); copyin *b: r, group 2 (array without target); copyin **d: r, group 3 (array without target); create **e: -, group 4 (array without target); copyout *f: w, group 5 (restrict)
! REMARK: optimized: acc data region: copies a to the GPU and back, b and d to the GPU, f back where absent; b and d only read; e not used
!$acc data copy(a) copyin(b, d) create(e) copyout(f)
  do t = 1, 10
! REGION: kind=acc-parallel dims=?,?,? op=0,a,data,w,1,4 op=1,a,ptr,w,1,0 op=2,,other,-,?,0 op=3,b,data,r,3,4 op=4,b,ptr,r,3,0 op=5,,other,-,?,0 op=6,d,data,r,5,4 op=7,d,ptr,r,5,0 op=8,,other,-,?,0 op=9,d,ptr2,r,5,0 op=10,,data,r,8,4 op=11,,data,r,9,4 loop=a,s loop=a,s closed=1
!$acc parallel loop collapse(2) present(a, b, d)
    do j = 1, n
      do i = 1, n
        a(i,j) = b(i,j) + d(j)
      end do
    end do
! REGION: kind=acc-kernels dims=?,?,? op=0,b,data,r,1,4 op=1,b,ptr,r,1,0 op=2,,other,-,?,0 op=3,f,data,w,3,4 op=4,f,ptr,w,3,4 op=5,n,data,r,5,4 op=6,n,ptr,r,5,4 closed=1
!$acc kernels
    f(1:n) = b(1:n,1)
!$acc end kernels
! DATA: acc-update self *a, group 1 (array without target)
!$acc update self(a)
  end do
!$acc end data
! DATA: acc-enter-data copyin *a, group 1 (array without target); copyin *b, group 2 (array without target)
!$acc enter data copyin(a, b)
! DATA: acc-update self *a, group 1 (array without target); device *b, group 2 (array without target)
! REMARK: optimized: acc update region: copies b to the GPU, a back
!$acc update self(a) device(b)
! DATA: acc-exit-data copyout *a, group 1 (array without target); delete *b, group 2 (array without target)
!$acc exit data copyout(a) delete(b)
! DATA: acc-host_data use_device **e: ? (calls a function), group 1 (array without target)
! REMARK: missed: acc host_data region: nothing known about its data: calls a function
!$acc host_data use_device(e)
  call sub (e)
!$acc end host_data
end subroutine

subroutine cannot_tell (n, a, b, p)
  integer, intent(in) :: n
  real, allocatable :: a(:), b(:)
  real, pointer :: p(:)
! The host reads an element, or only the bounds.
! DATA: acc-data copy **a: ? (calls a function), group 1 (array without target); copyin **b: ? (calls a function), group 2 (array without target)
!$acc data copy(a) copyin(b)
! REGION: kind=acc-kernels dims=?,?,? op=0,b,data,r,1,4 op=1,b,ptr,r,1,0 op=2,,other,-,?,0 op=3,b,ptr2,r,1,0 op=4,a,data,w,4,4 op=5,a,ptr,w,4,0 op=6,,other,-,?,0 op=7,a,ptr2,w,4,0 op=8,n,data,r,7,4 op=9,n,ptr,r,7,4 closed=1
!$acc kernels
  a(1:n) = b(1:n)
!$acc end kernels
  print *, size (b)
!$acc end data
! DATA: acc-data copy **a: w, group 1 (array without target); copyin **b: r, group 2 (array without target)
!$acc data copy(a) copyin(b)
! REGION: kind=acc-kernels dims=?,?,? op=0,b,data,r,1,4 op=1,b,ptr,r,1,0 op=2,,other,-,?,0 op=3,b,ptr2,r,1,0 op=4,a,data,w,4,4 op=5,a,ptr,w,4,0 op=6,,other,-,?,0 op=7,a,ptr2,w,4,0 op=8,n,data,r,7,4 op=9,n,ptr,r,7,4 closed=1
!$acc kernels
  a(1:n) = b(1:n)
!$acc end kernels
  if (ubound (b, 1) > n) n_more = 1
!$acc end data
! DATA: acc-data copy **a: ? (accessed on the host), group 1 (array without target); copyin **b: r, group 2 (array without target)
!$acc data copy(a) copyin(b)
! REGION: kind=acc-kernels dims=?,?,? op=0,b,data,r,1,4 op=1,b,ptr,r,1,0 op=2,,other,-,?,0 op=3,b,ptr2,r,1,0 op=4,a,data,w,4,4 op=5,a,ptr,w,4,0 op=6,,other,-,?,0 op=7,a,ptr2,w,4,0 op=8,n,data,r,7,4 op=9,n,ptr,r,7,4 closed=1
!$acc kernels
  a(1:n) = b(1:n)
!$acc end kernels
  a(1) = 0
!$acc end data
! Another array than the one that was mapped.
! DATA: acc-data copy **a: ? (changes a descriptor), group 1 (array without target); copyin **b: ? (changes a descriptor), group 2 (array without target)
!$acc data copy(a) copyin(b)
  deallocate (b)
  allocate (b(n))
!$acc end data
! DATA: acc-data copy **p: ? (stores through a pointer that may lead anywhere)
!$acc data copy(p)
! REGION: kind=acc-kernels dims=?,?,? op=0,p,data,w,?,4 op=1,p,ptr,w,?,0 op=2,,other,-,?,0 op=3,p,ptr2,w,?,0 op=4,n,data,r,2,4 op=5,n,ptr,r,2,4 closed=1
!$acc kernels
  p(1:n) = 0
!$acc end kernels
!$acc end data
end subroutine
! SPDX-License-Identifier: GPL-3.0-or-later
