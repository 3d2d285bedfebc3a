import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Base64 } from './base64.ts';

function decoded(text: string, sizes: readonly number[] = [1 << 30]): string {
  const out: Buffer[] = [];
  const base64 = new Base64((bytes) => void out.push(Buffer.from(bytes)));
  const bytes = Buffer.from(text, 'latin1');
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = sizes[n % sizes.length]!;
    base64.write(bytes.subarray(at, at + size));
    at += size;
  }
  base64.end();
  return Buffer.concat(out).toString('latin1');
}

/** One character after another. */
function obvious(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  let bits = '';
  let out = '';
  for (const c of text) {
    if (c === '=') bits = '';
    const value = alphabet.indexOf(c === '-' ? '+' : c === '_' ? '/' : c);
    if (value < 0) continue;
    bits += value.toString(2).padStart(6, '0');
    if (bits.length < 8) continue;
    out += String.fromCharCode(Number.parseInt(bits.slice(0, 8), 2));
    bits = bits.slice(8);
  }
  return out;
}

describe('base64', () => {
  it('of any length is decoded in lines of any length', () => {
    const data = Buffer.from(Uint8Array.from({ length: 150_001 }, (_, i) => (i * 7919) >> 3));
    for (const width of [4, 60, 75, 76, 77, 100_000]) {
      const lines = data.toString('base64').match(new RegExp(`.{1,${width}}`, 'g'))!;
      for (const sizes of [[width], [65_536], [100]])
        expect(decoded(lines.join('\r\n'), sizes)).toBe(data.toString('latin1'));
    }
  });

  it('garbage is passed over, as one character at a time would', () => {
    const piece = fc.oneof(
      fc.base64String({ maxLength: 40 }),
      fc.constantFrom('=', '\r\n', ' ', '-', '_', '!', '\xe9', 'A', 'Q=', '\0', '\n\n'),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 30, size: 'max' }),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 4 }),
        (pieces, sizes) => {
          const text = pieces.join('');
          expect(decoded(text)).toBe(obvious(text));
          expect(decoded(text, sizes)).toBe(obvious(text));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('garbage in the middle of much', () => {
    const much = Buffer.alloc(100_000, 'some words ').toString('base64');
    const text = `${much.slice(0, 70_001)}!${much.slice(70_001)}`;
    expect(decoded(text, [77])).toBe(obvious(text));
  });
});
