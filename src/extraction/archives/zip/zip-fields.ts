/** What local headers and the central directory of a zip archive have in common: flags, extra fields and names. */
import { isUtf8 } from 'node:buffer';
import { crc32 } from 'node:zlib';

export const ENCRYPTED = 1;
export const HAS_DESCRIPTOR = 8;
const UTF8_NAME = 0x800;

const ZIP64 = 1;
const UNICODE_PATH = 0x7075;
/** In a four-byte field: the value is in the zip64 extra field. */
export const ELSEWHERE = 0xffffffff;

export interface Sizes {
  size: number;
  compressedSize: number;
  /** The offset of the local header; set only in the central directory. */
  offset: number;
}

/** Numbers that were too large for their own fields, in this order and only those. */
export function widen(sizes: Sizes, extra: Uint8Array): Sizes {
  const field = extraField(extra, ZIP64);
  if (field === null) return sizes;
  const view = viewOf(field);
  let at = 0;
  const wide = (value: number): number => {
    if (value !== ELSEWHERE || at + 8 > field.length) return value;
    at += 8;
    return Number(view.getBigUint64(at - 8, true));
  };
  return { size: wide(sizes.size), compressedSize: wide(sizes.compressedSize), offset: wide(sizes.offset) };
}

/** Without the mark for UTF-8 a name is in the characters of the first PC, unless it can only be UTF-8. */
export function nameOf(raw: Uint8Array, flags: number, extra: Uint8Array): string {
  const field = extraField(extra, UNICODE_PATH);
  // The field is about the name it was made for; a program that renamed the entry may have left it as it was.
  if (field !== null && field.length > 5 && viewOf(field).getUint32(1, true) === crc32(raw))
    return text(field.subarray(5), 'utf8');
  if (flags & UTF8_NAME || isUtf8(raw)) return text(raw, 'utf8');
  return text(raw, 'latin1').replace(/[\x80-\xff]/g, (byte) =>
    HIGH_CHARACTERS.charAt(byte.charCodeAt(0) - 0x80),
  );
}

const HIGH_CHARACTERS =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
  '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0';

/** Some programs fill extra fields up with zeros, so that one which runs over the end is no damage. */
function extraField(extra: Uint8Array, needed: number): Uint8Array | null {
  const view = viewOf(extra);
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = view.getUint16(at + 2, true);
    if (view.getUint16(at, true) === needed && at + 4 + length <= extra.length)
      return extra.subarray(at + 4, at + 4 + length);
    at += 4 + length;
  }
  return null;
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function text(bytes: Uint8Array, encoding: 'utf8' | 'latin1'): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(encoding);
}
