/** Copies the bytes of a value to a table's text, without separators. */
const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const FIRST_HARMLESS = 0x0e;
const SPACE = 0x20;
const ZERO = 0x30;
/** Shorter values are copied byte by byte, which is faster than a call. */
const LONG = 256;

/** Without tabs and line ends, as cellText in grid.ts does it; where the copy ends. There must be room for all of it. */
export function copyClean(source: Uint8Array, from: number, to: number, target: Buffer, at: number): number {
  return to - from > LONG ? copyLong(source, from, to, target, at) : copyShort(source, from, to, target, at);
}

/** Copies all bytes and tests them together, because replacements are rare. */
function copyShort(source: Uint8Array, from: number, to: number, target: Buffer, at: number): number {
  const shift = at - from;
  let low = 0;
  for (let i = from; i < to; i++) {
    const byte = source[i]!;
    low |= byte - FIRST_HARMLESS;
    target[i + shift] = byte;
  }
  return low < 0 ? copyReplacing(source, from, to, target, at) : to + shift;
}

function copyLong(source: Uint8Array, from: number, to: number, target: Buffer, at: number): number {
  const value = Buffer.from(source.buffer, source.byteOffset + from, to - from);
  if (value.includes(LF) || value.includes(TAB) || value.includes(CR))
    return copyReplacing(source, from, to, target, at);
  return at + value.copy(target, at);
}

function copyReplacing(source: Uint8Array, from: number, to: number, target: Buffer, at: number): number {
  let end = at;
  for (let i = from; i < to; i++) {
    const byte = source[i]!;
    if (!isBreak(byte)) target[end++] = byte;
    else if (i === from || !isBreak(source[i - 1]!)) target[end++] = SPACE;
  }
  return end;
}

function isBreak(byte: number): boolean {
  return byte <= CR && (byte === LF || byte === TAB || byte === CR);
}

/** A whole number below 2^31 in that many digits. */
export function putDigits(value: number, count: number, target: Buffer, at: number): number {
  let rest = value | 0;
  for (let i = at + count - 1; i >= at; i--) {
    const tenth = (rest / 10) | 0;
    target[i] = ZERO + rest - 10 * tenth;
    rest = tenth;
  }
  return at + count;
}

export function digitsOf(value: number): number {
  let digits = 1;
  for (let power = 10; value >= power; power *= 10) digits++;
  return digits;
}
