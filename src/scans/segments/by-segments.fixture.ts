import { catalogue } from '../../detection/catalogue.ts';
import { createScanner } from '../../detection/scanner.ts';
import type { Scanner } from '../../detection/spans.ts';
import { detectorsOf } from '../../governance/detectors-of.ts';
import { DEFAULT_RULES } from '../../governance/rule-set.ts';
import type { Source, SourceObject } from '../../sources/source.ts';
import { FindingCollector } from '../detect/finding-collector.ts';
import { Inspector } from '../detect/inspector.ts';
import { thresholdsOf } from '../detect/thresholds.ts';
import { Fingerprint } from '../results/fingerprint.ts';
import type { Inspection } from '../results/inspection.ts';
import type { ActiveSuppression } from '../suppressions/suppression.ts';
import { Suppressor } from '../suppressions/suppressor.ts';
import { objectScoringFor, toInspection } from './assemble-segments.ts';
import { ChunkInspector } from './chunk-inspector.ts';
import type { SegmentChunk } from './segment.ts';
import { joinSegments, type SegmentResult, toSegmentResult } from './segment-result.ts';

const secret = Buffer.alloc(32, 1);
const never = new AbortController().signal;
const detectors = detectorsOf(DEFAULT_RULES, catalogue);
const scanner = createScanner(detectors, thresholdsOf(DEFAULT_RULES, detectors));
const fingerprint = new Fingerprint(secret);

export function inspectWhole(
  source: Source,
  object: SourceObject,
  maxFindingsPerType: number,
  accepted: readonly ActiveSuppression[] = [],
): Promise<Inspection> {
  const options = { rules: DEFAULT_RULES, secret, maxFindingsPerType, accepted };
  return new Inspector(source, options).inspect(object, never, () => {});
}

export function stepInspector(
  source: Source,
  maxFindingsPerType: number,
  accepted: readonly ActiveSuppression[] = [],
): ChunkInspector {
  const suppressor = new Suppressor(accepted);
  const collector = (of: Scanner) =>
    new FindingCollector(of, detectors, fingerprint, maxFindingsPerType, suppressor);
  return new ChunkInspector(source, scanner, collector, suppressor);
}

/**
 * `cuts`: offsets in the object, in any order, also outside of it. One chunk for each interval between two
 * of them.
 */
export async function inspectSteps(
  source: Source,
  object: SourceObject,
  cuts: readonly number[],
  maxFindingsPerType: number,
  accepted: readonly ActiveSuppression[] = [],
): Promise<SegmentResult[]> {
  const inspector = stepInspector(source, maxFindingsPerType, accepted);
  const places = [0, ...cuts.filter((cut) => cut > 0 && cut < object.size), object.size];
  const ends = [...new Set(places)].sort((a, b) => a - b);
  const results: SegmentResult[] = [];
  for (const [n, to] of ends.slice(1).entries()) {
    const step = { from: ends[n]!, to };
    const item: SegmentChunk = { ...object, object, step };
    results.push(toSegmentResult(step, await inspector.inspect(item, never, () => {})));
  }
  return results;
}

/** The results by chunks, joined one after the other, or from the end, or in pairs. */
export function joined(
  results: readonly SegmentResult[],
  maxFindingsPerType: number,
  order: 'forward' | 'backward' | 'pairs',
): Inspection {
  return toInspection(
    joinAll(results, maxFindingsPerType, order),
    objectScoringFor(DEFAULT_RULES, maxFindingsPerType),
  );
}

function joinAll(
  results: readonly SegmentResult[],
  maxFindingsPerType: number,
  order: string,
): SegmentResult {
  const one = (left: SegmentResult, right: SegmentResult) => joinSegments(left, right, maxFindingsPerType);
  if (order === 'forward') return results.reduce(one);
  if (order === 'backward') return results.reduceRight((right, left) => one(left, right));
  if (results.length === 1) return results[0]!;
  const middle = results.length >> 1;
  return one(
    joinAll(results.slice(0, middle), maxFindingsPerType, order),
    joinAll(results.slice(middle), maxFindingsPerType, order),
  );
}
