/**
 * words(tile, length, naming, out): looks at every word of a tile once. Where a known beginning stands, a record is written; where a
 * context word stands, the bytes behind it are marked in the masks of the groups that hear it, as far as it may speak. Returns where
 * the records end.
 */
import {
  type Code,
  call,
  i32,
  i32x4,
  i64,
  type Local,
  Locals,
  v128,
  type WasmFunction,
  when,
  whileTrue,
} from './assembler.ts';
import { LETTER, LINE_END, UPPER } from './byte-classes.ts';
import { LABEL_LETTERS, LABEL_SHIFT, LABEL_SPREAD } from './labels.ts';
import { type Layout, RECORD_BYTES } from './layout.ts';
import { HEAD_FOLD, HEAD_SHIFT, HEAD_SPREAD } from './literals.ts';
import { BEFORE_TILE, MASK_SPACING, maskOffset } from './mask-pass.ts';
import { GROUPS, NAMING } from './naming.ts';

/** How far a word speaks, from its first letter on; in lists also to the elements behind the first. */
const NEAR = 64;
const IN_LISTS = 256;

export function wordPass(layout: Layout, beginsFunction: number, beginning: number): WasmFunction {
  const locals = new Locals(4);
  const [tile, length, naming, out] = [0, 1, 2, 3].map((n) => locals.param(n)) as [
    Local,
    Local,
    Local,
    Local,
  ];
  const [starts, letters, block] = [locals.i64(), locals.i64(), locals.i64()];
  const [carry, smallCarry, word] = [locals.i64(), locals.i64(), locals.i64()];
  const [chunk, at, bit, count, groups] = [
    locals.i32(),
    locals.i32(),
    locals.i32(),
    locals.i32(),
    locals.i32(),
  ];
  const mark = {
    byte: locals.i32(),
    rest: locals.i32(),
    span: locals.i64(),
    left: locals.i32(),
    line: locals.i64(),
  };

  const not = (value: Code) => i64.xor(value, i64.const(-1));
  const maskAt = (mask: number, byte: Code) => i64.load(layout.masks + maskOffset(mask), byte);
  const smalls = i64.and(letters.get, not(maskAt(UPPER, chunk.get)));
  const shl1 = (value: Code) => i64.shl(value, i64.const(1));
  /** Letters after something that is none, and capitals after small ones; borders are told apart below. */
  const wordStarts = i64.or(
    i64.and(letters.get, not(i64.or(shl1(letters.get), carry.get))),
    i64.and(maskAt(UPPER, chunk.get), i64.or(shl1(smalls), smallCarry.get)),
  );
  const readChunk: Code[] = [
    letters.set(maskAt(LETTER, chunk.get)),
    starts.set(wordStarts),
    carry.set(i64.shrU(letters.get, i64.const(63))),
    smallCarry.set(i64.shrU(smalls, i64.const(63))),
  ];
  const lettersHere = i64.shrU(
    maskAt(LETTER, i32.shrU(bit.get, i32.const(3))),
    i64.extend(i32.and(bit.get, i32.const(7))),
  );
  const cell = i32.wrap(i64.shrU(i64.mul(word.get, i64.const(LABEL_SPREAD)), i64.const(LABEL_SHIFT)));
  const lookUpLabel: Code[] = [
    count.set(i32.wrap(i64.ctz(i64.or(not(lettersHere), i64.const(1 << LABEL_LETTERS))))),
    word.set(i64.or(block.get, i64.const(0x2020202020202020n))),
    when(i32.ltS(count.get, i32.const(LABEL_LETTERS)), [
      word.set(
        i64.and(
          word.get,
          i64.sub(i64.shl(i64.const(1), i64.extend(i32.shl(count.get, i32.const(3)))), i64.const(1)),
        ),
      ),
    ]),
    groups.set(i32.load8(layout.labels, cell)),
    when(groups.get, markBehind(layout, { naming, bit, groups, ...mark })),
  ];
  const before = i32.sub(i32.load8(0, i32.sub(at.get, i32.const(1))), i32.const(48));
  const afterDigit = i32.ltU(before, i32.const(10));
  // A capital in the middle of a word begins no value, and words before the tile belong to the one before.
  const isBorder = i32.and(
    i32.and(i32.eqz(afterDigit), i32.eqz(afterLetter(at))),
    i32.leS(i32.const(BEFORE_TILE), bit.get),
  );
  const three = i32.or(i32.and(i32.wrap(block.get), i32.const(0xffffff)), i32.const(HEAD_FOLD));
  const head = i32.shrU(i32.mul(three, i32.const(HEAD_SPREAD)), i32.const(HEAD_SHIFT));
  const lookUpBeginning: Code[] = [
    when(i32.load16(layout.heads, i32.shl(head, i32.const(1))), [
      when(i32.and(call(beginsFunction, at.get), isBorder), [
        i32.store(0, out.get, at.get),
        i32.store(4, out.get, i32.const(beginning)),
        out.set(i32.add(out.get, i32.const(RECORD_BYTES))),
      ]),
    ]),
  ];
  const eachWord: Code[] = [
    bit.set(i32.add(i32.shl(chunk.get, i32.const(3)), i32.wrap(i64.ctz(starts.get)))),
    starts.set(i64.and(starts.get, i64.sub(starts.get, i64.const(1)))),
    at.set(i32.add(i32.sub(tile.get, i32.const(BEFORE_TILE)), bit.get)),
    block.set(i64.load(0, at.get)),
    ...(beginning === -1 ? [] : lookUpBeginning),
    ...lookUpLabel,
  ];
  const body: Code[] = [
    ...clearGroups(layout, length, naming, chunk),
    chunk.set(i32.const(0)),
    whileTrue(i32.ltS(i32.shl(chunk.get, i32.const(3)), i32.add(length.get, i32.const(BEFORE_TILE))), [
      ...readChunk,
      whileTrue(i64.ne(starts.get, i64.const(0)), eachWord),
      chunk.set(i32.add(chunk.get, i32.const(8))),
    ]),
    out.get,
  ];
  return { name: 'words', locals, body };
}

