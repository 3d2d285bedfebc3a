/**
 * words(tile, length, fieldScope): visits every word of a tile once. Sets a bit in the mask of words that begin like a known one. Records
 * each context word as a label hit and marks the bytes within its reach.
 */
import {
  type Code,
  i32,
  i32x4,
  i64,
  ifElse,
  type Local,
  Locals,
  v128,
  type WasmFunction,
  whileTrue,
} from '../../base/wasm/assembler.ts';
import { CAMEL_CASE, DIGIT, LETTER, LINE_END, NEAR_LABEL, UPPER, WORD } from './byte-classes.ts';
import { HEAD_FOLD, HEAD_MULTIPLIER, HEAD_SHIFT, HEADS } from './heads.ts';
import { BITSET_BYTES, LABEL_LETTERS, LABEL_MULTIPLIER, LABEL_SHIFT } from './labels.ts';
import { LABEL_HIT_BYTES, type Layout } from './layout.ts';
import { BEFORE_TILE, maskOffset } from './mask-pass.ts';
import { FIELD_SCOPE } from './prefilter.ts';

/** The reach of a context word in bytes, from its first letter; longer in lists, so that it covers later elements too. */
export const LABEL_REACH = 64;
export const LABEL_REACH_IN_LISTS = 256;

export function wordPass(layout: Layout): WasmFunction {
  const locals = new Locals(3);
  const [tile, length, fieldScope] = [0, 1, 2].map((n) => locals.param(n)) as [Local, Local, Local];
  const [letters, starts, known, labels] = [locals.i64(), locals.i64(), locals.i64(), locals.i64()];
  const [carry, word] = [locals.i64(), locals.i64()];
  const [chunk, bit, end] = [locals.i32(), locals.i32(), locals.i32()];
  const at = i32.add(i32.sub(tile.get, i32.const(BEFORE_TILE)), bit.get);
  const maskAt = (mask: number, byte: Code) => i64.load(layout.masks + maskOffset(mask), byte);
  const alnums = i64.or(letters.get, maskAt(DIGIT, chunk.get));
  /** Letters after a non-letter, and upper case after lower case. */
  const wordStarts = i64.or(
    i64.and(letters.get, not(i64.or(shl1(letters.get), carry.get))),
    maskAt(CAMEL_CASE, chunk.get),
  );
  const word8 = wordAt(layout, bit);
  const setIf = (mask: Local, condition: Code) =>
    mask.set(i64.or(mask.get, i64.shl(i64.extend(condition), i64.ctz(starts.get))));
  const nextOf = (mask: Local): Code[] => [
    bit.set(i32.add(i32.shl(chunk.get, i32.const(3)), i32.wrap(i64.ctz(mask.get)))),
  ];
  const without = (mask: Local) => mask.set(i64.and(mask.get, i64.sub(mask.get, i64.const(1))));
  const mark = {
    line: locals.i64(),
    span: locals.i64(),
    byte: locals.i32(),
    rest: locals.i32(),
  };
  const body: Code[] = [
    ...clearNearLabel(layout, length, fieldScope, chunk),
    ...findCamelCase(layout, length, { chunk, lowerCase: letters, carry }),
    carry.set(i64.const(0)),
    chunk.set(i32.const(0)),
    end.set(i32.const(LABEL_HIT_BYTES)),
    whileTrue(i32.ltS(i32.shl(chunk.get, i32.const(3)), i32.add(length.get, i32.const(BEFORE_TILE + 64))), [
      letters.set(maskAt(LETTER, chunk.get)),
      starts.set(wordStarts),
      carry.set(i64.shrU(letters.get, i64.const(63))),
      known.set(i64.const(0)),
      labels.set(i64.const(0)),
      // Branch-free: most words are unknown, but which ones is unpredictable.
      whileTrue(i64.ne(starts.get, i64.const(0)), [
        ...nextOf(starts),
        word.set(i64.load(0, at)),
        setIf(known, beginsKnown(layout, word)),
        word.set(word8(word.get)),
        setIf(labels, i32.ltU(i32.const(0), labelSetOf(layout, word))),
        without(starts),
      ]),
      i64.store(layout.masks + maskOffset(WORD), chunk.get, i64.and(known.get, not(shl1(alnums)))),
      whileTrue(i64.ne(labels.get, i64.const(0)), [
        ...nextOf(labels),
        word.set(word8(i64.load(0, at))),
        i32.store(layout.labelHits, end.get, at),
        i32.store(layout.labelHits + 4, end.get, i32.mul(labelSetOf(layout, word), i32.const(BITSET_BYTES))),
        end.set(i32.add(end.get, i32.const(LABEL_HIT_BYTES))),
        ...markNearLabel(layout, { fieldScope, bit, ...mark }),
        without(labels),
      ]),
      chunk.set(i32.add(chunk.get, i32.const(8))),
    ]),
    i32.store(layout.labelHitsEnd, i32.const(0), end.get),
    i32.store(layout.cursor, i32.const(0), i32.const(LABEL_HIT_BYTES)),
    i32.const(0),
  ];
  return { name: 'words', locals, body };
}

