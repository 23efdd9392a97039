# Scenes in which regions over several arrays follow each other, in procedures
# that a loop of the host calls again and again: mapped by themselves or within
# data regions, at once or deferred (nowait and depend, async and wait), with
# updates, tasks and statements of the host in between.
#
# Every construct is followed by what the model does for it.  What is deferred
# is ordered by dependences, or waited for before anything else touches it, so
# that the model's order is as good as any.
# SPDX-License-Identifier: GPL-3.0-or-later
package Whole::Chain;
use strict;
use warnings;
use Whole::Array;
use Whole::Draw;
use Whole::Model;
use Whole::Region;
use Whole::Text;
use Whole::Wrong;

# ---- Procedures -------------------------------------------------------------

sub draw_proc
{
  my ($s, $k) = @_;
  my %p = (name => "$s->{name}_p$k", scalar => pick ('value', 'reference'),
	   form => $lang eq 'f90' ? $s->{form} // pick ('contained', 'module')
	   : $lang eq 'cc' ? pick (qw(function template method lambda))
	   : 'function');
  # GCC 12 takes the host's address of a reference in OpenACC's regions.
  $p{scalar} = 'value' if $lang eq 'c' || ($acc && !$fortran) || $p{form} eq 'template';
  $p{bound} = $p{form} eq 'contained' && $s->{may}->('host-bound')
    && chance (0.5) ? 'host' : 'dummy';
  $p{deferred} = $s->{deferred} && chance (0.75);
  my @names = qw(x y z);
  my $present = @{$s->{resident}} == @{$s->{arrays}} && chance (0.6);
  my $count = pick (1, 2, 2, 3);
  for my $a (some_of ($count, @{$s->{arrays}}))
    {
      my $style = draw_style ($a, $p{form}, $p{deferred});
      push @{$p{params}}, { name => shift @names, array => $a,
			    type => $a->{type}, style => $style,
			    deferred => $s->{deferred} };
    }
  for my $p (@{$p{params}})
    {
      $p->{optional} = $fortran && $p->{style} =~ /^(explicit|shape|size)$/
	&& chance (0.15);
      $p->{text} = [formal ($p, 'n')];
    }
  my @regions = 1 .. pick (1, 1, 2);
  for (@regions)
    {
      my @params = @{$p{params}};
      push @params, shift @params if chance (0.4);
      my %o = (present => $present, deferred => $p{deferred});
      if ($p{deferred})
	{
	  if ($acc) { $o{queue} = 'queue'; $o{waits} = chance (0.2); }
	  else { $o{depend} = 1; $o{nowait} = chance (0.85); $o{out} = chance (0.2) }
	}
      my $g = draw_region ($s, \%p, \@params, \%o);
      $g->{strict} = !$present || grep { $_->{always} } @{$g->{maps}};
      push @{$p{regions}}, $g;
    }
  return \%p;
}

sub c_proc
{
  my ($s, $p) = @_;
  my @formals = map { @{$_->{text}} } @{$p->{params}};
  my $queue = $p->{deferred} && $acc;
  my @scalars = ($queue ? 'int queue' : (),
		 $p->{scalar} eq 'reference' ? 'const int &s' : 'int s');
  my @body = map { region_text ($s, $_) } @{$p->{regions}};
  my $name = $p->{name};
  return ("auto $name = [] (" . join (', ', @formals, 'int n', @scalars) . ')',
	  '{', @body, '};') if $p->{form} eq 'lambda';
  if ($p->{form} eq 'method')
    {
      my @members = map { "$_;" } @formals;
      my @locals = map { "$_->{type} *$_->{name} = this->$_->{name};" }
	@{$p->{params}};
      # GCC 12 takes the host's address of the object in OpenACC's regions.
      # A region that uses the member maps the object, which is gone before what
      # is deferred has ended.
      push @locals, 'int n = this->n;'
	if $acc || $p->{deferred} || chance (0.4);
      return ("struct ${name}_t", '{', @members, 'int n;',
	      '__attribute__ ((noinline)) void run (' . join (', ', @scalars) . ')',
	      '{', @locals, @body, '}', '};');
    }
  if ($p->{form} eq 'template')
    {
      my @types = map { "class T$_" } 0 .. $#formals;
      my $i = 0;
      s/^(?:double|int|float)\b/'T' . $i/e && $i++ for @formals;
      $#types = $i - 1;
      return (@types ? 'template <' . join (', ', @types) . '>' : (),
	      "static void $name (" . join (', ', 'int n', @formals, @scalars) . ')',
	      '{', @body, '}');
    }
  return ('static __attribute__ ((noinline)) void',
	  "$name (" . join (', ', 'int n', @formals, @scalars) . ')', '{', @body, '}');
}

