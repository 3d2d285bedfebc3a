import { describe, expect, it } from 'vitest';
import type { NoiseFinding } from './findings.ts';
import { strataOf, weightedPrecision, wilson } from './precision.ts';
import type { Judged, Verdict } from './verdicts.ts';

const finding = (detector: string, fingerprint: string): NoiseFinding => ({
  ...{ fingerprint, kind: 'code', path: 'a', line: 1, detector, confidence: 0.9, start: 0, end: 1 },
});
const judged = (fingerprint: string, verdict: Verdict): [string, Judged] => [
  fingerprint,
  { fingerprint, kind: 'code', detector: 'A', verdict, note: '' },
];

describe('precision of a judged sample', () => {
  it('counts examples and authors as right', () => {
    const findings = ['1', '2', '3', '4'].map((fingerprint) => finding('A', fingerprint));
    const verdicts = new Map([judged('1', 'example'), judged('2', 'authorship'), judged('3', 'false')]);
    const [stratum] = strataOf(findings, verdicts);
    expect(stratum).toMatchObject({ findings: 4, judged: 3 });
    expect(stratum!.precision).toBeCloseTo(2 / 3);
  });

  it('weighs detectors by how often they were found, and leaves out those that nobody judged', () => {
    const findings = ['1', '2', '3'].map((fingerprint) => finding('A', fingerprint));
    const others = [finding('B', '4'), finding('C', '5')];
    const verdicts = new Map([judged('1', 'false'), judged('4', 'true')]);
    const weighted = weightedPrecision(strataOf([...findings, ...others], verdicts));
    expect(weighted).toEqual({ findings: 5, represented: 4, falseOnes: 3, precision: 0.25 });
  });

  it('has an interval that is not empty where all are right', () => {
    const [low, high] = wilson(13, 13);
    expect(low).toBeCloseTo(0.772, 3);
    expect(high).toBe(1);
    expect(wilson(0, 0)).toEqual([0, 1]);
  });
});
