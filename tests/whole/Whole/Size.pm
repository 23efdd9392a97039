# Scenes of loops whose count is hard to know before the launch, or whose number
# of threads is asked for by expressions: bounds in members, of the host's
# procedure, of a lambda's object; gang, worker and vector with arguments.
# What matters is how many threads they get (generate.pl --sizes).
# SPDX-License-Identifier: GPL-3.0-or-later
package Whole::Size;
use strict;
use warnings;
use Whole::Draw;
use Whole::Scene;
use Whole::Text;

# Levels of OpenACC: the words, and the threads that they ask for, N iterations.
sub levels
{
  my ($n) = @_;
  my $v = pick (32, 64, 128, 1024);
  my $g = between (1, 12);
  my $gangs = int (($n + $v - 1) / $v);
  my $up = '(n + ' . ($v - 1) . ') / ' . $v;
  # Beyond one worker no vector is longer than 32 with GCC.
  return @{pick (["gang ($up) vector", $gangs * 1024], ["gang ($up) vector ($v)", $gangs * $v],
		 ["gang vector ($v)", 0], ["gang ($g)", $g * 1024],
		 ["gang ($g) vector ($v)", $g * $v],
		 ['gang worker (4) vector (32)', 0], ['gang vector', 0], ['', 0])};
}

my $body = sub { my ($a, $c) = @_; return set (at ($a, 'i'), rem (at ($a, 'i') . " + i + $c", 1009)) };

sub draw
{
  my ($s) = @_;
  my $n = pick (50, 700, 1400, 5000, 20000);
  my $name = "$s->{name}_count";
  my $c = between (1, 9);
  my ($words, $asked) = $acc ? levels ($n) : ('', 0);
  my $construct = $acc ? pick ("kernels loop $words independent", "parallel loop $words")
    : 'target teams distribute parallel for' . (chance (0.3) ? ' simd' : '');
  # GCC allows no arguments of gangs in parallel constructs.
  $construct =~ s/^parallel loop/kernels loop independent/ if $asked;
  $construct =~ s/\(\d+\)//g if $construct =~ /^parallel/;
  $construct =~ s/for/do/ if $fortran;
  (my $end = $construct) =~ s/ (gang|worker|vector|independent).*//;
  my $section = $fortran ? 'a' : "a[0:n]";
  my $map = $acc ? "copy ($section)" : "map (tofrom: $section)";
  my @region = (pragma ("$construct $map"), loop ('i', 0, 'n', 1, $body->('a', $c)),
		$fortran ? pragma ("end $end") : ());
  my @host = loop ('i', 0, 'n', 1, $body->('h_a', $c));
  my (@procs, @call);
  my $form = $fortran ? pick ('host', 'dummy') : $lang eq 'cc' ? pick ('member', 'function', 'template')
    : pick ('function', 'global', 'member');
  $form = 'function' if $acc && $form eq 'member';
  if ($fortran)
    {
      my $bound = $form eq 'host' ? '' : ', n';
      @procs = ("subroutine $name (a$bound)", $form eq 'dummy' ? 'integer :: n' : (),
		'integer :: a(0:n - 1), i', @region, 'end subroutine');
      @call = invoke ($name, 'a', $form eq 'host' ? () : 'n');
    }
  elsif ($form eq 'member' && $lang eq 'cc')
    {
      @procs = ("struct ${name}_t { int n; int *p;", "void $name ()", '{', 'int *a = p;',
		@region, '} };');
      @call = "{ ${name}_t o = { n, a }; o.$name (); }";
    }
  elsif ($form eq 'member')
    {
      s/\bn\b/(o->n)/g for @region;
      @procs = ("struct ${name}_t { int n; int *p; };",
		'static __attribute__ ((noinline)) void', "$name (struct ${name}_t *o)",
		'{', 'int *a = o->p;', 'int n = o->n; (void) n;', @region, '}');
      s/\(o->n\)/n/g for grep { /^#/ } @procs;
      s/\(o->n\)/n/g for @procs;
      @call = "{ struct ${name}_t o = { n, a }; $name (&o); }";
    }
  elsif ($form eq 'global')
    {
      s/\bn\b/${name}_n/g for @region;
      @procs = ("static int ${name}_n;", 'static __attribute__ ((noinline)) void',
		"$name (int *a)", '{', @region, '}');
      @call = ("${name}_n = n;", "$name (a);");
    }
  else
    {
      @procs = ($form eq 'template' ? 'template <class T>' : (),
		'static __attribute__ ((noinline)) void',
		$form eq 'template' ? "$name (T *a, T n)" : "$name (int *a, int n)",
		'{', @region, '}');
      @call = "$name (a, n);";
    }
  $s->{launches} = [[$name, { trips => $n, asked => $asked, few => $asked && $asked < 64 }]];
  return scene_text ($s, [scene_array ('int', 'a', $n), $fortran ? () : "int n = opaque ($n);"],
		     [$fortran ? "n = opaque ($n)" : (), fill_array ('a', $n, rem ('i', 61)),
		      loop ('it', 0, 3, 1, @call, @host), same_array ('a', $n)], \@procs);
}

1;
