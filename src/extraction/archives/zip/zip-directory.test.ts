import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../budget/extraction-budget.ts';
import { DEFAULT_LIMITS } from '../../budget/limits.ts';
import { ExtractionError } from '../../extraction-error.ts';
import { gathered, inMemory } from '../memory.fixture.ts';
import { extraField, type ZipPart, type ZipShape, zipOf } from './zip.fixture.ts';
import { openZip } from './zip-directory.ts';

const open = (bytes: Uint8Array, limits = DEFAULT_LIMITS) =>
  openZip(inMemory(bytes), new ExtractionBudget(limits));
const long = Array.from({ length: 20_000 }, (_, i) => `line ${i} ${Math.sin(i)}\n`).join('');
const parts: readonly ZipPart[] = [
  { name: '[Content_Types].xml', data: '<Types/>' },
  { name: 'word/', data: '', method: 0 },
  { name: 'word/document.xml', data: long },
  { name: 'word/media/image1.png', data: long, method: 0 },
];

async function textOf(bytes: Uint8Array, name: string, limits = DEFAULT_LIMITS): Promise<string> {
  const member = (await open(bytes, limits)).find(name);
  if (member === null) throw new Error(`no ${name}`);
  return (await gathered(member.bytes())).toString();
}

describe('a zip directory', () => {
  const shapes: [string, ZipShape, Partial<ZipPart>][] = [
    ['as usual', {}, {}],
    ['with a comment that looks like an end', { comment: 'PK\x05\x06 and so on, longer than a record' }, {}],
    ['behind a program', { before: Buffer.alloc(5000, 'MZ') }, {}],
    ['with a gap before the directory', { gap: Buffer.alloc(99, 'PK') }, {}],
    ['with zip64 numbers', { zip64: true }, { zip64: true }],
    ['with zip64 behind a program', { zip64: true, before: Buffer.alloc(77) }, { zip64: true }],
    ['with descriptors', {}, { descriptor: 'signed' }],
  ];
  it.each(shapes)('yields members by name, %s', async (_, shape, more) => {
    const bytes = zipOf(
      parts.map((part) => ({ ...part, ...more })),
      shape,
    );
    expect((await open(bytes)).names).toEqual(parts.map(({ name }) => name));
    expect(await textOf(bytes, '[Content_Types].xml')).toBe('<Types/>');
    expect(await textOf(bytes, 'word/document.xml')).toBe(long);
    expect(await textOf(bytes, 'word/media/image1.png')).toBe(long);
  });

  it('finds names in any case and with either slash', async () => {
    const bytes = zipOf([{ name: 'Word\\Document.XML', data: 'x' }]);
    expect(await textOf(bytes, '/word/document.xml')).toBe('x');
    expect((await open(bytes)).find('word')).toBeNull();
  });

  it('of an empty archive has no members', async () => {
    expect((await open(zipOf([]))).names).toEqual([]);
  });

  it('supports zstd, and reports unsupported methods', async () => {
    const compressed = (method: number, bytes: Uint8Array) =>
      zipOf([{ name: 'a', data: long, method, compressed: bytes }]);
    expect(await textOf(compressed(93, zstdCompressSync(long)), 'a')).toBe(long);
    await expect(textOf(compressed(97, Buffer.alloc(9)), 'a')).rejects.toThrow(
      'unsupported format: compression method in zip',
    );
  });

  it('shows names in the first characters of the PC, in UTF-8 and in the field for it', async () => {
    const raw = Buffer.from([0x61, 0x81, 0xe1]);
    const other = extraField(0x7075, Buffer.concat([Buffer.from([1, 0, 0, 0, 0]), Buffer.from('wrong')]));
    const names = async (part: ZipPart) => (await open(zipOf([part]))).names[0];
    expect(await names({ name: raw })).toBe('aüß');
    expect(await names({ name: raw, extra: other })).toBe('aüß');
    expect(await names({ name: 'aüß', flags: 0x800 })).toBe('aüß');
    expect(await names({ name: 'aüß' })).toBe('aüß');
  });
});

