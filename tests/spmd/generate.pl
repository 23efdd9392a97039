#!/usr/bin/perl
# Write a program with random OpenMP or OpenACC regions that check themselves.
#
#   generate.pl --lang=c|cc|f90 --seed=N... [--regions=N]
#		[--model=omp|acc|forkjoin] [--shape=NAME] [--entry=NAME]
#
# With the model "forkjoin", they are OpenMP regions that must not become plain
# kernels.  With an entry, there is a C function of that name and the seed for
# each seed, which returns the status, in a file that goes with others into one
# program; messages about a seed's regions take that name for the file's.  With a
# shape, all regions are such as generate-shapes.pl has under that name, or those of
# generate-block.pl by the name of block; else
# they are any.
#
# A region is a function that runs a loop nest twice, once on the device with
# directives and once on the host without, on copies of the same data, and
# compares everything.  All numbers are small integers, those in floating-point
# variables too, so that the order of a reduction does not matter.
#
# Drawn at random: the form of the directives, how they are spread over lines,
# clauses, number of loops, types of their variables, directions, comparisons,
# steps, bounds (none, one and many iterations; constants and variables), how
# data is mapped, and what the body does.  The same seed gives the same program.
#
# SPDX-License-Identifier: GPL-3.0-or-later
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/..";
use Fold;
use Getopt::Long;

my %o = (lang => 'c', seed => [], regions => 25, model => 'omp', shape => '',
	 entry => '');
GetOptions (\%o, qw(lang=s seed=i@ regions=i model=s shape=s entry=s)) && !@ARGV
  && ($o{entry} || @{$o{seed}} < 2)
  && $o{lang} =~ /^(c|cc|f90)$/ && $o{model} =~ /^(omp|acc|forkjoin)$/
  or die "usage: generate.pl --lang=c|cc|f90 --seed=N... [--regions=N]"
  . " [--model=omp|acc|forkjoin] [--shape=NAME] [--entry=NAME]\n";
our $language = $o{lang};
our $fortran = $language eq 'f90';
our $acc = $o{model} eq 'acc';
# What directives begin with.
my $api = $acc ? 'acc' : 'omp';
# Fortran's names are global ones.
my @seeds = @{$o{seed}} ? @{$o{seed}} : 1;
my $unit = $o{entry} ? "$o{entry}$seeds[0]_" : '';

sub pick { return $_[rand @_] }
sub chance { return rand () < $_[0] }
sub between { my ($low, $high) = @_; return $low + int rand ($high - $low + 1) }

# ---- Data -------------------------------------------------------------------

# Elements of each array; no region has more iterations.
our $size = 4096;
# Name, type, is it only read?
my @arrays = (
  [qw(in0 int 1)], [qw(in1 int 1)], [qw(x0 double 1)], [qw(x1 double 1)],
  [qw(o0 int 0)], [qw(o1 int 0)], [qw(o2 int 0)], [qw(d0 double 0)],
  [qw(f0 float 0)], [qw(hist int 0)], [qw(zero int 1)]);
my %fortran_type = (int => 'integer(4)', double => 'real(8)',
		    float => 'real(4)', long => 'integer(8)',
		    short => 'integer(2)', unsigned => 'integer(4)',
		    'long long' => 'integer(8)', logical => 'logical');

# The region in work.
our %r;
require "$FindBin::Bin/generate-shapes.pl";
require "$FindBin::Bin/generate-block.pl";

# ---- Forms ------------------------------------------------------------------

# Directive, may it be split after the target, what it has: t(eams),
# d(istribute), p(arallel), f(or), s(imd), l(oop).
my @forms = (
  ['teams distribute parallel for', 'tdpf'],
  ['teams distribute parallel for', 'tdpf'],
  ['teams distribute parallel for simd', 'tdpfs'],
  ['teams distribute', 'td'],
  ['teams distribute simd', 'tds'],
  ['parallel for', 'pf'],
  ['parallel for simd', 'pfs'],
  ['simd', 's'],
  ['teams loop', 'tl'],
  ['parallel loop', 'pl']);
# OpenACC's: one directive for all loops, or one for each.
my @acc_forms = (['collapse', 'a'], ['each', 'a'], ['each', 'a']);

my @c_types = ('int', 'int', 'unsigned', 'long', 'unsigned long', 'short',
	       'unsigned char', 'signed char', 'long long');
my @f_types = ('int', 'int', 'long', 'short');

# A loop with variable NAME and at most MOST iterations.
sub draw_loop
{
  my ($name, $most) = @_;
  my %l = (var => $name, type => $fortran ? pick (@f_types) : pick (@c_types));
  my $narrow = $l{type} =~ /char/;
  $most = 20 if $narrow && $most > 20;
  $l{trips} = chance (0.04) ? 0 : chance (0.05) ? 1 : between (1, $most);
  # GCC 12 breaks down over other steps of simd loops in Fortran.
  $l{step} = chance (0.5) || ($fortran && $r{has} =~ /[sl]/) ? 1
    : between (2, 5);
  $l{down} = chance (0.35);
  # The first value, the last one and one past it stay in the type's range.
  my $way = $l{trips} * $l{step};
  my $low = $l{type} =~ /unsigned/ ? between (6, 30) : between (-25, 25);
  $l{first} = $l{down} ? $low + $way : $low;
  # What the bound leaves over of the last step.
  my $slack = $l{step} > 1 ? between (0, $l{step} - 1) : 0;
  my $cmp = pick ('<', '<=', $l{step} == 1 && !$acc ? '!=' : '<');
  $cmp = '<' if $l{trips} == 0;
  my $end = $way - $slack;		# exclusive distance
  $end = 0 if $end < 0;
  $end -= 1 if $cmp eq '<=' || $fortran;
  $l{last} = $l{down} ? $l{first} - $end : $l{first} + $end;
  $cmp =~ tr/</>/ if $l{down};
  $l{cmp} = $cmp;
  # Which of first, last and step are variables.
  $l{symbolic} = [map { chance (0.5) } 1 .. 3];
  $l{symbolic}[2] = 0 if $fortran && $r{has} =~ /[sl]/;
  # GCC 12 breaks down over loops of constants without optimization.
  $l{symbolic}[1] = 1 if $acc;
  # The last one is less by a variable.
  $l{gap} = between (1, 5)
    if $acc && !$fortran && $l{type} !~ /char/ && chance (0.3);
  return \%l;
}

