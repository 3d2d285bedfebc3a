/**
 * Replaces the library's string parser, which works character by character at fifty times the cost. In a broken document each of many
 * strings may extend to the end of the file.
 */
import type { ByteStream, Lexer, LibraryInternals } from '../pdfjs/library-internals.ts';

const [OPEN, CLOSE, BACKSLASH, CR, LF] = [0x28, 0x29, 0x5c, 0x0d, 0x0a];
const SHORT = 16;
const ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x6e, '\n'],
  [0x72, '\r'],
  [0x74, '\t'],
  [0x62, '\b'],
  [0x66, '\f'],
  [CR, ''],
  [LF, ''],
]);

/** From now on. */
export function installFastStrings({ Lexer: { prototype }, Stream }: LibraryInternals): void {
  const slowly = prototype.getString;
  prototype.getString = function getString(this: Lexer) {
    // Other kinds of streams bring their bytes one by one.
    if (this.stream.constructor !== Stream) return slowly.call(this);
    const text = readString(this.stream);
    this.nextChar();
    return text;
  };
}

/** From after the opening bracket to after the closing one; without one, to the end. */
function readString(stream: ByteStream): string {
  const { bytes, end } = stream;
  let text = '';
  let from = stream.pos;
  let at = from;
  for (let depth = 1; at < end; at++) {
    const byte = bytes[at];
    if (byte === OPEN) depth++;
    else if (byte === CLOSE && --depth === 0) break;
    else if (byte === BACKSLASH) {
      const length = escapeLength(bytes, at, end);
      text += latin1(bytes, from, at) + escapeText(bytes, at, length);
      from = at + length;
      at = from - 1;
    }
  }
  stream.pos = Math.min(at + 1, end);
  return text + latin1(bytes, from, at);
}

function escapeLength(bytes: Uint8Array, at: number, end: number): number {
  const first = at + 1;
  if (first >= end) return 1;
  if (bytes[first] === CR && first + 1 < end && bytes[first + 1] === LF) return 3;
  let digits = 0;
  while (digits < 3 && first + digits < end && isOctal(bytes[first + digits]!)) digits++;
  return 1 + Math.max(1, digits);
}

function escapeText(bytes: Uint8Array, at: number, length: number): string {
  const first = bytes[at + 1]!;
  if (length === 1) return '';
  if (!isOctal(first)) return ESCAPES.get(first) ?? String.fromCharCode(first);
  let value = 0;
  for (let i = 1; i < length; i++) value = value * 8 + (bytes[at + i]! & 7);
  return String.fromCharCode(value);
}

function isOctal(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x37;
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  if (to - from > SHORT) {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1', from, to);
  }
  let text = '';
  for (let at = from; at < to; at++) text += String.fromCharCode(bytes[at]!);
  return text;
}
