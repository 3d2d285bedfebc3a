import { describe, expect, it } from 'vitest';
import { keyOf } from '../../base/key.ts';
import type { Detector } from '../../detection/detector.ts';
import type { OnSpans, OverlapLoser, Scanner, SpanBatch } from '../../detection/spans.ts';
import type { TextPart } from '../../extraction/extraction.ts';
import { Fingerprint } from '../results/fingerprint.ts';
import { FindingCollector } from './finding-collector.ts';

interface PlainSpan {
  readonly detector: number;
  readonly confidence: number;
  readonly base?: number;
  readonly entropy?: number;
  readonly contested?: readonly OverlapLoser[];
}

const detectors = ['EMAIL', 'IBAN', 'PHONE'].map(
  (id) => ({ id, category: 'contact', mask: () => '•••' }) as Partial<Detector> as Detector,
);
const THRESHOLDS = [0.5, 0.5, 0.7];
const part: TextPart = {
  name: null,
  format: 'text',
  charset: 'utf-8',
  sourceOffset: (at) => at,
  fieldAt: () => null,
  fieldScope: 'near',
};

function batch(spans: readonly PlainSpan[]): SpanBatch {
  const zeros = new Uint32Array(spans.length);
  return {
    count: spans.length,
    detector: Uint16Array.from(spans, (span) => span.detector),
    start: new Float64Array(spans.length),
    end: new Float64Array(spans.length),
    at: zeros,
    length: zeros,
    line: zeros,
    column: zeros,
    confidence: Float32Array.from(spans, (span) => span.confidence),
    base: Float32Array.from(spans, (span) => span.base ?? span.confidence),
    entropy: Float32Array.from(spans, (span) => span.entropy ?? 0),
    overlapped: spans.map((span) => span.contested ?? null),
    reported: Uint8Array.from(spans, (span) => (span.confidence < THRESHOLDS[span.detector]! ? 0 : 1)),
    reasons: zeros,
    field: spans.map(() => null),
    window: new Uint8Array(0),
  };
}

/** A scanner that returns the same matches for every text. */
function collectorOf(spans: readonly PlainSpan[], maxFindingsPerType = 10): FindingCollector {
  let take: OnSpans = () => {};
  const scanner: Scanner = {
    begin(_, to) {
      take = to;
    },
    push: () => take(batch(spans)),
    end() {},
    newlines: 0,
  };
  return new FindingCollector(scanner, detectors, new Fingerprint(Buffer.alloc(32)), maxFindingsPerType);
}

function collect(collector: FindingCollector): FindingCollector {
  collector.reset(keyOf('a'));
  collector.begin(part);
  collector.text(new Uint8Array(1));
  collector.end();
  return collector;
}

const lost = (detector: number, confidence: number): OverlapLoser => ({ detector, confidence });

describe('collecting', () => {
  it('counts every value by its level and reports those that reach the threshold of their detector', () => {
    const collector = collect(
      collectorOf([
        { detector: 0, confidence: 0.45 },
        { detector: 0, confidence: 0.85 },
        { detector: 2, confidence: 0.65 },
        { detector: 2, confidence: 0.7 },
      ]),
    );
    expect(collector.features.confidenceHistogram).toEqual({
      EMAIL: { 45: 1, 85: 1 },
      PHONE: { 65: 1, 70: 1 },
    });
    expect(collector.findings.map(({ detector, confidence }) => [detector, confidence])).toEqual([
      ['EMAIL', 0.85],
      ['PHONE', 0.7],
    ]);
    expect([...collector.tallies]).toEqual([
      ['EMAIL', { count: 1, confidence: 0.85 }],
      ['PHONE', { count: 1, confidence: 0.7 }],
    ]);
  });

  it('counts also what is not kept', () => {
    const collector = collect(
      collectorOf(
        Array.from({ length: 5 }, () => ({ detector: 0, confidence: 0.9 })),
        2,
      ),
    );
    expect(collector.findings).toHaveLength(2);
    expect(collector.features.confidenceHistogram).toEqual({ EMAIL: { 90: 5 } });
  });

  it('lists the parts of a confidence, without zero parts', () => {
    const { findings, features } = collect(
      collectorOf([
        { detector: 0, confidence: 0.95, base: 0.85, entropy: 3.456 },
        { detector: 1, confidence: 0.6, base: 0.95, contested: [lost(2, 0.5), lost(0, 0.9), lost(2, 0.6)] },
        { detector: 1, confidence: 0.9 },
      ]),
    );
    expect(findings.map((finding) => finding.features)).toEqual([
      { base: 0.85, context: 0.1, entropy: 3.46 },
      { base: 0.95, context: -0.35, contested: ['EMAIL', 'PHONE'] },
      { base: 0.9 },
    ]);
    expect(features.overlapCounts).toEqual({ IBAN: { 60: { EMAIL: [90], PHONE: [50, 60] } } });
  });

  it('keeps nothing of an object in which no value reached its threshold', () => {
    const spans = [{ detector: 0, confidence: 0.4 }];
    const collector = collect(collectorOf(spans));
    expect(collector.features).toEqual({ confidenceHistogram: { EMAIL: { 40: 1 } } });
    spans.length = 0;
    expect(collect(collector).features).toEqual({});
  });
});
