/* The emulated driver: when copies read and write, two and three dimensions,
   batches, fills.

   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdint.h>
#include <stdlib.h>

#include "driver/cuda-api.h"
#include "fake-machine.h"
#include "tap.h"

static CUfunction f_gate;
static CUstream stream;

static void
hold (void)
{
  unsigned i = 0;
  void *params[] = { &i };
  fake_gates_close ();
  cuLaunchKernel (f_gate, 1, 1, 1, 1, 1, 1, 0, stream, params, NULL);
}

static void
let_go (void)
{
  fake_gate_open (0);
  cuStreamSynchronize (stream);
}

static int
device_int (CUdeviceptr p)
{
  int value = -1;
  cuMemcpyDtoH (&value, p, sizeof value);
  return value;
}

static void
timing (void)
{
  int pageable = 1, *pinned;
  CUdeviceptr a, b;
  cuMemHostAlloc ((void **) &pinned, sizeof *pinned, 0);
  cuMemAlloc (&a, 4);
  cuMemAlloc (&b, 4);
  cuMemsetD32 (a, 0, 1);
  cuMemsetD32 (b, 0, 1);
  *pinned = 1;
  cuCtxSynchronize ();

  hold ();
  ok_int (cuMemcpyHtoDAsync (a, &pageable, 4, stream), CUDA_SUCCESS,
	  "from pageable memory");
  ok_int (cuMemcpyHtoDAsync (b, pinned, 4, stream), CUDA_SUCCESS,
	  "from pinned memory");
  pageable = *pinned = 2;
  let_go ();
  ok_int (device_int (a), 1, "pageable memory is read at once");
  ok_int (device_int (b), 2, "pinned memory is read when its turn comes");

  hold ();
  *pinned = 7;
  cuMemcpyDtoHAsync (pinned, b, 4, stream);
  ok_int (*pinned, 7, "to pinned memory: not yet done");
  let_go ();
  ok_int (*pinned, 2, "done now");

  hold ();
  cuMemcpyDtoDAsync (a, b, 4, stream);
  cuMemsetD32Async (b, 9, 1, stream);
  let_go ();
  ok_int (device_int (a), 2, "on the device, in order");
  ok_int (device_int (b), 9, "a fill after it");

  pageable = 11;
  cuMemcpyHtoDAsync (a, &pageable, 4, stream);
  pageable = 12;
  cuStreamSynchronize (stream);
  ok_int (device_int (a), 11, "an idle stream copies pageable memory at once");

  CUdeviceptr mapped;
  cuMemHostGetDevicePointer (&mapped, pinned, 0);
  ok_int (cuMemcpyDtoD (mapped, a, 4), CUDA_SUCCESS,
	  "pinned memory as device memory");
  cuCtxSynchronize ();
  ok_int (*pinned, 11, "is written");
  ok_int (cuMemcpy (b, (uintptr_t) &pageable, 4), CUDA_SUCCESS,
	  "cuMemcpy finds out where its ends are");
  ok_int (device_int (b), 12, "and copies");
  cuMemFreeHost (pinned);
  cuMemFree (a);
  cuMemFree (b);
}

static void
bad_addresses (void)
{
  char host[16];
  CUdeviceptr p;
  cuMemAlloc (&p, 8);
  ok_int (cuMemcpyHtoD (p, host, 8), CUDA_SUCCESS, "the whole allocation");
  ok_int (cuMemcpyHtoD (p, host, 9), CUDA_ERROR_INVALID_VALUE,
	  "a byte past its end");
  ok_int (cuMemcpyHtoD (0, host, 4), CUDA_ERROR_INVALID_VALUE,
	  "to address 0");
  ok_int (cuMemcpyHtoD ((uintptr_t) host, host, 4), CUDA_ERROR_INVALID_VALUE,
	  "to the host");
  ok_int (cuMemcpyDtoH (host, (uintptr_t) host, 4), CUDA_ERROR_INVALID_VALUE,
	  "from the host");
  ok_int (cuMemcpyDtoH (NULL, p, 4), CUDA_ERROR_INVALID_VALUE, "to NULL");
  ok_int (cuMemcpyHtoD (p, NULL, 0), CUDA_SUCCESS, "nothing at all");
  ok_int (cuMemcpyHtoDAsync (p, host, 4, (CUstream) host),
	  CUDA_ERROR_INVALID_HANDLE, "in no stream");
  ok_int (cuMemsetD32 (p + 1, 0, 1), CUDA_ERROR_INVALID_VALUE,
	  "a misaligned fill");
  ok_int (cuMemsetD16 (p, 0, 5), CUDA_ERROR_INVALID_VALUE, "too long a fill");
  cuMemFree (p);
  ok_int (cuMemcpyHtoD (p, host, 4), CUDA_ERROR_INVALID_VALUE,
	  "to freed memory");
}

static void
fills (void)
{
  unsigned char got[24];
  CUdeviceptr p;
  cuMemAlloc (&p, sizeof got);
  cuMemsetD8 (p, 0x11, sizeof got);
  cuMemsetD16 (p, 0x2233, 2);
  cuMemsetD32 (p + 4, 0x44556677, 1);
  cuMemcpyDtoH (got, p, sizeof got);
  ok (!memcmp (got, "\x33\x22\x33\x22\x77\x66\x55\x44\x11", 9),
      "fills of 8, 16 and 32 bits");
  cuMemsetD2D8 (p, 8, 0xaa, 3, 3);
  cuMemcpyDtoH (got, p, sizeof got);
  ok (got[2] == 0xaa && got[3] == 0x22 && got[8] == 0xaa && got[18] == 0xaa
      && got[19] == 0x11, "a rectangle");
  ok_int (cuMemsetD2D32 (p, 8, 0, 3, 2), CUDA_ERROR_INVALID_VALUE,
	  "rows longer than the pitch");
  cuMemFree (p);
}

/* Copy a box out of one array of bytes into another, on the device and back,
   and compare with the same done by loops.  */
