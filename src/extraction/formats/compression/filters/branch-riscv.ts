const PAIR = 8;
const JUMP = 0xef;
const ADD_UPPER = 0x17;
/** The stack pointer is never loaded so: the writer marks pairs of instructions with it. */
const MARK = 2 << 7;

/** See branch-filters.ts. Instructions have two bytes or four. */
export function convertRiscV(code: DataView, position: number): number {
  let at = 0;
  while (at + PAIR <= code.byteLength) {
    const first = code.getUint8(at);
    if (first === JUMP) at += convertJump(code, at, position + at);
    else if ((first & 0x7f) === ADD_UPPER) at += convertPair(code, at, position + at);
    else at += 2;
  }
  return at;
}

/** Restores the instruction's order of address bits; the encoder stored them in natural order, the highest first. */
function convertJump(code: DataView, at: number, position: number): number {
  const register = code.getUint8(at + 1);
  if ((register & 0x0d) !== 0) return 2;
  const absolute = ((register & 0xf0) << 13) | (code.getUint8(at + 2) << 9) | (code.getUint8(at + 3) << 1);
  const target = absolute - position;
  code.setUint8(at + 1, (register & 0x0f) | ((target >> 8) & 0xf0));
  code.setUint8(at + 2, ((target >> 16) & 0x0f) | ((target >> 7) & 0x10) | ((target << 4) & 0xe0));
  code.setUint8(at + 3, ((target >> 4) & 0x7f) | ((target >> 13) & 0x80));
  return 4;
}

/** The upper bits of an address, and in the next instruction the lower ones. False positives were marked by the encoder in another way. */
function convertPair(code: DataView, at: number, position: number): number {
  const first = code.getUint32(at, true);
  if ((first & 0xe80) !== 0) return unmark(code, at, first);
  const register = first >>> 27;
  if (((first - 0x3117) << 18) >>> 0 >= (register & 0x1d)) return 4;
  const target = code.getUint32(at + 4) - position;
  code.setUint32(at, ADD_UPPER | (register << 7) | ((target + 0x800) & 0xfffff000), true);
  code.setUint32(at + 4, (first >>> 12) | (target << 20), true);
  return PAIR;
}

function unmark(code: DataView, at: number, first: number): number {
  const second = code.getUint32(at + 4, true);
  if ((((first << 8) ^ (second - 3)) & 0xf8003) !== 0) return 6;
  code.setUint32(at, ADD_UPPER | MARK | (second << 12), true);
  code.setUint32(at + 4, (first & 0xfffff000) + (second >>> 20), true);
  return PAIR;
}
