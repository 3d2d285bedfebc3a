/**
 * What is done about 96 places: filters are computed, and where one holds, a record is written. Filters that begin with a digit or a
 * capital are computed only where there is one. Filters that need a label are told apart by group, and all of a group
 * share one record.
 */
import { type Code, call, i32, i64, i64x2, type Local, v128, when, whileTrue } from './assembler.ts';
import { DIGIT, UPPER } from './byte-classes.ts';
import { type Bits, type Circuit, type Cluster, LANE, leadOf } from './circuit.ts';
import type { Filter } from './filters.ts';
import { type Layout, PAIR_TABLE_BYTES, RECORD_BYTES } from './layout.ts';
import { NAMING } from './naming.ts';

export interface Drain {
  readonly out: Local;
  readonly place: Local;
  readonly bits: Local;
  readonly step: Local;
  readonly value: Local;
  readonly naming: Local;
}

/** Numbers in a record that are no filter's: a name and its separator, a value that something may name. */
export const ASSIGNMENT = 0xffff;
export const NAMED = 0xfffe;
/** The places of these functions in the module. */
export const FUNCTIONS = { begins: 0, paired: 1, separator: 2, words: 3 } as const;

const GROUP = 6; // filters that are asked for together before one by one
const VALID = v128.const([255, 255, 255, 255, 255, 255, 0, 0, 255, 255, 255, 255, 255, 255, 0, 0]);

interface Numbered {
  readonly filter: Filter;
  readonly id: number;
  readonly pairs: number;
}

export function stepCode(filters: readonly Filter[], layout: Layout, circuit: Circuit, drain: Drain): Code[] {
  const all = numbered(filters, layout).filter(({ filter }) => !isBordered(filter)); // those are found word by word
  const inText = all.filter(({ filter }) => !filter.cells);
  const cells = all.filter(({ filter }) => filter.cells);
  const of = (cluster: Cluster | null) => inText.filter(({ filter }) => clusterOf(filter) === cluster);
  return [
    ...walk(circuit.assignment(), drain, 0, () => nameEnds(drain)),
    ...filtersCode(circuit, drain, of(null), layout.groups),
    ...(['digit', 'capital'] as const).flatMap((cluster) =>
      of(cluster).length === 0
        ? []
        : [
            onlyWhere(
              v128.anyTrue(circuit.cluster(cluster).code),
              circuit,
              drain,
              of(cluster),
              layout.groups,
            ),
          ],
    ),
    // Words of every kind are looked at only where the head of a table names them.
    ...(cells.length === 0
      ? []
      : [
          onlyWhere(
            i32.eq(drain.naming.get, i32.const(NAMING.columns)),
            circuit,
            drain,
            cells,
            layout.groups,
          ),
        ]),
  ];
}

function numbered(filters: readonly Filter[], layout: Layout): Numbered[] {
  let pairs = layout.pairs;
  return filters.map((filter, id) => {
    const one = { filter, id, pairs };
    if (filter.probe === 'pair') pairs += PAIR_TABLE_BYTES;
    return one;
  });
}

/** Filters whose beginning is so common or so rare that they are worth a question of their own. */
function clusterOf({ loose, startBorder }: Filter): Cluster | null {
  if (loose.kind === 'form') return loose.sort === 'digits' ? 'digit' : null;
  const [first, second] = loose.kind === 'sequence' ? loose.items : [loose];
  if (!startBorder || first?.kind !== 'class') return null;
  if (first.classes === DIGIT) return 'digit';
  if (first.classes !== UPPER || second?.kind !== 'class') return null;
  return (second.classes & ~(UPPER | DIGIT)) === 0 ? 'capital' : null;
}

function onlyWhere(
  condition: Code,
  circuit: Circuit,
  drain: Drain,
  filters: readonly Numbered[],
  groups: number,
): Code {
  const inside = circuit.branch();
  const code = filtersCode(inside, drain, filters, groups);
  return when(condition, [...inside.code, ...code]);
}

function filtersCode(circuit: Circuit, drain: Drain, filters: readonly Numbered[], groups: number): Code[] {
  const all = filters.map((one) => ({ ...one, bits: circuit.filter(one.filter) }));
  // A loop serves filters that look equally far back.
  const free = [0, 1].flatMap((lead) => {
    const members = all.filter(({ filter }) => leadOf(filter) === lead);
    return Array.from({ length: Math.ceil(members.length / GROUP) }, (_, n) => ({
      lead,
      members: members.slice(n * GROUP, (n + 1) * GROUP),
    }));
  });
  const labelled = all.filter(({ filter }) => filter.labelled);
  const heard = [...Map.groupBy(labelled, ({ filter }) => filter.group)].map(([group, members]) =>
    circuit.heard(
      members.map(({ bits }) => bits),
      groups,
      group,
    ),
  );
  return [
    ...free.flatMap(({ lead, members }) =>
      walk(circuit.any(members.map(({ bits }) => bits)), drain, lead, (lane) =>
        members.map((one) => when(holds(one.bits, drain, lane), probed(one, drain))),
      ),
    ),
    ...(heard.length === 0
      ? []
      : walk(circuit.any(heard), drain, 2, () => record(drain, NAMED, i32.const(1)))),
  ];
}

/** Found by the pass over the words: see word-pass.ts. */
export function isBordered({ loose }: Filter): boolean {
  return loose.kind === 'known' && loose.bordered;
}

/** For every bit of both lanes: sets `place` to where the value begins, `lead` bytes behind. */
function walk(bits: Bits, drain: Drain, lead: number, body: (lane: number) => readonly Code[]): Code[] {
  const { value, bits: left, place, step } = drain;
  const lane = (n: number): Code[] => [
    left.set(i64x2.extract(n, value.get)),
    whileTrue(i64.ne(left.get, i64.const(0)), [
      place.set(i32.add(i32.add(step.get, i32.const(n * LANE + lead)), i32.wrap(i64.ctz(left.get)))),
      ...body(n),
      left.set(i64.and(left.get, i64.sub(left.get, i64.const(1)))),
    ]),
  ];
  return [value.set(v128.and(bits.code, VALID)), when(v128.anyTrue(value.get), [...lane(0), ...lane(1)])];
}

function holds({ code }: Bits, { bits }: Drain, lane: number): Code {
  return i32.and(i32.wrap(i64.shrU(i64x2.extract(lane, code), i64.ctz(bits.get))), i32.const(1));
}

/** What is exact about a filter decides whether its record is kept. */
function probed({ filter, id, pairs }: Numbered, drain: Drain): Code[] {
  const { place } = drain;
  if (filter.probe === 'none' || filter.probe === 'form') return record(drain, id, i32.const(1));
  return filter.probe === 'pair'
    ? record(drain, id, call(FUNCTIONS.paired, place.get, i32.const(pairs)))
    : record(drain, id, call(FUNCTIONS.begins, place.get));
}

/** Written in any case, and kept if `keep` is 1: nothing can be foretold here, and a wrong guess is dear. */
function record({ out, place }: Drain, id: number, keep: Code): Code[] {
  return [
    i32.store(0, out.get, place.get),
    i32.store(4, out.get, i32.const(id)),
    out.set(i32.add(out.get, i32.mul(keep, i32.const(RECORD_BYTES)))),
  ];
}

function nameEnds(drain: Drain): Code[] {
  const { place } = drain;
  return [
    place.set(call(FUNCTIONS.separator, place.get)),
    when(place.get, record(drain, ASSIGNMENT, i32.const(1))),
  ];
}
