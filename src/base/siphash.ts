/**
 * SipHash-2-4 (Aumasson, Bernstein): a keyed hash for short inputs with a 128-bit key. Without the key an
 * attacker can neither find collisions nor predict hashes. 64-bit words are pairs of 32-bit integers (a0
 * low, a1 high): BigInt would be many times slower. The carry of a sum is computed from its sign bits,
 * which is twice as fast as comparing.
 */
export class SipHash {
  readonly #key: readonly [number, number, number, number];
  /** The two halves of the last hash. */
  low = 0;
  high = 0;

  /** Sixteen bytes. */
  constructor(key: Uint8Array) {
    const view = new DataView(key.buffer, key.byteOffset, 16);
    const word = (at: number) => view.getInt32(at, true);
    this.#key = [word(0), word(4), word(8), word(12)];
  }

  /**
   * One byte per character, as in keys; a text with other characters is hashed by its UTF-16 units, in a
   * separate domain.
   */
  hash(text: string): void {
    if (this.#run(text, 0) <= 0xff) return;
    this.#run(Buffer.from(text, 'utf16le').toString('latin1'), 1);
  }

  /** ORs all characters, to detect in the same pass whether they are bytes. */
  #run(text: string, domain: 0 | 1): number {
    const [k0, k1, k2, k3] = this.#key;
    let a0 = k0 ^ 0x70736575;
    let a1 = k1 ^ 0x736f6d65;
    let b0 = k2 ^ 0x6e646f6d;
    let b1 = k3 ^ 0x646f7261;
    let c0 = k0 ^ 0x6e657261;
    let c1 = k1 ^ 0x6c796765;
    let d0 = k2 ^ 0x79746573 ^ domain;
    let d1 = k3 ^ 0x74656462;
    const { length } = text;
    let seen = 0;
    let sum = 0;
    let turned = 0;
    // One more block than whole ones: the rest with the length. Then four finalization rounds.
    for (let at = 0, rounds = 2; rounds === 2; at += 8) {
      let m0 = 0;
      let m1 = 0;
      if (at + 8 <= length) {
        const x = text.charCodeAt(at);
        const y = text.charCodeAt(at + 1);
        const z = text.charCodeAt(at + 2);
        const w = text.charCodeAt(at + 3);
        m0 = x | (y << 8) | (z << 16) | (w << 24);
        const p = text.charCodeAt(at + 4);
        const q = text.charCodeAt(at + 5);
        const r = text.charCodeAt(at + 6);
        const s = text.charCodeAt(at + 7);
        m1 = p | (q << 8) | (r << 16) | (s << 24);
        seen |= x | y | z | w | p | q | r | s;
      } else if (at <= length) {
        m1 = length << 24;
        for (let i = at; i < length; i++) {
          const unit = text.charCodeAt(i);
          seen |= unit;
          if (i - at < 4) m0 |= unit << (8 * (i - at));
          else m1 |= unit << (8 * (i - at - 4));
        }
      } else {
        c0 ^= 0xff;
        rounds = 4;
      }
      d0 ^= m0;
      d1 ^= m1;
      for (let round = 0; round < rounds; round++) {
        // a += b; b <<<= 13; b ^= a; a <<<= 32
        sum = (a0 + b0) | 0;
        turned = (a1 + b1 + (((a0 & b0) | ((a0 | b0) & ~sum)) >>> 31)) | 0;
        a1 = sum;
        a0 = turned;
        turned = (b0 << 13) | (b1 >>> 19);
        b1 = ((b1 << 13) | (b0 >>> 19)) ^ a0;
        b0 = turned ^ a1;
        // c += d; d <<<= 16; d ^= c
        sum = (c0 + d0) | 0;
        c1 = (c1 + d1 + (((c0 & d0) | ((c0 | d0) & ~sum)) >>> 31)) | 0;
        c0 = sum;
        turned = (d0 << 16) | (d1 >>> 16);
        d1 = ((d1 << 16) | (d0 >>> 16)) ^ c1;
        d0 = turned ^ c0;
        // a += d; d <<<= 21; d ^= a
        sum = (a0 + d0) | 0;
        a1 = (a1 + d1 + (((a0 & d0) | ((a0 | d0) & ~sum)) >>> 31)) | 0;
        a0 = sum;
        turned = (d0 << 21) | (d1 >>> 11);
        d1 = ((d1 << 21) | (d0 >>> 11)) ^ a1;
        d0 = turned ^ a0;
        // c += b; b <<<= 17; b ^= c; c <<<= 32
        sum = (c0 + b0) | 0;
        turned = (c1 + b1 + (((c0 & b0) | ((c0 | b0) & ~sum)) >>> 31)) | 0;
        c1 = sum;
        c0 = turned;
        turned = (b0 << 17) | (b1 >>> 15);
        b1 = ((b1 << 17) | (b0 >>> 15)) ^ c0;
        b0 = turned ^ c1;
      }
      a0 ^= m0;
      a1 ^= m1;
    }
    this.low = a0 ^ b0 ^ c0 ^ d0;
    this.high = a1 ^ b1 ^ c1 ^ d1;
    return seen;
  }
}
