import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { viaBytes, viaStream } from '../extraction.fixture.ts';
import { OffsetIndex } from './offset-index.ts';

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const utf8 = (text: string) => Buffer.from(text, 'latin1').toString('utf8');

/** UTF-32 with a byte order mark, converted through code points. */
function utf32(text: string, little: boolean): Buffer {
  const units = [0xfeff, ...Array.from(text, (c) => c.codePointAt(0)!)];
  const bytes = Buffer.alloc(4 * units.length);
  for (const [i, unit] of units.entries()) {
    if (little) bytes.writeUInt32LE(unit, 4 * i);
    else bytes.writeUInt32BE(unit, 4 * i);
  }
  return bytes;
}

describe('wide text', () => {
  const text = 'Straße 5, 日本 😀, 4111 1111';

  it.each([
    ['UTF-16LE with a mark', utf16(text)],
    ['UTF-16BE with a mark', utf16(text).swap16()],
    ['UTF-16LE without a mark', Buffer.from(text, 'utf16le')],
    ['UTF-16BE without a mark', Buffer.from(text, 'utf16le').swap16()],
    ['UTF-32LE', utf32(text, true)],
    ['UTF-32BE', utf32(text, false)],
  ])('%s becomes UTF-8', (_, bytes) => {
    const { parts, result } = viaBytes('a.txt', bytes);
    expect(result).toEqual({ state: 'read', format: 'text' });
    expect(parts[0]?.charset).toBe('utf-8');
    expect(utf8(parts[0]!.text)).toBe(text);
  });

  it('every character is mapped to its position in the object', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme', minLength: 20 }),
        fc.integer({ min: 1, max: 9 }),
        async (noise, size) => {
          const full = `plain words ${noise.replaceAll(/\p{C}/gu, '')} the end`;
          const { parts } = await viaStream('a.txt', utf16(full), [size]);
          let offset = 0;
          let source = 2;
          for (const character of full) {
            expect(parts[0]?.part.sourceOffset(offset)).toBe(source);
            offset += Buffer.byteLength(character);
            source += 2 * character.length;
          }
          expect(parts[0]?.part.sourceOffset(offset)).toBe(source);
        },
      ),
      { numRuns: 40 },
    );
  });

  it('a lone surrogate and half a unit at the end become replacement characters', () => {
    const bytes = Buffer.concat([utf16('some words a\ud800b'), Buffer.from([0x41])]);
    expect(utf8(viaBytes('a', bytes).parts[0]!.text)).toBe('some words a\ufffdb\ufffd');
  });

  it('formats are detected as in single-byte text', () => {
    expect(viaBytes('x', utf16('{"a": 1}')).result).toMatchObject({ format: 'json' });
  });
});

describe('origins', () => {
  it('are exact in the latest blocks and near in old ones, in bounded memory', () => {
    const index = new OffsetIndex(2, 2);
    const block = Buffer.from('aé'.repeat(100));
    let source = 2;
    for (let i = 0; i < 20_000; i++) {
      source += 400;
      index.add(block, source);
    }
    const length = 20_000 * block.length;
    expect(index.at(length)).toBe(source);
    expect(index.at(length - 3)).toBe(source - 4);
    expect(index.at(length - 301)).toBe(source - 402);
    const old = index.at(length / 2);
    expect(Math.abs(old - source / 2)).toBeLessThan(10);
  });

  it('may be queried in any order', () => {
    const index = new OffsetIndex(2, 0);
    index.add(Buffer.from('aé日😀z'), 12);
    expect([10, 0, 3, 6, 1, 2, 9].map((at) => index.at(at))).toEqual([10, 0, 4, 6, 2, 2, 6]);
  });

  it.each([2, 4])('are exact in blocks of ASCII and in others, for units of %i bytes', (width) => {
    const index = new OffsetIndex(width, width);
    index.add(Buffer.from('abcd'), 5 * width);
    index.add(Buffer.from('éa'), 7 * width);
    index.add(Buffer.from('😀'), 7 * width + 4);
    index.add(Buffer.from('xy'), 9 * width + 4);
    const units = [0, 3, 4, 5, 6].map((at) => index.at(at) / width);
    expect(units).toEqual([1, 4, 5, 5, 6]);
    expect([7, 10, 11, 12, 13].map((at) => index.at(at) - 7 * width)).toEqual([
      0,
      0,
      4,
      4 + width,
      4 + 2 * width,
    ]);
  });
});
