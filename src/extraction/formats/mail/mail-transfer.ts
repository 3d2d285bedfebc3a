import { Base64 } from '../base64.ts';

type Write = (bytes: Uint8Array) => void;

/** Decodes the transfer encoding of a body. Invalid characters are skipped, so that a damaged mail is read as far as possible. */
export interface Transfer {
  write(bytes: Uint8Array): void;
  end(): void;
}

export function transferOf(encoding: string, write: Write): Transfer {
  if (encoding === 'base64') return new Base64(write);
  if (encoding === 'quoted-printable') return new QuotedPrintable(write);
  return { write, end: () => {} };
}

const EQUALS = 0x3d;

class QuotedPrintable implements Transfer {
  readonly #write: Write;
  #state: 'text' | 'equals' | 'digit' | 'break' = 'text';
  #digit = 0;

  constructor(write: Write) {
    this.#write = write;
  }

  write(bytes: Uint8Array): void {
    const first = this.#state === 'text' ? bytes.indexOf(EQUALS) : 0;
    if (first === -1) return this.#write(bytes);
    const out = new Uint8Array(bytes.length + 2);
    let filled = 0;
    for (let i = 0; i < bytes.length; ) {
      if (this.#state === 'text') {
        const end = runEnd(bytes, i);
        out.set(bytes.subarray(i, end), filled);
        filled += end - i;
        i = end + 1;
        if (end < bytes.length) this.#state = 'equals';
      } else filled = this.#take(bytes[i++]!, out, filled);
    }
    if (filled > 0) this.#write(out.subarray(0, filled));
  }

  /** Handles a byte after `=`. */
  #take(byte: number, out: Uint8Array, used: number): number {
    let filled = used;
    if (this.#state === 'equals' && hexOf(byte) >= 0) {
      this.#digit = byte;
      this.#state = 'digit';
    } else if (this.#state === 'digit' && hexOf(byte) >= 0) {
      out[filled++] = hexOf(this.#digit) * 16 + hexOf(byte);
      this.#state = 'text';
    } else if (this.#state !== 'digit' && isSpace(byte)) {
      this.#state = byte === 0x0a ? 'text' : 'break';
    } else {
      // Not an escape, so it is literal.
      if (this.#state !== 'break') out[filled++] = EQUALS;
      if (this.#state === 'digit') out[filled++] = this.#digit;
      this.#state = byte === EQUALS ? 'equals' : 'text';
      if (byte !== EQUALS) out[filled++] = byte;
    }
    return filled;
  }

  end(): void {
    if (this.#state === 'digit') this.#write(Uint8Array.of(EQUALS, this.#digit));
  }
}

function runEnd(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(EQUALS, from);
  return end === -1 ? bytes.length : end;
}

function hexOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte & 0xdf;
  return letter >= 0x41 && letter <= 0x46 ? letter - 0x37 : -1;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;
}
