/* What HFuse's kernels of neural networks use of PyTorch: accessors of tensors
   and conversions, for the types that hfuse.sh takes.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef TORCH_H
#define TORCH_H

#include <math.h>
#include <stdint.h>

#define C10_LAUNCH_BOUNDS_1(threads)
#define WARP_SIZE 32
#define CUDA_KERNEL_LOOP(i, n)                                                \
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n);                \
       i += blockDim.x * gridDim.x)

template <typename T> struct DefaultPtrTraits
{
  typedef T *PtrType;
};
template <typename T> struct RestrictPtrTraits
{
  typedef T *__restrict__ PtrType;
};

/* A tensor of N dimensions, with the sizes and strides that it is passed.  */
template <typename T, int N, template <typename> class Traits, typename I>
struct TensorAccessor
{
  typename Traits<T>::PtrType at;
  const I *sizes, *strides;
  __device__ TensorAccessor<T, N - 1, Traits, I> operator[] (I i) const
  {
    return { at + strides[0] * i, sizes + 1, strides + 1 };
  }
};
template <typename T, template <typename> class Traits, typename I>
struct TensorAccessor<T, 1, Traits, I>
{
  typename Traits<T>::PtrType at;
  const I *sizes, *strides;
  __device__ T &operator[] (I i) const { return at[strides[0] * i]; }
};

template <typename T, int N,
	  template <typename> class Traits = DefaultPtrTraits,
	  typename I = int64_t>
struct PackedTensorAccessor
{
  typename Traits<T>::PtrType at;
  I sizes[N], strides[N];
  __device__ I size (int i) const { return sizes[i]; }
  __device__ T *data () const { return at; }
  __device__ TensorAccessor<T, N - 1, Traits, I> operator[] (I i) const
  {
    return { at + strides[0] * i, sizes + 1, strides + 1 };
  }
};
template <typename T, template <typename> class Traits, typename I>
struct PackedTensorAccessor<T, 1, Traits, I>
{
  typename Traits<T>::PtrType at;
  I sizes[1], strides[1];
  __device__ I size (int i) const { return sizes[i]; }
  __device__ T *data () const { return at; }
  __device__ T &operator[] (I i) const { return at[strides[0] * i]; }
};

template <typename T, typename I> struct TensorInfo
{
  T *data;
  I sizes[25], strides[25];
  int dims;
};
template <typename T, typename I, int Dims> struct IndexToOffset
{
  static __device__ I get (I linear, const TensorInfo<T, I> &info)
  {
    I offset = 0;
    for (int i = Dims - 1; i > 0; i--)
      {
	offset += linear % info.sizes[i] * info.strides[i];
	linear /= info.sizes[i];
      }
    return offset + linear * info.strides[0];
  }
};

template <typename From, typename To> struct ScalarConvert
{
  static __host__ __device__ To to (const From from) { return (To)from; }
};
template <typename T> struct THCNumerics
{
  static __device__ bool isnan (T x) { return ::isnan (x); }
};

namespace at
{
template <typename T> struct numeric_limits
{
  static __device__ T lower_bound () { return -INFINITY; }
};
namespace native
{
enum class CUDAHistogramMemoryType
{
  SHARED,
  MULTI_BLOCK,
  GLOBAL
};
}
}
using at::native::CUDAHistogramMemoryType;

template <typename T>
static __device__ T
area_pixel_compute_source_index (T scale, int to, bool corners, bool cubic)
{
  if (corners)
    return scale * to;
  T from = scale * (to + (T).5) - (T).5;
  return !cubic && from < 0 ? (T)0 : from;
}

template <typename T>
static __device__ T
WARP_SHFL_XOR (T value, int lanes, int width)
{
  return __shfl_xor_sync (0xffffffff, value, lanes, width);
}

static __device__ int
getMSB (int value)
{
  return 31 - __clz (value);
}

template <typename T> struct InvStd
{
  __device__ T operator() (T variance, double epsilon) const
  {
    return variance != 0 || epsilon != 0 ? 1 / sqrtf (variance + epsilon) : 0;
  }
};

template <typename T, typename I>
static __device__ I
getBin (T value, T least, T most, int bins)
{
  I bin = (int)((value - least) * bins / (most - least));
  return bin == bins ? bin - 1 : bin;
}

/* What each element counts.  */
struct One
{
  __device__ float operator() (unsigned) const { return 1; }
};

#endif /* TORCH_H */
