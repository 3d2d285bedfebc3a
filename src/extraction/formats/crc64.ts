/** CRC-64 as xz uses it, four bytes at a time. A number of 64 bits is two of 32, the low one first. */
const POLYNOMIAL_LOW = 0xd7870f42 | 0;
const POLYNOMIAL_HIGH = 0xc96c5795 | 0;

// Four tables of 256 one after another: the n-th is for a byte with n more behind it.
const lows = new Int32Array(1024);
const highs = new Int32Array(1024);
for (let i = 0; i < 1024; i++) {
  let low = i < 256 ? i : lows[i - 256]!;
  let high = i < 256 ? 0 : highs[i - 256]!;
  for (let bit = 0; bit < 8; bit++) {
    const odd = -(low & 1);
    low = ((low >>> 1) | (high << 31)) ^ (POLYNOMIAL_LOW & odd);
    high = (high >>> 1) ^ (POLYNOMIAL_HIGH & odd);
  }
  lows[i] = low;
  highs[i] = high;
}

export class Crc64 {
  #low = -1;
  #high = -1;

  update(bytes: Uint8Array): void {
    const whole = bytes.length - (bytes.length % 4);
    let low = this.#low;
    let high = this.#high;
    let at = 0;
    while (at < whole) {
      const mixed =
        low ^ (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24));
      const a = 768 + (mixed & 0xff);
      const b = 512 + ((mixed >>> 8) & 0xff);
      const c = 256 + ((mixed >>> 16) & 0xff);
      const d = mixed >>> 24;
      low = high ^ lows[a]! ^ lows[b]! ^ lows[c]! ^ lows[d]!;
      high = highs[a]! ^ highs[b]! ^ highs[c]! ^ highs[d]!;
      at += 4;
    }
    for (; at < bytes.length; at++) {
      const index = (low ^ bytes[at]!) & 0xff;
      low = ((low >>> 8) | (high << 24)) ^ lows[index]!;
      high = (high >>> 8) ^ highs[index]!;
    }
    this.#low = low;
    this.#high = high;
  }

  /** Eight bytes, the lowest first. */
  digest(): Uint8Array {
    const bytes = new Uint8Array(8);
    const view = new DataView(bytes.buffer);
    view.setInt32(0, ~this.#low, true);
    view.setInt32(4, ~this.#high, true);
    return bytes;
  }
}
