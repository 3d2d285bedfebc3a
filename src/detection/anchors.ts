import { type AnchorTables, FOLLOWER, type Literal, LONG, tailCell, tokenCell } from './anchor-tables.ts';
import { ALNUM, CLASS, NEWLINE } from './bytes.ts';

/**
 * The one pass. It cuts the bytes into tokens (runs of letters and digits) and borders, looks each up in a table, and
 * notes where a verifier should look. Every byte is touched once; what it notes depends on the bytes alone, never on
 * where a window began. A faster finder may take this one's place as long as it notes at least the same places.
 */
export interface AnchorFinder {
  /** Notes anchors in [from, to) and returns where it stopped: `to` or later, or earlier when the batch is full. */
  find(bytes: Buffer, from: number, to: number, out: AnchorBatch): number;
}

const CAPACITY = 4096;
const MOST_PER_STEP = 64; // a step may add a few anchors before the room is checked again

export class AnchorBatch {
  count = 0;
  readonly at = new Uint32Array(CAPACITY);
  readonly set = new Uint16Array(CAPACITY);
  readonly line = new Uint32Array(CAPACITY);
  readonly lineStart = new Float64Array(CAPACITY); // a line may have begun gigabytes ago
  /** Where the pass is: the line's number and its start in the window (negative: before the window). */
  currentLine = 1;
  currentLineStart = 0;

  add(at: number, set: number, line: number, lineStart: number): void {
    const n = this.count++;
    this.at[n] = at;
    this.set[n] = set;
    this.line[n] = line;
    this.lineStart[n] = lineStart;
  }
}

/** Borders the pass must not skip: those of pairs and assignments. */
const NOTABLE = 8;
const LINE_END = 16;
const EQUALS = 0x3d;
const COLON = 0x3a;
const GREATER = 0x3e;

export function anchorFinder(tables: AnchorTables): AnchorFinder {
  const { token, pair, literals, tail } = tables;
  const kind = byteKinds(pair);

  function find(bytes: Buffer, from: number, to: number, out: AnchorBatch): number {
    const stop = to + LONG + 1; // tokens that begin before `to` are measured, up to LONG
    let line = out.currentLine;
    let lineStart = out.currentLineStart;
    out.count = 0;
    let i = from;
    // A token that began before this stretch has been looked at then.
    if (from > 0 && kind[bytes[from - 1]!]! & ALNUM) while (i < to && kind[bytes[i]!]! & ALNUM) i++;

    while (i < to && out.count < CAPACITY - MOST_PER_STEP) {
      const first = bytes[i]!;
      let k = kind[first]!;
      if (k & ALNUM) {
        const start = i;
        let made = k;
        i++;
        for (; i < stop; i++) {
          k = kind[bytes[i]!]!;
          if ((k & ALNUM) === 0) break;
          made |= k;
        }
        const set = token[tokenCell(Math.min(i - start, LONG), made, FOLLOWER[bytes[i]!]!)]!;
        if (set !== 0) out.add(start, set, line, lineStart);
        const bucket = pair[(first << 8) | bytes[start + 1]!]!;
        if (bucket !== 0) addLiterals(literals[bucket]!, bytes, start, line, lineStart, out);
        continue;
      }
      if (k === LINE_END) {
        line++;
        lineStart = i + 1;
      } else if (k === NOTABLE) {
        if (first === EQUALS || first === COLON || first === GREATER) {
          const set = tail[tailBefore(bytes, i)]!;
          if (set !== 0) out.add(i, set, line, lineStart);
        }
        const bucket = pair[(first << 8) | bytes[i + 1]!]!;
        if (bucket !== 0) addLiterals(literals[bucket]!, bytes, i, line, lineStart, out);
      }
      i++;
    }
    // Skipping beyond `to` inside a token is harmless, but the position must be the same for any window.
    if (i > to) i = to;
    out.currentLine = line;
    out.currentLineStart = lineStart;
    return i;
  }
  return { find };
}

function addLiterals(
  candidates: readonly Literal[],
  bytes: Buffer,
  at: number,
  line: number,
  lineStart: number,
  out: AnchorBatch,
): void {
  for (const literal of candidates) {
    if (startsWith(bytes, at, literal)) out.add(at, literal.set, line, lineStart);
  }
}

function startsWith(bytes: Buffer, at: number, literal: Literal): boolean {
  const text = literal.bytes;
  for (let i = 1; i < text.length; i++) {
    const byte = bytes[at + i]!;
    const same =
      byte === text[i] || (literal.anyCase && CLASS[byte] !== 0 && (byte | 32) === (text[i]! | 32));
    if (!same) return false;
  }
  return true;
}

/** The last three letters before a separator, over blanks, quotes and brackets: `"api_key" :`, `env['TOKEN'] =`. */
function tailBefore(bytes: Buffer, separator: number): number {
  let i = separator - 1;
  while (i > separator - 5 && i > 2 && CLASS[bytes[i]!] === 0) i--;
  return i < 2 ? 0 : tailCell(bytes[i - 2]!, bytes[i - 1]!, bytes[i]!);
}

function byteKinds(pair: Uint8Array): Uint8Array {
  const kind = Uint8Array.from(CLASS);
  for (let byte = 0; byte < 256; byte++) {
    if (kind[byte] !== 0) continue;
    if (pair.subarray(byte << 8, (byte + 1) << 8).some((bucket) => bucket !== 0)) kind[byte] = NOTABLE;
  }
  for (const byte of [EQUALS, COLON, GREATER]) kind[byte] = NOTABLE;
  kind[NEWLINE] = LINE_END;
  return kind;
}
