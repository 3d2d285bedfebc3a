import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_RULES } from '../../governance/rule-set.ts';
import { FINDINGS_PER_TYPE_WHEN_FULL, MAX_FULL_TYPES } from '../results/finding-limit.ts';
import { type FoundValue, notRead } from '../results/inspection.ts';
import { neededRows, objectScoringFor, toInspection } from './assemble-segments.ts';
import { joinSegments, limitFindings, type SegmentResult, toSegmentResult } from './segment-result.ts';

function finding(detector: string, start: number): FoundValue {
  return {
    part: null,
    detector,
    category: 'contact',
    field: null,
    start,
    end: start + 1,
    line: 0,
    column: 1,
    confidence: 0.9,
    masked: '•',
    fingerprint: 'f',
    reasons: [],
  };
}

function result(from: number, to: number, more: Partial<SegmentResult> = {}): SegmentResult {
  return {
    from,
    to,
    newlines: 0,
    lineStart: from,
    types: [],
    outcome: 'scanned',
    reason: '',
    bytesRead: to - from,
    findings: [],
    ...more,
  };
}

/** The findings that a detection thread keeps. */
function kept(detectors: readonly string[], from: number, maxFindingsPerType: number): SegmentResult {
  const counts = new Map<string, number>();
  for (const detector of detectors) counts.set(detector, (counts.get(detector) ?? 0) + 1);
  return result(from, from + 1000, {
    types: [...counts].map(([detector, count]) => ({ detector, count, confidence: 1 })),
    findings: limitFindings(
      detectors.map((detector, i) => finding(detector, from + i)),
      [],
      maxFindingsPerType,
    ),
  });
}

const mail = (count: number, confidence = 0.9) => ({ detector: 'EMAIL', count, confidence });

describe('joining', () => {
  it('adds counts and bytes, keeps the highest confidence and the first findings of a type', () => {
    const left = result(0, 10, {
      types: [mail(2, 0.5)],
      findings: [finding('EMAIL', 1), finding('EMAIL', 2)],
    });
    const right = result(10, 20, {
      types: [{ detector: 'SSN', count: 1, confidence: 1 }, mail(2, 0.8)],
      findings: [finding('SSN', 11), finding('EMAIL', 12), finding('EMAIL', 13)],
    });
    const both = joinSegments(left, right, 3);
    expect(both).toMatchObject({ from: 0, to: 20, bytesRead: 20 });
    expect(both.types).toEqual([mail(4, 0.8), { detector: 'SSN', count: 1, confidence: 1 }]);
    expect(both.findings.map(({ start }) => start)).toEqual([1, 2, 11, 12]);
  });

  it('keeps what reading both at once would keep, in any grouping, also beyond what an object may have', () => {
    const types = fc.constantFrom(...Array.from({ length: 60 }, (_, i) => `T${i}`));
    const parts = fc.array(fc.array(types, { maxLength: 900, size: 'max' }), { minLength: 3, maxLength: 6 });
    fc.assert(
      fc.property(parts, fc.constantFrom(1, 3, 25, 40), (found, maxFindingsPerType) => {
        const results = found.map((detectors, i) => kept(detectors, 1000 * i, maxFindingsPerType));
        const whole = kept(found.flat(), 0, maxFindingsPerType).findings.map(({ detector }) => detector);
        const one = (left: SegmentResult, right: SegmentResult) =>
          joinSegments(left, right, maxFindingsPerType);
        const forward = results.reduce(one);
        const backward = results.reduceRight((right, left) => one(left, right));
        for (const { findings } of [forward, backward])
          expect(findings.map(({ detector }) => detector)).toEqual(whole);
        expect(whole.length).toBeLessThanOrEqual(
          MAX_FULL_TYPES * maxFindingsPerType + 60 * FINDINGS_PER_TYPE_WHEN_FULL,
        );
      }),
      { numRuns: 50 },
    );
  });

  it('keeps what was found before a hole and nothing behind it', () => {
    const left = result(0, 10, { types: [mail(1)], findings: [finding('EMAIL', 1)] });
    const hole = result(10, 20, { outcome: 'partial', reason: 'read-failed', bytesRead: 4 });
    const right = result(20, 30, { types: [mail(1)], findings: [finding('EMAIL', 21)] });
    const expected = {
      to: 30,
      outcome: 'partial',
      reason: 'read-failed',
      bytesRead: 14,
      types: [mail(1)],
    };
    expect(joinSegments(joinSegments(left, hole, 9), right, 9)).toMatchObject(expected);
    expect(joinSegments(left, joinSegments(hole, right, 9), 9)).toMatchObject(expected);
  });
});

describe('what became of the object', () => {
  const judging = objectScoringFor(DEFAULT_RULES, 9);

  it('is clean, if nothing was found in it', () => {
    expect(toInspection(result(0, 10), judging)).toMatchObject({
      outcome: 'scanned',
      stable: true,
      tier: null,
    });
  });

  it('is partial with what was found, if it could not be read to the end', () => {
    const broken = result(0, 10, {
      outcome: 'partial',
      reason: 'changed',
      types: [mail(1)],
    });
    const inspection = toInspection(broken, judging);
    expect(inspection).toMatchObject({ outcome: 'partial', stable: false, counts: { EMAIL: 1 } });
    expect(inspection.tier).not.toBeNull();
    expect(toInspection({ ...broken, types: [] }, judging)).toMatchObject({
      outcome: 'partial',
      tier: null,
    });
  });

  it('is dead, without findings, if one of its chunks crashed its thread', () => {
    const dead = toSegmentResult(
      { from: 10, to: 20 },
      { ...notRead('dead', 'crashed', false), evidence: { attempts: 2 } },
    );
    const left = result(0, 10, { types: [mail(1)], findings: [finding('EMAIL', 1)] });
    expect(toInspection(joinSegments(left, dead, 9), judging)).toEqual({
      ...notRead('dead', 'crashed', false),
      evidence: { attempts: 2 },
    });
  });
});

describe('the rows whose findings are read', () => {
  it('are those that may still have one of the first of a type', () => {
    const rows = [
      result(0, 10, { types: [mail(2)] }),
      result(10, 20, { types: [mail(2)] }),
      result(20, 30, { types: [mail(5)] }),
      result(30, 40),
      result(40, 50, { types: [mail(1), { detector: 'SSN', count: 1, confidence: 1 }] }),
    ];
    expect(neededRows(rows, 3)).toEqual([0, 10, 40]);
  });
});