sub f_proc
{
  my ($s, $p) = @_;
  my (@names, @decl);
  for my $q (@{$p->{params}})
    {
      next if $q->{style} eq 'host';
      push @names, "k$q->{name}" if $q->{style} eq 'column';
      push @names, $q->{name};
      push @decl, @{$q->{text}};
    }
  if ($p->{bound} eq 'dummy')
    {
      push @names, 'n';
      unshift @decl, 'integer, intent(in) :: n';
    }
  if ($p->{deferred} && $acc)
    {
      push @names, 'queue';
      push @decl, 'integer, intent(in) :: queue';
    }
  push @names, 's';
  push @decl, $p->{scalar} eq 'value' ? 'integer, value :: s' : 'integer :: s';
  return ("subroutine $p->{name} (" . join (', ', @names) . ')', @decl,
	  'integer :: i, j, t, q',
	  (map { "q$_->{name} => $_->{name}%p" } grep { $_->{alias} } @{$p->{params}}),
	  (map { region_text ($s, $_) } @{$p->{regions}}),
	  'end subroutine');
}

sub model_proc
{
  my ($s, $p) = @_;
  my @mirrors = map { "m_$_->{name}" } @{$p->{params}};
  my @body = map { region_model ($s, $_) } @{$p->{regions}};
  return ("subroutine $p->{name}_m (" . join (', ', @mirrors, 'n', 's') . ')',
	  'integer, intent(in) :: n, s',
	  (map { "type(mirror), intent(inout) :: $_" } @mirrors),
	  'integer :: i, j, t, q', @body, 'end subroutine') if $fortran;
  return ('static __attribute__ ((noinline)) void', "$p->{name}_m ("
	  . join (', ', (map { "struct mirror *$_" } @mirrors), 'int n', 'int s')
	  . ')', '{', @body, '}');
}

# ---- Operations of the loop -------------------------------------------------

# Mirror of array A as an argument.
sub mirror_of { my ($a) = @_; return ($fortran ? '' : '&') . "m$a->{k}" }

# What is not waited for: sets of queues, or 1, by the array's number.
sub waits
{
  my ($s, @arrays) = @_;
  my @late = grep { $s->{late}{$_->{k}} } @arrays;
  return () if !@late;
  if ($acc)
    {
      my %q = map { map { $_ => 1 } keys %{$s->{late}{$_->{k}}} } @late;
      if (chance (0.4))
	{
	  $s->{late} = {};
	  return pragma ('wait');
	}
      for my $l (values %{$s->{late}}) { delete @$l{keys %q} }
      delete @{$s->{late}}{grep { !%{$s->{late}{$_}} } keys %{$s->{late}}};
      return pragma ('wait (' . join (', ', sort keys %q) . ')');
    }
  if (chance (0.4))
    {
      delete $s->{late}{$_->{k}} for @late;
      return map { pragma ('taskwait depend (inout: '
			   . token ($s, $_->{view}, 'n') . ')') } @late
	if $s->{token} =~ /^(element|part)$/;
      $s->{late} = {};
      return pragma ("taskwait depend (inout: $s->{token})");
    }
  $s->{late} = {};
  return pragma ('taskwait');
}

# It is used by queue Q now, or by a task.
sub deferred
{
  my ($s, $q, @arrays) = @_;
  for (@arrays)
    {
      if ($acc) { $s->{late}{$_->{k}}{$q} = 1 } else { $s->{late}{$_->{k}} = 1 }
    }
}

