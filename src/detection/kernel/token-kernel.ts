import { LONG } from '../anchor-tables.ts';
import {
  type Code,
  i8x16,
  i32,
  i64,
  type Local,
  Locals,
  moduleOf,
  select,
  when,
  whileTrue,
} from './assembler.ts';

/**
 * The pass over the bytes as a program for the vector unit. 64 bytes become five 64-bit masks, one bit a byte: upper,
 * lower, digit, notable border, line end. Where tokens begin and end is then arithmetic on masks, and only their ends
 * and the notable borders are walked, one after the other. It writes a record for each that a table knows.
 */
export const RECORD = { bytes: 8, at: 0, sets: 4 } as const;
export const BORDER = 0x80000000; // a flag in a record's sets: those of a pair and of a name's tail
export const NO_LINE = -1; // the line began before the text

export interface KernelPlan {
  /** Borders to stop at. */
  readonly notable: readonly number[];
  /** Addresses of the tables and of what is written: the records, the count of lines and the last one's start. */
  readonly follower: number;
  readonly beyond: number;
  readonly token: number;
  readonly head: number;
  readonly pair: number;
  readonly tail: number;
  readonly classes: number;
  readonly separators: number; // 1 for a byte that may stand between a name and its value
  readonly records: number;
  readonly lines: number;
}

const BLOCK = 64;
const ALL = i64.const(-1);
const ONE = i64.const(1);

