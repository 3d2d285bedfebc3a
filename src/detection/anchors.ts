import {
  type AnchorTables,
  BEYOND,
  FOLLOWER,
  type Literal,
  LONG,
  threeCell,
  tokenCell,
} from './anchor-tables.ts';
import { ALNUM, beginsAt, CLASS, NEWLINE, UPPER } from './bytes.ts';
import { type Line, setLine } from './lines.ts';

/**
 * The one pass. It cuts the bytes into tokens (runs of letters and digits) and borders, looks each up in a table, and
 * notes where a verifier should look. Every byte is touched once; what it notes depends on the bytes alone, never on
 * where a window began. A faster finder may take this one's place as long as it notes the same places.
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
  /** Where the pass is. */
  readonly now: Line = { number: 1, start: 0 };
  /** The same for where this batch began; few anchors become spans, and those count lines from here. */
  readonly began: Line = { number: 1, start: 0 };

  begin(): void {
    this.count = 0;
    setLine(this.began, this.now);
  }

  get full(): boolean {
    return this.count > CAPACITY - MOST_PER_STEP;
  }

  add(at: number, set: number): void {
    this.at[this.count] = at;
    this.set[this.count++] = set;
  }
}

/** Borders the pass must not skip: those of pairs and assignments, and line ends. */
const NOTABLE = 8;
const LINE_END = 16;
/** What may stand between a name and its value: = : > */
export const SEPARATORS: readonly number[] = [0x3d, 0x3a, 0x3e];

export function anchorFinder(tables: AnchorTables): AnchorFinder {
  const { token, head } = tables;
  const kind = Uint8Array.from(CLASS);
  for (const byte of notableBorders(tables)) kind[byte] = NOTABLE;
  kind[NEWLINE] = LINE_END;

  function find(bytes: Buffer, from: number, to: number, out: AnchorBatch): number {
    let i = from;
    out.begin();
    // A token that began before this stretch was looked at there.
    if (from > 0 && kind[bytes[from - 1]!]! & ALNUM) while (i < to && kind[bytes[i]!]! & ALNUM) i++;
    while (i < to && !out.full) {
      const first = bytes[i]!;
      let k = kind[first]!;
      if (k === 0) i++;
      else if (k < NOTABLE) {
        const start = i++;
        let made = k;
        for (k = kind[bytes[i]!]! & ALNUM; k !== 0; k = kind[bytes[++i]!]! & ALNUM) made |= k;
        const who =
          token[tokenCell(Math.min(i - start, LONG), made, FOLLOWER[bytes[i]!]!, BEYOND[bytes[i + 1]!]!)]!;
        const bucket = head[threeCell(first, bytes[start + 1]!, bytes[start + 2]!)]!;
        if (who !== 0 || bucket !== 0) noteToken(tables, bytes, start, who, bucket, out);
      } else if (k === LINE_END) {
        out.now.number++;
        out.now.start = ++i;
      } else noteBorder(tables, bytes, i++, out);
    }
    return Math.min(i, to);
  }
  return { find };
}

/** The bytes between tokens that may be anchors. */
export function notableBorders({ pair }: AnchorTables): number[] {
  const paired = (byte: number) => pair.subarray(byte << 8, (byte + 1) << 8).some((set) => set !== 0);
  const all = Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => byte !== NEWLINE);
  return all.filter((byte) => paired(byte) || SEPARATORS.includes(byte));
}

/** `who`: the set its look asks for, `bucket`: the texts that may stand at its start. */
export function noteToken(
  { plain, literals }: AnchorTables,
  bytes: Buffer,
  start: number,
  who: number,
  bucket: number,
  out: AnchorBatch,
): void {
  const set = who === 0 || beginsAt(bytes, start) ? who : plain[who]!;
  if (set !== 0) out.add(start, set);
  if (bucket === 0) return;
  const texts = literals[bucket]!;
  for (let n = 0; n < texts.length; n++)
    if (startsWith(bytes, start, texts[n]!)) out.add(start, texts[n]!.set);
}

function noteBorder({ pair, tail }: AnchorTables, bytes: Buffer, at: number, out: AnchorBatch): void {
  const byte = bytes[at]!;
  const who = pair[(byte << 8) | bytes[at + 1]!]!;
  if (who !== 0) out.add(at, who);
  if (!SEPARATORS.includes(byte)) return;
  const named = tail[tailBefore(bytes, at)]!;
  if (named !== 0) out.add(at, named);
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
