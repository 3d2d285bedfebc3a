const BATCH = 64 * 1024;
const LF = 0x0a;
const SPACE = 0x20;
const EQUALS = 0x3d;

const sextets = new Int8Array(256).fill(-1);
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
for (const [i, c] of Array.from(ALPHABET).entries()) sextets[c.charCodeAt(0)] = i;
// Those of the alphabet for URLs are understood too, as the engine does.
sextets[0x2d] = 62;
sextets[0x5f] = 63;

/**
 * Streaming Base64 decoder (RFC 4648). Collects lines so that the engine can decode many of them at once, which is much faster than
 * JavaScript. Irregular input is decoded character by character: invalid characters are skipped, and after padding decoding starts over.
 */
export class Base64 {
  readonly #write: (bytes: Uint8Array) => void;
  #batch: Buffer = Buffer.alloc(0);
  #used = 0;
  #bits = 0;
  #count = 0; // of bits that wait for more

  constructor(write: (bytes: Uint8Array) => void) {
    this.#write = write;
  }

  /** Line ends are left out here: with them the engine would not know where four characters end. */
  write(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.length; ) {
      const newline = bytes.indexOf(LF, from);
      const next = newline === -1 ? bytes.length : newline + 1;
      let end = next;
      while (end > from && bytes[end - 1]! <= SPACE) end--;
      this.#gather(bytes, from, end);
      from = next;
    }
  }

  #gather(bytes: Uint8Array, start: number, end: number): void {
    for (let from = start; from < end; ) {
      if (this.#used === this.#batch.length) this.#makeRoom();
      const to = Math.min(end, from + this.#batch.length - this.#used);
      this.#batch.set(bytes.subarray(from, to), this.#used);
      this.#used += to - from;
      from = to;
    }
  }

  end(): void {
    this.#decode();
  }

  /** Small attachments are many: the memory grows with them. */
  #makeRoom(): void {
    if (this.#batch.length === BATCH) return this.#decode();
    const larger = Buffer.alloc(Math.min(BATCH, Math.max(4096, 4 * this.#batch.length)));
    larger.set(this.#batch);
    this.#batch = larger;
  }

  #decode(): void {
    const to = this.#used;
    let from = 0;
    // Up to the next border of four.
    while (this.#count !== 0 && from < to) this.#oneByOne(from, ++from);
    const padding = this.#batch.subarray(from, to).indexOf(EQUALS);
    const clean = padding === -1 ? to - from : padding;
    const end = from + clean - (clean % 4);
    if (end > from && !this.#atOnce(from, end)) this.#oneByOne(from, end);
    this.#oneByOne(end, to);
    this.#used = 0;
  }

  /** false: there is something else between the characters. */
  #atOnce(from: number, to: number): boolean {
    const decoded = Buffer.from(this.#batch.toString('latin1', from, to), 'base64');
    if (decoded.length !== ((to - from) / 4) * 3) return false;
    this.#write(decoded);
    return true;
  }

  #oneByOne(from: number, to: number): void {
    const out = new Uint8Array(((to - from) >> 2) * 3 + 3);
    let filled = 0;
    for (let i = from; i < to; i++) {
      const byte = this.#batch[i]!;
      if (byte === EQUALS) this.#count = 0;
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
}
