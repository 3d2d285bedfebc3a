import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../budget/extraction-budget.ts';
import { DEFAULT_LIMITS } from '../../budget/limits.ts';
import { gather, placesOf } from '../items.fixture.ts';
import { memory, type Tree, writeCompoundFile } from './compound-file/compound-file.fixture.ts';
import { propertySets, type SetFixture } from './compound-file/property-set.fixture.ts';
import { bof, label, workbookStream } from './excel/excel-97.fixture.ts';
import { readLegacy } from './legacy-document.ts';
import { messageTree } from './outlook/outlook-message.fixture.ts';
import { presentationStreams } from './powerpoint/powerpoint-97.fixture.ts';
import { wordStreams } from './word/word-97.fixture.ts';

const readFile = (file: Uint8Array, budget = new ExtractionBudget()) =>
  gather(readLegacy(memory(file), budget, { ocr: false }));
const readTree = (tree: Tree, budget?: ExtractionBudget) => readFile(writeCompoundFile(tree), budget);

const word = wordStreams({ main: 'a letter\r' });
const excel: Tree = {
  Workbook: workbookStream({ sheets: [{ name: 'S', records: [label(0, 0, 'a cell')] }] }),
};

/** The file of a package object. */
function nativeFile(name: string, data: Buffer): Buffer {
  const path = Buffer.from(`C:\\tmp\\${name}\0`);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(path.length);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(data.length);
  const names = [Buffer.from([2, 0]), Buffer.from(`${name}\0`), path, Buffer.from([0, 0, 3, 0])];
  return Buffer.concat([Buffer.alloc(4), ...names, length, path, size, data, Buffer.from('names again')]);
}

describe('legacy documents', () => {
  it.each<[string, Tree, Record<string, string>]>([
    ['of Word', word, { '': 'a letter\n' }],
    ['of Excel', excel, { S: 'a cell\n' }],
    ['of PowerPoint', presentationStreams([{ shapes: ['a box'] }]), { 'slide 1': 'a box\n' }],
    ['of Outlook', messageTree({ properties: { '1000001F': 'a body' } }), { body: 'a body' }],
  ])('are detected by their streams: %s', async (_, tree, places) => {
    const read = await readTree(tree);
    expect(placesOf(read)).toMatchObject(places);
    expect(read.error).toBeNull();
  });

  it.each<[string, Tree, string]>([
    [
      'an encrypted package',
      { EncryptedPackage: Buffer.alloc(9), EncryptionInfo: Buffer.alloc(9) },
      'encrypted',
    ],
    ['another program', { VisioDocument: Buffer.alloc(9) }, 'unsupported format: OLE compound file'],
    ['a control', { CONTENTS: Buffer.from('of a control') }, 'unsupported format: OLE compound file'],
    ['nothing', {}, 'unsupported format: OLE compound file'],
    ['an older Excel', { Book: bof(5, 0x400) }, 'unsupported format: workbook older than Excel 5'],
  ])('are not those of %s', async (_, tree, error) => {
    expect(await readTree(tree)).toMatchObject({ texts: [], entries: [], error });
  });

  it('yield their properties', async () => {
    const summary: SetFixture = {
      codePage: 1252,
      values: { 2: 'A title', 4: 'Jürgen', 17: Buffer.alloc(900), 99: 'x' },
    };
    const document: SetFixture = { codePage: 1252, values: { 15: 'ACME' } };
    const own: SetFixture = {
      codePage: 1200,
      names: { 2: 'Client', 3: 'Number' },
      values: { 2: 'Ann Ω', 3: 4711 },
    };
    const read = await readTree({
      ...word,
      '\x05SummaryInformation': propertySets([summary]),
      '\x05DocumentSummaryInformation': propertySets([document, own]),
    });
    expect(placesOf(read).properties).toBe(
      'title: A title\nauthor: Jürgen\ncompany: ACME\nClient: Ann Ω\nNumber: 4711\n',
    );
  });

  it('hold documents, packages and files', async () => {
    const read = await readTree({
      ...word,
      ObjectPool: {
        _1: excel,
        _2: { Package: Buffer.from('PK of our days') },
        _3: { '\x01Ole10Native': nativeFile('notes.txt', Buffer.from('a note')) },
        _4: { '\x01Ole10Native': Buffer.from('\x06\0\0\0a file') },
        _5: { CONTENTS: Buffer.from('%PDF-1.4') },
        _6: { CONTENTS: Buffer.from('of a control'), 'Equation Native': Buffer.alloc(9) },
        _7: { ...word, MBD0000000A: excel },
      },
      MBD12345678: excel,
    });
    expect(read.error).toBeNull();
    expect(placesOf(read)).toEqual({
      '': 'a letter\n',
      'object 1/S': 'a cell\n',
      'object 7': 'a letter\n',
      'object 7/object 1/S': 'a cell\n',
      'object 8/S': 'a cell\n',
    });
    expect(read.entries.map(({ name, bytes }) => [name, bytes.toString()])).toEqual([
      ['object 2/package', 'PK of our days'],
      ['object 3/notes.txt', 'a note'],
      ['object 4/file', 'a file'],
      ['object 5/contents.pdf', '%PDF-1.4'],
    ]);
  });

  it.each<[string, Tree, string[][]]>([
    ['a package', { Package: Buffer.from('PK of our days') }, [['package', 'PK of our days']]],
    [
      'a file',
      { '\x01Ole10Native': nativeFile('notes.txt', Buffer.from('a note')) },
      [['notes.txt', 'a note']],
    ],
    ['a PDF', { CONTENTS: Buffer.from('%PDF-1.4') }, [['contents.pdf', '%PDF-1.4']]],
    ['a formula', { 'Equation Native': Buffer.alloc(9) }, []],
  ])('that are nothing but an object: %s', async (_, tree, entries) => {
    const read = await readTree(tree);
    expect(read).toMatchObject({ texts: [], error: null });
    expect(read.entries.map(({ name, bytes }) => [name, bytes.toString()])).toEqual(entries);
  });

  it('are attached to messages as objects', async () => {
    const read = await readTree(messageTree({ properties: {}, attachments: [{ object: word }] }));
    expect(placesOf(read)).toEqual({ 'attachment 1': 'a letter\n' });
  });
});

