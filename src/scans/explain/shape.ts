const MAX_LENGTH = 48;
const DELIMITERS = Buffer.from('"\'`,;<>|');

/**
 * The word at a position with its letters and digits masked: enough to identify it without revealing the
 * value.
 */
export function shapeAt(bytes: Buffer, at: number): string {
  let [from, to] = [at, at];
  while (from > 0 && at - from < MAX_LENGTH && isPrinted(bytes[from - 1]!)) from--;
  while (to < bytes.length && to - at < MAX_LENGTH && isPrinted(bytes[to]!)) to++;
  return bytes.toString('latin1', from, to).replace(/[^\x21-\x2f\x3a-\x40]/g, symbolOf);
}

function isPrinted(byte: number): boolean {
  return byte > 0x20 && byte !== 0x7f && !DELIMITERS.includes(byte);
}

function symbolOf(character: string): string {
  if (/\d/.test(character)) return '9';
  if (/[a-z]/.test(character)) return 'a';
  return /[A-Z]/.test(character) ? 'A' : '·';
}
