import { isUtf8 } from 'node:buffer';

/**
 * The detected encoding of a text. `width` 1 is passed through; wider ones are transcoded to UTF-8. Text in a legacy encoding is
 * `latin1`: only its ASCII characters matter to detection.
 */
export interface Encoding {
  readonly charset: 'utf-8' | 'latin1';
  readonly width: 1 | 2 | 4;
  readonly little: boolean;
  /** Length of the byte order mark. */
  readonly bomLength: number;
}

const UTF8: Encoding = { charset: 'utf-8', width: 1, little: true, bomLength: 0 };
const UTF8_MARKED: Encoding = { ...UTF8, bomLength: 3 };
const LATIN1: Encoding = { ...UTF8, charset: 'latin1' };
const UTF16LE: Encoding = { charset: 'utf-8', width: 2, little: true, bomLength: 0 };
const UTF16BE: Encoding = { ...UTF16LE, little: false };

const SAMPLE = 8192;
const SHORT_SAMPLE = 512;
/** One doubtful byte or unit among this many is tolerated: logs have holes, terminal output contains control characters. */
const TOLERANCE = 32;
const NUL_WEIGHT = 8;

/** null: this is no text. */
export function encodingOf(head: Uint8Array, whole: boolean): Encoding | null {
  const marked = markedEncoding(head);
  if (marked !== null && marked.width > 1) return doubtfulUnits(head, marked).plausible ? marked : null;
  const utf8 = isUtf8(whole ? head : withoutCutSequence(head));
  const sample = head.length > SAMPLE ? head.subarray(0, SAMPLE) : head;
  if (!looksLikeText(sample, utf8)) return unmarkedWide(sample);
  if (!utf8) return LATIN1;
  return marked ?? UTF8;
}

function markedEncoding(head: Uint8Array): Encoding | null {
  const [a, b, c, d] = head;
  if (a === 0xef && b === 0xbb && c === 0xbf) return UTF8_MARKED;
  if (a === 0xff && b === 0xfe) {
    const four = c === 0 && d === 0;
    return { ...UTF16LE, width: four ? 4 : 2, bomLength: four ? 4 : 2 };
  }
  if (a === 0xfe && b === 0xff) return { ...UTF16BE, bomLength: 2 };
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return { ...UTF16BE, width: 4, bomLength: 4 };
  return null;
}

/** The head may end in the middle of a character. */
function withoutCutSequence(head: Uint8Array): Uint8Array {
  for (let back = 1; back <= 3 && back <= head.length; back++) {
    const byte = head[head.length - back]!;
    if (byte < 0x80) break;
    if (byte >= 0xc0) return head.subarray(0, head.length - back);
  }
  return head;
}

/** Valid UTF-8 without a NUL is hardly ever anything but text, so a short test of the control characters suffices. */
function looksLikeText(sample: Uint8Array, utf8: boolean): boolean {
  const end = utf8 && !hasNul(sample) ? Math.min(sample.length, SHORT_SAMPLE) : sample.length;
  let doubt = 0;
  for (let i = 0; i < end; i++) {
    const byte = sample[i]!;
    if (byte < 0x20 || byte === 0x7f) doubt += byte === 0 ? NUL_WEIGHT : isTextControl(byte) ? 0 : 1;
  }
  return doubt * TOLERANCE <= end;
}

/** A Buffer searches much faster than an array. */
function hasNul(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(0);
}

/** Backspace to carriage return (man pages, form feeds), and the escape of terminals and ISO-2022. */
function isTextControl(code: number): boolean {
  return (code >= 8 && code <= 13) || code === 27;
}

/** Without a byte order mark the zero halves of ASCII characters reveal the byte order, and no unit may be doubtful. */
function unmarkedWide(sample: Uint8Array): Encoding | null {
  const little = doubtfulUnits(sample, UTF16LE);
  const big = doubtfulUnits(sample, UTF16BE);
  const [best, encoding] = little.ascii >= big.ascii ? [little, UTF16LE] : [big, UTF16BE];
  return best.doubt === 0 && best.ascii >= 2 && best.ascii * TOLERANCE >= sample.length / 2 ? encoding : null;
}

function doubtfulUnits(head: Uint8Array, { width, little, bomLength }: Encoding) {
  const end = Math.min(head.length, SAMPLE) - width;
  let units = 0;
  let ascii = 0;
  let doubt = 0;
  for (let i = bomLength; i <= end; i += width, units++) {
    const code = unitAt(head, i, width, little);
    if (code < 0x80) ascii++;
    if ((code < 0x20 && !isTextControl(code)) || (code & 0xfffe) === 0xfffe || code > 0x10ffff) doubt++;
  }
  return { ascii, doubt, plausible: doubt * TOLERANCE <= units };
}

function unitAt(bytes: Uint8Array, at: number, width: number, little: boolean): number {
  let unit = 0;
  for (let i = 0; i < width; i++) unit = unit * 256 + bytes[little ? at + width - 1 - i : at + i]!;
  return unit;
}
