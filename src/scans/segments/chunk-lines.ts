const NEWLINE = 0x0a;

/** Tracks line starts while a chunk and its surroundings are read. The scanner counts all of them anyway. */
export class ChunkLines {
  readonly #from: number;
  readonly #to: number;
  /** Offset of the next byte. */
  at: number;
  /** Line ends read before the chunk's first byte, and after its last. */
  before = 0;
  after = 0;
  /** Start of the line in which the chunk ends. */
  lineStart: number;

  constructor(at: number, from: number, to: number) {
    this.at = at;
    this.#from = from;
    this.#to = to;
    this.lineStart = from;
  }

  push(piece: Uint8Array): void {
    const bytes = Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    const first = clamp(this.#from - this.at, bytes.length);
    const end = clamp(this.#to - this.at, bytes.length);
    this.before += newlinesIn(bytes.subarray(0, first));
    this.after += newlinesIn(bytes.subarray(end));
    const last = bytes.subarray(first, end).lastIndexOf(NEWLINE);
    if (last !== -1) this.lineStart = this.at + first + last + 1;
    this.at += bytes.length;
  }
}

function clamp(offset: number, length: number): number {
  return Math.min(Math.max(offset, 0), length);
}

function newlinesIn(bytes: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === NEWLINE) count++;
  return count;
}