describe('a zip directory refuses', () => {
  const refused: [string, Buffer, string][] = [
    ['nothing', Buffer.alloc(0), 'corrupt: zip directory'],
    ['what is no archive', Buffer.alloc(5000, 'text '), 'corrupt: zip directory'],
    ['an archive without its end', zipOf(parts).subarray(0, -30), 'corrupt: zip directory'],
    ['a wrong number of members', zipOf(parts, { count: 5 }), 'corrupt: zip directory'],
    [
      'members that share their bytes',
      zipOf(parts.map((part) => ({ ...part, offset: 0 }))),
      'corrupt: overlapping zip entries',
    ],
    ['a member behind the directory', zipOf([{ name: 'a', offset: 9999 }]), 'corrupt: zip directory'],
  ];
  it.each(refused)('%s', async (_, bytes, reason) => {
    await expect(open(bytes)).rejects.toThrow(reason);
  });

  it('more members than there may be', async () => {
    await expect(open(zipOf(parts), { ...DEFAULT_LIMITS, entries: 3 })).rejects.toThrow('limit: entries');
  });

  it('a directory of more than 64 MB', async () => {
    const bytes = zipOf([]);
    bytes.writeUInt32LE(65 * 1024 * 1024, 12);
    const input = {
      size: 2 ** 30,
      read: async (from: number) => bytes.subarray(Math.max(0, bytes.length - (2 ** 30 - from))),
    };
    await expect(openZip(input, new ExtractionBudget())).rejects.toThrow('limit: zip directory');
  });

  const members: [string, ZipPart, string][] = [
    ['another name', { name: 'a', directoryName: 'b' }, 'corrupt: zip local header'],
    ['a wrong checksum', { name: 'b', data: 'b', crc: 5 }, 'corrupt: zip checksum'],
    ['a wrong size', { name: 'b', data: 'b', size: 5 }, 'corrupt: zip checksum'],
    ['a password', { name: 'b', data: 'b', flags: 1 }, 'encrypted'],
    ['a strong password', { name: 'b', data: 'b', method: 99 }, 'encrypted'],
    ['noise', { name: 'b', data: 'b', compressed: Buffer.alloc(9, 0xff) }, 'corrupt: zip entry'],
    [
      'its end missing',
      { name: 'b', data: 'b', compressed: Buffer.from([0x4b]) },
      'corrupt: truncated zip entry',
    ],
  ];
  it.each(members)('a member with %s', async (_, part, reason) => {
    const { members } = await open(zipOf([part]));
    await expect(gathered(members[0]!.bytes())).rejects.toThrow(reason);
  });

  it('what is too long for its bytes, and too much altogether', async () => {
    const zeros = zipOf([{ name: 'a', data: Buffer.alloc(20_000_000) }]);
    await expect(textOf(zeros, 'a')).rejects.toThrow('limit: compression ratio');
    const limits = { ...DEFAULT_LIMITS, decompressedBytes: 100_000 };
    await expect(textOf(zipOf(parts), 'word/document.xml', limits)).rejects.toThrow(
      'limit: decompressed size',
    );
  });
});

it('a damaged zip directory ends in members or an error', async () => {
  const whole = zipOf(
    [
      { name: 'a', data: 'one' },
      { name: 'b', data: 'two', zip64: true, extra: extraField(0x7075, Buffer.alloc(9)) },
    ],
    { zip64: true },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 4 }),
      fc.nat(whole.length),
      async (changes, cut) => {
        const bytes = Buffer.from(whole);
        for (const [at, byte] of changes) bytes[at] = byte;
        for (const end of [whole.length, cut]) {
          try {
            for (const member of (await open(bytes.subarray(0, end))).members) await gathered(member.bytes());
          } catch (error) {
            expect(error).toBeInstanceOf(ExtractionError);
          }
        }
      },
    ),
    { numRuns: 1500 },
  );
});
