/** Where in a text of markup something may have to be changed, sixteen bytes at a time. */
import {
  addTo,
  type Code,
  i8x16,
  i32,
  ifElse,
  Locals,
  ret,
  v128,
  type WasmFunction,
  whileTrue,
} from '../../../base/wasm/assembler.ts';

const VECTOR = 16;
const GT = 0x3e;
const SPACE = 0x20;
/** The last of the bytes that no word, number or address ends with. */
const COMMA = 0x2c;

/**
 * find(from, to): the first position with an `&`, a soft hyphen, a zero-width space or, if there is a table of tags at `tags`, a `<` that
 * follows a possible word, or a number and a blank, and precedes two bytes in the table; `to` if there is none. Reads two bytes before
 * `from`, and a few after `to`.
 */
export function findMarkup(name: string, tags: number | null): WasmFunction {
  const locals = new Locals(2);
  const [from, to] = [locals.param(0), locals.param(1)];
  const [bits, maybe, at] = [locals.i32(), locals.i32(), locals.i32()];
  const vector = locals.v128();
  const body: Code[] = [
    whileTrue(i32.ltS(from.get, to.get), [
      vector.set(v128.load(0, from.get)),
      bits.set(i8x16.bitmask(any(is(vector.get, 0x26), hidden(from.get, vector.get)))),
      ...(tags === null
        ? []
        : [
            maybe.set(i8x16.bitmask(tagBehindWord(from.get, vector.get))),
            whileTrue(maybe.get, [
              at.set(i32.ctz(maybe.get)),
              bits.set(i32.or(bits.get, i32.shl(isKnown(tags, i32.add(from.get, at.get), to.get), at.get))),
              maybe.set(i32.and(maybe.get, i32.sub(maybe.get, i32.const(1)))),
            ]),
          ]),
      ifElse(bits.get, [
        addTo(from, i32.ctz(bits.get)),
        ifElse(i32.ltS(from.get, to.get), [ret(from.get)]),
        ret(to.get),
      ]),
      addTo(from, i32.const(VECTOR)),
    ]),
    to.get,
  ];
  return { name, locals, body };
}

/** U+00AD is C2 AD, U+200B is E2 80 8B. */
function hidden(from: Code, vector: Code): Code {
  const second = v128.load(1, from);
  const softHyphen = v128.and(is(vector, 0xc2), is(second, 0xad));
  const start = v128.and(is(vector, 0xe2), is(second, 0x80));
  return any(softHyphen, v128.and(start, is(v128.load(2, from), 0x8b)));
}

function tagBehindWord(from: Code, vector: Code): Code {
  const before = v128.load(0, i32.sub(from, i32.const(1)));
  const wordless = any(
    v128.andNot(i8x16.gtS(i8x16.splat(COMMA + 1), before), i8x16.gtS(i8x16.splat(0), before)),
    is(before, GT),
  );
  const wordy = v128.andNot(is(vector, 0x3c), wordless);
  return any(wordy, v128.and(is(vector, 0x3c), v128.and(is(before, SPACE), numberEnd(from))));
}

/** A digit two bytes before, or the end of something that may be removed or replaced after one: `>`, `;`. */
function numberEnd(from: Code): Code {
  const before = v128.load(0, i32.sub(from, i32.const(2)));
  return v128.and(i8x16.gtS(before, i8x16.splat(0x2f)), i8x16.gtS(i8x16.splat(GT + 1), before));
}

/** The table has a number for each first letter, with a bit for each second one; the lowest is for what is no letter. */
export function tagTable(names: Iterable<string>): Int32Array {
  const table = new Int32Array(32);
  for (const name of names) {
    const [first = 0, second = 0] = Array.from(name, (c) => c.charCodeAt(0) & 31);
    table[first]! |= 1 << second;
  }
  return table;
}

/** 1 if the two bytes after the `<` at `at`, or after its slash, are in the table, or not all available. */
function isKnown(tags: number, at: Code, to: Code): Code {
  const name = i32.add(at, i32.eq(i32.load8(1, at), i32.const(0x2f)));
  const seconds = i32.load(tags, i32.shl(i32.and(i32.load8(1, name), i32.const(31)), i32.const(2)));
  const second = i32.load8(2, name);
  const letter = i32.sub(i32.const(0), i32.ltU(i32.const(0x40), second));
  const known = i32.and(i32.shrU(seconds, i32.and(i32.and(second, letter), i32.const(31))), i32.const(1));
  return i32.or(known, i32.ltS(i32.sub(to, at), i32.const(4)));
}

function is(vector: Code, byte: number): Code {
  return i8x16.eq(vector, i8x16.splat(byte));
}

function any(one: Code, other: Code): Code {
  return v128.or(one, other);
}
