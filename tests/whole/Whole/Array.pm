# Arrays of a scene: how they are stored, how procedures have them as arguments,
# and how elements and parts are then written.
# SPDX-License-Identifier: GPL-3.0-or-later
package Whole::Array;
use strict;
use warnings;
use Exporter 'import';
use Whole::Draw;
use Whole::Text;
our @EXPORT = qw(draw_array draw_style view_element view_part view_item formal
		 actual fits token box_type);

# A view says how an array is written: BASE [index], or in Fortran BASE (index
# REST); BARE: it may be mapped by its name alone.

my @c_storage = qw(static heap heap member row global);
my @f_storage = qw(static allocatable allocatable pointer component column);

sub box_type { return "${unit}box_$_[0]" }

# Array number K of scene S.
sub draw_array
{
  my ($s, $k) = @_;
  my %a = (k => $k, n => $s->{n}, type => pick (qw(double double int float)),
	   storage => pick ($fortran ? @f_storage : @c_storage));
  my ($name, $n, $c) = ("a$k", $s->{n}, $a{type});
  my $type = type_name ($c);
  my (@top, @local, @start, @end);
  my ($base, $rest, $bare) = ($name, '', 0);
  if ($fortran)
    {
      $bare = $a{storage} ne 'column';
      if ($a{storage} eq 'static')
	{ @local = ("$type, save :: $name($n)"); }
      elsif ($a{storage} eq 'column')
	{
	  $a{column} = between (1, 3);
	  $rest = ", $a{column}";
	  @local = ("$type, allocatable :: $name(:,:)");
	  @start = ("allocate ($name($n, 3))");
	}
      elsif ($a{storage} eq 'component')
	{
	  # GCC 12 cannot enter a component.
	  $base = "q$k";
	  @local = ('type(' . box_type ($c) . ") :: $name",
		    "$type, pointer :: $base(:)");
	  @start = ("$name%n = $n", "allocate ($name%p($n))", "$base => $name%p");
	  @end = ("deallocate ($name%p)");
	}
      else
	{
	  @local = ("$type, $a{storage} :: $name(:)");
	  @start = ("allocate ($name($n))");
	  @end = ("deallocate ($name)");
	}
    }
  else
    {
      my $new = "($c *) malloc ($n * sizeof ($c));";
      if ($a{storage} eq 'static')
	{
	  $base = "$s->{name}_a$k";
	  $bare = 1;
	  @top = ("static $c $base\[$n];");
	}
      elsif ($a{storage} eq 'row')
	{
	  $a{column} = between (0, 2);
	  $base = "$s->{name}_a$k\[$a{column}]";
	  @top = ("static $c $s->{name}_a$k\[3][$n];");
	}
      elsif ($a{storage} eq 'member')
	{
	  # Whoever maps all of a structure finds no part of it mapped.
	  # GCC 12's depend clauses know no members.
	  $a{alias} = $acc || $s->{deferred} || chance (0.6);
	  $base = $a{alias} ? "q$k" : "a$k.p";
	  @local = (box_type ($c) . " a$k = { $n, $new");
	  $local[0] =~ s/;$/ };/;
	  push @local, "$c *q$k = a$k.p;" if $a{alias};
	  @end = ("free (a$k.p);");
	}
      elsif ($a{storage} eq 'global')
	{
	  $base = "$s->{name}_a$k";
	  @top = ("static $c *$base;");
	  @start = ("$base = $new");
	  @end = ("free ($base);");
	}
      else
	{
	  @local = ("$c *a$k = $new");
	  @end = ("free ($base);");
	}
    }
  $a{view} = { base => $base, rest => $rest, bare => $bare };
  $a{box} = $name;
  @a{qw(top local start end)} = (\@top, \@local, \@start, \@end);
  return \%a;
}

sub view_element
{
  my ($v, $i) = @_;
  return "$v->{base}\[$i]" if !$fortran;
  $i = $i =~ /^\d+$/ ? $i + 1 : "$i + 1";
  return "$v->{base}($i$v->{rest})";
}

sub view_part
{
  my ($v, $low, $length) = @_;
  return "$v->{base}\[$low:$length]" if !$fortran;
  my ($from, $to) = $low eq '0' ? (1, $length) : ("$low + 1", "$low + $length");
  return "$v->{base}($from:$to$v->{rest})";
}

# All of it as a list item of a clause, N elements.
sub view_item
{
  my ($v, $n) = @_;
  return $v->{bare} && !$v->{part} ? $v->{base} : view_part ($v, 0, $n);
}

