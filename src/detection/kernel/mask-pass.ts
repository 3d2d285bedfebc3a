/** The first half of the kernel: converts 16 bytes at a time to one bit per byte and class, stored in arrays of masks. */
import {
  type Code,
  i8x16,
  i16x8,
  i32,
  type Local,
  type Locals,
  v128,
  whileTrue,
} from '../../base/wasm/assembler.ts';
import {
  ANYWHERE,
  AT,
  CAMEL_CASE,
  COLON,
  DASH,
  DIGIT,
  DOT,
  LETTER,
  LINE_END,
  NEAR_LABEL,
  NOTABLE,
  NOTABLES,
  SEPARATOR,
  SEPARATORS,
  SPACE,
  UPPER,
  WORD,
} from './byte-classes.ts';
import type { NibbleTables } from './teddy.ts';

/** The masks in memory order. The last three are computed by the word pass. */
export const MASKS = [
  ...[DIGIT, LETTER, UPPER, SPACE, DASH, DOT, COLON, AT, NOTABLE],
  ...[SEPARATOR, ANYWHERE, LINE_END, CAMEL_CASE, WORD, NEAR_LABEL],
];
/** Masks begin this many bytes before a tile, for look-behind. */
export const BEFORE_TILE = 256;
/** Bytes between two mask arrays. */
export const MASK_SPACING = 1024;
const UNROLL = 3;
const VECTOR = 16;

export interface MaskPass {
  readonly masks: number;
  readonly relaxed: boolean;
  readonly prefixes: readonly NibbleTables[];
}

export function maskOffset(mask: number): number {
  return MASKS.indexOf(mask) * MASK_SPACING;
}

/** Code that computes the masks from BEFORE_TILE bytes before `tile` on, for `bytes` bytes and slightly more. */
export function maskPass(plan: MaskPass, locals: Locals, tile: Local, bytes: Local): Code[] {
  const [at, mask] = [locals.i32(), locals.i32()];
  const [x, low, high, known] = [locals.v128(), locals.v128(), locals.v128(), locals.v128()];
  const swizzle = plan.relaxed ? i8x16.relaxedSwizzle : i8x16.swizzle;
  const lookUp = (tables: NibbleTables) =>
    v128.and(swizzle(v128.const(tables.low), low.get), swizzle(v128.const(tables.high), high.get));
  const teddy = new TeddyMatcher(locals, plan.prefixes.map(lookUp));
  const tests: readonly Code[] = [
    between(x.get, '0', '9'),
    between(v128.or(x.get, i8x16.splat(32)), 'a', 'z'),
    between(x.get, 'A', 'Z'),
    ...[...' -.:@'].map((c) => is(x.get, c)),
    i8x16.gtS(lookUp(nibbleTables(NOTABLES)), i8x16.splat(0)),
    [...SEPARATORS].map((c) => is(x.get, c)).reduce((all, next) => v128.or(all, next)),
    v128.not(i8x16.eq(known.get, i8x16.splat(0))),
    is(x.get, '\n'),
  ];
  const vector = (n: number): Code[] => [
    x.set(v128.load(n * VECTOR, at.get)),
    low.set(v128.and(x.get, i8x16.splat(15))),
    high.set(v128.and(i16x8.shrU(x.get, i32.const(4)), i8x16.splat(15))),
    ...teddy.matchCode(known),
    ...tests.map((test, m) =>
      i32.store16(plan.masks + m * MASK_SPACING + n * 2, mask.get, i8x16.bitmask(test)),
    ),
  ];
  return [
    at.set(i32.sub(tile.get, i32.const(BEFORE_TILE))),
    mask.set(i32.const(0)),
    ...teddy.resetCode(),
    whileTrue(i32.ltS(i32.shl(mask.get, i32.const(3)), i32.add(bytes.get, i32.const(BEFORE_TILE))), [
      ...Array.from({ length: UNROLL }, (_, n) => vector(n)).flat(),
      at.set(i32.add(at.get, i32.const(UNROLL * VECTOR))),
      mask.set(i32.add(mask.get, i32.const(UNROLL * 2))),
    ]),
  ];
}

/** Teddy: the buckets in which the three bytes up to a position agree. The last bytes of the previous vector are carried over. */
class TeddyMatcher {
  readonly #now: readonly Local[];
  readonly #before: readonly Local[];
  readonly #lookUps: readonly Code[];

  constructor(locals: Locals, lookUps: readonly Code[]) {
    this.#lookUps = lookUps;
    this.#now = lookUps.map(() => locals.v128());
    this.#before = [locals.v128(), locals.v128()];
  }

  matchCode(known: Local): Code[] {
    const [first, second, third] = this.#now as [Local, Local, Local];
    const [firstBefore, secondBefore] = this.#before as [Local, Local];
    return [
      ...this.#now.map((local, n) => local.set(this.#lookUps[n]!)),
      known.set(
        v128.and(
          third.get,
          v128.and(
            i8x16.alignr(1, secondBefore.get, second.get),
            i8x16.alignr(2, firstBefore.get, first.get),
          ),
        ),
      ),
      firstBefore.set(first.get),
      secondBefore.set(second.get),
    ];
  }

  resetCode(): Code[] {
    return this.#before.map((local) => local.set(v128.const(new Uint8Array(VECTOR))));
  }
}

function is(x: Code, c: string): Code {
  return i8x16.eq(x, i8x16.splat(c.charCodeAt(0)));
}

/** A range test by one addition, which wraps around for bytes above the range, and one signed comparison. */
export function between(x: Code, first: string, last: string): Code {
  const high = last.charCodeAt(0);
  const count = high - first.charCodeAt(0) + 1;
  return i8x16.gtS(i8x16.add(x, i8x16.splat(127 - high)), i8x16.splat(127 - count));
}

/** A byte is in the set if the table entries of its two nibbles share a bit; each bit stands for one upper nibble. */
function nibbleTables(bytes: string): NibbleTables {
  const low = new Uint8Array(16);
  const high = new Uint8Array(16);
  const halves = [...new Set([...bytes].map((c) => c.charCodeAt(0) >> 4))];
  for (const c of bytes) {
    const byte = c.charCodeAt(0);
    const bit = 1 << halves.indexOf(byte >> 4);
    low[byte & 15]! |= bit;
    high[byte >> 4]! |= bit;
  }
  return { low, high };
}
