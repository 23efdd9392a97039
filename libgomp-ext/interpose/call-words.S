/* void acr_call_words (void (*fn) (void), const uintptr_t *w, size_t n)

   Call FN with N >= 6 integer words: what C cannot say for a number that is
   only known at run time.  (__builtin_apply can, but it pops the x87 stack,
   which traps in programs that enable floating-point exceptions.)

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef __x86_64__
# error "acr_call_words is not written for this host"
#endif

	.text
	.hidden	acr_call_words
	.globl	acr_call_words
	.type	acr_call_words, @function
acr_call_words:
	.cfi_startproc
	endbr64
	pushq	%rbp
	.cfi_def_cfa_offset 16
	.cfi_offset %rbp, -16
	movq	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	movq	%rdi, %r11
	movq	%rsi, %r10
	/* Words 6 and up go on the stack, which stays aligned to 16.  */
	leaq	-6(%rdx), %rcx
	leaq	15(,%rcx,8), %rax
	andq	$-16, %rax
	subq	%rax, %rsp
	leaq	48(%r10), %rsi
	movq	%rsp, %rdi
	cld
	rep movsq
	movq	(%r10), %rdi
	movq	8(%r10), %rsi
	movq	16(%r10), %rdx
	movq	24(%r10), %rcx
	movq	32(%r10), %r8
	movq	40(%r10), %r9
	xorl	%eax, %eax	/* no vector registers */
	call	*%r11
	leave
	.cfi_def_cfa %rsp, 8
	ret
	.cfi_endproc
	.size	acr_call_words, . - acr_call_words

	.section .note.GNU-stack, "", @progbits
