import { isUtf8 } from 'node:buffer';

export const BLOCK = 512;

export interface TarHeader {
  readonly name: string;
  /** One character. */
  readonly type: string;
  readonly size: number;
  /** Of a file with holes: where its bytes belong, offsets and lengths in turn; and whether more blocks of them follow. */
  readonly map: readonly number[];
  readonly extended: boolean;
}

/** The type of a file with holes in GNU's own format. */
export const SPARSE = 'S';

const SUM_AT = 148;
const SUM_END = 156;

/** Returns null if this is not a header, decided by the checksum, which all variants of the format have. */
export function readHeader(block: Uint8Array): TarHeader | null {
  if (!sumFits(block)) return null;
  const size = numberAt(block, 124, 136);
  if (size === null) return null;
  const type = String.fromCharCode(block[156]!);
  const map = type === SPARSE ? extentsAt(block, 386, 4) : [];
  return { name: nameOf(block), type, size, map, extended: block[482] !== 0 };
}

/** At most `max`; an empty field ends them. NaN for an invalid number. */
export function extentsAt(block: Uint8Array, from: number, max: number): number[] {
  const map: number[] = [];
  for (let at = from; at < from + 24 * max && block[at + 12] !== 0; at += 24)
    map.push(numberAt(block, at, at + 12) ?? Number.NaN, numberAt(block, at + 12, at + 24) ?? Number.NaN);
  return map;
}

/** Some old programs added signed bytes. */
function sumFits(block: Uint8Array): boolean {
  const expected = numberAt(block, SUM_AT, SUM_END);
  if (block.length < BLOCK || expected === null) return false;
  let sum = 32 * (SUM_END - SUM_AT); // its own field counts as blanks
  let high = 0;
  for (let i = 0; i < BLOCK; i++) {
    if (i === SUM_AT) i = SUM_END;
    sum += block[i]!;
    high += block[i]! >> 7;
  }
  return expected === sum || expected === sum - 256 * high;
}

/** Octal digits, or a binary number after a marker byte (base-256). */
function numberAt(block: Uint8Array, from: number, to: number): number | null {
  const first = block[from]!;
  let value = 0;
  if (first & 0x80) {
    for (let at = from; at < to; at++) value = value * 256 + (at === from ? first & 0x7f : block[at]!);
    return value <= Number.MAX_SAFE_INTEGER ? value : null;
  }
  const digits = /^[\0 ]*([0-7]*)[\0 ]?/.exec(text(block, from, to));
  return digits === null ? null : Number.parseInt(`0${digits[1]}`, 8);
}

/** The prefix is one only in the standard's format: GNU keeps times there. */
function nameOf(block: Uint8Array): string {
  const name = field(block, 0, 100);
  const standard = text(block, 257, 263) === 'ustar\0';
  const prefix = standard ? field(block, 345, 500) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

function field(block: Uint8Array, from: number, to: number): string {
  const end = block.indexOf(0, from);
  return decodeName(block.subarray(from, end === -1 ? to : Math.min(end, to)));
}

/** Up to a zero. */
export function decodeName(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  const name = end === -1 ? bytes : bytes.subarray(0, end);
  return Buffer.from(name.buffer, name.byteOffset, name.length).toString(isUtf8(name) ? 'utf8' : 'latin1');
}

function text(block: Uint8Array, from: number, to: number): string {
  return Buffer.from(block.buffer, block.byteOffset + from, to - from).toString('latin1');
}