# ---- Text in both languages -------------------------------------------------

# An element of an array or a scalar; the device's or the host's.
sub at { my ($array, $index) = @_;
	 return $fortran ? "\@$array\@($index)" : "\@$array\@[$index]" }
sub rest { my ($a, $b) = @_;
	   return $fortran ? "mod($a, $b)" : "($a) % $b" }
sub set { my ($to, $value) = @_; return $fortran ? "$to = $value"
					       : "$to = $value;" }
sub when
{
  my ($condition, @then) = @_;
  return $fortran ? ("if ($condition) then", @then, 'end if')
		  : ("if ($condition)", '{', @then, '}');
}
sub equal { return $fortran ? "$_[0] == $_[1]" : "$_[0] == $_[1]" }

# A directive.
sub omp { return ($fortran ? '!$' : '#pragma ') . "$api $_[0]" }

# LINES on the device as the construct DIRECTIVE, on the host without it.
sub construct
{
  my ($directive, @lines) = @_;
  (my $name = $directive) =~ s/ *(\w+ *\(.*|nowait.*)//;
  return ('#' . omp ($directive), $fortran ? () : '{', @lines,
	  $fortran ? '#' . omp ("end $name") : '}');
}

# ---- Bodies -----------------------------------------------------------------


# Operators of reductions that Fortran calls otherwise.
my %in_fortran = ('&' => 'iand', '|' => 'ior', '^' => 'ieor',
		  '&&' => '.and.', '||' => '.or.');

# Statements that set element P of some array, for different P different ones.
my %statement = (
  plain => sub {
    my $c = between (1, 9);
    return set (at ('o0', 'p'), at ('in0', 'p') . " * $c + $r{loops}[0]{var}");
  },
  gather => sub {
    my ($k, $c) = (pick (1, 3, 5, 7), between (0, 100));
    return set (at ('o1', 'p'),
		at ('in1', rest ("p * $k + $c", $size)) . " + sc");
  },
  branch => sub {
    return when (equal (rest (at ('in1', 'p'), 3), between (0, 2)),
		 set (at ('o2', 'p'), at ('in0', 'p') . ' + 11'));
  },
  double => sub {
    my $k = pick (1, 9, 25);
    return set (at ('d0', 'p'), at ('x0', 'p') . ' * 3 + '
		. at ('x1', rest ("p * $k + 1", $size)));
  },
  float => sub {
    return set (at ('f0', 'p'), at ('f0', 'p') . ' + ' . at ('in1', 'p'));
  },
  private => sub {
    $r{private} = 1;
    return (set ('t', at ('in0', 'p') . ' + 1'),
	    set (at ('o2', 'p'), 't * t + ' . at ('o2', 'p')));
  },
  root => sub {
    my $x = at ('x0', 'p');
    return set (at ('d0', 'p'), "sqrt ($x * $x) - 1");
  },
  inner => sub {
    my $n = between (0, 6);
    $r{inner} = 1;
    my @loop = $fortran ? ("do q = 0, $n - 1") : ("for (q = 0; q < $n; q++)");
    unshift @loop, '#' . omp ('loop seq') if $acc && chance (0.5);
    return (set ('s', 0), @loop,
	    set ('s', 's + ' . at ('in0', rest ('p + q', $size)) . ' * q'),
	    $fortran ? 'end do' : (), set (at ('o1', 'p'), 's'));
  },
  local => sub {
    $r{array} = 1;
    return (set ($fortran ? 'w(0)' : 'w[0]', at ('in1', 'p')),
	    set ($fortran ? 'w(1)' : 'w[1]', 7),
	    set ($fortran ? 'w(2)' : 'w[2]', 'sc'),
	    set (at ('o2', 'p'),
		 $fortran ? 'w(int(mod(p, 3_8)))' : 'w[p % 3]'));
  },
  atomic => sub {
    return () if $r{has} =~ /l/;
    return ('#' . omp ('atomic'),
	    set (at ('hist', rest (at ('in1', 'p'), 8)),
		 at ('hist', rest (at ('in1', 'p'), 8)) . ' + '
		 . at ('in0', 'p')));
  },
  capture => sub {
    return () if $fortran || $r{has} =~ /l/;
    return ('{ int got;', '#' . omp ('atomic capture'),
	    '{ got = @hist@[9]; @hist@[9] += 2; }',
	    # Distinct and even, so that the sum is known.
	    '#' . omp ('atomic'), '@hist@[10] += got; }');
  },
  skip => sub {
    my $condition = equal (rest (at ('in1', 'p'), 5), between (0, 4));
    return $fortran ? "if ($condition) cycle" : "if ($condition) continue;";
  },
  call => sub {
    return set (at ('o0', 'p'),
		$fortran ? 'twice (@in0@(p)) + 1' : 'twice (@in0@[p]) + 1');
  },
  frame => sub {
    my $value = $fortran ? 'middle (@in0@(p), @in1@(p), t0)'
      : 'middle (@in0@[p], @in1@[p], sc)';
    $value =~ s/t0/sc/;
    return set (at ('o2', 'p'), at ('o2', 'p') . " + $value");
  },
  bins => sub {
    return () if $acc || $r{bins} || $r{has} =~ /^s|l/
      || ($fortran && $r{has} =~ /s/);
    my ($op, $value) = @{pick (['+', at ('in0', 'p')], ['max', at ('in1', 'p')],
			       ['^', 'p'], ['-', at ('in1', 'p')])};
    $op = '+' if $fortran && $op ne 'max';
    $value = "int ($value)" if $fortran;
    $r{bins} = 1;
    my $range = $fortran || chance (0.5) ? '' : '[:7]';
    push @{$r{clauses}}, 'reduction ('
      . ($fortran ? $in_fortran{$op} // $op : $op) . ": \@bins\@$range)";
    my $e = at ('bins', rest ('p', 7));
    $e = '@bins@(int (mod (p, 7_8)))' if $fortran;
    return $fortran ? $op eq 'max' ? "$e = max ($e, $value)"
				   : "$e = $e + $value"
      : $op eq 'max' ? "$e = $e > $value ? $e : $value;" : "$e $op= $value;";
  },
  simd => sub {
    return () if $fortran || $r{has} =~ /[sla]/;
    return ('{ int s2 = 0;', '#' . omp ('simd reduction (+: s2)'),
	    'for (int u = 3; u >= 0; u--)', 's2 += u * @in0@[p];',
	    '@o1@[p] = s2; }');
  },
  # A variable whose address the program has taken.
  lent => sub {
    return () if $fortran || !$acc;
    return ('lent = @in0@[p] + 2;', '@o1@[p] += lent * lent;');
  },
  # What a bound is, once more.
  again => sub {
    my ($gapped) = grep { $r{loops}[$_]{gap} } 0 .. $#{$r{loops}};
    return () if !defined $gapped;
    return "\@o0\@[p] += (int) (last$gapped - gap$gapped);";
  },
  # Functions without a directive.
  bare => sub {
    return () if $o{lang} ne 'cc' || !$acc;
    return '@o2@[p] += larger (@in0@[p], @in1@[p]) + (couple (1, @in0@[p])'
      . ' + couple (@in1@[p], 2)).both ();';
  },
  asks => sub {
    return () if $fortran || $r{has} =~ /[sla]/;
    my $limit = $r{thread_limit} ? "|| omp_get_num_threads () > $r{thread_limit}"
      : '';
    $limit .= "|| omp_get_num_teams () > $r{num_teams}" if $r{num_teams};
    $r{asks} = 1;
    return ("\%if (omp_get_thread_num () >= omp_get_num_threads ()",
	    "\%|| omp_get_team_num () >= omp_get_num_teams () $limit)",
	    '#' . omp ('atomic'), '%@hist@[20] += 1;');
  });

# Operator, kind of type, initial value, what is combined; C and Fortran.
my @reductions = (
  ['+', 'any', 3, at ('in0', 'p')],
  ['+', 'any', 0, rest (at ('in1', 'p'), 10)],
  ['-', 'any', 100, at ('in1', 'p')],
  ['max', 'any', -5, at ('in0', 'p') . ' - 20'],
  ['min', 'any', 70, at ('in1', 'p') . ' - 30'],
  ['*', 'exact', 1, rest (at ('in0', 'p'), 2) . ' + 1'],
  ['&', 'integer', -1, at ('in0', 'p') . ' + 4095'],
  ['|', 'integer', 0, at ('in1', 'p')],
  ['^', 'integer', 5, at ('in0', 'p')],
  ['&&', 'truth', 1, at ('in0', 'p') . ' >= 0'],
  ['||', 'truth', 0, at ('in1', 'p') . ' < 0']);
sub combine
{
  my ($op, $name, $value) = @_;
  my $v = "\@$name\@";
  if ($fortran)
    {
      my $f = $in_fortran{$op} // $op;
      return $f =~ /^[a-z]/ ? "$v = $f ($v, $value)" : "$v = $v $f ($value)";
    }
  return "$v = $v > $value ? $v : $value;" if $op eq 'max';
  return "$v = $v < $value ? $v : $value;" if $op eq 'min';
  return "$v = $v $op ($value);";
}

sub draw_reduction
{
  my ($name) = @_;
  my ($op, $kind, $start, $value) = @{pick (@reductions)};
  return () if $fortran && $op eq '-';
  my $type = $kind eq 'any' ? pick ('int', 'long', 'float', 'double', 'short')
    : $kind eq 'integer' ? pick ('int', 'long', $fortran ? () : 'unsigned char')
    : $kind eq 'truth' ? ($fortran ? 'logical' : pick ('int', 'signed char'))
    : 'double';
  # A product of more than 50 factors 2 is not exact as an integer.
  $type = 'double' if $op eq '*';
  if ($fortran)
    {
      $start = $start ? '.true.' : '.false.' if $kind eq 'truth';
      $value = "int ($value, 8)" if $type eq 'long';
      $value = "int ($value, 2)" if $type eq 'short';
      $value = "real ($value, 4)" if $type eq 'float';
      $value = "real ($value, 8)" if $type eq 'double';
    }
  push @{$r{scalars}}, [$name, $type, $start];
  push @{$r{clauses}}, 'reduction (' . ($fortran ? $in_fortran{$op} // $op
					 : $op) . ": \@$name\@)";
  return combine ($op, $name, $value);
}

# ---- Regions ----------------------------------------------------------------

sub draw_clauses
{
  my $has = $r{has};
  my @c;
  if ($acc)
    {
      push @c, 'num_gangs (' . between (2, 40) . ')' if chance (0.15);
      push @c, 'num_workers (' . between (1, 5) . ')' if chance (0.15);
      push @c, 'vector_length (' . pick (32, 64, 128) . ')' if chance (0.15);
      push @c, 'if (' . pick (0, 1) . ')' if chance (0.1) && !$fortran;
      push @c, 'async (1)' if chance (0.1);
      return @c;
    }
  if ($has =~ /t/ && chance (0.3))
    {
      $r{num_teams} = between (1, 5);
      push @c, "num_teams (" . pick ($r{num_teams}, "0 + $r{num_teams}") . ")";
    }
  if ($has =~ /t/ && $has !~ /l/ && chance (0.3))
    {
      $r{thread_limit} = between (1, 50);
      push @c, "thread_limit ($r{thread_limit})";
    }
  if ($has =~ /pf/)
    {
      push @c, 'num_threads (' . between (1, 9) . ')' if chance (0.25);
      push @c, 'if (parallel: ' . pick (0, 1) . ')'
	if chance (0.15) && !$fortran;
      push @c, 'schedule (' . pick ('static', 'static, 1', 'static, 3',
				    'dynamic', 'dynamic, 4', 'guided',
				    'auto') . ')' if chance (0.35);
    }
  push @c, 'dist_schedule (static, ' . between (1, 20) . ')'
    if $has =~ /d/ && chance (0.2);
  push @c, 'device (0)' if chance (0.05) && $has =~ /^[tp]/;
  push @c, 'order (concurrent)' if chance (0.05) && $has =~ /l/;
  push @c, 'simdlen (4)' if chance (0.2) && $has =~ /s/;
  return @c;
}

sub mapping
{
  my @names = map { $_->[0] } @arrays;
  my $how = pick ('array', 'section', 'implicit');
  return '' if $how eq 'implicit' && !$r{pointers};
  my @to = grep { /^(in|x|z)/ } @names;
  my @both = grep { !/^(in|x|z)/ } @names;
  my $range = $fortran ? '(0:' . ($size - 1) . ')' : "[0:$size]";
  my $text = $how eq 'section' || $r{pointers} ? $range : '';
  return 'copyin (' . join (', ', map { "$_$text" } @to) . ') copy ('
    . join (', ', map { "$_$text" } @both) . ')' if $acc;
  return 'map (to: ' . join (', ', map { "$_$text" } @to)
    . ') map (tofrom: ' . join (', ', map { "$_$text" } @both) . ')';
}

# The position P of an iteration.
sub position
{
  my @terms;
  my $count = 1;
  for my $l (reverse @{$r{loops}})
    {
      my $way = $l->{down} ? "$l->{first} - $l->{var}" : "$l->{var} - ($l->{first})";
      $way = "$l->{first} - int ($l->{var}, 8)" if $fortran && $l->{down};
      $way = "int ($l->{var}, 8) - ($l->{first})" if $fortran && !$l->{down};
      $way = $l->{down} ? "$l->{first}L - (long) $l->{var}"
	: "(long) $l->{var} - ($l->{first})" if !$fortran;
      push @terms, "(($way) / $l->{step}) * $count";
      $count *= $l->{trips} || 1;
    }
  return join (' + ', @terms);
}

sub loop_text
{
  my ($l, $k, $declare) = @_;
  my @b = ($l->{first}, $l->{last}, $l->{step});
  my @names = ("first$k", "last$k", "step$k");
  $b[$_] = $l->{symbolic}[$_] ? $names[$_] : $b[$_] for 0 .. 2;
  $b[1] .= " - gap$k" if $l->{gap};
  # Not a value that is known before the loop around it.
  $b[1] .= ' + ' . at ('zero', $fortran ? "iand (int ($l->{around}, 4), 7)"
		       : "(int) $l->{around} & 7") if $l->{around};
  return "do $l->{var} = $b[0], $b[1], " . ($l->{down} ? "-$b[2]" : $b[2])
    if $fortran;
  my $sign = $l->{down} ? '-' : '+';
  my $step = $l->{step} == 1 && !$l->{symbolic}[2] ? "$l->{var}$sign$sign"
    : "$l->{var} $sign= $b[2]";
  # With != the step must be seen to be 1.
  $step = "$l->{var}$sign$sign" if $l->{cmp} eq '!=';
  return 'for (' . ($declare ? "$l->{type} " : '')
    . "$l->{var} = $b[0]; $l->{var} $l->{cmp} $b[1]; $step)";
}

# The lines of one run; the host's without directives and with its own data.
# % begins a line for the device, ^ one for the host.
sub run_text
{
  my ($host, @lines) = @_;
  my @out;
  for (@lines)
    {
      my $line = $_;
      next if $line =~ ($host ? qr/^%/ : qr/^\^/);
      $line =~ s/^[%^]//;
      # A directive within the body.
      if ($line =~ s/^#(?=[#!{}])//)
	{
	  next if $host;
	}
      my $prefix = $host ? 'h_' : '';
      $line =~ s/@(\w+)@/$prefix$1/g;
      push @out, $line;
    }
  return @out;
}

# The levels of N nested OpenACC loops.
sub draw_levels
{
  my ($n) = @_;
  return pick ('', 'gang', 'gang vector', 'gang worker vector', 'independent',
	       'vector', 'worker') if $n == 1;
  return @{pick (['gang', 'vector'], ['gang worker', 'vector'], ['', ''],
		 ['gang', 'worker vector'], ['gang vector', 'seq'],
		 ['independent', 'independent'], ['gang', ''])} if $n == 2;
  return @{pick (['gang', 'worker', 'vector'], ['', '', ''],
		 ['gang', 'vector', 'seq'], ['gang', 'seq', 'vector'])};
}

# The same without a loop that is shared out.
sub acc_alone
{
  my ($loop, $body, $region) = @_;
  my @clauses = grep { !/^(num_|vector_length)/ } @$region;
  push @clauses, 'num_gangs (1)' if chance (0.7);
  my @seq = chance (0.5) ? '#' . omp ('loop seq') : ();
  return ('#' . omp ("parallel @clauses"), $fortran ? () : '#{', @seq, @$loop,
	  $fortran ? () : '{', @$body, $fortran ? () : '}',
	  $fortran ? map { 'end do' } @$loop : '#}',
	  $fortran ? '#' . omp ('end parallel') : (),
	  (grep { /async/ } @clauses) ? '#' . omp ('wait') : ());
}

# An OpenACC nest of loops LOOP around BODY; clauses of the region, of all its
# loops, and of the innermost.
sub acc_nest
{
  my ($form, $loop, $body, $region, $clauses, $inner) = @_;
  return acc_alone ($loop, $body, $region) if !@$clauses && chance (0.07);
  my $n = $form eq 'collapse' ? 1 : @$loop;
  my @levels = draw_levels ($n);
  @levels = ('gang', '', '')[0 .. $n - 1] if grep { /num_gangs/ } @$region;
  my @directives = map { "loop $levels[$_] @$clauses" } 0 .. $n - 1;
  $directives[-1] .= " @$inner";
  $directives[0] .= ' collapse (' . @$loop . ')' if $n < @$loop;
  my @lines = chance (0.7)
    ? ('#' . omp ("parallel $directives[0] @$region"))
    : ('#' . omp ("parallel @$region"), $fortran ? () : '#{',
       '#' . omp ($directives[0]));
  my $block = $lines[0] !~ /parallel loop/;
  my @end;
  for (0 .. $#$loop)
    {
      push @lines, '#' . omp ($directives[$_]) if $_ && $n > 1;
      push @lines, $loop->[$_];
      unshift @end, $fortran ? 'end do' : ();
      next if $_ == $#$loop || $n == 1 || $fortran || chance (0.5);
      # Something between the loops.
      push @lines, '{', "long between$_ = (long) v" . ($_ + 1) . ' * 3 + sc;';
      unshift @end, '}';
      $body = [@$body, "\@o0\@[p] += (int) (between$_ % 3);"];
    }
  return (@lines, $fortran ? () : '{', @$body, $fortran ? () : '}', @end,
	  $block && !$fortran ? '#}' : $block ? '#' . omp ('end parallel') : (),
	  (grep { /async/ } @$region) ? '#' . omp ('wait') : ());
}

# A loop over teams around loops over threads, and statements between them.
sub draw_split
{
  my ($k) = @_;
  my ($rows, $columns) = (between (0, 40), between (0, 60));
  %r = (has => 'td', scalars => [], clauses => [], loops => []);
  my @outer = grep { !/^(if|schedule|num_threads)/ } draw_clauses ();
  my @inner = chance (0.3) ? ('num_threads (' . between (1, 40) . ')') : ();
  push @inner, 'schedule (static, ' . between (1, 9) . ')' if chance (0.2);
  push @inner, 'if (row % 3)' if chance (0.15);
  my $simd = chance (0.3) ? ' simd' : '';
  my $ifdef = chance (0.3) ? 'if (@in1@[row] % 3)' : '';
  my (@before, @after, @more);
  push @before, 'int first = @in0@[row] + row;';
  push @before, '@o1@[row] += 5;' if chance (0.5);
  push @before, 'int sum = 3;';
  push @before, 'while (first % 7) first++;' if chance (0.3);
  push @inner, 'reduction (+: sum)';
  push @after, '@d0@[row] = sum + first;' if chance (0.8);
  push @after, '@o1@[row] += @o0@[row * ' . $columns . '];' if chance (0.3);
  if (chance (0.4))
    {
      @more = ('#' . omp ('parallel for'), "for (int j = 0; j < $columns; j++)",
	       "\@o2\@[row * $columns + j] = \@o0\@[row * $columns + $columns"
	       . ' - 1 - j] * 2;');
    }
  if (chance (0.4))
    {
      push @{$r{scalars}}, ['all', 'long', 2];
      push @outer, 'reduction (+: @all@)';
      push @after, '@all@ += sum % 100;';
    }
  my @scalars = map { '@' . $_->[0] . '@' } @{$r{scalars}};
  my $map = mapping ();
  $map .= ' map (tofrom: ' . join (', ', @scalars) . ')' if @scalars;
  my @lines = ('#' . omp ("target teams distribute @outer $map"),
	       chance (0.5) ? "for (int row = 0; row < $rows; row++)"
	       : "for (long row = $rows; row-- > 0;)");
  $lines[1] = "for (long row = $rows - 1; row >= 0; row -= 1)"
    if $lines[1] =~ /--/;
  # A test that leaves out whole rows.
  push @lines, 'if (@in0@[row] % 3 == 1)' if chance (0.35);
  push @lines, '{', @before, $ifdef, '{',
    '#' . omp ("parallel for$simd @inner"),
    "for (int j = 0; j < $columns; j++)", '{',
    "\@o0\@[row * $columns + j] = \@in1\@[row * $columns + j] * first;",
    "sum += \@in0\@[row * $columns + j];", '}', '}', @more, @after, '}';
  my @device = run_text (0, @lines);
  my @host = run_text (1, @lines);
  return { k => $k, device => \@device, host => \@host, outside => 0, %r };
}

# ---- Regions that keep the fork-join form ----

# Each: [constructs around the loop, from outside; what is added to its body;
# what stands in front of it].
my %forkjoin = (
  # Teams do not exclude each other.
  critical => sub {
    return (['target parallel for'],
	    [construct ('critical', add_to (12, at ('in0', 'p')))], []);
  },
  ordered => sub {
    my $e = at ('hist', 13);
    return (['target parallel for ordered'],
	    [construct ('ordered', set ($e, rest ("$e * 3", 1009) . ' + '
						. at ('in0', 'p')))], []);
  },
  # (GCC 12's tasks may wait for ever on the device.)
  taskwait => sub {
    return (['target teams distribute parallel for'],
	    ['#' . omp ('taskwait')], []);
  },
  nested => sub {
    return (['target teams distribute parallel for'],
	    ['#' . omp ('parallel num_threads (2)'), $fortran ? () : '{',
	     '#' . omp ('single'), $fortran ? () : '{',
	     set (at ('o2', 'p'), at ('o2', 'p') . ' + 9'),
	     $fortran ? ('#' . omp ('end single'), '#' . omp ('end parallel'))
	     : ('}', '}')], []);
  },
  sections => sub {
    return (['target parallel', 'for'], [],
	    ['#' . omp ('sections'), $fortran ? () : '#{',
	     '#' . omp ('section'), add_to (17, 2),
	     '#' . omp ('section'), add_to (18, 5),
	     $fortran ? '#' . omp ('end sections') : '#}']);
  },
  recursion => sub {
    return (['target teams distribute parallel for'],
	    [set (at ('o2', 'p'), at ('o2', 'p') . ' + '
		  . 'ladder (@in0@[p] % 5)')], []);
  });
# The same, which become SPMD kernels of one block.
my %together = (
  single => sub {
    return (['target parallel', 'for'], [],
	    [construct ('single', add_to (14, 3))]);
  },
  master => sub {
    return (['target parallel', 'for'], [],
	    [construct ('master', add_to (15, 4)), '#' . omp ('barrier')]);
  });

sub add_to
{
  my ($place, $value) = @_;
  return set (at ('hist', $place), at ('hist', $place) . " + $value");
}

sub draw_around
{
  my ($k, %around) = @_;
  %r = (has => 'tdpf', scalars => [], clauses => []);
  # nvptx has no aliases, which recursive functions of modules become.
  my $kind = pick (grep { !$fortran || $_ ne 'recursion' } sort keys %around);
  $r{loops} = [draw_loop ('v1', pick (10, 100, 400))];
  my ($around, $added, $front) = $around{$kind}->();
  $r{has} = 'pf' if $around->[0] !~ /teams/;
  # GCC 12 takes a step down in unsigned ordered loops for a large one up.
  $r{loops}[0]{type} = 'int' if $kind eq 'ordered';
  # No questions about threads, and nothing that counts as a directive's.
  my @kinds = qw(plain gather branch double float root call frame);
  my @body = map { $statement{$_}->() }
    map { pick (@kinds) } 1 .. between (1, 3);
  my @private = $fortran ? 'private (p)' : ();
  my $map = mapping ();
  my @lines;
  my @end;
  for my $i (0 .. $#$around)
    {
      my $name = $around->[$i];
      my $loop = $name =~ /for/;
      $name =~ s/\bfor\b/do/ if $fortran;
      my $text = $name;
      $text .= " @private" if $i == $#$around && $name ne 'target';
      $text .= " $map" if !$i;
      push @lines, '#' . omp ($text);
      push @lines, '#{' if !$fortran && !$loop;
      unshift @end, $fortran ? '#' . omp ("end $name") : '#}' if !$loop;
      push @lines, @$front if !$i;
    }
  my @nest = (loop_text ($r{loops}[0], 0, !$fortran),
	      $fortran ? 'p = ' . position ()
	      : ('{', 'long p = ' . position () . ';'),
	      @body, @$added, $fortran ? 'end do' : '}');
  my @device = run_text (0, @lines, @nest, @end);
  my @host = run_text (1, @lines, @nest, @end);
  return { k => $k, outside => $fortran, device => \@device, host => \@host,
	   %r };
}

sub draw_region
{
  my ($k) = @_;
  return draw_around ($k, %forkjoin) if $o{model} eq 'forkjoin';
  return draw_around ($k, %together) if !$acc && !$o{shape} && chance (0.03);
  return draw_block ($k)
    if !$acc && !$fortran
       && ($o{shape} ? $o{shape} eq 'block' : chance (0.15));
  return draw_shape ($k, $o{shape}) if $o{shape} || chance (0.4);
  return draw_split ($k) if !$acc && !$fortran && chance (0.15);
  my ($directive, $has) = @{$acc ? pick (@acc_forms) : pick (@forms)};
  my $split = chance (0.2);
  my $depth = pick (1, 1, 1, 2, 2, 3);
  %r = (has => $has, scalars => [], clauses => []);
  my $most = $depth == 1 ? pick (10, 100, 1500) : $depth == 2 ? 30 : 9;
  $r{loops} = [map { draw_loop ("v$_", $most) } 1 .. $depth];
  $r{pointers} = !$fortran && chance (0.4);
  my @clauses = draw_clauses ();
  my @kinds = sort keys %statement;
  my @body = map { $statement{$_}->() }
    map { pick (@kinds) } 1 .. between (1, 4);
  @body = $statement{plain}->() if !@body;
  push @body, draw_reduction ("red$_") for 1 .. ($has =~ /^s|l/ ? 0
						 : pick (0, 0, 1, 1, 2, 3));
  # Whether a variable declared outside is the loop's.
  my $outside = $fortran || chance (0.3);
  # Without an iteration there is no last value.
  if ($has !~ /[la]/ && chance (0.25) && $has ne 's'
      && !grep { !$_->{trips} } @{$r{loops}})
    {
      push @{$r{scalars}}, ['last', 'long', -1];
      push @{$r{clauses}}, 'lastprivate (@last@)';
      # Before anything may skip it.
      unshift @body, set ('@last@', $fortran ? 'p * 3' : 'p * 3');
    }
  push @clauses, "collapse ($depth)" if $depth > 1 && !$acc;
  push @clauses, @{$r{clauses}} if !$acc;
  my @private;
  push @private, 't' if $r{private};
  push @private, 'q', 's' if $r{inner};
  push @private, 'p' if $fortran;
  push @private, 'w' if $r{array} && $fortran;
  # GCC wants a loop directive's private variables on it.
  my $own_privates = $has =~ /l/ && !$fortran ? [] : \@private;
  push @clauses, 'private (' . join (', ', @$own_privates) . ')'
    if @$own_privates && !$acc;
  push @clauses, 'firstprivate (sc)' if chance (0.3) && $has !~ /l|^s/;
  my $map = mapping ();
  my @scalars = map { '@' . $_->[0] . '@' } @{$r{scalars}};
  push @scalars, '@bins@' if $r{bins};
  $map .= ($acc ? ' copy (' : ' map (tofrom: ') . join (', ', @scalars) . ')'
    if @scalars;

  $directive =~ s/\bfor\b/do/ if $fortran;
  my @lines;
  if ($split && $has =~ /^t/ && !$fortran)
    {
      # The target and teams constructs alone, with their clauses.
      my @outer = grep { /^(num_teams|thread_limit)/ } @clauses;
      my @device = grep { /^device/ } @clauses;
      my @inner = grep { !/^(num_teams|thread_limit|device)/ } @clauses;
      (my $rest = $directive) =~ s/^teams //;
      push @outer, grep { /^reduction/ } @inner;
      @inner = grep { !/^reduction/ } @inner if $has eq 'td';
      @lines = ('#' . omp ("target @device $map"),
		'#' . omp ("teams @outer"), '#' . omp ("$rest @inner"));
    }
  else
    {
      @lines = ('#' . omp ("target $directive @clauses $map"));
    }

  my @loop;
  my $i = 0;
  $r{loops}[1]{around} = 'v1'
    if $acc && $depth > 1 && $directive eq 'each' && chance (0.15);
  push @loop, loop_text ($_, $i++, !$outside) for @{$r{loops}};
  my @top = $fortran ? 'p = ' . position () : 'long p = ' . position () . ';';
  push @top, 'int t;' if $r{private} && !$fortran && !@$own_privates;
  push @top, 'int q, s;' if $r{inner} && !$fortran && !@$own_privates;
  push @top, 'int w[3];' if $r{array} && !$fortran;
  my @nest = (@loop, $fortran ? () : '{', @top, @body,
	      $fortran ? map { 'end do' } @loop : '}');
  @lines = () if $acc;
  @nest = acc_nest ($directive, \@loop, [@top, @body], [@clauses, $map],
		    $r{clauses},
		    @$own_privates
		    ? ['private (' . join (', ', @$own_privates) . ')'] : [])
    if $acc;
  my @device = run_text (0, @lines, @nest);
  my @host = run_text (1, @lines, @nest);
  return { k => $k, outside => $outside, device => \@device, host => \@host,
	   %r };
}

# ---- Programs ---------------------------------------------------------------

sub c_region
{
  my ($g) = @_;
  my @out = ('', @{$g->{before} // []}, "static void region$g->{k} (int sc)",
	     '{', 'start ();');
  my $i = 0;
  for my $l (@{$g->{loops}})
    {
      my $gap = $l->{gap} // 0;
      my @b = ([first => $l->{first}], [last => $l->{last} + $gap],
	       [step => $l->{step}]);
      push @out, "int gap$i = (int) opaque ($gap);" if $gap;
      for (0 .. 2)
	{
	  push @out, "$l->{type} $b[$_][0]$i = opaque ($b[$_][1]);"
	    if $l->{symbolic}[$_];
	}
      push @out, "$l->{type} $l->{var};" if $g->{outside};
      $i++;
    }
  push @out, 'int t = 1, q = 0, s = 0; (void) t; (void) q; (void) s;';
  push @out, 'int lent; (void) lent; set_to_two (&lent);' if $acc;
  if ($g->{pointers})
    {
      for (@arrays)
	{
	  my ($name, $type) = @$_;
	  push @out, "$type *$name = ::$name;" if $o{lang} eq 'cc';
	  push @out, "$type *$name = all_$name ();" if $o{lang} eq 'c';
	}
    }
  push @out, "$_->[1] $_->[0] = $_->[2], h_$_->[0] = $_->[2];"
    for @{$g->{scalars}};
  push @out, 'int bins[7] = { 9, 40, 1 }, h_bins[7] = { 9, 40, 1 };'
    if $g->{bins};
  push @out, @{$g->{declare} // []}, @{$g->{device}}, @{$g->{host}};
  push @out, "compare ($g->{k}, \"$_\", $_, h_$_);" for @{$g->{compare} // []};
  push @out, 'for (int i = 0; i < 7; i++)',
    "compare ($g->{k}, \"bins\", bins[i], h_bins[i]);" if $g->{bins};
  push @out, "compare ($g->{k}, \"$_->[0]\", $_->[0], h_$_->[0]);"
    for @{$g->{scalars}};
  return (@out, "finish ($g->{k});", '}');
}

# Where program P begins.
sub at_line
{
  my ($p) = @_;
  return $o{entry} ? "# 1 \"$o{entry}$p->{seed}\"" : ();
}

# Functions that no directive declares for the device: without optimization that
# takes only what it must inline.
sub bare_functions
{
  my $inline = 'inline __attribute__ ((always_inline))';
  return ("template <typename T> $inline const T &",
	  'larger (const T &a, const T &b) { return a < b ? b : a; }',
	  'struct couple', '{', 'int a, b;',
	  "$inline couple (int x, int y) : a (x), b (y) {}",
	  "$inline int both () const { return a * b; }", '};',
	  "static $inline couple",
	  'operator+ (const couple &x, const couple &y)',
	  '{ return couple (x.a + y.a, x.b + y.b); }');
}

sub c_programs
{
  my @programs = @_;
  my @out = ("/* generate.pl --lang=$o{lang} --seed=@seeds"
	     . " --regions=$o{regions} --model=$o{model} */", '#include <math.h>',
	     $acc ? '#pragma acc routine seq'
	     : ('#include <omp.h>', '#pragma omp declare target'),
	     'static int twice (int x) { return x + x; }',
	     $acc ? '#pragma acc routine seq' : (),
	     'static __attribute__ ((noinline)) int middle (int a, int b, int c)',
	     '{ int v[3] = { a, b, c };',
	     'for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++)',
	     'if (v[j] > v[j + 1])',
	     '{ int t = v[j]; v[j] = v[j + 1]; v[j + 1] = t; }',
	     'return v[1] + v[(unsigned) c % 3]; }',
	     $o{model} eq 'forkjoin'
	     ? ('static __attribute__ ((noinline)) int ladder (int x)',
		'{ return x < 1 ? 1 : x + ladder (x - 1) * 2; }') : (),
	     $acc ? () : '#pragma omp end declare target',
	     '#include <stdio.h>', '#include <string.h>',
	     $language eq 'cc' && !$acc ? walker () : (),
	     'static volatile int nothing; static int failures;',
	     'static long opaque (long x) { return x + nothing; }',
	     'static inline void set_to_two (int *x) { *x = (int) opaque (2); }',
	     $language eq 'cc' ? bare_functions () : ());
  for (@arrays)
    {
      my ($name, $type) = @$_;
      push @out, "static $type $name\[$size], h_$name\[$size];";
      push @out, "static inline $type *all_$name (void) { return $name; }";
    }
  push @out, 'static void', 'start (void)', '{', "for (int i = 0; i < $size; i++)",
    '{';
  my $seed = 7;
  for (@arrays)
    {
      my ($name, $type, $constant) = @$_;
      $seed += 4;
      push @out, "$name\[i] = h_$name\[i] = "
	. ($name eq 'zero' ? '0;' : $constant ? "i * $seed % 61;" : "i % $seed;");
    }
  push @out, '}', '}', 'static void',
    'compare (int region, const char *what, double got, double want)', '{',
    'if (got != want && ++failures < 20)',
    'printf ("region %d: %s is %.17g, should be %.17g\\n", region, what, got, want);',
    '}', 'static void', 'finish (int region)', '{',
    "for (int i = 0; i < $size; i++)", '{';
  push @out, "compare (region, \"$_->[0]\", $_->[0]\[i], h_$_->[0]\[i]);"
    for @arrays;
  push @out, '}', '}';
  for my $p (@programs)
    {
      push @out, at_line ($p), map ({ c_region ($_) } @{$p->{regions}}), '',
	$o{entry} ? ('#ifdef __cplusplus', 'extern "C"', '#endif') : (), 'int',
	($o{entry} ? "$o{entry}$p->{seed}" : 'main') . ' (void)', '{',
	'failures = 0;';
      push @out, "region$_->{k} ((int) opaque (" . $_->{k} % 17 . '));'
	for @{$p->{regions}};
      push @out, 'return failures != 0;', '}';
    }
  return @out;
}

sub f_region
{
  my ($g) = @_;
  my $k = $g->{k};
  my @out = ('', "subroutine ${unit}region$k (sc)", "use ${unit}data",
	     'implicit none', 'integer, intent(in) :: sc',
	     'integer(4) :: i, j, t, q, s, w(0:2)', 'integer(8) :: p');
  my @set;
  my $i = 0;
  for my $l (@{$g->{loops}})
    {
      push @out, "$fortran_type{$l->{type}} :: $l->{var}";
      my @b = ([first => $l->{first}], [last => $l->{last}],
	       [step => $l->{step}]);
      for (0 .. 2)
	{
	  next if !$l->{symbolic}[$_];
	  push @out, "$fortran_type{$l->{type}} :: $b[$_][0]$i";
	  push @set, "$b[$_][0]$i = opaque ($b[$_][1])";
	}
      $i++;
    }
  for (@{$g->{scalars}})
    {
      push @out, "$fortran_type{$_->[1]} :: $_->[0], h_$_->[0]";
      push @set, "$_->[0] = $_->[2]", "h_$_->[0] = $_->[2]";
    }
  if ($g->{bins})
    {
      push @out, 'integer(4) :: bins(0:6), h_bins(0:6)';
      push @set, 'bins = 9', 'h_bins = 9';
    }
  push @out, @{$g->{declare} // []}, @set, @{$g->{set} // []}, 'call start ()',
    @{$g->{device}}, @{$g->{host}};
  push @out, "if ($_) call complain ($k, 'objects')" for @{$g->{compare} // []};
  push @out, "if (any (bins /= h_bins)) call complain ($k, 'bins')"
    if $g->{bins};
  for (@{$g->{scalars}})
    {
      my ($name, $type) = @$_;
      push @out, $type eq 'logical'
	? "if ($name .neqv. h_$name) call complain ($k, '$name')"
	: "if ($name /= h_$name) call complain ($k, '$name')";
    }
  return (@out, "call finish ($k)",
	  $g->{procedures} ? ('contains', @{$g->{procedures}}) : (),
	  'end subroutine');
}

sub f_programs
{
  my @programs = @_;
  my @out = ("! generate.pl --lang=f90 --seed=@seeds --regions=$o{regions}"
	     . " --model=$o{model}",
	     "module ${unit}data", 'implicit none', 'integer :: failures = 0',
	     'integer, volatile :: nothing = 0');
  for (@arrays)
    {
      my ($name, $type) = @$_;
      push @out, "$fortran_type{$type}, target :: $name(0:" . ($size - 1)
	. "), h_$name(0:" . ($size - 1) . ')';
    }
  push @out, 'contains', 'integer function opaque (x)',
    'integer, intent(in) :: x', 'opaque = x + nothing', 'end function',
    'integer function twice (x)',
    $acc ? '!$acc routine seq' : '!$omp declare target',
    'integer, intent(in) :: x', 'twice = x + x', 'end function',
    'integer function middle (a, b, c)',
    $acc ? '!$acc routine seq' : '!$omp declare target',
    'integer, intent(in) :: a, b, c', 'integer :: v(0:2), i, j, t',
    'v(0) = a', 'v(1) = b', 'v(2) = c', 'do i = 0, 1', 'do j = 0, 1',
    'if (v(j) > v(j + 1)) then', 't = v(j)', 'v(j) = v(j + 1)',
    'v(j + 1) = t', 'end if', 'end do', 'end do',
    'middle = v(1) + v(mod (c, 3))', 'end function',
    'subroutine complain (region, what)', 'integer, intent(in) :: region',
    'character(*), intent(in) :: what', 'failures = failures + 1',
    "if (failures < 20) print *, 'region', region, what", 'end subroutine',
    'subroutine start ()', 'integer :: i', 'do i = 0, ' . ($size - 1);
  my $seed = 7;
  for (@arrays)
    {
      my ($name, $type, $constant) = @$_;
      $seed += 4;
      push @out, "$name(i) = mod (i" . ($name eq 'zero' ? ", 1)" : $constant ? " * $seed, 61)" : ", $seed)"),
	"h_$name(i) = $name(i)";
    }
  push @out, 'end do', 'end subroutine', 'subroutine finish (region)',
    'integer, intent(in) :: region';
  push @out, "if (any ($_->[0] /= h_$_->[0])) call complain (region, '$_->[0]')"
    for @arrays;
  push @out, 'end subroutine', 'end module';
  for my $p (@programs)
    {
      my $name = "$o{entry}$p->{seed}";
      push @out, at_line ($p), map ({ f_region ($_) } @{$p->{regions}}), '',
	$o{entry} ? ("integer(c_int) function $name () bind (c)",
		     'use, intrinsic :: iso_c_binding') : 'program main',
	"use ${unit}data", 'implicit none', 'failures = 0';
      push @out, "call ${unit}region$_->{k} (opaque (" . $_->{k} % 17 . '))'
	for @{$p->{regions}};
      push @out, $o{entry}
	? ("$name = merge (1, 0, failures /= 0)", 'end function')
	: ('if (failures /= 0) stop 1', 'end program');
    }
  return @out;
}

# The regions of a seed have numbers of their own.
sub draw_program
{
  my ($seed) = @_;
  srand ($seed);
  return { seed => $seed,
	   regions => [map { draw_region ($seed * 100 + $_) } 1 .. $o{regions}] };
}

my @programs = map { draw_program ($_) } @seeds;
print map { "$_\n" } map { fold ($_, $fortran) }
  $fortran ? f_programs (@programs) : c_programs (@programs);
