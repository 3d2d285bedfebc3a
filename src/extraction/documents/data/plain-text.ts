import { isUtf8 } from 'node:buffer';

const ESCAPE = 0x1b;

/** Whether bytes of unknown meaning are text: valid UTF-8 without the control characters that binary data is full of. */
export function isPlainText(bytes: Uint8Array, from: number, to: number): boolean {
  let ascii = true;
  for (let i = from; i < to; i++) {
    const byte = bytes[i]!;
    if (byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== ESCAPE) return false;
    if (byte >= 0x80) ascii = false;
  }
  return ascii || isUtf8(bytes.subarray(from, to));
}

/** How many bytes end with a character. What is no UTF-8 anyway is not waited for. */
export function wholeCharacters(bytes: Uint8Array, end: number): number {
  for (let back = 1; back <= 3 && back <= end; back++) {
    const byte = bytes[end - back]!;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? end - back : end;
    if (byte < 0x80) return end;
  }
  return end;
}
