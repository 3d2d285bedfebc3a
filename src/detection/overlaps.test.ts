import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Span } from './matcher.ts';
import { OverlapResolver } from './overlaps.ts';
import { REASON } from './reasons.ts';

function span(start: number, end: number, detector: number, reasons: number = REASON.pattern): Span {
  return {
    ...{ start, end, detector, reasons, rank: 0, confidence: 0.8, base: 0.8, entropy: 0, field: null },
    ...{ reported: true, overlapped: null },
  };
}

function resolve(spans: readonly Span[]): Span[] {
  const resolver = new OverlapResolver();
  const out: Span[] = [];
  for (const one of [...spans].sort((a, b) => a.start - b.start)) resolver.add(one, out);
  resolver.resolve(out, 0);
  return out;
}

const names = (spans: readonly Span[]) => spans.map(({ detector }) => detector);

it('a checksum beats a longer pattern', () => {
  expect(names(resolve([span(0, 20, 1), span(2, 12, 2, REASON.checksum)]))).toEqual([2]);
});

it('of two with proof the longer wins: a card number inside an IBAN is part of the IBAN', () => {
  expect(names(resolve([span(0, 22, 1, REASON.checksum), span(4, 20, 2, REASON.checksum)]))).toEqual([1]);
});

it('for the same bytes the first of the catalogue wins', () => {
  expect(names(resolve([span(0, 9, 7), span(0, 9, 3)]))).toEqual([3]);
});

it('adjacent spans are both kept', () => {
  expect(names(resolve([span(0, 5, 1), span(5, 9, 2)]))).toEqual([1, 2]);
});

it('a weak span that overlaps two others removes neither', () => {
  expect(names(resolve([span(0, 10, 1), span(8, 13, 2), span(12, 22, 3)]))).toEqual([1, 3]);
});

it('an endless chain of overlaps is resolved cell by cell, independent of the text long before', () => {
  const seamless = Array.from({ length: 3000 }, (_, n) => span(n * 20, n * 20 + 30 + (n % 5) * 40, n % 3));
  const cell = OverlapResolver.CELL;
  const late = (spans: readonly Span[]) => resolve(spans).filter(({ start }) => start >= 2 * cell);
  const expected = late(seamless);
  expect(expected.length).toBeGreaterThan(50);
  for (const missing of [1, 13, 64, 100, 500]) expect(late(seamless.slice(missing))).toEqual(expected);
});

it('kept spans never overlap', () => {
  const any = fc.record({
    start: fc.nat(300),
    length: fc.integer({ min: 1, max: 40 }),
    detector: fc.nat(5),
    proof: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 200 }), (list) => {
      const spans = list.map((s) =>
        span(s.start, s.start + s.length, s.detector, s.proof ? REASON.checksum : REASON.pattern),
      );
      const kept = resolve(spans);
      for (let n = 1; n < kept.length; n++) expect(kept[n]!.start).toBeGreaterThanOrEqual(kept[n - 1]!.end);
      // A span is dropped only if a stronger or equal one replaces it.
      if (spans.length > 0) expect(kept.length).toBeGreaterThan(0);
    }),
  );
});
