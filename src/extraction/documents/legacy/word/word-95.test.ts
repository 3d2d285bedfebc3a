import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import { gather, placesOf } from '../../items.fixture.ts';
import { memory, type Tree, writeCompoundFile } from '../compound-file/compound-file.fixture.ts';
import { openCompoundFile } from '../compound-file/compound-file.ts';
import { type Word95Layout, word95Streams } from './word-95.fixture.ts';
import { readWord97 } from './word-97.ts';

async function readTree(tree: Tree) {
  const { root } = await openCompoundFile(memory(writeCompoundFile(tree)));
  return gather(readWord97(root, new ExtractionBudget()));
}

const latin = (text: string) => Buffer.from(text, 'latin1');
const read = (text: string, layout?: Word95Layout) => readTree(word95Streams([latin(text)], layout));

describe('documents of Word 6 and 95', () => {
  it.each([undefined, 5, 1000])('have a text, and others around it, in pieces of %s', async (pieceLength) => {
    const parts = [
      'Dear J\xfcrgen,\rcard\x074111\x07\x07',
      '\x02 A footnote.\r',
      'Page head\r',
      '',
      'A comment.\r',
    ];
    const document = await readTree(word95Streams(parts.map(latin), { pieceLength }));
    expect(document.error).toBeNull();
    expect(placesOf(document)).toEqual({
      '': 'Dear Jürgen,\ncard\t4111\n',
      footnotes: ' A footnote.\n',
      headers: 'Page head\n',
      comments: 'A comment.\n',
    });
  });

  it.each<[string, Word95Layout, string, string]>([
    ['Russian', { language: 0x419 }, '\xcf\xf0\xe8\xe2\xe5\xf2\r', 'Привет\n'],
    ['Serbian', { language: 0xc1a }, '\xcf\r', 'П\n'],
    ['Croatian', { language: 0x41a }, '\x9a\r', 'š\n'],
    ['Japanese', { language: 0x411 }, '\x83\x56\r', 'シ\n'],
    ['Chinese of China', { language: 0x804 }, '\xc4\xe3\r', '你\n'],
    ['Chinese of Taiwan', { language: 0x404 }, '\xa7\x41\r', '你\n'],
    ['of a Macintosh', { macintosh: true }, 'J\x9frgen\r', 'Jürgen\n'],
  ])('are in the code page of their language: %s', async (_, layout, bytes, text) => {
    expect(placesOf(await read(bytes, layout))['']).toBe(text);
  });

  it('keep two-byte characters whole in texts of any length', async () => {
    const text = `x${'\x83\x56'.repeat(50_000)}\r`;
    expect(placesOf(await read(text, { language: 0x411 }))['']).toBe(`x${'シ'.repeat(50_000)}\n`);
  });

  it.each<[string, Word95Layout, string]>([
    ['a password', { flags: 0x100 }, 'encrypted'],
    ['wide characters', { mark: 0xa699, flags: 0x1000 }, 'unsupported format: East Asian Word 95 document'],
    ['an older version', { version: 45 }, 'unsupported format: document older than Word 6'],
  ])('are refused for %s', async (_, layout, error) => {
    expect(await read('secret\r', layout)).toMatchObject({ texts: [], error });
  });

  it('fail cleanly for any changed bytes', { timeout: 60_000 }, async () => {
    const good = word95Streams([latin('some text\r'.repeat(30)), latin('a note\r')], { pieceLength: 50 });
    const stream = good.WordDocument as Buffer;
    const change = fc.array(fc.tuple(fc.nat(stream.length - 1), fc.nat(255)), { maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(change, fc.nat(4 * stream.length), async (changes, end) => {
        const bad = Buffer.from(stream.subarray(0, end));
        for (const [at, byte] of changes) if (at < bad.length) bad[at] = byte;
        await readTree({ WordDocument: bad });
      }),
      { numRuns: 1000 },
    );
  });
});
