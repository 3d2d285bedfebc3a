type Write = (bytes: Uint8Array) => void;

/** Undoes how a body was wrapped for the way. Garbage is passed over: a mail is read as far as it can be. */
export interface Transfer {
  write(bytes: Uint8Array): void;
  end(): void;
}

export function transferOf(encoding: string, write: Write): Transfer {
  if (encoding === 'base64') return new Base64(write);
  if (encoding === 'quoted-printable') return new QuotedPrintable(write);
  return { write, end: () => {} };
}

const sextets = new Int8Array(256).fill(-1);
for (const [i, c] of Array.from(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
).entries()) {
  sextets[c.charCodeAt(0)] = i;
}

class Base64 implements Transfer {
  readonly #write: Write;
  #bits = 0;
  #count = 0;

  constructor(write: Write) {
    this.#write = write;
  }

  write(bytes: Uint8Array): void {
    const out = new Uint8Array((bytes.length >> 2) * 3 + 3);
    let filled = 0;
    for (const byte of bytes) {
      if (byte === 0x3d) this.#count = 0; // padding: what follows begins anew
      const sextet = sextets[byte]!;
      if (sextet < 0) continue;
      this.#bits = (this.#bits << 6) | sextet;
      this.#count += 6;
      if (this.#count < 8) continue;
      this.#count -= 8;
      out[filled++] = this.#bits >> this.#count;
    }
    if (filled > 0) this.#write(out.subarray(0, filled));
  }

  end(): void {}
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
    const out = new Uint8Array(bytes.length + 2);
    let filled = 0;
    for (const byte of bytes) {
      if (this.#state === 'equals' && hexOf(byte) >= 0) {
        this.#digit = byte;
        this.#state = 'digit';
      } else if (this.#state === 'digit' && hexOf(byte) >= 0) {
        out[filled++] = hexOf(this.#digit) * 16 + hexOf(byte);
        this.#state = 'text';
      } else if ((this.#state === 'equals' || this.#state === 'break') && isSpace(byte)) {
        this.#state = byte === 0x0a ? 'text' : 'break';
      } else {
        // Not an escape after all: it stands for itself.
        if (this.#state === 'equals' || this.#state === 'digit') out[filled++] = EQUALS;
        if (this.#state === 'digit') out[filled++] = this.#digit;
        this.#state = byte === EQUALS ? 'equals' : 'text';
        if (byte !== EQUALS) out[filled++] = byte;
      }
    }
    if (filled > 0) this.#write(out.subarray(0, filled));
  }

  end(): void {
    if (this.#state === 'digit') this.#write(Uint8Array.of(EQUALS, this.#digit));
  }
}

function hexOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte & 0xdf;
  return letter >= 0x41 && letter <= 0x46 ? letter - 0x37 : -1;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;
}