sub call_op
{
  my ($s) = @_;
  my $p = pick (@{$s->{procs}});
  my (@arrays, %used);
  my @hosts = grep { $_->{style} eq 'host' } @{$p->{params}};
  $used{$_->{array}{k}} = 1 for @hosts;
  for my $q (@{$p->{params}})
    {
      my $a = $q->{style} eq 'host' ? $q->{array}
	: pick (grep { fits ($_, $q) && !$used{$_->{k}} } @{$s->{arrays}});
      return () if !$a;
      $used{$a->{k}} = 1;
      push @arrays, $a;
    }
  my @args = map { actual ($arrays[$_], $p->{params}[$_]) } 0 .. $#arrays;
  my $value = pick ('it', 'it + ' . between (1, 5), between (0, 9));
  $value = $s->{vary} ? $value : between (0, 9);
  my @out;
  my @call;
  # Regions may write it.
  if ($fortran && $p->{scalar} eq 'reference')
    {
      @call = (set ('v', $value));
      $value = 'v';
    }
  my $queue;
  my @bound = $p->{bound} eq 'host' ? () : 'n';
  if (!$p->{deferred} || grep { !$_->{depend} && !$_->{queue} } @{$p->{regions}})
    { @out = waits ($s, @arrays); }
  elsif ($acc)
    {
      $queue = between (1, 3);
      my %others = map { map { $_ => 1 } keys %{$s->{late}{$_->{k}} // {}} } @arrays;
      delete $others{$queue};
      if (%others)
	{
	  push @out, pragma ('wait (' . join (', ', sort keys %others)
			     . ") async ($queue)");
	}
    }
  push @out, @call;
  my @scalars = ($p->{deferred} && $acc ? $queue : (), $value);
  if ($p->{form} eq 'method')
    {
      push @out, "{ $p->{name}_t o = { " . join (', ', @args, 'n') . ' }; o.run ('
	. join (', ', @scalars) . '); }';
    }
  else
    {
      my $name = $p->{name};
      if (!$fortran && $p->{form} eq 'function' && chance (0.2))
	{
	  push @out, "{ __typeof__ (&$name) volatile called = $name;";
	  $name = 'called';
	}
      push @out, invoke ($name, $fortran ? (@args, @bound)
			 : $p->{form} eq 'lambda' ? (@args, 'n') : ('n', @args),
			 @scalars);
      push @out, '}' if $name eq 'called';
    }
  push @out, invoke ("$p->{name}_m", (map { mirror_of ($_) } @arrays), 'n', $value);
  push @out, invoke (chance (0.3) ? 'hold_frame' : 'scribble', 'it') if chance (0.6);
  deferred ($s, $queue, @arrays) if $p->{deferred};
  return @out;
}

# Part of array A.
sub draw_part
{
  my ($s) = @_;
  return (0, $s->{n}) if chance (0.4);
  my $low = between (0, $s->{n} - 1);
  return ($low, between (1, $s->{n} - $low));
}

sub update_op
{
  my ($s) = @_;
  my @there = @{$s->{resident}};
  return () if !@there;
  my $a = pick (@there);
  my ($low, $length) = draw_part ($s);
  my $to = chance (0.6);
  my $item = $low == 0 && $length == $s->{n} && $a->{view}{bare} && chance (0.5)
    ? $a->{view}{base} : view_part ($a->{view}, $low, $length);
  my @model = (invoke ($to ? 'mirror_send' : 'mirror_fetch', mirror_of ($a),
		       $low, $length));
  if ($acc)
    {
      my $what = ($to ? 'device' : $lang eq 'c' ? 'host' : 'self') . " ($item)";
      if ($s->{deferred} && chance (0.3))
	{
	  my $q = between (1, 3);
	  my %others = %{$s->{late}{$a->{k}} // {}};
	  delete $others{$q};
	  my $wait = %others ? ' wait (' . join (', ', sort keys %others) . ')' : '';
	  deferred ($s, $q, $a);
	  return (pragma ("update $what async ($q)$wait"), @model);
	}
      return (waits ($s, $a), pragma ("update $what"), @model);
    }
  my $what = 'target update ' . ($to ? 'to' : 'from') . " ($item)";
  if ($s->{deferred} && chance (0.4))
    {
      my $nowait = chance (0.6);
      my $text = "$what depend (inout: " . token ($s, $a->{view}, $s->{n}) . ')'
	. ($nowait ? ' nowait' : '');
      deferred ($s, 0, $a) if $nowait;
      return (pragma ($text), @model);
    }
  return (waits ($s, $a), pragma ($what), @model);
}

# The host changes an array itself, perhaps in a task.
sub host_op
{
  my ($s) = @_;
  my $a = pick (@{$s->{arrays}});
  my $c = between (1, 9);
  my ($low, $length) = draw_part ($s);
  my $change = sub {
    my ($e) = @_;
    return loop ('i', $low, $low + $length, 1, set ($e, rem ("$e + it + $c", 1009)));
  };
  my @host = $change->(view_element ($a->{view}, 'i'));
  my $m = "m$a->{k}" . ($fortran ? '%' : '.') . 'host';
  my @model = $change->(element ($m, 'i'));
  if (!$acc && $s->{deferred} && chance (0.5))
    {
      my $token = token ($s, $a->{view}, $s->{n});
      deferred ($s, 0, $a);
      return (block_pragma ('task', "default (shared) firstprivate (it"
			    . ($fortran ? ', i' : '') . ") depend (inout: $token)",
			    @host), @model);
    }
  return (waits ($s, $a), @host, @model);
}

# What the host has is compared.
sub compare
{
  my ($s, @arrays) = @_;
  return map {
    my $m = "m$_->{k}" . ($fortran ? '%' : '.') . 'host';
    my $got = view_element ($_->{view}, 'i');
    $got = "real ($got, 8)" if $fortran;
    my $what = $fortran ? "'a$_->{k}'" : "\"a$_->{k}\"";
    loop ('i', 0, 'n', 1, invoke ('differs', $what, 'i', $got, element ($m, 'i')))
  } @arrays;
}
sub look_op
{
  my ($s) = @_;
  my $a = pick (@{$s->{arrays}});
  return (waits ($s, $a), compare ($s, $a));
}

# An array that is not resident is there for a while.
sub stay_op
{
  my ($s) = @_;
  my %there = map { $_->{k} => 1 } @{$s->{resident}};
  my @free = grep { !$there{$_->{k}} } @{$s->{arrays}};
  return () if !@free || $s->{block};
  my $a = pick (@free);
  my $from = chance (0.7) || 0;
  my $item = view_item ($a->{view}, $s->{n});
  my ($in, $out) = $acc ? ("copyin ($item)", ($from ? 'copyout' : 'delete') . " ($item)")
    : ("map (to: $item)", 'map (' . ($from ? 'from' : pick ('release', 'delete'))
       . ": $item)");
  my $target = $acc ? '' : 'target ';
  my @begin = (waits ($s, $a), pragma ("${target}enter data $in"),
	       invoke ('mirror_enter', mirror_of ($a), 1, 0, 0, 'n'));
  my @inside = draw_ops ({ %$s, block => 1 }, between (1, 3), $s);
  return (@begin, @inside, waits ($s, $a), pragma ("${target}exit data $out"),
	  invoke ('mirror_leave', mirror_of ($a), 0 + $from, 0, 0, 'n'));
}

sub group_op
{
  my ($s) = @_;
  return () if $acc || !$s->{deferred} || $s->{block};
  my %before = %{$s->{late}};
  my @inside = draw_ops ({ %$s, block => 1 }, between (1, 3), $s);
  $s->{late}{$_} = 1 for keys %before;
  return block_pragma ('taskgroup', '', @inside);
}

my %op = (call => \&call_op, update => \&update_op, host => \&host_op,
	  look => \&look_op, stay => \&stay_op, group => \&group_op);

sub draw_ops
{
  my ($s, $count) = @_;
  my @out;
  for (1 .. $count)
    {
      my $kind = pick (qw(call call call call update update host look stay group));
      push @out, $op{$kind}->($s);
    }
  return @out;
}

# ---- Scenes -----------------------------------------------------------------

sub draw_resident
{
  my ($s) = @_;
  my @all = @{$s->{arrays}};
  $s->{resident} = [pick (0, 1, 1) ? chance (0.6) ? @all
		    : some_of (between (1, scalar @all), @all) : ()];
}

# BODY within what maps the resident arrays.
sub within_data
{
  my ($s, @body) = @_;
  my @there = @{$s->{resident}};
  return @body if !@there;
  my $levels = pick (1, 1, 2);
  my @left = @there;
  for my $level (1 .. $levels)
    {
      my @here = $level == $levels ? @left
	: splice @left, 0, between (0, scalar @left);
      next if !@here;
      my $dynamic = chance (0.4);
      my (@in, @out, @enter, @leave);
      for my $a (@here)
	{
	  my $item = view_item ($a->{view}, $s->{n});
	  my $from = chance (0.8) ? 1 : 0;
	  my $m = mirror_of ($a);
	  push @enter, invoke ('mirror_enter', $m, 1, 0, 0, 'n');
	  push @leave, invoke ('mirror_leave', $m, $from, 0, 0, 'n');
	  push @in, $acc ? ($dynamic ? 'copyin' : $from ? 'copy' : 'copyin') . " ($item)"
	    : 'map (' . ($dynamic || !$from ? 'to' : 'tofrom') . ": $item)";
	  push @out, $acc ? ($from ? 'copyout' : 'delete') . " ($item)"
	    : 'map (' . ($from ? 'from' : 'release') . ": $item)";
	}
      my $target = $acc ? '' : 'target ';
      if ($dynamic)
	{
	  @body = (pragma ("${target}enter data @in"), @enter, @body,
		   pragma ("${target}exit data @out"), @leave);
	}
      else
	{
	  @body = (block_pragma ("${target}data", "@in", @enter, @body), @leave);
	}
    }
  return @body;
}

sub draw
{
  my ($s, $deferred, $asked) = @_;
  $s->{deferred} = $deferred;
  $s->{may} = sub { return ($asked // '') eq $_[0] || !known_wrong ($_[0]) };
  $s->{n} = 4 * pick (1, 5, 25, 100, 250, 600, 2500);
  $s->{vary} = chance (0.7);
  my $count = between (2, 4);
  $s->{arrays} = [map { draw_array ($s, $_) } 0 .. $count - 1];
  $s->{token} = pick ('element', 'element', 'part', "$s->{name}_token");
  draw_resident ($s);
  $s->{procs} = [map { draw_proc ($s, $_) } 0 .. between (1, 3)];
  my $every = $acc ? sub { ({ 1 => 1, 2 => 1, 3 => 1 }) } : sub { 1 };
  $s->{late} = $deferred ? { map { $_ => $every->() } 0 .. $count - 1 } : {};
  my @ops = draw_ops ($s, between (2, 7));
  # Stock programs read descriptors of frames that are gone in other threads.
  my $team = $deferred && !$acc && !$fortran && chance (0.3);
  my @rounds = loop ('it', 0, between (3, 10), 1, @ops);
  push @rounds, pragma ($acc ? 'wait' : 'taskwait') if $deferred;
  @rounds = within_data ($s, @rounds);
  @rounds = block_pragma ('parallel', 'num_threads (3)',
			  block_pragma ('single', '', @rounds)) if $team;
  my @arrays = @{$s->{arrays}};
  my @start = map {
    my $e = view_element ($_->{view}, 'i');
    (@{$_->{start}}, invoke ('mirror_new', mirror_of ($_), 'n'),
     loop ('i', 0, 'n', 1, set ($e, $fortran ? 'mod (i, 61)' : 'i % 61')))
  } @arrays;
  my @end = (compare ($s, @arrays), map { @{$_->{end}} } @arrays);
  $s->{launches} = [map { my $p = $_; map { [$p->{name}, $_] } @{$p->{regions}} }
		    @{$s->{procs}}];
  return $fortran ? f_scene ($s, [@start], [@rounds, @end])
    : c_scene ($s, [@start], [@rounds, @end]);
}

sub c_scene
{
  my ($s, $start, $body) = @_;
  my @lambdas = grep { $_->{form} eq 'lambda' } @{$s->{procs}};
  my @others = grep { $_->{form} ne 'lambda' } @{$s->{procs}};
  return ((map { @{$_->{top}} } @{$s->{arrays}}), "static int $s->{name}_token;",
	  (map { c_proc ($s, $_) } @others),
	  (map { model_proc ($s, $_) } @{$s->{procs}}),
	  "static void $s->{name} (void)", '{', "int n = opaque ($s->{n});",
	  "(void) $s->{name}_token;",
	  (map { @{$_->{local}} } @{$s->{arrays}}),
	  (map { "static struct mirror m$_->{k};" } @{$s->{arrays}}),
	  (map { c_proc ($s, $_) } @lambdas), @$start, @$body, '}');
}

sub f_scene
{
  my ($s, $start, $body) = @_;
  my @modules = grep { $_->{form} eq 'module' } @{$s->{procs}};
  my @contained = grep { $_->{form} ne 'module' } @{$s->{procs}};
  my $module = "$s->{name}_procs";
  return ("module $module", "use ${unit}model", 'implicit none',
	  "integer, target :: $s->{name}_token", 'contains',
	  (map { f_proc ($s, $_) } @modules), 'end module',
	  "subroutine $s->{name} ()", "use ${unit}model", "use $module",
	  'implicit none', 'integer :: n, it, i, v',
	  (map { @{$_->{local}} } @{$s->{arrays}}),
	  (map { "type(mirror), save :: m$_->{k}" } @{$s->{arrays}}),
	  "n = opaque ($s->{n})", @$start, @$body, 'contains',
	  (map { f_proc ($s, $_) } @contained),
	  (map { model_proc ($s, $_) } @{$s->{procs}}), 'end subroutine');
}

1;