function afterLetter(at: Local): Code {
  const letter = i32.sub(i32.or(i32.load8(0, i32.sub(at.get, i32.const(1))), i32.const(32)), i32.const(97));
  return i32.ltU(letter, i32.const(26));
}

/** Nobody has heard anything; in the columns of a table everybody has. */
function clearGroups(layout: Layout, length: Local, naming: Local, at: Local): Code[] {
  const heard = i32.sub(i32.const(0), i32.eq(naming.get, i32.const(NAMING.columns)));
  return [
    at.set(i32.const(0)),
    whileTrue(
      i32.ltS(i32.shl(at.get, i32.const(3)), i32.add(length.get, i32.const(2 * IN_LISTS + BEFORE_TILE))),
      [
        ...Array.from({ length: GROUPS }, (_, n) =>
          v128.store(layout.groups + n * MASK_SPACING, at.get, i32x4.splat(heard)),
        ),
        at.set(i32.add(at.get, i32.const(16))),
      ],
    ),
  ];
}

interface Mark {
  readonly naming: Local;
  readonly bit: Local;
  readonly groups: Local;
  readonly byte: Local;
  readonly rest: Local;
  readonly span: Local;
  readonly left: Local;
  readonly line: Local;
}

/** The bytes behind a context word, on its line; those of the next line too if its own ends with a colon. */
function markBehind(layout: Layout, { naming, bit, groups, byte, rest, span, left, line }: Mark): Code[] {
  const near = i32.eq(naming.get, i32.const(NAMING.near));
  const lineEnds = i64.or(
    i64.shrU(i64.load(layout.masks + maskOffset(LINE_END), byte.get), i64.extend(rest.get)),
    i64.shl(
      i64.shl(i64.extend(i32.load8(layout.masks + maskOffset(LINE_END) + 8, byte.get)), i64.const(1)),
      i64.extend(i32.sub(i32.const(63), rest.get)),
    ),
  );
  const setBits = (offset: number, bits: Code) =>
    i64.store(offset, left.get, i64.or(i64.load(offset, left.get), bits));
  return [
    byte.set(i32.shrU(bit.get, i32.const(3))),
    rest.set(i32.and(bit.get, i32.const(7))),
    span.set(i64.const(-1)),
    when(near, [
      line.set(lineEnds),
      when(i64.ne(line.get, i64.const(0)), [
        // All bytes up to the line's end; a colon before it lets the word speak on.
        span.set(i64.and(i64.xor(line.get, i64.const(-1)), i64.sub(line.get, i64.const(1)))),
        when(colonBefore(layout, bit, line), [span.set(i64.const(-1))]),
      ]),
    ]),
    whileTrue(groups.get, [
      left.set(i32.add(byte.get, i32.mul(i32.ctz(groups.get), i32.const(MASK_SPACING)))),
      setBits(layout.groups, i64.shl(span.get, i64.extend(rest.get))),
      setBits(
        layout.groups + 8,
        i64.shrU(i64.shrU(span.get, i64.const(1)), i64.extend(i32.sub(i32.const(63), rest.get))),
      ),
      when(
        i32.eq(naming.get, i32.const(NAMING.lists)),
        Array.from({ length: IN_LISTS / NEAR - 1 }, (_, n) =>
          setBits(layout.groups + 8 * (n + 1), i64.const(-1)),
        ),
      ),
      groups.set(i32.and(groups.get, i32.sub(groups.get, i32.const(1)))),
    ]),
  ];
}

/** The last visible byte of the line is a colon: looked at are a blank and a carriage return at most. */
function colonBefore(layout: Layout, bit: Local, line: Local): Code {
  const end = i32.add(bit.get, i32.wrap(i64.ctz(line.get)));
  const byteAt = (back: number) =>
    i32.load8(0, i32.sub(i32.add(i32.load(layout.tile, i32.const(0)), end), i32.const(back)));
  return [1, 2, 3]
    .map((back) => i32.eq(byteAt(back), i32.const(0x3a)))
    .reduce((all, next) => i32.or(all, next));
}
