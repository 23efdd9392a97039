# A region: directive, clauses and body, and what the model does for it.
# SPDX-License-Identifier: GPL-3.0-or-later
package Whole::Region;
use strict;
use warnings;
use Exporter 'import';
use Whole::Array;
use Whole::Body;
use Whole::Draw;
use Whole::Text;
our @EXPORT = qw(draw_region region_text region_model);

my @omp_forms = ('target teams distribute parallel for',
		 'target teams distribute parallel for',
		 'target teams distribute parallel for simd',
		 'target parallel for', 'target teams distribute',
		 'target teams loop');
my @acc_forms = ('parallel loop', 'parallel loop', 'parallel loop gang vector',
		 'parallel loop gang worker', 'kernels loop independent',
		 'serial loop', 'kernels');

# How parameter P, which the region uses as USE, is mapped: kind, "always",
# whether the item is the array's name alone.
sub draw_map
{
  my ($p, $use, $present, $deferred) = @_;
  my @kinds = $use eq 'r' ? qw(to to tofrom) : $use eq 'w' ? qw(from tofrom)
    : qw(tofrom);
  # Implicit maps need a type that says how large it is.
  my $clause = $acc && ($p->{style} eq 'whole' || !$p->{view}{bare});
  push @kinds, 'none' if $p->{view}{bare} && $p->{style} ne 'box' && !$clause;
  @kinds = ('alloc', $clause || $p->{style} =~ /^(box|size|column)$/ ? () : 'none',
	    @kinds) if $present;
  my $kind = pick (@kinds);
  return { kind => $kind, always => !$acc && $kind =~ /to|from/
	   && $p->{style} ne 'box' && chance (0.12) };
}

sub draw_region
{
  my ($s, $proc, $params, $o) = @_;
  my $b = draw_body ($s, @$params - 1);
  my $form = $b->{nest} == 0 ? ($acc ? 'serial' : 'target')
    # In kernels regions scalars are copied back, perhaps behind a frame's end.
    : pick (!$acc ? @omp_forms : $o->{deferred} ? grep { !/kernels/ } @acc_forms
	    : @acc_forms);
  my %g = (body => $b, form => $form, params => $params, %$o);
  my $i = 0;
  for my $p (@$params)
    {
      my $use = $i++ ? 'r' : $b->{needs};
      my $m = draw_map ($p, $use, $o->{present}, $o->{deferred});
      $m->{kind} = 'tofrom' if $p->{box_whole};
      # A part is mapped alone where nothing else is used.
      if ($use eq 'rw' && $b->{kind} eq 'part' && $m->{kind} eq 'tofrom'
	  && chance (0.5))
	{
	  $m->{low} = $b->{from};
	  $m->{length} = $b->{count};
	}
      $m->{use} = $use;
      push @{$g{maps}}, $m;
    }
  my @c;
  my $trips = $b->{trips};
  # Threads that are asked for.
  $g{asked} = 0;
  if (!$acc && $form =~ /teams/)
    {
      if (chance (0.15))
	{
	  my $k = between (1, 6);
	  push @c, "num_teams ($k)";
	  $g{few} = 1;
	}
      if ($form !~ /loop/ && (!$s->{deferred} || $s->{may}->('limits'))
	  && chance ($s->{deferred} ? 0.4 : 0.15))
	{
	  push @c, 'thread_limit (' . between (1, 70) . ')';
	  $g{few} = 1;
	}
    }
  push @c, 'schedule (' . pick ('static', 'static, 4', 'dynamic', 'dynamic, 3') . ')'
    if !$acc && $form =~ /parallel/ && chance (0.15);
  push @c, 'collapse (2)' if $b->{nest} == 2 && ($acc || $form !~ /loop/ || 1)
    && $form ne 'kernels';
  if ($acc && $form =~ /parallel/ && chance (0.2))
    {
      my ($gangs, $length) = (between (1, 20), pick (32, 64));
      push @c, "num_gangs ($gangs)", "vector_length ($length)";
      $g{asked} = $gangs * $length * 32;
      $g{few} = 1;
    }
  $g{clauses} = \@c;
  $g{few} = 1 if $form =~ /serial|^kernels$|^target$/ || $form eq 'target teams distribute';
  $g{trips} = $form =~ /serial|^target$/ ? 1 : $trips;
  return \%g;
}

my %acc_kind = (to => 'copyin', from => 'copyout', tofrom => 'copy',
		alloc => 'present');

