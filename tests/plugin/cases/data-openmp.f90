! OpenMP's data constructs with Fortran arrays.
! FLAGS: -fopenmp

subroutine bodies (n, d, e, f)
  integer, intent(in) :: n
  real, allocatable :: a(:,:), b(:,:), d(:)
  real :: e(:), f(n)
  integer :: i, j, t
  allocate (a(n,n), b(n,n))
! DATA: omp-target-data tofrom *a: rw, group 1 (array without target); to *b: r, group 2 (array without target); to **d: r, group 3 (array without target); from *f: w, group 4 (restrict); alloc **e: -, group 5 (array without target)
! REMARK: optimized: omp target data region: copies a to the GPU and back, b and d to the GPU, f back where absent; b and d only read; e not used
!$omp target data map(tofrom: a) map(to: b, d) map(alloc: e) map(from: f)
  do t = 1, 10
! REGION: kind=omp-target dims=?,?,? op=0,b,data,r,1,4 op=1,b,ptr,r,1,0 op=2,,other,-,?,0 op=3,a,data,w,3,4 op=4,a,ptr,w,3,0 op=5,,other,-,?,0 op=6,d,data,r,5,4 op=7,d,ptr,r,5,0 op=8,,other,-,?,0 op=9,d,ptr2,r,5,0 op=10,n,value,-,?,4 loop=gv,s loop=gv,s closed=1
!$omp target teams distribute parallel do collapse(2)
    do j = 1, n
      do i = 1, n
        a(i,j) = b(i,j) + d(j)
      end do
    end do
! REGION: kind=omp-target dims=1,?,? op=0,b,data,r,1,4 op=1,b,ptr,r,1,0 op=2,,other,-,?,0 op=3,f,data,w,3,4 op=4,f,ptr,w,3,4 op=5,n,value,-,?,4 closed=1
!$omp target
    f(1:n) = b(1:n,1)
!$omp end target
! DATA: omp-target-update from *a, group 1 (array without target)
!$omp target update from(a)
  end do
!$omp end target data
! DATA: omp-target-enter-data to *a, group 1 (array without target); alloc *b, group 2 (array without target)
!$omp target enter data map(to: a) map(alloc: b)
! DATA: omp-target-update to *b, group 1 (array without target); from *a, group 2 (array without target)
! REMARK: optimized: omp target update region: copies b to the GPU, a back
!$omp target update from(a) to(b)
! DATA: omp-target-exit-data from *a, group 1 (array without target); delete *b, group 2 (array without target)
!$omp target exit data map(from: a) map(delete: b)
! DATA: omp-target-data use_device_addr *a: ? (calls a function), group 1 (array without target)
! REMARK: missed: omp target data region: nothing known about its data: calls a function
!$omp target data use_device_addr(a)
  call sub (a)
!$omp end target data
end subroutine

subroutine cannot_tell (n, a, b, p)
  integer, intent(in) :: n
  real, allocatable :: a(:), b(:)
  real, pointer :: p(:)
! The host reads an element, or only the bounds.
! DATA: omp-target-data tofrom **a: ? (calls a function), group 1 (array without target); to **b: ? (calls a function), group 2 (array without target)
!$omp target data map(tofrom: a) map(to: b)
! REGION: kind=omp-target dims=1,?,? op=0,b,data,r,1,4 op=1,b,ptr,r,1,0 op=2,,other,-,?,0 op=3,b,ptr2,r,1,0 op=4,a,data,w,4,4 op=5,a,ptr,w,4,0 op=6,,other,-,?,0 op=7,a,ptr2,w,4,0 op=8,n,value,-,?,4 closed=1
!$omp target
  a(1:n) = b(1:n)
!$omp end target
  print *, size (b)
!$omp end target data
! DATA: omp-target-data tofrom **a: w, group 1 (array without target); to **b: r, group 2 (array without target)
!$omp target data map(tofrom: a) map(to: b)
! REGION: kind=omp-target dims=1,?,? op=0,b,data,r,1,4 op=1,b,ptr,r,1,0 op=2,,other,-,?,0 op=3,b,ptr2,r,1,0 op=4,a,data,w,4,4 op=5,a,ptr,w,4,0 op=6,,other,-,?,0 op=7,a,ptr2,w,4,0 op=8,n,value,-,?,4 closed=1
!$omp target
  a(1:n) = b(1:n)
!$omp end target
  if (ubound (b, 1) > n) n_more = 1
!$omp end target data
! DATA: omp-target-data tofrom **a: ? (accessed on the host), group 1 (array without target); to **b: r, group 2 (array without target)
!$omp target data map(tofrom: a) map(to: b)
! REGION: kind=omp-target dims=1,?,? op=0,b,data,r,1,4 op=1,b,ptr,r,1,0 op=2,,other,-,?,0 op=3,b,ptr2,r,1,0 op=4,a,data,w,4,4 op=5,a,ptr,w,4,0 op=6,,other,-,?,0 op=7,a,ptr2,w,4,0 op=8,n,value,-,?,4 closed=1
!$omp target
  a(1:n) = b(1:n)
!$omp end target
  a(1) = 0
!$omp end target data
! Another array than the one that was mapped.
! DATA: omp-target-data tofrom **a: ? (changes a descriptor), group 1 (array without target); to **b: ? (changes a descriptor), group 2 (array without target)
!$omp target data map(tofrom: a) map(to: b)
  deallocate (b)
  allocate (b(n))
!$omp end target data
! DATA: omp-target-data tofrom **p: ? (accessed on the host)
!$omp target data map(tofrom: p)
! REGION: kind=omp-target dims=1,?,? op=0,p,data,w,?,4 op=1,p,ptr,w,?,0 op=2,,other,-,?,0 op=3,p,ptr2,w,?,0 op=4,n,value,-,?,4 closed=1
!$omp target
  p(1:n) = 0
!$omp end target
!$omp end target data
end subroutine
! SPDX-License-Identifier: GPL-3.0-or-later
