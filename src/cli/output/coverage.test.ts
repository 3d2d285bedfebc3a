import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { coverageLine, coverageOf, OUTCOMES, reasonOf } from './coverage.ts';
import { SAMPLE } from './sample-report.ts';

const line = fc.record({
  outcome: fc.constantFrom(...OUTCOMES),
  reason: fc.option(fc.string()),
  objects: fc.nat(1_000_000),
  bytes: fc.nat(),
});

describe('coverage', () => {
  it('is one line of everything that was listed', () => {
    expect(coverageLine(coverageOf(SAMPLE.ledger))).toBe(
      '412 objects: 398 scanned, 9 unchanged, 3 partial, 2 skipped',
    );
  });

  it('has parts that sum up to the whole, whatever the ledger', () => {
    fc.assert(
      fc.property(fc.array(line), (ledger) => {
        const numbers = coverageLine(coverageOf(ledger)).match(/[\d,]+(?= \w)/g)!;
        const [whole, ...parts] = numbers.map((text) => Number(text.replaceAll(',', '')));
        expect(parts.reduce((sum, part) => sum + part, 0)).toBe(whole);
        expect(whole).toBe(ledger.reduce((sum, { objects }) => sum + objects, 0));
      }),
    );
  });

  it('lists every object that was not fully read with its reason', () => {
    fc.assert(
      fc.property(fc.array(line), (ledger) => {
        const { byOutcome, gaps, notRead } = coverageOf(ledger);
        const open = byOutcome.partial.objects + byOutcome.skipped.objects + byOutcome.dead.objects;
        expect(notRead).toBe(open);
        expect(gaps.reduce((sum, { objects }) => sum + objects, 0)).toBe(open);
      }),
    );
  });

  it('puts the reason with most objects first', () => {
    const gap = (reason: string, objects: number) => ({
      outcome: 'skipped' as const,
      reason,
      objects,
      bytes: 0,
    });
    const { gaps } = coverageOf([gap('a', 1), gap('b', 9), gap('c', 0)]);
    expect(gaps.map(({ reason }) => reason)).toEqual(['b', 'a']);
  });

  it('is honest about a source without objects', () => {
    expect(coverageLine(coverageOf([]))).toBe('0 objects');
  });

  it('shows a reason as one harmless line', () => {
    expect(reasonOf({ outcome: 'dead', reason: 'bad\x1b[2J\n', objects: 1, bytes: 0 })).toBe(
      'bad\\x1b[2J\\x0a',
    );
    expect(reasonOf({ outcome: 'dead', reason: null, objects: 1, bytes: 0 })).toBe('no reason recorded');
  });
});
