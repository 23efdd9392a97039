#!/usr/bin/perl
# Run libgomp's own testsuite on the emulated GPU (or any other).
#
#   run-libgomp.pl [OPTIONS] TESTSUITE [NAME...]
#
# TESTSUITE is the folder libgomp/testsuite of GCC's source (include/ beside
# libgomp is needed too); NAMEs, if given,
# are the only tests to run ("libgomp.c/target-1.c").  Taken are the tests that
# are run (dg-do run) and offload something: those that mention target, acc or
# a device.  DejaGnu is not needed: the directives are read here, and the
# effective targets are those of x86-64 GNU/Linux with one nvptx GPU.
#
#   --sample=N	     a fixed choice of N tests
#   --seed=N	     another choice
#   --jobs=N	     at a time, default 1
#   --timeout=S	     seconds for a test's program, default 60
#   --opt=FLAGS	     optimisation, default -O2; as in GCC's harness, dg-options
#		     of a test in an OpenMP folder replace it
#   --flags=FLAGS    for every compilation, e.g. -specs=.../accrete.specs
#   --wrap=COMMAND   put in front of every program
#   --known=FILE     tests that are expected to fail: lines "- NAME: reason",
#		     with the checker also "- NAME (checker): reason"
#   --work=DIR	     scratch folder, default a temporary one; with it the
#		     programs and their output are kept
#   --tap	     one line of TAP for each test
#
# CC, CXX, FC name the compilers.  The programs get the caller's environment;
# with ACCRETE_EMU_CHECK=1 in it a report of the checker is a failure, but not
# leaks: many of these tests leave data mapped.
# Output: one line for each failure with the reason, then a summary.  Exit
# status 1 if a test failed that is not known to.
#
# SPDX-License-Identifier: GPL-3.0-or-later

use strict;
use warnings;
use File::Basename;
use File::Path qw(make_path remove_tree);
use File::Temp qw(tempdir);
use Getopt::Long;
use POSIX ();

my @folders = qw(libgomp.oacc-c-c++-common libgomp.oacc-fortran libgomp.c
  libgomp.c-c++-common libgomp.fortran);

my %o = (seed => 1, jobs => 1, timeout => 60, opt => '-O2', flags => '',
	 wrap => '');
GetOptions (\%o, qw(sample=i seed=i jobs=i timeout=i opt=s flags=s wrap=s
		    known=s work=s tap)) && @ARGV
  or die "usage: run-libgomp.pl [OPTIONS] TESTSUITE [NAME...]\n";
my ($suite, @names) = @ARGV;
my $work = $o{work} // tempdir (CLEANUP => 1);
my $cuda = $ENV{CUDA_HOME} // '/usr/local/cuda';

# ---- Effective targets ------------------------------------------------------

my %cpu = map { $_ => 1 } split ' ',
  (join (' ', slurp ('/proc/cpuinfo')) =~ /^flags\s*:(.*)$/m ? $1 : '');
my %target = (
  lp64 => 1, ilp32 => 0, ia32 => 0, int128 => 1, size32plus => 1, lto => 1,
  tls_runtime => 1, sync_int_long => 1, sync_char_short => 1,
  cas_char => 1, pthread => 1, vect_simd_clones => 1,
  avx_runtime => $cpu{avx} // 0, sse2_runtime => $cpu{sse2} // 0,
  offload_target_nvptx => 1, offload_target_amdgcn => 0, offload_device => 1,
  offload_device_nvptx => 1, offload_device_nonshared_as => 1,
  offload_device_shared_as => 0, offload_device_intel_mic => 0,
  offload_device_any_intel_mic => 0, openacc_nvidia_accel_selected => 1,
  openacc_nvidia_accel_present => 1, openacc_radeon_accel_selected => 0,
  openacc_radeon_accel_present => 0, openacc_host_selected => 0,
  openacc_cuda => -r "$cuda/include/cuda.h" ? 1 : 0,
  openacc_cudart => 0, openacc_cublas => 0,	# need machine code
  shared => 1, fpic => 1, tls => 1, weak_undefined => 1, fd_truncate => 1,
  large_long_double => 1, __float128 => 1,
  run_expensive_tests => 0, fortran_real_16 => 1, non_strict_align => 1,
  'skip-all-targets' => 0, 'this-really-should-fail' => 0,
  aarch64_tiny => 0, freebsd => 0, alias => 1);
