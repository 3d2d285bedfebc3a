/** Questions about the bytes of one place, asked where a filter holds: small functions, so that the search itself stays short. */
import { type Code, giveBack, i32, i64, Locals, type WasmFunction, when, whileTrue } from './assembler.ts';
import type { Layout } from './layout.ts';
import { HEAD_FOLD, HEAD_SHIFT, HEAD_SPREAD, LITERAL_BYTES } from './literals.ts';

/** begins(place): 1 if one of the known beginnings stands there. */
export function begins(layout: Layout): WasmFunction {
  const locals = new Locals(1);
  const place = locals.param(0);
  const literal = locals.i32();
  const bytes = locals.i64();
  const three = i32.or(i32.and(i32.wrap(bytes.get), i32.const(0xffffff)), i32.const(HEAD_FOLD));
  const head = i32.shrU(i32.mul(three, i32.const(HEAD_SPREAD)), i32.const(HEAD_SHIFT));
  const mask = i64.load(layout.literals + 8, literal.get);
  const differs = i64.and(i64.xor(bytes.get, i64.load(layout.literals, literal.get)), mask);
  const body: Code[] = [
    bytes.set(i64.load(0, place.get)),
    literal.set(i32.shl(i32.load16(layout.heads, i32.shl(head, i32.const(1))), i32.const(4))),
    whileTrue(i64.ne(mask, i64.const(0)), [
      when(i64.eqz(differs), [giveBack(i32.const(1))]),
      literal.set(i32.add(literal.get, i32.const(LITERAL_BYTES))),
    ]),
    i32.const(0),
  ];
  return { name: 'begins', locals, body };
}

/** paired(place, table): 1 if the table has a bit for the two bytes that stand there. */
export function paired(): WasmFunction {
  const locals = new Locals(2);
  const [place, table] = [locals.param(0), locals.param(1)];
  const two = i32.load16(0, place.get);
  const byte = i32.load8(0, i32.add(table.get, i32.shrU(two, i32.const(3))));
  return {
    name: 'paired',
    locals,
    body: [i32.and(i32.shrU(byte, i32.and(two, i32.const(7))), i32.const(1))],
  };
}

/** separator(place): `place` is the last letter of a name; where the separator behind it is, if anybody asks about such names, or 0. */
export function separator(layout: Layout, separators: string): WasmFunction {
  const locals = new Locals(1);
  const place = locals.param(0);
  const three = i32.load(0, i32.sub(place.get, i32.const(2)));
  const cell = i32.or(
    i32.shl(i32.and(three, i32.const(31)), i32.const(10)),
    i32.or(
      i32.and(i32.shrU(three, i32.const(3)), i32.const(0x3e0)),
      i32.and(i32.shrU(three, i32.const(16)), i32.const(31)),
    ),
  );
  const wanted = i32.and(
    i32.shrU(i32.load8(layout.tails, i32.shrU(cell, i32.const(3))), i32.and(cell, i32.const(7))),
    i32.const(1),
  );
  const isSeparator = [...separators]
    .map((c) => i32.eq(i32.load8(0, place.get), i32.const(c.charCodeAt(0))))
    .reduce((all, next) => i32.or(all, next));
  const body: Code[] = [
    when(i32.eqz(wanted), [giveBack(i32.const(0))]),
    whileTrue(i32.eqz(isSeparator), [place.set(i32.add(place.get, i32.const(1)))]),
    place.get,
  ];
  return { name: 'separator', locals, body };
}
