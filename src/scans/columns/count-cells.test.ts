import { describe, expect, it } from 'vitest';
import { countCells } from './count-cells.ts';

function count(text: string, fromStart: boolean): Record<string, number> {
  const counts: Record<string, number> = {};
  const add = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1;
  };
  countCells(Buffer.from(text), 0x09, ['a', 'b'], add, fromStart);
  return counts;
}

describe('counting cells', () => {
  it('skips the first line, which is a header or started before', () => {
    expect(count('1\t2\n3\t4\n5\t\n', false)).toEqual({ a: 2, b: 1 });
    expect(count('1\t2', false)).toEqual({});
  });

  it('counts it where a table has no head among its rows', () => {
    expect(count('1\t2\n3\t4\n', true)).toEqual({ a: 2, b: 2 });
    expect(count('1\t2', true)).toEqual({ a: 1, b: 1 });
  });
});