# What depend clauses name: the same storage for an array everywhere.
sub token
{
  my ($s, $v, $n) = @_;
  return $s->{token} if $s->{token} !~ /^(element|part)$/;
  return $s->{token} eq 'element' ? view_element ($v, 0) : view_part ($v, 0, $n);
}

# How a procedure of form FORM may have array A.
sub draw_style
{
  my ($a, $form, $deferred) = @_;
  my $s = $a->{storage};
  # Stock programs do not attach in time for what is deferred.
  my $boxed = $a->{alias} && !$deferred;
  return pick ('explicit', 'explicit', 'size', 'shape', 'shape',
	       $s =~ /^(allocatable|pointer|column)$/ ? ($s, $s) : (),
	       $s eq 'component' ? 'box' : (),
	       $form eq 'contained' && $s !~ /^co/ ? 'host' : ())
    if $fortran;
  return pick ('pointer', 'pointer', 'vla', 'restrict',
	       $boxed ? 'box' : (),
	       $s =~ /^(static|global)$/ ? 'host' : ()) if $lang eq 'c';
  return pick ('pointer', 'pointer', $form eq 'method' ? () :
	       ($boxed ? 'box' : (),
		$s =~ /^(heap|global)$/ ? 'reference' : (),
		$s eq 'static' ? 'whole' : (),
		$s =~ /^(static|global)$/ ? 'host' : ()));
}

# May array A be the argument for parameter P?
sub fits
{
  my ($a, $p) = @_;
  my ($style, $storage) = ($p->{style}, $a->{storage});
  return 0 if $a->{type} ne $p->{type};
  return $a->{k} == $p->{array}{k} if $style eq 'host';
  return $storage eq $style if $style =~ /^(allocatable|column)$/
    || $fortran && $style eq 'pointer';
  return $a->{alias} || $storage eq 'component' if $style eq 'box';
  return $storage =~ /^(heap|global|member)$/ if $style eq 'reference';
  return $storage eq 'static' if $style eq 'whole';
  return 1;
}

# Parameter P of a procedure: its view in there, and its declarations.
sub formal
{
  my ($p, $n) = @_;
  my ($name, $style) = ($p->{name}, $p->{style});
  my $c = $p->{type};
  my $t = type_name ($c);
  my ($base, $rest, $bare, @text) = ($name, '', 0);
  if ($style eq 'host')
    {
      $p->{view} = $p->{array}{view};
      return ();
    }
  if ($fortran)
    {
      $bare = $style ne 'size' && $style ne 'column';
      my $optional = $p->{optional} ? ', optional' : '';
      if ($style eq 'box')
	{
	  # GCC 12 breaks down over OpenACC's components of dummies.
	  $p->{alias} = $acc || $p->{deferred} || chance (0.6);
	  $base = $p->{alias} ? "q$name" : "$name%p";
	  @text = ('type(' . box_type ($c) . ") :: $name",
		   $p->{alias} ? "$t, pointer :: q$name(:)" : ());
	}
      elsif ($style eq 'column')
	{
	  $rest = ", k$name";
	  @text = ("integer, value :: k$name", "$t :: $name(:,:)");
	}
      else
	{
	  @text = $style eq 'explicit' ? "$t$optional :: $name($n)"
	    : $style eq 'size' ? "$t$optional :: $name(*)"
	    : $style eq 'shape' ? "$t$optional :: $name(:)"
	    : "$t, $style :: $name(:)";
	}
    }
  else
    {
      if ($style eq 'box')
	{
	  $base = "$name->p";
	  @text = (box_type ($c) . " *$name");
	}
      elsif ($style eq 'whole')
	{
	  $bare = 1;
	  @text = ("$c (&$name)[$p->{array}{n}]");
	}
      else
	{
	  @text = $style eq 'vla' ? "$c $name\[n]"
	    : $style eq 'restrict' ? "$c *restrict $name"
	    : $style eq 'reference' ? "$c *&$name" : "$c *$name";
	}
    }
  $p->{view} = { base => $base, rest => $rest, bare => $bare };
  return @text;
}

# Array A as the argument for P.
sub actual
{
  my ($a, $p) = @_;
  my $style = $p->{style};
  return () if $style eq 'host';
  if ($fortran)
    {
      return "a$a->{k}" if $style eq 'box';
      return ($a->{column}, "a$a->{k}") if $style eq 'column';
      return "a$a->{k}(:, $a->{column})" if $a->{storage} eq 'column';
      return $a->{view}{base};
    }
  return "&a$a->{k}" if $style eq 'box';
  return $a->{view}{base};
}

1;
