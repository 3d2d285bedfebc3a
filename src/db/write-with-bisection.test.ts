import { describe, expect, it } from 'vitest';
import { writeWithBisection } from './write-with-bisection.ts';

const refused = Object.assign(new Error('out of range'), { code: '22003' });

/** Writes numbers; rejects all of them if one of these is among them. */
function writing(...bad: number[]) {
  const written: number[] = [];
  let calls = 0;
  const write = async (items: readonly number[]) => {
    calls++;
    if (items.some((item) => bad.includes(item))) throw refused;
    written.push(...items);
    return items.map((item) => `wrote ${item}`);
  };
  return { write, written, calls: () => calls };
}

const items = Array.from({ length: 100 }, (_, n) => n);

describe('items that are written together', () => {
  it('are written at once when nothing is refused, and nothing is written when there are none', async () => {
    const { write, calls } = writing();
    expect(await writeWithBisection(items, write, () => 'refused')).toHaveLength(100);
    expect(await writeWithBisection([], write, () => 'refused')).toEqual([]);
    expect(calls()).toBe(1);
  });

  it.each([[[0]], [[99]], [[41, 42]], [[7, 50, 93]]])('are written in order without %s', async (bad) => {
    const { write, written, calls } = writing(...bad);
    const results = await writeWithBisection(items, write, (item) => `refused ${item}`);
    expect(results).toEqual(items.map((n) => `${bad.includes(n) ? 'refused' : 'wrote'} ${n}`));
    expect(written).toEqual(items.filter((n) => !bad.includes(n)));
    expect(calls()).toBeLessThanOrEqual(1 + bad.length * 14);
  });

  it('are not divided by an error that is no item’s fault', async () => {
    let calls = 0;
    const write = async () => {
      calls++;
      throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
    };
    await expect(writeWithBisection(items, write, () => [])).rejects.toThrow('deadlock');
    expect(calls).toBe(1);
  });
});
