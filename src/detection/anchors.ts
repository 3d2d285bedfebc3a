import { type AnchorTables, FOLLOWER, type Literal, LONG, threeCell, tokenCell } from './anchor-tables.ts';
import { ALNUM, CLASS, NEWLINE, UPPER } from './bytes.ts';

/**
 * The one pass. It cuts the bytes into tokens (runs of letters and digits) and borders, looks each up in a table, and
 * notes where a verifier should look. Every byte is touched once; what it notes depends on the bytes alone, never on
 * where a window began. A faster finder may take this one's place as long as it notes at least the same places.
 */
export interface AnchorFinder {
  /** Notes anchors in [from, to) and returns where it stopped: `to`, or earlier when the batch is full. */
  find(bytes: Buffer, from: number, to: number, out: AnchorBatch): number;
}

const CAPACITY = 4096;
const MOST_PER_STEP = 64; // a step may note a few anchors before the room is checked again

export class AnchorBatch {
  count = 0;
  readonly at = new Uint32Array(CAPACITY);
  readonly set = new Uint16Array(CAPACITY);
  readonly line = new Uint32Array(CAPACITY);
  readonly lineStart = new Float64Array(CAPACITY); // a line may have begun gigabytes ago
  /** Where the pass is: the line's number and its start in the window (negative: before the window). */
  currentLine = 1;
  currentLineStart = 0;
}

/** Borders the pass must not skip: those of pairs and assignments, and line ends. */
const NOTABLE = 8;
const LINE_END = 16;
const EQUALS = 0x3d;
const COLON = 0x3a;
const GREATER = 0x3e;

export function anchorFinder(tables: AnchorTables): AnchorFinder {
  const { token, head, literals, pair, tail } = tables;
  const kind = byteKinds(pair);

  // One function on purpose, with a loop in a loop and its state in locals: about a fifth faster than tidier forms.
  function find(bytes: Buffer, from: number, to: number, out: AnchorBatch): number {
    const { at, set, line: lines, lineStart: lineStarts } = out;
    let line = out.currentLine;
    let lineStart = out.currentLineStart;
    let n = 0;
    let i = from;
    // A token that began before this stretch was looked at there.
    if (from > 0 && kind[bytes[from - 1]!]! & ALNUM) while (i < to && kind[bytes[i]!]! & ALNUM) i++;
    while (i < to && n <= CAPACITY - MOST_PER_STEP) {
      const first = bytes[i]!;
      let k = kind[first]!;
      if (k === 0) i++;
      else if (k < NOTABLE) {
        const start = i++;
        let made = k;
        for (k = kind[bytes[i]!]! & ALNUM; k !== 0; k = kind[bytes[++i]!]! & ALNUM) made |= k;
        const who = token[tokenCell(Math.min(i - start, LONG), made, FOLLOWER[bytes[i]!]!)]!;
        if (who !== 0) {
          at[n] = start;
          set[n] = who;
          lines[n] = line;
          lineStarts[n++] = lineStart;
        }
        const bucket = head[threeCell(first, bytes[start + 1]!, bytes[start + 2]!)]!;
        if (bucket !== 0) {
          for (const literal of literals[bucket]!)
            if (startsWith(bytes, start, literal)) n = put(out, n, start, literal.set, line, lineStart);
        }
      } else if (k === LINE_END) {
        line++;
        lineStart = ++i;
      } else {
        const who = pair[(first << 8) | bytes[i + 1]!]!;
        if (who !== 0) n = put(out, n, i, who, line, lineStart);
        if (first === EQUALS || first === COLON || first === GREATER) {
          const named = tail[tailBefore(bytes, i)]!;
          if (named !== 0) n = put(out, n, i, named, line, lineStart);
        }
        i++;
      }
    }
    out.count = n;
    out.currentLine = line;
    out.currentLineStart = lineStart;
    return Math.min(i, to);
  }
  return { find };
}

function put(out: AnchorBatch, n: number, at: number, set: number, line: number, lineStart: number): number {
  out.at[n] = at;
  out.set[n] = set;
  out.line[n] = line;
  out.lineStart[n] = lineStart;
  return n + 1;
}

function startsWith(bytes: Buffer, at: number, literal: Literal): boolean {
  const text = literal.bytes;
  for (let i = 0; i < text.length; i++) {
    const byte = bytes[at + i]!;
    if (byte === text[i]) continue;
    if (!literal.anyCase || (CLASS[byte]! & UPPER) === 0 || (byte | 32) !== text[i]) return false;
  }
  return true;
}

/** The last three letters before a separator, over blanks, quotes and brackets: `"api_key" :`, `env['TOKEN'] =`. */
function tailBefore(bytes: Buffer, separator: number): number {
  let i = separator - 1;
  while (i > separator - 5 && i > 2 && CLASS[bytes[i]!] === 0) i--;
  return i < 2 ? 0 : threeCell(bytes[i - 2]!, bytes[i - 1]!, bytes[i]!);
}

function byteKinds(pair: Uint16Array): Uint8Array {
  const kind = Uint8Array.from(CLASS);
  for (let byte = 0; byte < 256; byte++) {
    if (pair.subarray(byte << 8, (byte + 1) << 8).some((set) => set !== 0)) kind[byte] = NOTABLE;
  }
  for (const byte of [EQUALS, COLON, GREATER]) kind[byte] = NOTABLE;
  kind[NEWLINE] = LINE_END;
  return kind;
}