sub map_clause
{
  my ($s, $p, $m) = @_;
  return () if $m->{kind} eq 'none';
  my $item = defined $m->{low} ? view_part ($p->{view}, $m->{low}, $m->{length})
    : view_item ($p->{view}, 'n');
  my @out;
  if ($p->{style} eq 'box' && !$fortran)
    {
      my $box = "$p->{name}\[0:1]";
      push @out, $acc ? "present ($box)" : "map (alloc: $box)";
    }
  return (@out, "$acc_kind{$m->{kind}} ($item)") if $acc;
  return (@out, 'map (' . ($m->{always} ? 'always, ' : '') . "$m->{kind}: $item)");
}

# GCC 12 attaches pointers for sure only to what is there before.
sub region_text
{
  my ($s, $g) = @_;
  my @text = construct_text ($s, $g);
  return @text if $fortran;
  my @boxes = grep { $_->{style} eq 'box' } @{$g->{params}};
  return @text if !@boxes;
  my $items = join ', ', map { "$_->{name}\[0:1]" } @boxes;
  return block_pragma ($acc ? ('data', "copyin ($items)")
		       : ('target data', "map (to: $items)"), @text);
}

sub construct_text
{
  my ($s, $g) = @_;
  my $b = $g->{body};
  my @params = @{$g->{params}};
  my @c = @{$g->{clauses}};
  push @c, map { map_clause ($s, $params[$_], $g->{maps}[$_]) } 0 .. $#params;
  push @c, 'firstprivate (s)'
    if chance (0.2) && $g->{form} !~ /kernels|serial|teams loop/;
  if ($g->{queue})
    {
      push @c, "async ($g->{queue})";
      push @c, 'wait (1, 2, 3)' if $g->{waits};
    }
  if ($g->{depend})
    {
      my $scalar = $s->{token} !~ /^(element|part)$/;
      my @in = $scalar ? () : grep { $g->{maps}[$_]{use} eq 'r' && !$g->{strict} }
	0 .. $#params;
      my %in = map { $_ => 1 } @in;
      my @tokens = map { token ($s, $_->{view}, 'n') } @params;
      push @c, 'depend (in: ' . join (', ', map { $tokens[$_] } @in) . ')' if @in;
      push @c, 'depend (' . ($g->{out} ? 'out' : 'inout') . ': '
	. ($scalar ? $s->{token}
	   : join (', ', map { $tokens[$_] } grep { !$in{$_} } 0 .. $#params)) . ')';
      push @c, 'nowait' if $g->{nowait};
    }
  my @private = $fortran && $b->{private} ? ('t', 'q') : ();
  my $element = sub { my ($k, $i) = @_; return view_element ($params[$k]{view}, $i) };
  my @loop = $b->{lines}->($element);
  my $form = $g->{form};
  $form =~ s/\bfor\b/do/ if $fortran;
  if ($form eq 'target' || $form eq 'serial' || $form eq 'kernels')
    {
      return block_pragma ($form, "@c", @loop);
    }
  push @c, 'private (' . join (', ', @private) . ')' if @private;
  return (pragma ("$form @c"), @loop, $fortran ? pragma ('end ' . ($form =~ s/ (independent|gang.*)//r)) : ());
}

# The same for the model, whose mirrors are called m_NAME.
sub region_model
{
  my ($s, $g) = @_;
  my @params = @{$g->{params}};
  my (@before, @after);
  for my $k (0 .. $#params)
    {
      my $m = $g->{maps}[$k];
      my $kind = $m->{kind} eq 'none' ? ($g->{present} ? 'alloc' : 'tofrom')
	: $m->{kind};
      next if $kind eq 'alloc';
      my ($to, $from) = (0 + ($kind =~ /to/ && $kind ne 'from' ? 1 : 0),
			 0 + ($kind =~ /from/ ? 1 : 0));
      my @range = defined $m->{low} ? ($m->{low}, $m->{length}) : (0, 'n');
      my $name = "m_$params[$k]{name}";
      push @before, invoke ('mirror_enter', $name, $to, $m->{always} || 0, @range);
      push @after, invoke ('mirror_leave', $name, $from, $m->{always} || 0, @range);
    }
  my $element = sub {
    my ($k, $i) = @_;
    my $name = "m_$params[$k]{name}";
    return element ($fortran ? "$name%device" : "$name->device", $i);
  };
  return (@before, $g->{body}{lines}->($element), @after);
}

1;
