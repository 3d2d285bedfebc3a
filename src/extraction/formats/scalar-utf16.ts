/** UTF-16 into UTF-8, one character: what becomes of pairs, of lone halves and of the last few characters of a run. */
import { addTo, type Code, i32, ifElse, type Local } from '../../base/wasm/assembler.ts';

const REPLACEMENT = 0xfffd;
/** Below them one byte is enough for a character, or two, three, four. */
const LIMITS = [0x80, 0x800, 0x10000, 0x110000];

export interface OneUnit {
  readonly from: Local;
  readonly to: Local;
  readonly out: Local;
  readonly unit: Local;
  readonly next: Local;
}

/** Transcodes one character. Runs `end` instead if it is a high surrogate whose other half is not available. */
export function transcodeUnit(
  { from, to, out, unit, next }: OneUnit,
  little: boolean,
  end: readonly Code[],
): Code[] {
  const paired = i32.eq(i32.and(next.get, i32.const(0xfc00)), i32.const(0xdc00));
  const code = i32.add(i32.shl(unit.get, i32.const(10)), i32.sub(next.get, i32.const(0x35fdc00)));
  const half: Code[] = [
    next.set(i32.const(0)),
    ifElse(i32.ltS(unit.get, i32.const(0xdc00)), [
      ifElse(i32.ltS(to.get, i32.add(from.get, i32.const(4))), end),
      next.set(unitAt(from, 2, little)),
    ]),
    ifElse(paired, [unit.set(code), addTo(from, i32.const(2))], [unit.set(i32.const(REPLACEMENT))]),
  ];
  return [
    unit.set(unitAt(from, 0, little)),
    ifElse(i32.eq(i32.and(unit.get, i32.const(0xf800)), i32.const(0xd800)), half),
    addTo(from, i32.const(2)),
    LIMITS.reduceRight<Code>(
      (otherwise, limit, more) =>
        ifElse(i32.ltS(unit.get, i32.const(limit)), put(out, unit, more), [otherwise]),
      [],
    ),
  ];
}

/** A character with `more` continuation bytes. */
function put(out: Local, unit: Local, more: number): Code[] {
  const lead = more === 0 ? 0 : (0xff00 >> (more + 1)) & 0xff;
  const behind = Array.from({ length: more }, (_, n) => {
    const bits = i32.and(i32.shrU(unit.get, i32.const(6 * (more - 1 - n))), i32.const(0x3f));
    return i32.store8(n + 1, out.get, i32.or(bits, i32.const(0x80)));
  });
  return [
    i32.store8(0, out.get, i32.or(i32.shrU(unit.get, i32.const(6 * more)), i32.const(lead))),
    ...behind,
    addTo(out, i32.const(more + 1)),
  ];
}

function unitAt(from: Local, offset: number, little: boolean): Code {
  if (little) return i32.load16(offset, from.get);
  return i32.or(i32.shl(i32.load8(offset, from.get), i32.const(8)), i32.load8(offset + 1, from.get));
}
