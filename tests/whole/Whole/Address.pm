# Scenes in which a region stores the device's address of mapped data, with which
# the program calls the driver itself between constructs, on the NULL stream, or
# which other regions read and write through.
# SPDX-License-Identifier: GPL-3.0-or-later
package Whole::Address;
use strict;
use warnings;
use Whole::Draw;
use Whole::Text;

# What has the address: declaration, what is mapped for it, how it is stored
# from A, how the host has it as an integer, the pointer of a region.
my @holders = (
  ['long d = 0;', 'd', 'd = (long) (A);', '(uintptr_t) d', '(T *) d'],
  ['T *d = 0;', 'd', 'd = A;', '(uintptr_t) d', 'd'],
  ['uintptr_t d[3] = { 0 };', 'd', 'd[1] = (uintptr_t) (A);', 'd[1]', '(T *) d[1]'],
  ['struct { int k; T *p; } d = { 1, 0 };', 'd', 'd.p = A;', '(uintptr_t) d.p', 'd.p']);

sub draw
{
  my ($s) = @_;
  my $n = pick (8, 200, 3000);
  my $type = pick ('int', 'double');
  my ($declare, $mapped, $store, $integer, $pointer) = map { s/\bT\b/$type/gr }
    @{pick (@holders)};
  my $heap = chance (0.5);
  my $offset = chance (0.3) ? between (1, $n - 1) : 0;
  my $rest = $n - $offset;
  my $item = $heap || chance (0.3) ? "a[0:$n]" : 'a';
  my $address = $offset ? "&a[$offset]" : $heap ? 'a' : '&a[0]';
  $store =~ s/\bA\b/$address/;
  my $target = $acc ? '' : 'target ';
  my @serial = ($acc ? 'serial' : 'target');
  my $there = $acc ? "present ($item)" : "map (alloc: $item)";
  my $parallel = $acc ? 'parallel loop' : 'target teams distribute parallel for';
  my %op = (
    send => sub {
      my ($low) = between (0, $n - 1);
      my $length = between (1, $n - $low);
      my $c = between (1, 50);
      my $part = chance (0.5) ? $item : "a[$low:$length]";
      ($low, $length) = (0, $n) if $part eq $item;
      return (loop ('i', 0, 'n', 1, "m.host[i] = a[i] = (i + it * $c) % 1009;"),
	      pragma ($acc ? "update device ($part)" : "target update to ($part)"),
	      "mirror_send (&m, $low, $length);");
    },
    fetch => sub {
      return (pragma ($acc ? "update self ($item)" : "target update from ($item)"),
	      'mirror_fetch (&m, 0, n);',
	      loop ('i', 0, 'n', 1, 'differs ("a", i, a[i], m.host[i]);'));
    },
    read => sub {
      return ("driver_fetch (t, $integer, $rest * sizeof *t);",
	      loop ('i', 0, $rest, 1, "differs (\"read\", i, t[i], m.device[i + $offset]);"));
    },
    write => sub {
      my $c = between (1, 50);
      my $count = between (1, $rest);
      return (loop ('i', 0, $count, 1, "t[i] = m.device[i + $offset] = (i * 3 + it + $c) % 1009;"),
	      "driver_send ($integer, t, $count * sizeof *t);");
    },
    region => sub {
      my $c = between (1, 50);
      return (pragma ("$parallel $there"),
	      loop ('i', 0, 'n', 1, "a[i] = ((int) a[i] + i + $c) % 1009;"),
	      loop ('i', 0, 'n', 1, "m.device[i] = ((int) m.device[i] + i + $c) % 1009;"));
    },
    through => sub {
      my $c = between (1, 50);
      return ("{ $type *way = $pointer;",
	      pragma ($acc ? 'parallel loop deviceptr (way)'
		      : 'target teams distribute parallel for is_device_ptr (way)'),
	      loop ('i', 0, $rest, 1, "way[i] = ((int) way[i] * 2 + $c) % 1009;"), '}',
	      loop ('i', 0, $rest, 1, "m.device[i + $offset] = ((int) m.device[i + $offset] * 2 + $c) % 1009;"));
    });
  my @known = (block_pragma ($serial[0], ($acc ? "copy ($mapped) " : "map (tofrom: $mapped) ")
			     . $there, $store));
  # The address may be stored in each round again.
  my $each = chance (0.3);
  my @kinds = (qw(send send read read write fetch fetch region), chance (0.5) ? 'through' : ());
  my @ops = map { $op{pick (@kinds)}->() } 1 .. between (2, 6);
  my @rounds = loop ('it', 0, between (3, 8), 1, $each ? @known : (), @ops);
  my $map = $acc ? "copyin ($item)" : "map (to: $item)";
  my $out = $acc ? "copyout ($item)" : "map (from: $item)";
  $s->{launches} = [];
  return ("static void $s->{name} (void)", '{', "int n = opaque ($n);",
	  $heap ? "$type *a = ($type *) malloc ($n * sizeof *a);" : "static $type a[$n];",
	  "static $type t[$n];", 'static struct mirror m;', $declare,
	  'driver_open ();', 'mirror_new (&m, n);',
	  loop ('i', 0, 'n', 1, 'a[i] = i % 61;'),
	  pragma ("${target}enter data $map"), 'mirror_enter (&m, 1, 0, 0, n);',
	  $each ? () : @known, @rounds, pragma ("${target}exit data $out"),
	  'mirror_leave (&m, 1, 0, 0, n);',
	  loop ('i', 0, 'n', 1, 'differs ("a", i, a[i], m.host[i]);'),
	  $heap ? 'free (a);' : (), '}');
}

1;
