const NEWLINE = 0x0a;

/** Where a step's lines begin, seen while its bytes and some around them go by. The scanner counts them all anyway. */
export class ChunkLines {
  readonly #from: number;
  readonly #to: number;
  /** Where the next byte stands. */
  at: number;
  /** Line ends in what was read before the step's first byte, and behind its last. */
  before = 0;
  after = 0;
  /** Where the line begins that the step ends in. */
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

function clamp(place: number, length: number): number {
  return Math.min(Math.max(place, 0), length);
}

function newlinesIn(bytes: Uint8Array): number {
  let count = 0;
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === NEWLINE) count++;
  return count;
}
