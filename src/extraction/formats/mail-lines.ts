const LONGEST = 64 * 1024;

/** Cuts bytes into lines with their ends. A very long line comes in pieces, of which only the first is `fresh`. */
export class LineCutter {
  readonly #line: (line: Uint8Array, fresh: boolean) => void;
  #held: Uint8Array[] = [];
  #length = 0;
  #fresh = true;

  constructor(line: (line: Uint8Array, fresh: boolean) => void) {
    this.#line = line;
  }

  /** Once `enough` says so after a line, the rest comes back as it is; null: all of it was cut. */
  push(bytes: Uint8Array, enough: () => boolean): Uint8Array | null {
    for (let from = 0; from < bytes.length; ) {
      if (this.#length === 0 && enough()) return bytes.subarray(from);
      const newline = bytes.indexOf(0x0a, from);
      const most = from + LONGEST - this.#length;
      const end = Math.min(newline === -1 ? bytes.length : newline + 1, most);
      const piece = bytes.subarray(from, end);
      from = end;
      if (newline + 1 === end || end === most) this.#give(piece, newline + 1 === end);
      else this.#hold(piece);
    }
    return null;
  }

  end(): void {
    if (this.#length > 0) this.#give(new Uint8Array(0), true);
  }

  #give(piece: Uint8Array, complete: boolean): void {
    const line = this.#length === 0 ? piece : Buffer.concat([...this.#held, piece]);
    this.#held = [];
    this.#length = 0;
    const fresh = this.#fresh;
    this.#fresh = complete;
    this.#line(line, fresh);
  }

  #hold(piece: Uint8Array): void {
    this.#held.push(piece.slice());
    this.#length += piece.length;
  }
}

export function isBlank(line: Uint8Array): boolean {
  return line.length === lineEnd(line);
}

/** The length of its line break. */
export function lineEnd(line: Uint8Array): number {
  if (line.at(-1) !== 0x0a) return 0;
  return line.at(-2) === 0x0d ? 2 : 1;
}
