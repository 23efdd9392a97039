// SPDX-License-Identifier: GPL-3.0-or-later
// The sum of the N numbers at A.
int part (const int *a, int n);
