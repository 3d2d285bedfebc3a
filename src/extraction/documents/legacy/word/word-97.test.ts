import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../../budget/extraction-budget.ts';
import { gather, placesOf } from '../../items.fixture.ts';
import { memory, type Tree, writeCompoundFile } from '../compound-file/compound-file.fixture.ts';
import { openCompoundFile } from '../compound-file/compound-file.ts';
import { type WordLayout, type WordParts, wordStreams } from './word-97.fixture.ts';
import { readWord97 } from './word-97.ts';

async function readTree(tree: Tree, budget = new ExtractionBudget()) {
  const { root } = await openCompoundFile(memory(writeCompoundFile(tree)));
  return gather(readWord97(root, budget));
}

const readParts = (parts: WordParts, layout?: WordLayout) => readTree(wordStreams(parts, layout));

describe('documents of Word 97', () => {
  it('have a text, and others around it', async () => {
    const read = await readParts({
      main: 'Dear Ann,\rthe main text.\r',
      footnotes: '\x02 A footnote.\r',
      headers: '\x03\r\x04\rPage head\r',
      comments: '\x05A comment.\r',
      endnotes: '\x02An endnote.\r',
      textBoxes: 'In a box.\r\r',
      headerTextBoxes: 'In a box of the head.\r\r',
    });
    expect(placesOf(read)).toEqual({
      '': 'Dear Ann,\nthe main text.\n',
      footnotes: ' A footnote.\n',
      headers: '\n\nPage head\n',
      comments: 'A comment.\n',
      endnotes: 'An endnote.\n',
      'text boxes': 'In a box.\n\nIn a box of the head.\n\n',
    });
    expect(read.error).toBeNull();
  });

  it('have tables, links and breaks', async () => {
    const main =
      'Name\x07Card\x07\x07Ann\x074111 1111 1111 1111\x07\x07' +
      'see \x13 HYPERLINK "mailto:ann@example.org" \x14Ann\x15.\x0bnext line\x0cnext page\rco\x1fop\x1eted\xa0\x01\r';
    expect(placesOf(await readParts({ main }))).toEqual({
      '': 'Name\tCard\nAnn\t4111 1111 1111 1111\nsee   HYPERLINK "mailto:ann@example.org"  Ann.\nnext line\nnext page\ncoop-ted\xa0 \n',
    });
  });

  it('are read the same with any division into pieces', async () => {
    const main = `${Array.from({ length: 9000 }, (_, i) => `line ${i} ä é ü`).join('\r')} 😀 Ω\r`;
    const footnotes = 'the note\r';
    const whole = placesOf(await readParts({ main, footnotes }, { pieceLength: 1_000_000 }));
    for (const pieceLength of [7, 1000, 40_000]) {
      const cut = await readParts({ main, footnotes }, { pieceLength, backwards: true });
      expect(placesOf(cut)).toEqual(whole);
    }
    expect(whole['']).toBe(main.replaceAll('\r', '\n'));
  });

  it('have Western characters where one byte is enough', async () => {
    const read = await readParts({ main: 'first “quoted” – 5 €\r' }, { pieceLength: 6 });
    expect(placesOf(read)).toEqual({ '': 'first “quoted” – 5 €\n' });
  });

  it('may contain text after the last part', async () => {
    const tree = wordStreams({ main: 'shown\rhidden 4111111111111111\r' });
    (tree.WordDocument as Buffer).writeInt32LE(6, 76);
    expect(placesOf(await readTree(tree))).toEqual({
      '': 'shown\n',
      'after the text': 'hidden 4111111111111111\n',
    });
  });

  it.each([
    ['encrypted', { flags: 0x0300 }, 'encrypted'],
    ['of Word 2', { mark: 0xa5db, version: 45 }, 'unsupported format: document older than Word 6'],
    ['of no version', { mark: 0x1234 }, 'corrupt: Word document header'],
  ])('are refused if they are %s', async (_, layout, error) => {
    expect(await readParts({ main: 'text\r' }, layout)).toMatchObject({ error, texts: [] });
  });

  it('may lack their table', async () => {
    const { WordDocument } = wordStreams({});
    expect((await readTree({ WordDocument: WordDocument! })).error).toBe('corrupt: Word table stream');
  });

  it('keep what precedes the end of a truncated text', async () => {
    const tree = wordStreams({ main: 'x'.repeat(100_000) });
    const read = await readTree({ ...tree, WordDocument: (tree.WordDocument as Buffer).subarray(0, 90_000) });
    expect(read.texts[0]?.text.length).toBeGreaterThan(50_000);
    expect(read.error).toMatch(/^corrupt: /);
  });

  it('cannot become much more text than they have bytes', { timeout: 60_000 }, async () => {
    const tree = wordStreams({ main: 'y'.repeat(20_000) }, { pieceLength: 2 });
    const table = tree['1Table'] as Buffer;
    for (let piece = 0; piece <= 10_000; piece++) table.writeUInt32LE(piece * 8000, 40 + 11 + piece * 4);
    (tree.WordDocument as Buffer).writeInt32LE(80_000_000, 76);
    const read = await readTree(tree, new ExtractionBudget());
    expect(read.error).toBe('limit: compression ratio');
    expect(read.length).toBeLessThan(2 ** 26);
  });

  it('fail cleanly for any changed bytes', { timeout: 60_000 }, async () => {
    const tree = wordStreams({ main: 'some text\r'.repeat(50), comments: 'more\r' }, { pieceLength: 70 });
    const change = fc.tuple(fc.boolean(), fc.nat(3000), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
        const [document, table] = [tree.WordDocument, tree['1Table']].map((bytes) =>
          Buffer.from(bytes as Buffer),
        );
        for (const [inTable, at, byte] of changes) {
          const stream = inTable ? table! : document!;
          // Headers and tables are more worth changing than text.
          stream[inTable ? at % stream.length : at % 430] = byte;
        }
        await readTree({ WordDocument: document!, '1Table': table!, '0Table': table! });
      }),
      { numRuns: 2000 },
    );
  });
});
