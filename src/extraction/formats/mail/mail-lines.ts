const MAX_LENGTH = 64 * 1024;
const LF = 0x0a;
const CR = 0x0d;
const DASH = 0x2d;

const DASHES = Buffer.from('\n--');

export interface LineTaker {
  /** A line with its end. A very long one comes in chunks, of which only the first is `fresh`. */
  line(line: Uint8Array, fresh: boolean): void;
  /** Lines with their ends of which none begins with two dashes. */
  lines(lines: Uint8Array): void;
  /** Only lines that begin with two dashes matter now: the others may be joined. */
  readonly wantsDashes: boolean;
  /** No line is of interest any more. */
  readonly wantsNone: boolean;
}

/** Cuts bytes into lines. */
export class LineCutter {
  readonly #taker: LineTaker;
  #buffered: Uint8Array[] = [];
  #length = 0;
  #fresh = true;

  constructor(taker: LineTaker) {
    this.#taker = taker;
  }

  /** Once no more lines are requested, returns the rest unchanged; null if all of it was consumed. */
  push(bytes: Uint8Array): Uint8Array | null {
    for (let from = 0; from < bytes.length; ) {
      if (this.#length === 0 && this.#taker.wantsNone) return bytes.subarray(from);
      if (this.#length === 0 && this.#fresh && this.#taker.wantsDashes) {
        const end = linesEnd(bytes, from);
        if (end > from) this.#taker.lines(bytes.subarray(from, end));
        from = end;
        if (from === bytes.length) return null;
      }
      const newline = bytes.indexOf(LF, from);
      const max = from + MAX_LENGTH - this.#length;
      const end = Math.min(newline === -1 ? bytes.length : newline + 1, max);
      const chunk = bytes.subarray(from, end);
      from = end;
      if (newline + 1 === end || end === max) this.#give(chunk, newline + 1 === end);
      else this.#hold(chunk);
    }
    return null;
  }

  end(): void {
    if (this.#length > 0) this.#give(new Uint8Array(0), true);
  }

  #give(chunk: Uint8Array, complete: boolean): void {
    const line = this.#length === 0 ? chunk : Buffer.concat([...this.#buffered, chunk]);
    this.#buffered = [];
    this.#length = 0;
    const fresh = this.#fresh;
    this.#fresh = complete;
    this.#taker.line(line, fresh);
  }

  #hold(chunk: Uint8Array): void {
    this.#buffered.push(new Uint8Array(chunk)); // a Buffer's own slice would not copy
    this.#length += chunk.length;
  }
}

/** The end of the lines from `from` on that precede one that begins with two dashes, or an incomplete one. */
function linesEnd(bytes: Uint8Array, from: number): number {
  if (bytes[from] === DASH && (bytes[from + 1] === DASH || from + 1 === bytes.length)) return from;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset + from, bytes.length - from);
  const dashes = view.indexOf(DASHES);
  return from + 1 + (dashes === -1 ? view.lastIndexOf(LF) : dashes);
}

export function isBlank(line: Uint8Array): boolean {
  return line.length === lineEnd(line);
}

/** Line breaks by their length. */
export const BREAKS: readonly Uint8Array[] = ['', '\n', '\r\n'].map((text) => Buffer.from(text));

/** The length of its line break. */
export function lineEnd(line: Uint8Array): number {
  if (line[line.length - 1] !== LF) return 0;
  return line[line.length - 2] === CR ? 2 : 1;
}