static void
boxes (void)
{
  enum { X = 13, Y = 7, Z = 5, N = X * Y * Z };
  unsigned char from[N], to[N], want[N];
  CUdeviceptr a, b;
  cuMemAlloc (&a, N);
  cuMemAlloc (&b, N);
  for (int i = 0; i < N; i++)
    from[i] = i * 7;
  for (int round = 0; round < 50; round++)
    {
      int w = 1 + rand () % X, h = 1 + rand () % Y, d = 1 + rand () % Z;
      int sx = rand () % (X - w + 1), sy = rand () % (Y - h + 1),
	  sz = rand () % (Z - d + 1), tx = rand () % (X - w + 1),
	  ty = rand () % (Y - h + 1), tz = rand () % (Z - d + 1);
      CUDA_MEMCPY3D c
	= { .srcXInBytes = sx, .srcY = sy, .srcZ = sz, .srcDevice = a,
	    .srcMemoryType = CU_MEMORYTYPE_DEVICE, .srcPitch = X,
	    .srcHeight = Y, .dstXInBytes = tx, .dstY = ty, .dstZ = tz,
	    .dstMemoryType = CU_MEMORYTYPE_DEVICE, .dstDevice = b,
	    .dstPitch = X, .dstHeight = Y, .WidthInBytes = w, .Height = h,
	    .Depth = d };
      memset (want, 0xee, N);
      cuMemcpyHtoD (a, from, N);
      cuMemcpyHtoD (b, want, N);
      memset (to, 0xee, N);
      for (int z = 0; z < d; z++)
	for (int y = 0; y < h; y++)
	  memcpy (want + ((tz + z) * Y + ty + y) * X + tx,
		  from + ((sz + z) * Y + sy + y) * X + sx, w);
      CUresult r = round & 1 ? cuMemcpy3D (&c) : cuMemcpy3DAsync (&c, stream);
      cuStreamSynchronize (stream);
      cuMemcpyDtoH (to, b, N);
      if (r || memcmp (to, want, N))
	{
	  ok (false, "box %dx%dx%d, round %d", w, h, d, round);
	  return;
	}
    }
  ok (true, "boxes on the device");

  CUDA_MEMCPY2D c
    = { .srcXInBytes = 2, .srcY = 1, .srcMemoryType = CU_MEMORYTYPE_HOST,
	.srcHost = from, .srcPitch = X, .dstMemoryType = CU_MEMORYTYPE_DEVICE,
	.dstDevice = a, .dstPitch = 4, .WidthInBytes = 4, .Height = 3 };
  cuMemcpyHtoD (a, want, 16);
  ok_int (cuMemcpy2D (&c), CUDA_SUCCESS, "a rectangle from the host");
  cuMemcpyDtoH (to, a, 12);
  ok (!memcmp (to, from + X + 2, 4) && !memcmp (to + 8, from + 3 * X + 2, 4),
      "arrives packed");
  c.dstPitch = 3;
  ok_int (cuMemcpy2D (&c), CUDA_ERROR_INVALID_VALUE,
	  "a pitch shorter than the row");
  c.dstPitch = 64;
  ok_int (cuMemcpy2D (&c), CUDA_SUCCESS, "a wide pitch that still fits");
  c.dstPitch = 400;
  ok_int (cuMemcpy2D (&c), CUDA_ERROR_INVALID_VALUE,
	  "rows past the end of the allocation");
  c.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  ok_int (cuMemcpy2D (&c), CUDA_ERROR_NOT_SUPPORTED, "arrays");

  /* A pageable source of an asynchronous copy, snapshot row by row.  */
  c.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  c.dstPitch = 4;
  hold ();
  cuMemcpy2DAsync (&c, stream);
  memset (from, 0, sizeof from);
  let_go ();
  cuMemcpyDtoH (to, a, 12);
  ok (to[0] == (unsigned char) ((X + 2) * 7), "was read at once");
  cuMemFree (a);
  cuMemFree (b);
}