my $triplet = 'x86_64-pc-linux-gnu';
my %unknown;

sub effective
{
  my ($name, $test) = @_;
  return $test->{lang} eq 'c' if $name eq 'c';
  return 0 if $name eq 'c++';
  return $test->{opt} =~ /-O(?!0)/ if $name eq '__OPTIMIZE__';
  if ($name =~ /[*?]|-.*-/)
    {
      (my $re = quotemeta $name) =~ s/\\([*?])/$1 eq '*' ? '.*' : '.'/ge;
      return $triplet =~ /^$re$/;
    }
  $unknown{$name} = 1 if !exists $target{$name};
  return $target{$name};
}

# ---- Directives: lists in Tcl's syntax ----------------------------------------

# The words of TEXT: {braced}, "quoted" or bare.
sub words
{
  my ($text) = @_;
  my @words;
  while ($text =~ /\G\s*(?=\S)/gc)
    {
      if ($text =~ /\G(\{(?:[^{}\\]|\\.|(?1))*\})/gcs)
	{
	  push @words, substr $1, 1, -1;
	}
      elsif ($text =~ /\G"((?:[^"\\]|\\.)*)"/gcs)
	{
	  my %c = (n => "\n", r => "\r", t => "\t", "\n" => ' ');
	  (my $w = $1) =~ s/\\(.)/$c{$1} \/\/ $1/gse;
	  push @words, $w;
	}
      else
	{
	  $text =~ /\G(\S+)/gc;
	  push @words, $1;
	}
    }
  return @words;
}

# Value of a selector's expression; words side by side mean "or".
sub selected
{
  my ($text, $test) = @_;
  my @tokens = $text =~ /(\{(?:[^{}]|(?1))*\}|&&|\|\||!|[^\s{}!]+)/g;
  my ($and, $or);
  my $factor = sub {
    my $negate = 0;
    while (@tokens && $tokens[0] eq '!') { shift @tokens; $negate ^= 1; }
    my $t = shift @tokens // '';
    my $v = $t =~ /^\{(.*)\}$/s ? selected ($1, $test)
      : effective ($t, $test) ? 1 : 0;
    return $v != $negate;
  };
  $and = sub {
    my $v = $factor->();
    while (@tokens && $tokens[0] eq '&&')
      { shift @tokens; my $w = $factor->(); $v &&= $w; }
    return $v;
  };
  my $v = $and->();
  while (@tokens)
    {
      shift @tokens if $tokens[0] eq '||';
      my $w = $and->();
      $v ||= $w;
    }
  return $v ? 1 : 0;
}

# Whether an optional last word { target EXPR } (or xfail) holds.
sub applies
{
  my ($selector, $kind, $test) = @_;
  return $kind eq 'target' if !defined $selector;
  return selected ($1, $test) if $selector =~ /^\s*$kind\s+(.*)$/s;
  return $kind eq 'target' && $selector !~ /^\s*target\b/;
}

