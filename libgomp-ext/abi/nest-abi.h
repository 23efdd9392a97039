/* Children of SPMD kernels: what the compiler plugin's code and the runtime tell each
   other beside the tag (abi.h).

   Each program or library with children has a device variable ACR_NEST_SETTINGS,
   an array of ACR_NEST_WORDS 64-bit words, all 0 until the runtime sets them.  The
   variable's name ends in the version of this header; a runtime of another
   version finds no such variable, and all is left at 0: children run in place, by
   the thread that launches them.

   A launch says with the size of its dynamic shared memory (acr_nest_shared) which
   of the forms in the settings it has.

   The runtime's PTX (nest.ptx) has its number from here, too.

   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef ACCRETE_NEST_ABI_H
#define ACCRETE_NEST_ABI_H

#define ACR_NEST_SETTINGS "acr_nest_4"

/* Who executes a child.  */
enum acr_nest_group
{
  ACR_NEST_BY_THREAD, /* that launches it */
  ACR_NEST_BY_WARP,
  ACR_NEST_BY_BLOCK
};

/* Words of a form.  */
enum acr_nest_form_word
{
  ACR_NEST_FORM_GROUP, /* an acr_nest_group */
  ACR_NEST_FORM_LEAST, /* iterations that a child must have for its group */
  ACR_NEST_FORM_FAR,   /* and for the queue */
  ACR_NEST_FORM_WORDS
};

/* Forms by number: without the queue, with the queue, that of kernels which the
   device has launched, and those among which measurement chooses.  */
enum acr_nest_form
{
  ACR_NEST_FORM_PLAIN,
  ACR_NEST_FORM_QUEUE,
  ACR_NEST_FORM_LAUNCHED,
  ACR_NEST_FORM_AUTO,
  ACR_NEST_TRIES = 10,
  ACR_NEST_FORMS = ACR_NEST_FORM_AUTO + ACR_NEST_TRIES
};

/* Words of the settings.  */
enum acr_nest_setting
{
  ACR_NEST_SETTING_WORDS, /* of the queue */
  ACR_NEST_SETTING_QUEUE, /* its address */
  /* Count iterations, when the launch says so: of all children, of those that a warp
     or block has executed, and those of the queue.  */
  ACR_NEST_SETTING_WORK,
  ACR_NEST_SETTING_NEAR,
  ACR_NEST_SETTING_FAR,
  ACR_NEST_SETTING_FORMS,
  ACR_NEST_WORDS
  = ACR_NEST_SETTING_FORMS + ACR_NEST_FORMS * ACR_NEST_FORM_WORDS
};

/* Bytes of dynamic shared memory: the form times ACR_NEST_SHARED_FORM, and
   ACR_NEST_SHARED_COUNTS when work is to be counted; and ACR_NEST_SHARED_COARSE
   times the logarithm of how many of a group's or the queue's iterations a
   thread is to execute at least: then fewer of them search for the launches
   that these are of.  ACR_NEST_SHARED_RESIDENT: all blocks of a kernel that
   executes the queue are on the GPU at once, so that it goes on with the next
   level of a recursion until there is none.  */
enum acr_nest_shared
{
  ACR_NEST_SHARED_RESIDENT = 2,
  ACR_NEST_SHARED_COUNTS = 4,
  ACR_NEST_SHARED_COARSE = 8,
  ACR_NEST_COARSE_MOST = 7, /* such a logarithm */
  ACR_NEST_SHARED_FORM = 64,
  ACR_NEST_SHARED_LAUNCHED = ACR_NEST_FORM_LAUNCHED * ACR_NEST_SHARED_FORM
};

/* The queue's first words: a head for each launch, and how many blocks are through
   with the queue; the heads of the other half, where launches launch themselves,
   and the number of the half that is to be executed.  An empty queue has 0 in
   all but the last.  */
enum acr_nest_queue_word
{
  ACR_NEST_QUEUE_LAUNCHES = 15, /* that a queue can have */
  ACR_NEST_QUEUE_BLOCKS = ACR_NEST_QUEUE_LAUNCHES,
  ACR_NEST_QUEUE_HEADS,
  ACR_NEST_QUEUE_HALF = ACR_NEST_QUEUE_HEADS + ACR_NEST_QUEUE_LAUNCHES,
  ACR_NEST_QUEUE_BEGIN
};

/* Who has the device launch a kernel for children (CUDA's device runtime).  */
enum acr_nest_launcher
{
  ACR_NEST_LAUNCHER_NONE,
  ACR_NEST_LAUNCHER_THREAD, /* each thread, for its own child */
  ACR_NEST_LAUNCHER_GROUP   /* one of those that execute children together */
};

/* Comments in a kernel's PTX that the runtime replaces by code, when the user wants
   launches by the device: by the acr_nest_launcher in %acr_form, and by a launch of
   the kernel around for %acr_block and %acr_total, with its result in
   %acr_status.  */
#define ACR_NEST_FORM_MARK "// acr_device_form\n"
#define ACR_NEST_LAUNCH_MARK "// acr_device_launch\n"

#endif /* ACCRETE_NEST_ABI_H */
