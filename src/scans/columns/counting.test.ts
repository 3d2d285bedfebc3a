import { describe, expect, it } from 'vitest';
import { viaBytes } from '../../extraction/extraction.fixture.ts';
import type { TextPart } from '../../extraction/extraction.ts';
import { mergeColumns } from './column-tally.ts';
import { lastKey } from './count-keys.ts';
import { isSampled, type TextWindow, ValueSampler, WHOLE_TEXT } from './value-sampler.ts';

function partOf(name: string, bytes: Buffer): TextPart {
  return viaBytes(name, bytes).parts[0]!.part;
}

function valuesOf(name: string, text: string, size = 7, window: TextWindow = WHOLE_TEXT) {
  const bytes = Buffer.from(text);
  const sampler = new ValueSampler();
  sampler.begin(partOf(name, bytes), window);
  for (let at = window.offset; at < bytes.length; at += size) sampler.push(bytes.subarray(at, at + size));
  sampler.end(true);
  return Object.fromEntries(sampler.values);
}

describe('the values of a table', () => {
  it('are its cells that are not empty', () => {
    const table = 'id,name,note\n1,Ann,\n2,"","a ""b"", c\nd"\n3, ,x\n4';
    expect(valuesOf('a.csv', table)).toEqual({ id: 4, name: 1, note: 2 });
    expect(valuesOf('a.csv', table.replaceAll('\n', '\r\n'))).toEqual({ id: 4, name: 1, note: 2 });
    expect(valuesOf('a.csv', 'id,name\n')).toEqual({});
  });

  it('that have no name are not counted', () => {
    expect(valuesOf('a.csv', 'id,,c\n1,2,3,4,5\n')).toEqual({ id: 1, c: 1 });
  });

  it('of a long one are sampled, the same for all chunk sizes', () => {
    const table = `id,mail\n${Array.from({ length: 60_000 }, (_, n) => `${n},${n % 2 ? `a${n}@b.example` : ''}\n`).join('')}`;
    const all = valuesOf('a.csv', table, table.length);
    for (const size of [999, 32_768, 65_537, 524_288]) expect(valuesOf('a.csv', table, size)).toEqual(all);
    expect(all.id).toBeGreaterThan(3000);
    expect(all.id).toBeLessThan(10_000);
    expect(all.mail! / all.id!).toBeCloseTo(0.5, 1);
  });

  it('are the sum of those of its windows', () => {
    const table = `id,mail\n${Array.from({ length: 60_000 }, (_, n) => `${n},a${n}@b.example\n`).join('')}`;
    for (const cut of [524_288 + 10_000, 40_000, 600_000]) {
      const left = valuesOf('a.csv', table.slice(0, cut + 37_000), 5000, { offset: 0, from: 0, to: cut });
      const offset = Math.max(0, cut - 43_000);
      const right = valuesOf('a.csv', table, 5000, { offset, from: cut, to: table.length });
      expect(left.id! + (right.id ?? 0)).toBe(valuesOf('a.csv', table).id);
    }
  });
});

describe('the values of JSON records', () => {
  it('are those of their keys, by the last step of the path', () => {
    const records =
      '{"user":{"mail":"a@b.c","age":3},"x":null,"y":"","tags":["a"]}\n{"mail": "d","ok":true}\n';
    expect(valuesOf('a.ndjson', records)).toEqual({ mail: 2, age: 1, tags: 1, ok: 1 });
    expect(lastKey('….user.mail[]')).toBe('mail');
    expect(lastKey('[].mail')).toBe('mail');
    expect(lastKey('mail')).toBe('mail');
  });
});

describe('tallies', () => {
  const claims = (cells: number, alone: Record<string, number>) => ({
    cells,
    count: cells,
    sum: cells * 90,
    alone,
  });

  it('are added by column, detector and level, whatever the names are', () => {
    const left = { a: { values: 5, claims: { EMAIL: claims(2, { 90: 2 }) } } };
    const right = {
      a: { values: 3, claims: { EMAIL: claims(1, { 80: 1 }), PHONE: claims(1, {}) } },
      ['__proto__']: { values: 1, claims: {} },
    };
    const sum = mergeColumns(left, right)!;
    expect(sum.a).toEqual({
      values: 8,
      claims: { EMAIL: { cells: 3, count: 3, sum: 270, alone: { 80: 1, 90: 2 } }, PHONE: claims(1, {}) },
    });
    expect(Object.keys(sum)).toEqual(['a', '__proto__']);
    expect(mergeColumns(undefined, left)).toBe(left);
    expect(mergeColumns(left, undefined)).toBe(left);
  });

  it('take claims where values are counted', () => {
    expect([0, 32_767, 32_768, 524_287, 524_288].map(isSampled)).toEqual([true, true, false, false, true]);
  });
});
