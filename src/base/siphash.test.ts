import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SipHash } from './siphash.ts';

const KEY = Buffer.from('000102030405060708090a0b0c0d0e0f', 'hex');
const bytes = (length: number) => String.fromCharCode(...Array.from({ length }, (_, i) => i));

function hashOf(text: string, key: Uint8Array = KEY): string {
  const sip = new SipHash(key);
  sip.hash(text);
  const hash = Buffer.alloc(8);
  hash.writeInt32LE(sip.low, 0);
  hash.writeInt32LE(sip.high, 4);
  return hash.toString('hex');
}

const MASK = (1n << 64n) - 1n;
const turn = (x: bigint, by: bigint) => ((x << by) | (x >> (64n - by))) & MASK;

/** A direct implementation of the paper. */
function plainly(message: Buffer, key: Buffer): string {
  const [k0, k1] = [key.readBigUInt64LE(0), key.readBigUInt64LE(8)];
  let [v0, v1] = [k0 ^ 0x736f6d6570736575n, k1 ^ 0x646f72616e646f6dn];
  let [v2, v3] = [k0 ^ 0x6c7967656e657261n, k1 ^ 0x7465646279746573n];
  const round = () => {
    v0 = (v0 + v1) & MASK;
    v1 = turn(v1, 13n) ^ v0;
    v0 = turn(v0, 32n);
    v2 = (v2 + v3) & MASK;
    v3 = turn(v3, 16n) ^ v2;
    v0 = (v0 + v3) & MASK;
    v3 = turn(v3, 21n) ^ v0;
    v2 = (v2 + v1) & MASK;
    v1 = turn(v1, 17n) ^ v2;
    v2 = turn(v2, 32n);
  };
  const padded = Buffer.alloc((Math.floor(message.length / 8) + 1) * 8);
  message.copy(padded);
  padded[padded.length - 1] = message.length;
  for (let at = 0; at < padded.length; at += 8) {
    const word = padded.readBigUInt64LE(at);
    v3 ^= word;
    round();
    round();
    v0 ^= word;
  }
  v2 ^= 0xffn;
  for (let i = 0; i < 4; i++) round();
  const hash = Buffer.alloc(8);
  hash.writeBigUInt64LE(v0 ^ v1 ^ v2 ^ v3);
  return hash.toString('hex');
}

describe('SipHash-2-4', () => {
  it.each([
    [0, '310e0edd47db6f72'],
    [1, 'fd67dc93c539f874'],
    [7, '37d1018bf50002ab'],
    [8, '6224939a79f5f593'],
    [15, 'e545be4961ca29a1'],
    [63, '724506eb4c328a95'],
  ])('gives the published hash of %i bytes', (length, expected) => {
    expect(hashOf(bytes(length))).toBe(expected);
  });

  it('equals the algorithm as published for all bytes and all keys', () => {
    const key = fc.uint8Array({ minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), key, (message, secret) => {
        const text = Buffer.from(message).toString('latin1');
        expect(hashOf(text, secret)).toBe(plainly(Buffer.from(message), Buffer.from(secret)));
      }),
    );
  });

  it('depends on every bit of the key', () => {
    const hashes = new Set([hashOf('a')]);
    for (let bit = 0; bit < 128; bit++) {
      const key = Buffer.from(KEY);
      key[bit >> 3]! ^= 1 << (bit & 7);
      hashes.add(hashOf('a', key));
    }
    expect(hashes.size).toBe(129);
  });

  it('takes no text of wider characters for one of bytes', () => {
    const wide = ['ā', '東京', '👍'];
    const narrow = wide.map((text) => Buffer.from(text, 'utf16le').toString('latin1'));
    const cut = wide.map((text) => text.replace(/./gsu, (c) => String.fromCharCode(c.charCodeAt(0) & 0xff)));
    expect(new Set([...wide, ...narrow, ...cut].map((text) => hashOf(text))).size).toBe(9);
  });
});
