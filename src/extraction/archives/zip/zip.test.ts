import { crc32, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../budget/extraction-budget.ts';
import { DEFAULT_LIMITS } from '../../budget/limits.ts';
import { queueOf } from '../../formats/byte-queue.fixture.ts';
import { encodeDeflate64, symbolsOf } from '../../formats/compression/deflate/deflate64.fixture.ts';
import { encodeLzma, encodeLzma2 } from '../../formats/compression/lzma/lzma.fixture.ts';
import { encodePpmdI } from '../../formats/compression/ppmd/ppmd.fixture.ts';
import { xzOf } from '../../formats/compression/xz/xz.fixture.ts';
import { contentsOf } from '../entries.fixture.ts';
import { extraField, writePart, type ZipPart, type ZipShape, zipOf } from './zip.fixture.ts';
import { readZip } from './zip.ts';

const read = (bytes: Uint8Array, limits = DEFAULT_LIMITS, chunk = 4096) =>
  contentsOf(readZip(queueOf(bytes, chunk), new ExtractionBudget(limits)));
const lines = Array.from({ length: 4000 }, (_, i) => `line ${i} ${Math.sin(i)}\n`).join('');
const bzip2Hello = Buffer.from(
  'QlpoOTFBWSZTWVSkl4QAAALRgAAQQAQGRJCAIAAxADAgaGIASdSyHz8XckU4UJBUpJeE',
  'base64',
);
const lzmaHead = Buffer.from([9, 20, 5, 0, 93, 0, 0, 16, 0]);

const compressionCases: [string, Partial<ZipPart>][] = [
  ['stored', { method: 0, data: lines }],
  ['deflated', { method: 8, data: lines }],
  ['nothing, stored', { method: 0, data: '' }],
  ['nothing, deflated', { method: 8, data: '' }],
  ['an archive, stored', { method: 0, data: zipOf([{ name: 'inner', data: 'text' }]).toString('latin1') }],
  [
    'deflate64',
    { method: 9, data: lines, compressed: encodeDeflate64([{ dynamic: symbolsOf(Buffer.from(lines)) }]) },
  ],
  ['bzip2', { method: 12, data: 'hello, world\n', compressed: bzip2Hello }],
  [
    'lzma',
    {
      method: 14,
      flags: 2,
      data: 'hello',
      compressed: Buffer.concat([lzmaHead, encodeLzma(Buffer.from('hello'))]),
    },
  ],
  ['zstd, by its old number', { method: 20, data: lines, compressed: zstdCompressSync(lines) }],
  ['zstd', { method: 93, data: lines, compressed: zstdCompressSync(lines) }],
  [
    'xz',
    {
      method: 95,
      data: 'hello',
      compressed: xzOf([{ data: Buffer.from('hello'), compressed: encodeLzma2(Buffer.from('hello')) }]),
    },
  ],
];
const ways: [string, Partial<ZipPart>, ZipShape][] = [
  ['with its sizes before it', {}, {}],
  ['with its sizes in zip64', { zip64: true }, { zip64: true }],
  ['with a descriptor', { descriptor: 'signed' }, {}],
  ['with a bare descriptor', { descriptor: 'bare' }, {}],
  ['with a descriptor of zip64', { descriptor: 'wide' }, { zip64: true }],
  ['with a bare descriptor of zip64', { descriptor: 'wide bare' }, { zip64: true }],
  ['with sizes and a descriptor', { descriptor: 'signed', early: 'sizes' }, {}],
];

describe.each(compressionCases)('a zip entry, %s', (_, compression) => {
  it.each(ways)('%s', async (_, way, shape) => {
    const latin1 = Buffer.from(compression.data as string, 'latin1');
    const part = { name: 'dir/a.txt', ...compression, ...way, data: latin1 };
    const bytes = zipOf([part, { name: 'z', data: 'last' }], shape);
    for (const chunk of [7, 4096]) {
      expect(await read(bytes, DEFAULT_LIMITS, chunk)).toEqual({
        entries: [
          { name: 'dir/a.txt', text: compression.data },
          { name: 'z', text: 'last' },
        ],
        reason: null,
      });
    }
  });
});

describe('zip', () => {
  const two: readonly ZipPart[] = [
    { name: 'a', data: 'one' },
    { name: 'b', data: 'two' },
  ];
  const both = {
    entries: [
      { name: 'a', text: 'one' },
      { name: 'b', text: 'two' },
    ],
    reason: null,
  };
  const stub = Buffer.concat([
    Buffer.alloc(70_000, 'MZ PK'),
    Buffer.from('PK\x03\x04PK\x01\x02PK\x05\x06 are signatures'),
  ]);

  const freeRoom = Buffer.alloc(30 + 99);
  freeRoom.write('PK\x03\x04');
  freeRoom.writeUInt16LE(99, 28); // all of it an extra field

  it.each<[string, ZipShape]>([
    ['behind a program', { before: stub }],
    ['with something between entries and directory', { gap: stub }],
    ['in what would have been several files', { before: Buffer.from('PK00') }],
    ['behind free room, which is an entry without a name', { before: freeRoom }],
  ])('%s', async (_, shape) => {
    expect(await read(zipOf(two, shape))).toEqual(both);
  });

  it('yields comments as text: of the entries, then its own', async () => {
    const comment = 'PK\x03\x04 in a comment';
    const parts = two.map((part, i) => ({ ...part, comment: i === 1 ? 'über b' : '' }));
    expect(await read(zipOf(parts, { comment }))).toEqual({ ...both, comments: `über b\n${comment}\n` });
  });

  it('with an end that leaves all its numbers to zip64', async () => {
    const bytes = zipOf(two, { zip64: true });
    bytes.writeUInt32LE(0xffffffff, bytes.length - 18);
    expect(await read(bytes)).toEqual(both);
  });

  it('reports that it is the last volume of a split archive, in zip64 too', async () => {
    const bytes = zipOf(two, { zip64: true });
    bytes.writeUInt16LE(2, bytes.length - 18);
    const reason = 'unsupported format: multi-volume archive';
    expect(await read(bytes)).toEqual({ ...both, reason });
  });

  it('with a descriptor, and a header that points to a zip64 field it has not', async () => {
    const bytes = zipOf([{ ...two[0]!, descriptor: 'signed' }]);
    bytes.fill(0xff, 18, 26);
    expect(await read(bytes)).toEqual({ entries: both.entries.slice(0, 1), reason: null });
  });

  it('free room that the directory lists is no damage, and listed more often than it is there it is', async () => {
    const room: ZipPart = { name: '', method: 0 };
    expect(await read(zipOf([room, ...two]))).toEqual(both);
    expect((await read(zipOf([room, ...two], { count: 4 }))).reason).toBe('corrupt: zip directory');
  });

  it('an entry without a name and with a data descriptor is read', async () => {
    const { entries, reason } = await read(
      zipOf([{ name: '', data: 'three', descriptor: 'signed' }, ...two]),
    );
    expect(entries).toEqual([{ name: '', text: 'three' }, ...both.entries]);
    expect(reason).toBeNull();
  });

  it('an entry without a name that has bytes is read, and missed by the directory if it does not list it', async () => {
    const { local } = writePart({ name: '', data: 'three' }, 0);
    const { entries, reason } = await read(zipOf(two, { before: local }));
    expect(entries).toEqual([{ name: '', text: 'three' }, ...both.entries]);
    expect(reason).toBe('corrupt: zip directory');
  });

  it('without files has no entries', async () => {
    expect(await read(zipOf([]))).toEqual({ entries: [], reason: null });
  });

  it('archives one after another are all read', async () => {
    const bytes = Buffer.concat([
      zipOf(two.slice(0, 1)),
      Buffer.from('between'),
      zipOf(two.slice(1)),
      Buffer.alloc(99),
    ]);
    expect(await read(bytes)).toEqual(both);
  });

  it('folders are not entries, unless they have data', async () => {
    const bytes = zipOf([
      { name: 'dir/', method: 0 },
      { name: 'win\\', method: 0 },
      { name: 'late/', method: 0, flags: 8 },
      { name: 'later/', descriptor: 'signed' },
      { name: 'hidden/', data: 'bytes' },
    ]);
    expect(await read(bytes)).toEqual({ entries: [{ name: 'hidden/', text: 'bytes' }], reason: null });
  });

  it('names that lead elsewhere are shown as they are', async () => {
    const names = [
      '../../etc/passwd',
      '/etc/shadow',
      'C:\\Windows\\a',
      'a\0.txt',
      '\\\\host\\share',
      'x'.repeat(60_000),
    ];
    const { entries } = await read(zipOf(names.map((name) => ({ name, data: 'x' }))));
    expect(entries.map(({ name }) => name)).toEqual(names);
  });

  it('names are read as the archive means them', async () => {
    const raw = Buffer.from([0x61, 0x81]);
    const unicode = Buffer.concat([Buffer.from([1, 0, 0, 0, 0]), Buffer.from('Ω')]);
    unicode.writeUInt32LE(crc32(raw), 1);
    const extra = extraField(0x7075, unicode);
    const { entries } = await read(
      zipOf([{ name: raw }, { name: 'ü', flags: 0x800 }, { name: raw, extra }, { name: 'renamed', extra }]),
    );
    expect(entries.map(({ name }) => name)).toEqual(['aü', 'ü', 'Ω', 'renamed']);
  });

  it('entries that are left early are skipped', async () => {
    const parts = [
      { name: 'a', data: lines, method: 0 },
      { name: 'b', data: lines.repeat(3) },
      { name: 'c', data: lines.repeat(3), descriptor: 'signed' as const },
      { name: 'd', data: lines, method: 0, descriptor: 'bare' as const },
      { name: 'e', data: 'end' },
    ];
    for (const chunksRead of [0, 1]) {
      const names: string[] = [];
      for await (const item of readZip(queueOf(zipOf(parts)), new ExtractionBudget())) {
        if (item.is === 'text') continue;
        names.push(item.name);
        for await (const _ of chunksRead === 0 ? [] : item.bytes) break;
      }
      expect(names.join('')).toBe('abcde');
    }
  });

  it('encrypted and unsupported entries are reported, and the rest is read', async () => {
    const secret = { data: 'secret' };
    const bytes = zipOf([
      { name: 'a', ...secret, flags: 1 },
      { name: 'b', ...secret, flags: 1, descriptor: 'signed' },
      { name: 'c', ...secret, method: 99 },
      { name: 'd', ...secret, method: 19 },
      { name: 'e', ...secret, method: 97, descriptor: 'wide' },
      { name: 'f', data: 'open' },
    ]);
    const { entries, reason } = await read(bytes);
    expect(entries.map((entry) => entry.reason ?? entry.text)).toEqual([
      'encrypted',
      'encrypted',
      'encrypted',
      'unsupported format: compression method in zip',
      'unsupported format: compression method in zip',
      'open',
    ]);
    expect(reason).toBeNull();
  });

  it('PPMd is read if its size is in the header, since it has no end marker', async () => {
    const compressed = Buffer.concat([Buffer.of(3, 0), encodePpmdI(Buffer.from(lines), 4, 2 ** 20, false)]);
    const ppmd = { method: 98, data: lines, compressed };
    const bytes = zipOf([
      { name: 'a', ...ppmd },
      { name: 'b', ...ppmd, descriptor: 'signed' },
      { name: 'c', data: 'last' },
    ]);
    const { entries, reason } = await read(bytes);
    expect(entries.map((entry) => entry.reason ?? entry.text)).toEqual([
      lines,
      'unsupported format: compression method in zip',
      'last',
    ]);
    expect(reason).toBeNull();
  });

  it('ends with an encrypted entry whose end cannot be found', async () => {
    const bytes = zipOf([
      { name: 'a', data: 'secret', flags: 1, descriptor: 'bare' },
      { name: 'b', data: 'open' },
    ]);
    expect(await read(bytes)).toEqual({
      entries: [{ name: 'a', text: '', reason: 'encrypted' }],
      reason: 'encrypted',
    });
  });

  it('in several files is not read', async () => {
    const reason = 'unsupported format: multi-volume archive';
    expect((await read(zipOf(two, { before: Buffer.from('PK\x07\x08') }))).reason).toBe(reason);
    const last = zipOf(two);
    last.writeUInt16LE(3, last.length - 18);
    expect((await read(last)).reason).toBe(reason);
  });
});

describe('a damaged zip', () => {
  it('reports truncation at every position, and keeps what came before', async () => {
    for (const descriptor of [undefined, 'signed', 'wide bare'] as const) {
      const late = descriptor === undefined ? {} : { descriptor };
      const whole = zipOf([
        { name: 'a', data: 'first', ...late },
        { name: 'b', data: 'second', method: 0, ...late },
      ]);
      for (let end = 0; end < whole.length; end++) {
        const { entries, reason } = await read(whole.subarray(0, end));
        expect(reason).toMatch(/^corrupt: (truncated )?zip (archive|entry|directory)$/);
        for (const [i, { text }] of entries.entries()) {
          const expected = ['first', 'second'][i]!;
          expect(text.startsWith(expected) || expected.startsWith(text)).toBe(true);
        }
      }
    }
  });

  it.each<[string, Partial<ZipPart>, string]>([
    ['another sum', { crc: 5 }, 'corrupt: zip checksum'],
    ['another size', { size: 9 }, 'corrupt: zip checksum'],
    ['another sum behind it', { crc: 5, descriptor: 'signed' }, 'corrupt: zip checksum'],
    ['noise', { compressed: Buffer.alloc(99, 0xff) }, 'corrupt: zip entry'],
    [
      'noise and a descriptor',
      { compressed: Buffer.alloc(99, 0xff), descriptor: 'bare' },
      'corrupt: zip entry',
    ],
  ])('gives the entries behind one with %s', async (_, change, reason) => {
    const found = await read(
      zipOf([
        { name: 'a', data: 'one', ...change },
        { name: 'b', data: 'two' },
      ]),
    );
    expect(found.entries).toMatchObject([
      { name: 'a', reason },
      { name: 'b', text: 'two' },
    ]);
  });

  it('is detected by its directory', async () => {
    const part = { name: 'a', data: 'one' };
    const mismatch = { entries: [{ name: 'a', text: 'one' }], reason: 'corrupt: zip directory' };
    expect(await read(zipOf([part], { count: 2 }))).toEqual(mismatch);
    expect(await read(zipOf([part], { count: 2, zip64: true }))).toEqual(mismatch);
    // Two records for one entry: in the directory it would be there twice.
    const bytes = zipOf([part]);
    const record = bytes.subarray(bytes.length - 22 - 47, bytes.length - 22);
    expect(await read(Buffer.concat([bytes.subarray(0, -22), record, bytes.subarray(-22)]))).toEqual(
      mismatch,
    );
  });

  it('cannot hide data after a descriptor that ends an entry too early', async () => {
    const fake = zipOf([{ name: '', method: 0, data: 'seen', descriptor: 'signed' }]).subarray(30, 50);
    const bytes = zipOf([
      { name: 'a', method: 0, data: Buffer.concat([fake, Buffer.from('hidden')]), descriptor: 'signed' },
    ]);
    expect(await read(bytes)).toEqual({
      entries: [{ name: 'a', text: 'seen' }],
      reason: 'corrupt: zip directory',
    });
  });

  it('with another signature is not read', async () => {
    expect((await read(Buffer.alloc(3_000_000, 'text '))).reason).toBe('corrupt: zip archive');
    expect((await read(Buffer.alloc(0))).reason).toBe('corrupt: zip archive');
  });

  it('with any bytes changed ends in entries or an error', async () => {
    const kinds = ['signed', 'bare', 'wide'] as const;
    const plain = compressionCases.map(([name, part]) => ({
      ...part,
      name,
      data: Buffer.from((part.data as string).slice(0, 500)),
    }));
    const small = plain.map((part) =>
      part.method === 93 ? { ...part, compressed: zstdCompressSync(part.data) } : part,
    );
    const wholes = [
      zipOf(small),
      ...kinds.map((descriptor) => zipOf(small.map((part) => ({ ...part, descriptor })))),
    ];
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...wholes), changes, fc.nat(), async (whole, list, cut) => {
        const bytes = Buffer.from(cut % 3 === 0 ? whole.subarray(0, cut % whole.length) : whole);
        for (const [at, byte] of list) bytes[at % bytes.length] = byte;
        await contentsOf(readZip(queueOf(bytes), new ExtractionBudget()), 50_000_000);
      }),
      { numRuns: 1000 },
    );
  }, 60_000);
});
