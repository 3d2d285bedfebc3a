/**
 * Whole objects: the kinds of their columns, their outliers, and that neither depends on how the bytes are
 * chunked.
 */
import { describe, expect, it, vi } from 'vitest';
import { keyOf } from '../../base/key.ts';
import { createMemorySource } from '../../sources/memory/memory.ts';
import type { SourceObject } from '../../sources/source.ts';
import type { Inspection } from '../results/inspection.ts';
import { inspectSteps, inspectWhole, joined } from '../segments/by-segments.fixture.ts';

vi.setConfig({ testTimeout: 60_000 });
const never = new AbortController().signal;

async function inspect(
  name: string,
  text: string,
  maxFindingsPerType = 1000,
  chunk = 50_000,
): Promise<Inspection> {
  const source = createMemorySource({ [name]: text }, { piece: chunk });
  return inspectWhole(source, (await source.find(keyOf(name), never)) as SourceObject, maxFindingsPerType);
}

const rows = (head: string, count: number, row: (n: number) => string) =>
  `${head}\n${Array.from({ length: count }, (_, n) => `${row(n)}\n`).join('')}`;

const CITIES = ['Leipzig', 'Hamburg', 'Bremen', 'Dresden', 'Rostock', 'Kassel', 'Mainz', 'Trier'];
/** A column of cities with a person's name in every fiftieth row. */
const cities = rows('id,city,mail', 200, (n) => {
  const city = n % 50 === 7 ? 'Jennifer Thompson' : CITIES[n % CITIES.length];
  return `${n},${city},${n % 4 === 3 ? '' : `user${n}@acme.example`}`;
});

describe('a table', () => {
  it('has columns of a kind, by their values that are not empty', async () => {
    const { columns } = await inspect('a.csv', cities);
    expect(columns).toContainEqual({
      column: 'mail',
      detector: 'EMAIL',
      share: 1,
      confidence: expect.any(Number),
      values: 150,
    });
    expect(columns?.map(({ column }) => column)).not.toContain('city');
  });

  it('reports no names in a column of cities, except in one too short to classify', async () => {
    const { counts, findings, confidenceHistogram: levels } = await inspect('a.csv', cities);
    expect(counts).toEqual({ EMAIL: 150 });
    expect(findings.map(({ detector }) => detector)).not.toContain('NAME');
    expect(Object.keys(levels!.NAME!).every((level) => Number(level) < 50)).toBe(true);
    const short = cities.replace('city', 'entry').split('\n').slice(0, 10).join('\n');
    expect((await inspect('a.csv', short)).counts.NAME).toBe(1);
  });

  it('keeps names in running text and in a column of names', async () => {
    const notes = cities.replaceAll(
      'Jennifer Thompson',
      'please call Mrs. Jennifer Thompson about the delivery of last week',
    );
    expect((await inspect('a.csv', notes)).counts.NAME).toBe(4);
    expect((await inspect('a.csv', cities.replace('city', 'full name'))).counts.NAME).toBeGreaterThanOrEqual(
      4,
    );
  });

  it('has passwords in a column that is called so, but neither in its head nor among hashes and states', async () => {
    const table = rows(
      'id,pwd,password_hash,password_status',
      12,
      (n) => `${n},Fl0wer-${n},${'5f4dcc3b'.repeat(4)},expired`,
    );
    const { counts, columns } = await inspect('a.csv', table);
    expect(counts).toEqual({ PASSWORD: 12 });
    expect(columns).toMatchObject([{ column: 'pwd', detector: 'PASSWORD', share: 1, values: 12 }]);
  });

  it('contains no internal data of the classifier', async () => {
    const { findings } = await inspect('a.csv', cities);
    expect(findings.some((finding) => 'cell' in finding)).toBe(false);
  });
});

describe('JSON records', () => {
  it('have columns by their keys, one record a line or in a list', async () => {
    const record = (n: number) =>
      `{"id":${n},"user":{"mail":"user${n}@acme.example"},"city":"${CITIES[n % 8]}"}`;
    const records = Array.from({ length: 40 }, (_, n) => record(n));
    for (const [name, text] of [
      ['a.ndjson', `${records.join('\n')}\n`],
      ['a.json', `[${records.join(',\n')}]`],
      ['b.json', `{"all":[${records.join(',')}]}`],
    ] as const) {
      const { columns } = await inspect(name, text);
      expect(columns).toMatchObject([{ column: 'mail', detector: 'EMAIL', share: 1, values: 40 }]);
    }
  });
});

describe('a text without columns', () => {
  it('has none', async () => {
    const { columns, counts } = await inspect('a.md', cities);
    expect(columns).toBeUndefined();
    expect(counts.NAME).toBeGreaterThan(0);
  });
});

describe('however the bytes come', () => {
  const long = rows('id,city,mail', 30_000, (n) => {
    const city = n % 50 === 7 ? 'Jennifer Thompson' : CITIES[n % CITIES.length];
    return `${n},${city},${n % 4 === 3 ? '' : `user${n}@acme.example`}`;
  });

  it('in chunks of any size: the same columns, counts and findings', async () => {
    const whole = await inspect('a.csv', long, 5, 1 << 22);
    expect(whole.columns).toMatchObject([{ column: 'mail', detector: 'EMAIL' }]);
    expect(whole.counts).toEqual({ EMAIL: 22_500 });
    for (const chunk of [1013, 32_768, 100_000])
      expect(await inspect('a.csv', long, 5, chunk)).toEqual(whole);
  });

  it('by steps, cut anywhere: the same', async () => {
    const source = createMemorySource({ 'a.csv': long });
    const object = (await source.find(keyOf('a.csv'), never)) as SourceObject;
    const whole = await inspectWhole(source, object, 5);
    for (const cuts of [[1], [300_000], [10_000, 20_000, 540_000], [524_288]]) {
      const results = await inspectSteps(source, object, cuts, 5);
      for (const order of ['forward', 'backward', 'pairs'] as const)
        expect(joined(results, 5, order)).toEqual(whole);
    }
  });
});