# dg-skip-if and alike: WHY SELECTOR [{ OPTIONS } [{ EXCEPT }]].
sub condition
{
  my ($test, undef, $selector, $include, $except) = @_;
  my $flags = "$test->{opt} $test->{options} -DACC_MEM_SHARED=0"
    . " -DACC_DEVICE_TYPE_nvidia=1 -foffload=nvptx-none";
  my $matches = sub {
    for my $pattern (words ($_[0]))
      {
	return 1 if $pattern eq '' || $pattern eq '*';
	(my $re = quotemeta $pattern) =~ s/\\\*/.*/g;
	return 1 if $flags =~ /(^|\s)$re(\s|$)/;
      }
    return 0;
  };
  return 0 if !selected ($selector =~ s/^\s*(target|xfail)\s//r, $test);
  return 0 if defined $include && !$matches->($include);
  return 0 if defined $except && $except ne '' && $matches->($except);
  return 1;
}

my %directive = (
  'dg-do' => sub {
    my ($t, $what, $selector) = @_;
    $t->{action} = $what;
    $t->{skip} //= 'not for this target' if !applies ($selector, 'target', $t);
    $t->{xfail} = 1 if applies ($selector, 'xfail', $t);
  },
  'dg-options' => sub {
    my ($t, $options, $selector) = @_;
    return if !applies ($selector, 'target', $t);
    $t->{options} = $options;
    $t->{opt} = '' if $t->{name} !~ /oacc/;
  },
  'dg-additional-options' => sub {
    my ($t, $options, $selector) = @_;
    $t->{more} .= " $options" if applies ($selector, 'target', $t);
  },
  'dg-additional-sources' => sub { $_[0]{sources} = [words ($_[1])]; },
  'dg-require-effective-target' => sub {
    my ($t, $name, $selector) = @_;
    $t->{skip} //= "needs $name"
      if applies ($selector, 'target', $t) && !effective ($name, $t);
  },
  'dg-skip-if' => sub { $_[0]{skip} //= 'skipped' if condition (@_); },
  'dg-xfail-if' => sub { $_[0]{xfail} = 1 if condition (@_); },
  'dg-xfail-run-if' => sub { $_[0]{xfail} = 1 if condition (@_); },
  'dg-shouldfail' => sub {
    my ($t, undef, $selector) = @_;
    $t->{shouldfail} = 1 if !defined $selector || selected ($selector, $t);
  },
  'dg-set-target-env-var' => sub { $_[0]{env}{$_[1]} = $_[2]; },
  'dg-timeout' => sub { $_[0]{timeout} = $_[1]; },
  'dg-output' => sub {
    my ($t, $pattern, $selector) = @_;
    $t->{output} .= $pattern
      if applies ($selector, 'target', $t) && !applies ($selector, 'xfail', $t);
  });

sub slurp
{
  open my $f, '<:raw', $_[0] or return '';
  local $/;
  return <$f> // '';
}

# The test NAME as its directives describe it.
sub read_test
{
  my ($name) = @_;
  my $text = slurp ("$suite/$name");
  die "$suite/$name: cannot be read\n" if $text eq '';
  my %t = (name => $name, action => 'run', opt => $o{opt}, options => '',
	   more => '', sources => [], env => {}, output => '',
	   lang => $name =~ /fortran/ ? 'fortran' : 'c');
  while ($text =~ /\{\s+(dg-[-a-z]+)\s+(.*)\s\}/g)
    {
      my ($what, @args) = ($1, words ($2));
      $directive{$what}->(\%t, @args) if $directive{$what};
    }
  $t{offloads} = $name =~ /oacc/
    || $text =~ /^\s*(?:#\s*pragma|!\$)\s*omp\b.*\btarget\b/mi
    || $text =~ /\bomp_\w*(?:device|target)\w*\s*\(/;
  return \%t;
}

# ---- Building and running -------------------------------------------------------

# Run COMMAND (a list) with output to FILE; its wait status, or -1 after
# SECONDS.
sub run_limited
{
  my ($file, $seconds, $env, @command) = @_;
  my $pid = fork // die "fork: $!";
  if (!$pid)
    {
      POSIX::setsid ();
      open STDIN, '<', '/dev/null';
      open STDOUT, '>', $file or POSIX::_exit (126);
      open STDERR, '>&', \*STDOUT;
      $ENV{$_} = $env->{$_} for keys %$env;
      exec { $command[0] } @command or POSIX::_exit (127);
    }
  my $late = 0;
  local $SIG{ALRM} = sub { $late = 1; kill 'KILL', -$pid; };
  alarm $seconds;
  waitpid $pid, 0;
  my $status = $?;
  alarm 0;
  return $late ? -1 : $status;
}

sub build
{
  my ($t, $dir) = @_;
  my $fortran = $t->{lang} eq 'fortran';
  my $compiler = $fortran ? $ENV{FC} // 'gfortran' : $ENV{CC} // 'gcc';
  my $home = dirname ("$suite/$t->{name}");
  my $oacc = $t->{name} =~ /oacc/;
  # Loaded by programs that use the driver themselves.
  symlink "$home/subr.ptx", "$dir/subr.ptx" if -r "$home/subr.ptx";
  my @flags = ($oacc ? '-fopenacc' : '-fopenmp', '-foffload=nvptx-none',
	       "-I$home", "-I$suite/../../include");
  push @flags, qw(-DACC_DEVICE_TYPE_nvidia=1 -DACC_MEM_SHARED=0) if $oacc;
  push @flags, '-foffload=-lgfortran' if $fortran;
  push @flags, '-foffload=-lm', "-I$cuda/include";
  push @flags, "-L$ENV{EMU_LIBDIR}" if $ENV{EMU_LIBDIR};
  my @command = (split (' ', $compiler), "$suite/$t->{name}",
		 map ({ "$home/$_" } @{$t->{sources}}), @flags,
		 map ({ words ($_) } $t->{opt}, $t->{options}, $t->{more}),
		 split (' ', $o{flags}), '-o', "$dir/program", '-Wl,--no-as-needed', '-lgomp', '-lm');
  chdir $dir or die "$dir: $!";
  return run_limited ("$dir/build.log", 300, {}, @command);
}

# "" when T behaves as it should, else what is wrong.
sub run_test
{
  my ($t, $dir) = @_;
  my $status = build ($t, $dir);
  if ($status)
    {
      my ($why) = slurp ("$dir/build.log") =~ /^(.*\b(?:error|sorry)\b.*)$/m;
      return 'does not compile' . ($why ? ": $why" : '');
    }
  my %env = %{$t->{env}};
  $env{ACC_DEVICE_TYPE} = 'nvidia' if $t->{name} =~ /oacc/;
  # As on the terminal that GCC's harness gives to programs.
  $env{GFORTRAN_UNBUFFERED_PRECONNECTED} = 'y';
  my $limit = $t->{timeout} && $t->{timeout} > $o{timeout}
    ? $t->{timeout} : $o{timeout};
  $status = run_limited ("$dir/run.log", $limit, \%env, split (' ', $o{wrap}),
			 "$dir/program");
  my $output = slurp ("$dir/run.log");
  # What the emulated GPU adds about a fault is not the program's.
  (my $own = $output) =~ s/^accrete-emu: .*\n(?:  .*\n)*//mg;
  return "runs longer than $limit s" if $status == -1;
  return "checker: $1" if $output =~ /^accrete-emu: check: (?!leak|\d+ finding)(.*)/m;
  return 'should fail, but does not' if $t->{shouldfail} && !$status;
  my ($first) = $output =~ /^(\S.*)$/m;
  return ($status & 127 ? 'signal ' . ($status & 127)
			: 'exit status ' . ($status >> 8))
    . ($first ? ": $first" : '') if !$t->{shouldfail} && $status;
  return 'output differs' if $t->{output} ne '' && $own !~ /$t->{output}/s;
  return '';
}

# ---- The whole run -----------------------------------------------------------------

sub candidates
{
  my @found;
  for my $folder (@folders)
    {
      opendir my $d, "$suite/$folder" or die "$suite/$folder: $!\n";
      my $source = $folder =~ /fortran/ ? qr/\.[fF](90|95|03|08)?$/ : qr/\.c$/;
      push @found, map { "$folder/$_" } sort grep { /$source/ } readdir $d;
    }
  return @found;
}

# A choice that depends on the seed alone.
sub sample
{
  my ($n, @list) = @_;
  srand $o{seed};
  for (my $i = @list - 1; $i > 0; $i--)
    {
      my $j = int rand ($i + 1);
      @list[$i, $j] = @list[$j, $i];
    }
  $#list = $n - 1 if @list > $n;
  return sort @list;
}

my %known;
if ($o{known})
  {
    for (split /\n/, slurp ($o{known}))
      {
	$known{$1} = $2 if /^- `?([^\s`:]+)`?: *(.*)/;
	$known{$1} = $2
	  if $ENV{ACCRETE_EMU_CHECK} && /^- ([^\s:]+) \(checker\): *(.*)/;
      }
  }

my @tests = map { read_test ($_) } @names ? @names : candidates ();
@tests = grep { $_->{action} eq 'run' && $_->{offloads} } @tests if !@names;
my @skipped = grep { $_->{skip} } @tests;
@tests = grep { !$_->{skip} } @tests;
if ($o{sample})
  {
    my %by_name = map { $_->{name} => $_ } @tests;
    @tests = map { $by_name{$_} } sample ($o{sample}, keys %by_name
					  ? sort keys %by_name : ());
  }

# Job J runs every JOBS-th test and writes "INDEX REASON" lines.
sub job
{
  my ($j, $out) = @_;
  $out->autoflush (1);
  for (my $i = $j; $i < @tests; $i += $o{jobs})
    {
      (my $dir = "$work/$tests[$i]{name}") =~ s/\.(\w+)$/-$1/;
      make_path ($dir);
      my $reason = run_test ($tests[$i], $dir);
      $reason =~ s/\n/ /g;
      print $out "$i $reason\n";
      chdir '/';
      remove_tree ($dir) if !$o{work};
    }
}

$suite = POSIX::getcwd () . "/$suite" if $suite !~ m{^/};
$work = POSIX::getcwd () . "/$work" if $work !~ m{^/};
my @pipes;
for my $j (0 .. $o{jobs} - 1)
  {
    pipe my $in, my $out or die "pipe: $!";
    my $pid = fork // die "fork: $!";
    if (!$pid)
      {
	close $in;
	job ($j, $out);
	close $out;
	POSIX::_exit (0);
      }
    close $out;
    push @pipes, $in;
  }

my %count = (pass => 0, xfail => 0, fail => 0, known => 0, xpass => 0);
my ($n, @unexpected) = (0);
sub verdict
{
  my ($t, $reason) = @_;
  my $name = $t->{name};
  my $class = $reason eq '' ? ($t->{xfail} ? 'xpass' : 'pass')
    : $t->{xfail} ? 'xfail' : $known{$name} ? 'known' : 'fail';
  $count{$class}++;
  push @unexpected, "$name: is listed, but passes here"
    if $reason eq '' && $known{$name};
  $n++;
  if ($o{tap})
    {
      print $class eq 'fail' ? 'not ok' : 'ok', " $n - $name",
	$class eq 'known' ? " # SKIP $known{$name}" : '', "\n";
      print "# $reason\n" if $class eq 'fail';
    }
  elsif ($class eq 'fail' || $class eq 'known')
    {
      print uc $class, ": $name: $reason\n";
    }
}

$| = 1;
for my $in (@pipes)
  {
    while (<$in>)
      {
	my ($i, $reason) = /^(\d+) (.*)$/ or next;
	verdict ($tests[$i], $reason);
      }
  }
1 while wait != -1;

my $ran = @tests;
my $good = $count{pass} + $count{xfail} + $count{xpass};
my $summary = sprintf "%d run, %d as expected (%.1f%%), %d known failures,"
  . " %d other failures; %d not for this target", $ran, $good,
  $ran ? 100 * $good / $ran : 0, $count{known}, $count{fail},
  scalar @skipped;
print "NOTE: $_\n" for $o{tap} ? () : @unexpected;
print "unknown effective target: $_\n" for $o{tap} ? () : sort keys %unknown;
print $o{tap} ? "1..$n\n# $summary\n" : "$summary\n";
exit ($count{fail} || $n != $ran ? 1 : 0);
