/**
 * UTF-16 into UTF-8 in the vector unit: sixteen characters at a time where they are ASCII, else four, else one.
 *
 * Format: The Unicode Standard, section 3.9. TextDecoder is not used because offsets of the source must be kept, and it makes a string
 * of every text.
 */
import {
  addTo,
  type Code,
  i8x16,
  i16x8,
  i32,
  i32x4,
  ifElse,
  type Local,
  Locals,
  ret,
  v128,
  type WasmFunction,
  whileTrue,
} from '../../base/wasm/assembler.ts';
import { type OneUnit, transcodeUnit } from './scalar-utf16.ts';

/** A step of vectors reads and writes less than this beyond where it begins. */
export const MARGIN = 64;

export interface TranscodeLayout {
  readonly stopped: number; // the address of the first byte that was not taken
  readonly picks: number; // see `pickTable`
}

interface Variables extends OneUnit {
  readonly wide: Local;
  readonly rare: Local;
  readonly vector: Local;
  readonly long: Local;
}

/**
 * narrow(from, to, out, last): transcodes whole characters that begin at `last` or before, and returns the end position. A high surrogate
 * at the very end is left.
 */
export function transcodeUtf16(layout: TranscodeLayout, little: boolean): WasmFunction {
  const locals = new Locals(4);
  const [from, to, out, last] = [locals.param(0), locals.param(1), locals.param(2), locals.param(3)];
  const [unit, next, wide, rare] = [locals.i32(), locals.i32(), locals.i32(), locals.i32()];
  const [vector, long] = [locals.v128(), locals.v128()];
  const its: Variables = { from, to, out, unit, next, wide, rare, vector, long };
  const end: Code[] = [i32.store(layout.stopped, i32.const(0), from.get), ret(out.get)];
  const room = (bytes: number): Code =>
    i32.and(
      i32.leS(i32.add(from.get, i32.const(bytes)), to.get),
      i32.leS(i32.add(out.get, i32.const(bytes)), i32.add(last.get, i32.const(2))),
    );
  const body: Code[] = [
    whileTrue(room(2), [
      rare.set(i32.const(0)),
      whileTrue(i32.and(i32.eqz(rare.get), room(MARGIN)), takeVectors(its, layout, little, room(MARGIN))),
      ...transcodeUnit(its, little, end),
    ]),
    ...end,
    i32.const(0),
  ];
  return { name: little ? 'narrowLittle' : 'narrowBig', locals, body };
}

/** Bytes after the first character that is not ASCII are written too, and then overwritten. */
function takeVectors(its: Variables, { picks }: TranscodeLayout, little: boolean, room: Code): Code[] {
  const { from, out, wide, rare, vector } = its;
  const narrowable = (offset: number): Code =>
    i16x8.minU(ordered(v128.load(offset, from.get), little), v128.const(repeated(2, 0xff)));
  return [
    vector.set(i8x16.narrowU(narrowable(0), narrowable(16))),
    v128.store(0, out.get, vector.get),
    wide.set(i8x16.bitmask(vector.get)),
    ifElse(
      i32.eqz(wide.get),
      [addTo(from, i32.const(32)), addTo(out, i32.const(16))],
      [
        wide.set(i32.ctz(wide.get)),
        addTo(from, i32.shl(wide.get, i32.const(1))),
        addTo(out, wide.get),
        ...lookAtFour(its, little),
        whileTrue(i32.and(i32.ltS(rare.get, its.unit.get), room), [
          ...takeFour(its, picks),
          ...lookAtFour(its, little),
        ]),
      ],
    ),
  ];
}

/** Sets `unit` to which of the next four are above ASCII (a bit each), and `rare` to a great number if one is half of a pair. */
function lookAtFour({ from, unit, rare, vector }: Variables, little: boolean): Code[] {
  const half = i32x4.eq(v128.and(vector.get, all(0xf800)), all(0xd800));
  return [
    vector.set(i8x16.swizzle(v128.load64Zero(0, from.get), spread(little))),
    unit.set(i32x4.bitmask(i32x4.gtS(vector.get, all(0x7f)))),
    rare.set(i32.shl(v128.anyTrue(half), i32.const(4))),
  ];
}

/**
 * Four characters of one to three bytes. All forms of each are computed: the three bytes of the longest, of which the last two are the
 * two-byte form, then the ASCII byte; `pickTable` selects among them.
 */
function takeFour({ from, out, unit, next, vector, long }: Variables, picks: number): Code[] {
  const bits = (mask: number, shift: number): Code =>
    i32x4.shl(v128.and(vector.get, all(mask)), i32.const(shift));
  const middles = v128.or(bits(0x3f, 16), bits(0xfc0, 2));
  const ends = v128.or(i32x4.shrU(vector.get, i32.const(12)), i32x4.shl(vector.get, i32.const(24)));
  const marks = v128.or(all(0x8080e0), v128.andNot(all(0x4000), long.get));
  return [
    long.set(i32x4.gtS(vector.get, all(0x7ff))),
    next.set(i32x4.bitmask(long.get)),
    unit.set(i32.or(unit.get, i32.shl(next.get, i32.const(4)))),
    v128.store(
      0,
      out.get,
      i8x16.swizzle(
        v128.or(v128.or(middles, ends), marks),
        v128.load(picks, i32.shl(unit.get, i32.const(4))),
      ),
    ),
    addTo(from, i32.const(8)),
    addTo(out, i32.add(i32.const(4), i32.popcnt(unit.get))),
  ];
}

/** By the characters above ASCII (a bit each) and, four bits higher, those of three bytes: where the bytes of the text are in `takeFour`. */
export function pickTable(): Uint8Array {
  const table = new Uint8Array(256 * 16);
  for (let kinds = 0; kinds < 256; kinds++) {
    const picked = [0, 1, 2, 3].flatMap((n) => {
      const forms = (kinds >> (n + 4)) & 1 ? [0, 1, 2] : (kinds >> n) & 1 ? [1, 2] : [3];
      return forms.map((form) => 4 * n + form);
    });
    table.set(picked, 16 * kinds);
  }
  return table;
}

function ordered(units: Code, little: boolean): Code {
  return little ? units : i8x16.swizzle(units, v128.const(Array.from({ length: 16 }, (_, n) => n ^ 1)));
}

/** Four units of two bytes to four of four. */
function spread(little: boolean): Code {
  const places = [0, 1, 2, 3].flatMap((n) => [
    2 * n + (little ? 0 : 1),
    2 * n + (little ? 1 : 0),
    0x80,
    0x80,
  ]);
  return v128.const(places);
}

const all = (value: number): Code => v128.const(repeated(4, value));

/** Sixteen bytes of numbers of `width` bytes. */
function repeated(width: number, value: number): number[] {
  return Array.from({ length: 16 }, (_, n) => (value >> (8 * (n % width))) & 0xff);
}