function not(value: Code): Code {
  return i64.xor(value, i64.const(-1));
}

function shl1(value: Code): Code {
  return i64.shl(value, i64.const(1));
}

/** 1 if the word's first three bytes are known, and also its first four if the first three are too common. */
function beginsKnown(layout: Layout, word: Local): Code {
  const head = (fold: number, bytes: number) =>
    i32.shrU(
      i32.mul(
        i32.or(i32.and(i32.wrap(word.get), i32.const(bytes)), i32.const(fold)),
        i32.const(HEAD_MULTIPLIER),
      ),
      i32.const(HEAD_SHIFT),
    );
  const three = i32.load8(layout.heads, head(HEAD_FOLD >>> 8, 0xffffff));
  const four = i32.load8(layout.heads + HEADS, head(HEAD_FOLD, -1));
  return i32.and(i32.or(i32.shrU(three, i32.const(1)), i32.and(three, four)), i32.const(1));
}

interface CamelCaseLocals {
  readonly chunk: Local;
  readonly lowerCase: Local;
  readonly carry: Local;
}

/** Marks upper case after lower case. Done for the whole tile first, because a word must know where the next one begins. */
function findCamelCase(
  { masks }: Layout,
  length: Local,
  { chunk, lowerCase, carry }: CamelCaseLocals,
): Code[] {
  const maskAt = (mask: number) => i64.load(masks + maskOffset(mask), chunk.get);
  const camelCase = i64.and(maskAt(UPPER), i64.or(shl1(lowerCase.get), carry.get));
  return [
    carry.set(i64.const(0)),
    chunk.set(i32.const(0)),
    whileTrue(i32.ltS(i32.shl(chunk.get, i32.const(3)), i32.add(length.get, i32.const(BEFORE_TILE + 128))), [
      lowerCase.set(i64.and(maskAt(LETTER), not(maskAt(UPPER)))),
      i64.store(masks + maskOffset(CAMEL_CASE), chunk.get, camelCase),
      carry.set(i64.shrU(lowerCase.get, i64.const(63))),
      chunk.set(i32.add(chunk.get, i32.const(8))),
    ]),
  ];
}

/** Up to eight letters of the word in lower case, from the eight bytes where it begins. */
function wordAt(layout: Layout, bit: Local): (bytes: Code) => Code {
  const maskAt = (mask: number) =>
    i64.shrU(
      i64.load(layout.masks + maskOffset(mask), i32.shrU(bit.get, i32.const(3))),
      i64.extend(i32.and(bit.get, i32.const(7))),
    );
  const next = i64.and(maskAt(CAMEL_CASE), i64.const(-2)); // excluding its own first letter
  const count = i64.ctz(i64.or(i64.or(not(maskAt(LETTER)), next), i64.const(1 << LABEL_LETTERS)));
  const unused = i64.sub(i64.const(64), i64.shl(count, i64.const(3)));
  return (bytes) => i64.and(i64.or(bytes, i64.const(0x2020202020202020n)), i64.shrU(i64.const(-1), unused));
}

