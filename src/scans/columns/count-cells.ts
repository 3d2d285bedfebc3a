const QUOTE = 0x22;
const LF = 0x0a;
const SPACE = 0x20;

/**
 * Counts each value of the rows that start in the bytes. The first line is skipped, because it is the
 * header or its row started before, unless it is a row like the others (`fromStart`).
 */
export function countCells(
  bytes: Uint8Array,
  delimiter: number,
  names: readonly string[],
  add: (name: string) => void,
  fromStart = false,
): void {
  const lineEnd = bytes.indexOf(LF);
  if (lineEnd === -1 && !fromStart) return;
  let column = 0;
  for (let at = fromStart ? 0 : lineEnd + 1; at < bytes.length; ) {
    const end = cellEnd(bytes, at, delimiter);
    const name = names[column];
    if (name && !isEmpty(bytes, at, end)) add(name);
    column = bytes[end] === delimiter ? column + 1 : 0;
    at = end + 1;
  }
}

/** The offset of the delimiter, of the end of the line, or of the end of the bytes. */
function cellEnd(bytes: Uint8Array, at: number, delimiter: number): number {
  let i = bytes[at] === QUOTE ? quotedEnd(bytes, at + 1) : at;
  while (i < bytes.length && bytes[i] !== delimiter && bytes[i] !== LF) i++;
  return Math.min(i, bytes.length);
}

/** The offset after the quote that closes a value: the first that is not doubled. */
function quotedEnd(bytes: Uint8Array, from: number): number {
  let i = from;
  while (i < bytes.length && (bytes[i] !== QUOTE || bytes[i + 1] === QUOTE)) i += bytes[i] === QUOTE ? 2 : 1;
  return i + 1;
}

function isEmpty(bytes: Uint8Array, at: number, end: number): boolean {
  for (let i = at; i < end; i++) if (bytes[i]! > SPACE && bytes[i] !== QUOTE) return false;
  return true;
}
