import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExtractionBudget } from '../../budget/extraction-budget.ts';
import { queueOf } from '../../formats/byte-queue.fixture.ts';
import { contentsOf } from '../entries.fixture.ts';
import { attributes, type TarPart, tarOf } from './tar.fixture.ts';
import { readTar } from './tar.ts';

type Map = readonly (readonly [offset: number, length: number])[];

const read = (parts: readonly TarPart[], chunk?: number) =>
  contentsOf(readTar(queueOf(tarOf([...parts, { name: 'z', data: 'last' }]), chunk), new ExtractionBudget()));
const last = { name: 'z', text: 'last' };

const FORMATS: Readonly<Record<string, (name: string, map: Map, data: string) => TarPart[]>> = {
  'GNU, old': (name, map, data) => [{ name, type: 'S', magic: 'ustar  \0', map, data }],
  'pax 0.0': (name, map, data) => {
    const lines = map.map(([offset, length]) =>
      attributes({ 'GNU.sparse.offset': `${offset}`, 'GNU.sparse.numbytes': `${length}` }),
    );
    const all = `${attributes({ 'GNU.sparse.size': '99999999' })}${lines.join('')}${attributes({ path: name })}`;
    return [
      { name: 'pax', type: 'x', data: all },
      { name: 'short', data },
    ];
  },
  'pax 0.1': (name, map, data) => [
    {
      name: 'pax',
      type: 'x',
      data: attributes({ 'GNU.sparse.name': name, 'GNU.sparse.map': map.flat().join(','), path: 'invented' }),
    },
    { name: 'invented', data },
  ],
  'pax 1.0': (name, map, data) => {
    const inner = `${[map.length, ...map.flat()].join('\n')}\n`;
    return [
      {
        name: 'pax',
        type: 'x',
        data: attributes({ 'GNU.sparse.major': '1', 'GNU.sparse.minor': '0', 'GNU.sparse.name': name }),
      },
      { name: 'invented', data: inner + '\0'.repeat((512 - (inner.length % 512)) % 512) + data },
    ];
  },
};

describe.each(Object.entries(FORMATS))('a sparse file in tar, %s', (_, write) => {
  it.each<[string, Map, string, string]>([
    ['with a hole before it', [[4096, 4]], 'text', 'text'],
    ['without holes', [[0, 4]], 'text', 'text'],
    [
      'with a hole behind it',
      [
        [0, 4],
        [9999, 0],
      ],
      'text',
      'text',
    ],
    [
      'with a hole within',
      [
        [0, 4],
        [8192, 6],
      ],
      'one\0\0two\0\0',
      'one\ntwo\0\0',
    ],
    [
      'of extents without a hole between them',
      [
        [0, 3],
        [3, 3],
      ],
      'onetwo',
      'onetwo',
    ],
    [
      'with an extent of zeros between holes',
      [
        [0, 3],
        [999, 3],
        [2000, 3],
      ],
      'one\0\0\0two',
      'one\ntwo',
    ],
    ['of nothing but holes', [[9999, 0]], '', ''],
  ])('%s', async (_, map, data, text) => {
    for (const chunk of [1, 4096])
      expect(await read(write('a/name', map, data), chunk)).toEqual({
        entries: [{ name: 'a/name', text }, last],
        reason: null,
      });
  });

  it('with many holes', async () => {
    const map = Array.from({ length: 300 }, (_, i) => [100_000 * i, 2] as const);
    const data = map.map((_, i) => String(i % 90).padStart(2, '-')).join('');
    const { entries, reason } = await read(write('many', map, data));
    expect([entries[0]?.text, reason]).toEqual([data.match(/../g)!.join('\n'), null]);
  });

  it.each<[string, Map]>([
    ['describes more data than available', [[0, 99]]],
    ['describes less data than available', [[0, 2]]],
    [
      'goes back',
      [
        [5, 2],
        [1, 2],
      ],
    ],
  ])('whose map %s is read and reported', async (_, map) => {
    const { entries, reason } = await read(write('a', map, 'text'));
    expect(entries[0]).toMatchObject({ name: 'a', reason: 'corrupt: sparse file in tar' });
    expect(entries[0]!.text.replaceAll('\n', '')).toBe('text');
    expect([entries[1], reason]).toEqual([last, null]);
  });
});

describe('the map of a sparse file', () => {
  it.each([
    ['none', '\0'.repeat(512)],
    ['no number', `x\n${'\0'.repeat(510)}`],
    ['no end', '1\n'.padEnd(512, '0')],
    ['more numbers than it has room for', '999999999\n'.padEnd(512, '1\n')],
    ['more digits than a number', '1\n'.padEnd(2048, '1')],
  ])('of %s before the data is reported', async (_, data) => {
    const head = attributes({ 'GNU.sparse.major': '1', 'GNU.sparse.minor': '0' });
    const { entries } = await read([
      { name: 'pax', type: 'x', data: head },
      { name: 'a', data },
    ]);
    expect(entries).toEqual([
      { name: 'a', text: expect.any(String), reason: 'corrupt: sparse file in tar' },
      last,
    ]);
  });

  it('in an unknown format is rejected', async () => {
    const { entries } = await read([
      { name: 'pax', type: 'x', data: attributes({ 'GNU.sparse.major': '7' }) },
      { name: 'a', data: 'text' },
    ]);
    expect(entries).toEqual([
      { name: 'a', text: '', reason: 'unsupported format: sparse file in tar' },
      last,
    ]);
  });

  it('with arbitrary numbers yields no more than the data', async () => {
    const number = fc.oneof(fc.nat(40), fc.integer({ min: 0, max: 2 ** 31 }));
    const maps = fc.array(fc.tuple(number, number), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.values(FORMATS)),
        maps,
        fc.string({ maxLength: 60 }),
        async (write, map, data) => {
          const { entries, reason } = await read(write('a', map, Buffer.from(data).toString('latin1')));
          expect(reason).toBeNull();
          expect(entries[0]!.text.length).toBeLessThan(2048);
          expect(entries.at(-1)).toEqual(last);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
