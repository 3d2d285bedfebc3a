import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OffsetMap } from './offset-map.ts';

describe('cuts', () => {
  it('without any, a text is its source', () => expect(new OffsetMap().at(77)).toBe(77));

  it('may be queried in any order', () => {
    const map = new OffsetMap();
    map.add(10, 15);
    map.add(20, 40);
    map.add(20, 50);
    expect([25, 3, 10, 9, 19, 20, 0].map((at) => map.at(at))).toEqual([55, 3, 15, 9, 24, 50, 0]);
  });

  it('an offset within a replacement maps to the replaced range', () => {
    const map = new OffsetMap();
    map.add(13, 11);
    expect([10, 11, 12, 13].map((at) => map.at(at))).toEqual([10, 11, 11, 11]);
  });

  it('are exact in the latest half megabyte and near before, in bounded memory', () => {
    const map = new OffsetMap();
    const dense = 3_000_000;
    for (let text = 1; text <= dense; text++) map.add(text, 5 * text);
    for (let back = 0; back < 500_000; back += 997) expect(map.at(dense - back)).toBe(5 * (dense - back));
    const middle = map.at(dense / 2);
    expect(Math.abs(middle - (5 * dense) / 2)).toBeLessThan(5 * 100_000);
  });

  it('grow with the text, so that offsets do', () => {
    const step = fc.tuple(fc.nat(9), fc.nat(9));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300, size: 'max' }), (steps) => {
        const map = new OffsetMap();
        let [text, source] = [0, 0];
        for (const [kept, dropped] of steps) {
          text += kept;
          source += kept + dropped;
          map.add(text, source);
        }
        for (let at = 1; at <= text + 1; at++) expect(map.at(at)).toBeGreaterThanOrEqual(map.at(at - 1));
        expect(map.at(text)).toBe(source);
      }),
      { numRuns: 200 },
    );
  });
});