/** run(from, to, inToken): looks at the tokens that begin in [from, to) and at its borders; how many records. */
export function tokenKernel(plan: KernelPlan): Uint8Array<ArrayBuffer> {
  const locals = new Locals(3);
  const [base, limit, inToken] = [locals.param(0), locals.param(1), locals.param(2)];
  const { i32: int, i64: mask } = locals;
  const vectors = [locals.v128(), locals.v128(), locals.v128(), locals.v128()];
  const [upper, lower, digit, notable, lineEnd] = [mask(), mask(), mask(), mask(), mask()];
  const [token, before, starts, ends] = [mask(), mask(), mask(), mask()];
  const carry = mask(); // 1: the byte before this block belongs to a token
  const [events, bit, below] = [mask(), mask(), mask()]; // those to walk, the one at hand, all bits below it
  const range = mask(); // the bytes of a token in this block
  const [start, made] = [int(), int()]; // of the open token; -1: there is none
  const [at, who, nameEnd, out] = [int(), int(), int(), int()];
  const [line, lineStart] = [int(), int()];

  const bits = (test: (vector: Code) => Code): Code =>
    vectors
      .map((vector, n) => i64.shl(i64.extend(i8x16.bitmask(test(vector.get))), i64.const(16 * n)))
      .reduce((all, next) => i64.or(all, next));
  const between = (first: string, count: number) =>
    bits((v) => i8x16.ltU(i8x16.sub(v, i8x16.splat(first.charCodeAt(0))), i8x16.splat(count)));
  const oneOf = (bytes: readonly number[]) =>
    bits((v) =>
      bytes.map((byte) => i8x16.eq(v, i8x16.splat(byte))).reduce((all, next) => i8x16.or(all, next)),
    );

  const has = (class_: Local, flag: number) =>
    i32.shl(i64.ne(i64.and(class_.get, range.get), i64.const(0)), i32.const(flag));
  const madeOf = i32.or(i32.or(made.get, has(digit, 0)), i32.or(has(upper, 1), has(lower, 2)));
  const position = (of: Code) => i32.add(base.get, i32.wrap(i64.ctz(of)));
  /** The lowest bit of `of` begins a token; where `range` ends is the caller's affair. */
  const beginToken = (of: Code) => [
    start.set(position(of)),
    made.set(i32.const(0)),
    range.set(i64.and(range.get, i64.shl(ALL, i64.ctz(of)))),
  ];
  /** What a table of sets says of the three bytes at a place, in the upper half. */
  const ofThree = (table: number, place: Code) => {
    const three = i32.load(0, place);
    const cell = i32.or(
      i32.shl(i32.and(three, i32.const(31)), i32.const(10)),
      i32.or(
        i32.and(i32.shrU(three, i32.const(3)), i32.const(0x3e0)),
        i32.and(i32.shrU(three, i32.const(16)), i32.const(31)),
      ),
    );
    return i32.shl(i32.load16(table, i32.shl(cell, i32.const(1))), i32.const(16));
  };
  const head = ofThree(plan.head, start.get);
  const length = i32.sub(at.get, start.get);
  const cell = i32.or(
    i32.or(
      i32.shl(select(length, i32.const(LONG), i32.ltS(length, i32.const(LONG))), i32.const(9)),
      i32.shl(made.get, i32.const(6)),
    ),
    i32.or(
      i32.shl(i32.load8(plan.follower, i32.load8(0, at.get)), i32.const(3)),
      i32.load8(plan.beyond, i32.load8(1, at.get)),
    ),
  );
  const known = i32.load16(plan.token, i32.shl(cell, i32.const(1)));

  // Written in any case and kept if anybody is in `who`: nothing can be foretold here, and a wrong guess is dear.
  const record = (place: Code, flag: number): Code[] => [
    i32.store(plan.records + RECORD.at, out.get, place),
    i32.store(plan.records + RECORD.sets, out.get, i32.or(who.get, i32.const(flag))),
    out.set(i32.add(out.get, select(i32.const(RECORD.bytes), i32.const(0), who.get))),
  ];

  const readBlock: Code[] = [
    ...vectors.map((vector, n) => vector.set(i8x16.load(16 * n, base.get))),
    upper.set(between('A', 26)),
    lower.set(between('a', 26)),
    digit.set(between('0', 10)),
    notable.set(oneOf(plan.notable)),
    lineEnd.set(oneOf([0x0a])),
    token.set(i64.or(i64.or(upper.get, lower.get), digit.get)),
    before.set(i64.or(i64.shl(token.get, ONE), carry.get)),
    starts.set(i64.and(token.get, i64.xor(before.get, ALL))),
    ends.set(i64.and(i64.xor(token.get, ALL), before.get)),
  ];
  // Beyond the limit only the token that is still open is of interest.
  const cutAtLimit = when(i32.ltS(limit.get, i32.add(base.get, i32.const(BLOCK))), [
    range.set(
      select(
        i64.sub(i64.shl(ONE, i64.extend(i32.sub(limit.get, base.get))), ONE),
        i64.const(0),
        i32.ltS(base.get, limit.get),
      ),
    ),
    ...[starts, notable, lineEnd].map((some) => some.set(i64.and(some.get, range.get))),
  ]);
  const endToken: Code[] = [
    range.set(below.get),
    when(i64.ne(i64.and(starts.get, below.get), i64.const(0)), [
      ...beginToken(starts.get),
      starts.set(i64.and(starts.get, i64.sub(starts.get, ONE))),
    ]),
    when(i32.geS(start.get, i32.const(0)), [
      made.set(madeOf),
      who.set(i32.or(known, head)),
      ...record(start.get, 0),
      start.set(i32.const(-1)),
    ]),
  ];
  // The pair by its two bytes; behind a name, whose last letter may have blanks and quotes after it, also its tail.
  const two = i32.load16(0, at.get);
  const pair = i32.or(i32.shl(i32.and(two, i32.const(255)), i32.const(8)), i32.shrU(two, i32.const(8)));
  const isSeparator = i32.load8(plan.separators, i32.load8(0, at.get));
  const endBorder: Code[] = [
    who.set(i32.load16(plan.pair, i32.shl(pair, i32.const(1)))),
    when(isSeparator, [
      nameEnd.set(i32.sub(at.get, i32.const(1))),
      whileTrue(
        i32.and(
          i32.ltS(i32.sub(at.get, i32.const(5)), nameEnd.get),
          i32.eqz(i32.load8(plan.classes, i32.load8(0, nameEnd.get))),
        ),
        [nameEnd.set(i32.sub(nameEnd.get, i32.const(1)))],
      ),
      who.set(i32.or(who.get, ofThree(plan.tail, i32.sub(nameEnd.get, i32.const(2))))),
    ]),
    ...record(at.get, BORDER | 0),
  ];
  const walkEvents = whileTrue(i64.ne(events.get, i64.const(0)), [
    at.set(position(events.get)),
    below.set(i64.and(i64.xor(events.get, ALL), i64.sub(events.get, ONE))),
    bit.set(i64.xor(events.get, i64.and(events.get, i64.sub(events.get, ONE)))),
    events.set(i64.xor(events.get, bit.get)),
    when(i64.ne(i64.and(ends.get, bit.get), i64.const(0)), endToken),
    when(i64.ne(i64.and(notable.get, bit.get), i64.const(0)), endBorder),
  ]);
  const leaveBlock: Code[] = [
    lineStart.set(
      select(
        i32.sub(i32.add(base.get, i32.const(BLOCK)), i32.wrap(i64.clz(lineEnd.get))),
        lineStart.get,
        i64.ne(lineEnd.get, i64.const(0)),
      ),
    ),
    line.set(i32.add(line.get, i32.wrap(i64.popcnt(lineEnd.get)))),
    carry.set(i64.shrU(token.get, i64.const(63))),
    range.set(ALL),
    when(i64.ne(starts.get, i64.const(0)), beginToken(starts.get)),
    made.set(madeOf),
    base.set(i32.add(base.get, i32.const(BLOCK))),
  ];
  const more = i32.ltS(
    base.get,
    select(i32.add(limit.get, i32.const(BLOCK)), limit.get, i32.geS(start.get, i32.const(0))),
  );
  return moduleOf(locals, [
    carry.set(i64.extend(inToken.get)),
    start.set(i32.const(-1)),
    lineStart.set(i32.const(NO_LINE)),
    whileTrue(more, [
      ...readBlock,
      cutAtLimit,
      events.set(i64.or(ends.get, notable.get)),
      walkEvents,
      ...leaveBlock,
    ]),
    // A token that goes on beyond sight has no cell, but a text may stand at its start.
    when(i32.geS(start.get, i32.const(0)), [who.set(head), ...record(start.get, 0)]),
    i32.store(plan.lines, i32.const(0), line.get),
    i32.store(plan.lines + 4, i32.const(0), lineStart.get),
    i32.shrU(out.get, i32.const(3)),
  ]);
}