static void
batches (void)
{
  int *pinned;
  CUdeviceptr p, dsts[3], srcs[3];
  size_t sizes[3] = { 4, 4, 4 }, first[2] = { 0, 2 }, failed = 7;
  CUmemcpyAttributes attributes[2]
    = { { .srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM },
	{ .srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL } };
  cuMemHostAlloc ((void **) &pinned, 12, 0);
  cuMemAlloc (&p, 12);
  for (int i = 0; i < 3; i++)
    {
      pinned[i] = i + 1;
      dsts[i] = p + 4 * i;
      srcs[i] = (uintptr_t) (pinned + i);
    }
  hold ();
  ok_int (cuMemcpyBatchAsync_v2 (dsts, srcs, sizes, 3, attributes, first, 2,
				 stream),
	  CUDA_SUCCESS, "a batch of copies");
  for (int i = 0; i < 3; i++)
    pinned[i] += 10;
  let_go ();
  cuMemcpyDtoH (pinned, p, 12);
  ok_int (pinned[0], 11, "read in stream order");
  ok_int (pinned[1], 12, "likewise");
  ok_int (pinned[2], 3, "read during the call");
  ok_int (cuMemcpyBatchAsync_v2 (dsts, srcs, sizes, 3, attributes, first, 2,
				 NULL),
	  CUDA_ERROR_INVALID_VALUE, "not in the NULL stream");
  first[0] = 1;
  ok_int (cuMemcpyBatchAsync_v2 (dsts, srcs, sizes, 3, attributes, first, 2,
				 stream),
	  CUDA_ERROR_INVALID_VALUE, "the first attributes are for copy 0");
  first[0] = 0;
  dsts[1] = 0;
  ok_int (cuMemcpyBatchAsync (dsts, srcs, sizes, 3, attributes, first, 2,
			      &failed, stream),
	  CUDA_ERROR_INVALID_VALUE, "a copy to nowhere");
  ok_int (failed, 1, "is named");
  cuMemFree (p);
  cuMemFreeHost (pinned);
}

int
main (void)
{
  fake_start ();
  f_gate = fake_function ("gate");
  cuStreamCreate (&stream, 0);
  timing ();
  bad_addresses ();
  fills ();
  boxes ();
  batches ();
  return done_testing ();
}