/** The number of the word's label set; 0: none. */
function labelSetOf(layout: Layout, word: Local): Code {
  const cell = i32.wrap(i64.shrU(i64.mul(word.get, i64.const(LABEL_MULTIPLIER)), i64.const(LABEL_SHIFT)));
  return i32.load16(layout.labels, i32.shl(cell, i32.const(1)));
}

/** Clears the mask; sets all of it in the columns of a table, where any value may be labelled. */
function clearNearLabel(layout: Layout, length: Local, fieldScope: Local, at: Local): Code[] {
  const nearLabel = i32.sub(i32.const(0), i32.eq(fieldScope.get, i32.const(FIELD_SCOPE.columns)));
  return [
    at.set(i32.const(0)),
    whileTrue(
      i32.ltS(
        i32.shl(at.get, i32.const(3)),
        i32.add(length.get, i32.const(2 * LABEL_REACH_IN_LISTS + BEFORE_TILE)),
      ),
      [
        v128.store(layout.masks + maskOffset(NEAR_LABEL), at.get, i32x4.splat(nearLabel)),
        at.set(i32.add(at.get, i32.const(16))),
      ],
    ),
  ];
}

interface Mark {
  readonly fieldScope: Local;
  readonly bit: Local;
  readonly byte: Local;
  readonly rest: Local;
  readonly span: Local;
  readonly line: Local;
}

/** Marks the bytes after a context word on its line, and those of the next line if its own ends with a colon. */
function markNearLabel(layout: Layout, { fieldScope, bit, byte, rest, span, line }: Mark): Code[] {
  const near = i32.eq(fieldScope.get, i32.const(FIELD_SCOPE.near));
  const lineEnds = i64.or(
    i64.shrU(i64.load(layout.masks + maskOffset(LINE_END), byte.get), i64.extend(rest.get)),
    i64.shl(
      i64.shl(i64.extend(i32.load8(layout.masks + maskOffset(LINE_END) + 8, byte.get)), i64.const(1)),
      i64.extend(i32.sub(i32.const(63), rest.get)),
    ),
  );
  const nearLabel = layout.masks + maskOffset(NEAR_LABEL);
  const setBits = (offset: number, bits: Code) =>
    i64.store(offset, byte.get, i64.or(i64.load(offset, byte.get), bits));
  return [
    byte.set(i32.shrU(bit.get, i32.const(3))),
    rest.set(i32.and(bit.get, i32.const(7))),
    span.set(i64.const(-1)),
    ifElse(near, [
      line.set(lineEnds),
      ifElse(i64.ne(line.get, i64.const(0)), [
        // All bytes up to the line's end; if a colon precedes it, the reach continues on the next line.
        span.set(i64.and(not(line.get), i64.sub(line.get, i64.const(1)))),
        ifElse(colonBefore(layout, bit, line), [span.set(i64.const(-1))]),
      ]),
    ]),
    setBits(nearLabel, i64.shl(span.get, i64.extend(rest.get))),
    setBits(
      nearLabel + 8,
      i64.shrU(i64.shrU(span.get, i64.const(1)), i64.extend(i32.sub(i32.const(63), rest.get))),
    ),
    ifElse(
      i32.eq(fieldScope.get, i32.const(FIELD_SCOPE.lists)),
      Array.from({ length: LABEL_REACH_IN_LISTS / LABEL_REACH - 1 }, (_, n) =>
        setBits(nearLabel + 8 * (n + 1), i64.const(-1)),
      ),
    ),
  ];
}

/** Whether the last visible byte of the line is a colon; skips at most a blank and a carriage return. */
function colonBefore(layout: Layout, bit: Local, line: Local): Code {
  const end = i32.add(bit.get, i32.wrap(i64.ctz(line.get)));
  const byteAt = (back: number) =>
    i32.load8(0, i32.sub(i32.add(i32.load(layout.tile, i32.const(0)), end), i32.const(back)));
  return [1, 2, 3]
    .map((back) => i32.eq(byteAt(back), i32.const(0x3a)))
    .reduce((all, next) => i32.or(all, next));
}