describe('hostile legacy documents', () => {
  const nested = (depth: number): Tree =>
    depth === 0 ? word : { ...word, ObjectPool: { _1: nested(depth - 1) } };

  it('within each other are read to a depth', async () => {
    const read = await readTree(nested(9), new ExtractionBudget({ ...DEFAULT_LIMITS, depth: 3 }));
    expect(read.error).toBe('limit: depth');
    expect(read.texts.length).toBe(4);
  });

  it('keep their text if their directory or their properties are damaged', async () => {
    const tree = {
      ...word,
      '\x05SummaryInformation': propertySets([{ codePage: 1252, values: { 2: 'x' } }]),
    };
    const sets = tree['\x05SummaryInformation']!;
    sets.writeUInt32LE(0xffffff, 48 + 4);
    expect(await readTree(tree)).toMatchObject({
      error: 'corrupt: document properties',
      texts: [{ text: 'a letter\n' }],
    });
    const file = writeCompoundFile(word);
    file.writeUInt32LE(1, (file.readUInt32LE(48) + 1) * 512 + 128 + 68);
    expect(await readFile(file)).toMatchObject({
      error: 'corrupt: compound file directory',
      texts: [{ text: 'a letter\n' }],
    });
  });

  it('fail cleanly for any changed or missing bytes', { timeout: 60_000 }, async () => {
    const values = { 2: 'A title', 4: 'Ann' };
    const own: SetFixture = { codePage: 1200, names: { 2: 'Client' }, values: { 2: 'Ann Ω', 3: 4711 } };
    const good = writeCompoundFile({
      ...word,
      '\x05SummaryInformation': propertySets([{ codePage: 1252, values }]),
      '\x05DocumentSummaryInformation': propertySets([{ codePage: 1252, values }, own]),
      ObjectPool: { _1: excel, _2: { '\x01Ole10Native': nativeFile('n', Buffer.from('note')) } },
    });
    const change = fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(change, fc.nat(4 * good.length), async (changes, end) => {
        const bad = Buffer.from(good.subarray(0, end));
        for (const [at, byte] of changes) if (at < bad.length) bad[at] = byte;
        const { length } = await readFile(bad);
        expect(length).toBeLessThan(20 * good.length);
      }),
      { numRuns: 3000 },
    );
  });
});
